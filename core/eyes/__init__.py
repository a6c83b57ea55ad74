"""How the small model ``eyes`` was made: its drawings, its curriculum, its training.

``python -m core.eyes FOLDER`` trains it anew with the extra ``local``; the finished model lies in ``assets/eyes``.
Nothing that runs an experiment imports this.
"""
