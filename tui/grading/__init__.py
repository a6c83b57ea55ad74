"""Judging stored answers blind (``study grade``): a screen of its own that never says who answered.

``state`` holds where a grader is and what was said, without Textual; ``app`` draws it. What an answer is shown with
comes from ``cases``.
"""
