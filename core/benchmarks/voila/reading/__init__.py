"""Free text to VOILA's values: what an answer says of number, subject and action, and where it says it.

``prepare`` folds typography, ``tables`` puts tables into prose order, ``tokens`` turns words into meanings (of
``kinds``; by the ``lexicon``, filled from the tables of ``numbers``, ``subjects``, ``actions`` and ``words``).
``content`` reads one picture's three properties, ``pictures`` says which picture a text speaks of, ``retracted`` what
it takes back. ``describe``, ``relate`` (with ``cutting`` and ``clauses``) and ``apply`` read a step's answer.
``reader.read`` is the way in. Nothing here knows an item or its gold: what an answer says does not depend on what is
right.
"""
