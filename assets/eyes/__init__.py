"""The small model ``eyes``: its files, its card and its recorded answers."""
