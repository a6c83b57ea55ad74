"""Reviewing what a pipeline made: one item at a time, accepted, edited or rejected by a key."""
