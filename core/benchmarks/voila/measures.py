"""What VOILA's tables and figures are made of: cells of ``report``, and the steps they pool.

Tables 2 and 4: ``describe``, ``relate`` and ``apply`` under ``l2m``, property ``all``, ``images=sequence|collage``.
Table 3: ``apply`` under ``l2m`` and under ``direct``. Tables 10 and 11: each step by number, subject and action.
Figure 7: ``apply``, property ``all``, by rule. Section 6.1: the lanes ``describe=gold`` and ``relate=gold``. Section
6.2: ``direct`` with ``input=text``. Tables 17 to 19 (B.7 to B.9): ``subprompts=yes``, ``cot=yes`` after ``--from``,
``examples=yes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from core.benchmarks.voila.question import RELATE
from core.benchmarks.voila.vocabulary import PROPERTIES

PARTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {RELATE: tuple(f"{RELATE}.{name}" for name in PROPERTIES)}
)
"""A step asked in parts: its parts' scores joined are the step's (B.7, table 17: "after merging the results")."""
