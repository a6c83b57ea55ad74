"""The papers' own results: rows as printed, the same as report cells, and what can be recomputed from them.

``records`` the typed rows, ``load`` reads them from the assets, ``voila``, ``vrex`` and ``mmra`` recompute what each
paper states, ``checks`` what is asked of every paper, ``catalogue`` is what the rest of the house holds, ``beside``
sets published rows next to a run's own cells. Nothing here needs a benchmark's data, nor its entry in the registry.
"""
