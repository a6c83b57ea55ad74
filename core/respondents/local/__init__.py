"""What a model run by transformers is made of.

``asking`` turns a request into messages and pictures, ``jobs`` holds one request on its way, ``batching`` is the
thread that owns the model and halves a batch that does not fit, ``loading`` and ``processors`` get model and
processor into memory, ``generating`` answers a batch, ``steering`` draws, stops and streams token by token,
``wording`` tells an answer from the thinking before it, ``letters`` reads the odds of lettered options, ``weights``
tells one folder's weights from another's. torch and transformers are imported inside functions alone. Imports from
``core.respondents``, ``core.pictures`` and the records; nothing but ``transformers_local`` imports from here.
"""
