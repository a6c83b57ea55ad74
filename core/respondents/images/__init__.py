"""What a maker of pictures is made of, whoever runs it.

``request_form`` is the request to a server, ``replies`` what comes back from one, ``server`` the respondent.
``drawing`` draws the answers of baselines, and the gold that is put in. A pipeline run here is in
``core.respondents.diffusing``.
"""
