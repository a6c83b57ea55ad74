"""Pipelines that make items, as the store has them: what waits for people, what they said, what came of each item."""
