"""``phoropter make`` beyond drawn questions: the papers' pipelines, their reviews, and the leakage check."""
