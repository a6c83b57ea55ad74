"""Who answers: models behind servers, local models, and the built-in baselines, all through one interface.

``base`` is the interface, ``baselines`` the respondents that look at nothing, ``openai_server`` any server that
speaks the OpenAI API, ``registry`` makes a respondent from its name and the configuration.
"""
