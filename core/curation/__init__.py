"""Making items as the papers made theirs: distractors for V-REX's chains, pairs for MMRA, pictures for VOILA.

Each pipeline is a benchmark of its own in the engine's sense (``make-vrex``, ``make-mmra``, ``make-voila``): what is
to be made is an item, every generation, selection, check and review a step of its trajectory. So a pipeline resumes,
recalls, is shown and forked as any run is, and what comes out of it is a pure function of the stored steps.
"""
