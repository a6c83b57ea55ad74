"""What a maker of pictures run by diffusers is made of.

``asking`` turns a request into words, seed and size, ``loading`` gets the pipeline into memory, ``painting`` makes a
batch of pictures. The thread that owns the pipeline, halves a batch that does not fit and cancels is
``core.respondents.local.batching``. torch and diffusers are imported inside functions alone.
"""
