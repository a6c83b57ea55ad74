"""Benchmarks: a folder each, and what they share.

``base`` is what a benchmark is to the rest of the house, ``registry`` lists them, a line each. For their loaders:
``folders`` finds the data file and keeps its pictures in their place, ``tables`` reads CSV and parquet and
``objects`` JSON, all row by row with problems as values, ``dataset`` goes over the rows. ``options`` checks a
protocol's options. One benchmark never imports another; from outside, import ``base`` and ``registry``, and a
benchmark's folder only for what is that benchmark's alone (its generator, its counts).
"""
