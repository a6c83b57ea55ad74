"""Can this respondent be used, and for what: the largest turn of a protocol and a few small ones, asked for real.

``report`` holds what was found, line by line; ``largest`` finds the turn with the most pictures and the longest
history; ``probes`` are small questions whose replies tell one thing each; ``asking`` asks one and ``lines`` says what
came of it; ``server``, ``here`` and ``makers`` put them to a server, a model run here, a
baseline or a maker of pictures; ``checking`` chooses. Import
``check`` and ``Report`` from here. Imports from benchmarks, respondents, pictures and planning.
"""

from core.checking.checking import check
from core.checking.report import Line, Report, Verdict

__all__ = ["Line", "Report", "Verdict", "check"]
