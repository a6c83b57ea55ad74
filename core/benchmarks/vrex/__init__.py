"""V-REX: chains of questions about one image, planned or followed (Fan et al., "V-REX: Benchmarking Exploratory
Visual Reasoning via Chain-of-Questions").

``question`` an item's typed view, ``lettering`` which letter shows which option, ``fields`` the names that a file may
give them, ``row`` and ``load`` files to items, ``protocol`` what is asked, ``score`` the rule scorer, ``chains`` how
trajectories came out and ``measures`` the paper's measures.
"""
