"""Makes the demo packs of V-REX and MMRA: tables of items in the project's own words, and the pictures they are on.

``python -m core.making FOLDER`` writes both packs, the same bytes each time. The tables say what is asked; pictures
are drawn with ``core.drawing`` alone. Nothing that runs an experiment imports this.
"""
