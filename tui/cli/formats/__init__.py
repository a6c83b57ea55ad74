"""How reports are written: one module for each format, and ``writing`` in front of them."""
