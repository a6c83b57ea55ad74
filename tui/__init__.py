"""What a person touches: the command line (``cli``), the app, its screens and widgets.

Nothing is imported from here by ``core`` or ``sessions``. Textual is imported by the app's modules alone, so that
commands start fast.
"""
