"""What happened and must not be lost: one SQLite file, its schema, and everything that reads or writes it.

``store`` opens the file safely (permissions, network file systems, migrations with a backup), ``writer`` is the
one thread that writes, ``runs`` are named batches (found by their ``identity``, removed by ``sweep``), ``journal`` is
what the engine writes through; ``opening`` makes one for a checked request and ``running`` keeps a second batch off.
``background`` runs such a batch beside other work, at its ``pace``, ``manager`` several of them.
``reopening`` opens a stored run for looking, without its data where that is gone, with its pictures as they were
``sent``; ``shelf`` holds any number of items for a screen, ``browsing`` says how they came out, ``drafts`` keeps what
was typed, ``forks`` removes one.
``replay`` turns rows back into records along ``paths``, ``reading`` answers the questions of screens, ``tallies``
counts scores for the ``cells`` of reports, ``survival`` trajectories that are still all right, ``outcomes`` gives
measures their trajectories, ``scoring`` scores stored answers again, ``doctor`` says whether the file is sound.
``schema`` holds the tables, ``encoding`` and ``vocabulary`` what stands in their columns, ``migrations`` brings an
older file up to date, ``filesystem`` tells network disks.

May import ``core`` and ``assets``; never ``tui``. Nothing here imports numpy, and sqlite-utils only where a
migration is applied.
"""
