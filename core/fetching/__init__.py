"""Getting the published data sets: from the hub or from a file at hand, checked, counted and kept with a card.

``catalogue`` says what is published where, ``hub``, ``folders`` and ``archives`` bring files into a fresh folder,
``examine`` reads them with the benchmark's own loader, ``cards`` writes down what they are, ``placing`` puts a set in
its place whole or not at all, and ``fetch`` does all of it in order. Nothing else in ``core`` imports from here but
``core.datasets``, and that only the cards.
"""
