"""Data that ships with the program: prompts, demo packs, published results. No code lives here."""
