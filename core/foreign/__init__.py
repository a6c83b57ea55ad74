"""Replies that other tools recorded: read, matched with items, answered again."""
