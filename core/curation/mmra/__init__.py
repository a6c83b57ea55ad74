"""New MMRA pairs: candidates by their captions, annotation, cross-review, leakage (paper sections 2.1 to 2.4)."""
