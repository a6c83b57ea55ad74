"""MMRA: how two images relate (Wu et al., "MMRA: A Benchmark for Evaluating Multi-Granularity and Multi-Image
Relational Association Capabilities in Large Visual Language Models").

``question`` an item's typed view and the eleven subtasks, ``values`` the data file's spellings of them, ``sources``
files to raw rows, ``described`` the descriptions that lie beside a file, ``row`` and ``load`` rows to items,
``protocol`` what is asked, ``score`` our rule beside the authors' (``published``), ``leakage`` tests against chance,
``measures`` the paper's tables and figures.
"""
