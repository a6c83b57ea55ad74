"""A participant's sitting: an application of its own, in which nothing can be reached but the study.

``state`` holds what happens without Textual (keys that come too early, the clock of a turn, an answer being given,
what comes after what, how large pictures are); screens are thin over them. ``conducting`` leads through the session
(``trials`` its items, ``overseeing`` what lies over it) and awaits each save before the next screen. Screens here
import nothing of ``tui.screens`` but the zoom and what keeps keys in their order.
"""
