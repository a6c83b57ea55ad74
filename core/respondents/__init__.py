"""Who answers: models behind servers, local models, and the built-in baselines, all through one interface.

``base`` is the interface, ``registry`` makes a respondent from its name and the configuration, ``settings`` is what
can be set about one. ``baselines`` are the respondents that look at nothing. ``openai_server`` is any server that
speaks the OpenAI API: ``request_body`` builds what is sent, ``endpoint`` posts it, ``replies`` and ``streaming`` read
what comes back, ``failures`` says what an error means, ``patience`` asks again, ``secret`` keeps the key. Before a
request goes it passes ``traffic``: the ``budget``, a place at one of the ``replicas``, the ``pace``.
``transformers_local`` is a model run here, made of the rooms in ``local``. Makers of pictures: ``images`` has
those behind a server, ``diffusers_local`` is one run here, made of the rooms in ``diffusing``.
"""
