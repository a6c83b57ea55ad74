"""Judges: respondents that score. ``judge`` asks one about an answer, ``reading`` reads what it replies."""
