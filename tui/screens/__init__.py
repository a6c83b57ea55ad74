"""The screens, each with its ``.tcss`` beside it. They turn keys into commands of the state and redraw."""
