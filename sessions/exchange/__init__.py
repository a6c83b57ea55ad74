"""In and out of the store: export, import, merge."""
