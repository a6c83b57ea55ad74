"""What is asked and how it is judged: records, benchmarks, respondents, the engine, pictures, statistics.

Pure of storage and of screens: nothing here may import ``sessions`` or ``tui``.
"""
