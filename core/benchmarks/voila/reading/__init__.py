"""Free text to VOILA's values: what an answer says of number, subject and action, and where it says it.

``prepare`` folds typography, ``tokens`` turns words into meanings (``lexicon``, filled from the tables of
``numbers``, ``subjects``, ``actions`` and ``words``), ``tables`` puts tables into prose order, ``content`` reads one
picture's three properties, and ``describe``, ``relate`` (with ``clauses``) and ``apply`` read a step's answer.
``reader.read`` is the way in. Nothing here knows an item or its gold: what an answer says does not depend on what is
right.
"""
