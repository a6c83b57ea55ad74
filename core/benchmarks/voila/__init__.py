"""VOILA: image analogies A : A' :: B : ? over number, subject and action (Yilmaz et al., "VOILA: Evaluation of
MLLMs for Perceptual Understanding and Analogical Reasoning").

``vocabulary`` the closed world, ``question`` an item's typed view and the solver, ``rules`` the 19 structures and
their counts, ``contents`` the data file's texts, ``columns`` its spellings, ``row`` and ``load`` files
to items, ``protocol`` what is asked, ``wording`` values put into words, ``reading`` words read back into values,
``score`` the rule scorer, ``measures`` where the paper's tables stand in a report, ``drawn`` stand-ins for pictures,
``sample`` and ``make`` new questions.
"""
