"""Demo packs, a folder a benchmark: small data files in the published forms, each folder with a ``card.json``."""
