"""Claims about the product; the folders mirror the three floors. ``servers`` is the faulty server tests talk to."""
