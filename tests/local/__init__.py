"""Local models, run for real: they need torch and transformers (``make test-local`` installs them)."""
