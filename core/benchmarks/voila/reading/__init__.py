"""Free text to VOILA's values: what an answer says of number, subject and action, and where it says it.

``prepare`` folds typography, ``tokens`` turns words into meanings with the tables of ``numbers``, ``subjects``,
``actions`` and ``words``, ``content`` reads one picture's three properties, ``describe``, ``relate`` and ``apply``
read a step's answer. Knows no item and no gold: what an answer says does not depend on what is right.
"""
