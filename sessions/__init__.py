"""What happened and must not be lost: one SQLite file, its schema, and everything that reads or writes it.

``store`` opens the file safely (permissions, network file systems, migrations with a backup), ``writer`` is the
one thread that writes, ``runs`` are named batches and their identity, ``journal`` is what the engine writes
through, ``replay`` turns rows back into records, ``reading`` answers the questions of screens, ``tallies`` those of
reports, ``scoring`` scores stored answers again, ``doctor`` says whether the file is sound. ``schema`` holds the
tables and ``migrations`` brings an older file up to date.

May import ``core`` and ``assets``; never ``tui``. Nothing here imports numpy, and sqlite-utils only where a
migration is applied.
"""
