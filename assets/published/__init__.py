"""The papers' own results as facts, one number a row, in the order the papers print them. No code lives here.

``voila.csv``: Yilmaz et al., "VOILA: Evaluation of MLLMs for Perceptual Understanding and Analogical Reasoning",
tables 2-4 and 8-19 and the figures told in sections 6.1 and 6.2. ``vrex.csv``: Fan, Liang et al., "V-REX:
Benchmarking Exploratory Visual Reasoning via Chain-of-Questions", tables 1-3. ``mmra.csv``: Wu, Zhu, Bai et al.,
"MMRA: A Benchmark for Evaluating Multi-Granularity and Multi-Image Relational Association Capabilities in Large
Visual Language Models", tables 2-4.

``model`` is one name for one model throughout a paper, ``printed`` the name in that table where it differs.
``protocol``, ``options``, ``interventions``, ``step``, ``property``, ``group_by`` and ``group`` are the words of
``phoropter report``; the group ``mean`` is a plain mean of the groups beside it, ``all`` is over the answers.
``value`` stands as printed; ``unit`` is percent, or count where a table counts answers (of ``n``). ``footnote``
is a key into ``footnotes.csv``: what a reader of that number should know. ``facts.csv`` holds the numbers that
are no accuracies (sizes, counts, correlations), ``tables.csv`` says what each table is about.
"""
