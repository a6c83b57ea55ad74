"""The live screen on a study that is being held (``study monitor``).

``state`` says what stands where, without Textual; ``app`` draws it and does what its keys say. It reads the store
through ``sessions.studies.watching`` alone, in a thread of its own.
"""
