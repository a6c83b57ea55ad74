"""A judge's reply: read in every shape that says one thing, and never where it says none or two."""

from __future__ import annotations

import json

import pytest

from core.judging.reading import LONGEST, UnreadableError, read_verdicts

KEYS = ("number", "subject", "action")
SAID = {"number": True, "subject": False, "action": True}


@pytest.mark.parametrize(
    "reply",
    [
        '{"number": 1, "subject": 0, "action": 1}',
        ' \n{"action":1,"number":1,"subject":0}\n',
        '```json\n{"number": 1, "subject": 0, "action": 1}\n```',
        'Let me see {the answer}. It says two dogs.\n\n{"number": 1, "subject": 0, "action": 1}\n\nThat is all.',
        "{'number': 1, 'subject': 0, 'action': 1}",
        '{"number": 1, "subject": 0, "action": 1,}',
        "{'number': true, 'subject': False, 'action': 1}",
        '{"number": true, "subject": false, "action": true}',
        '{"number": "1", "subject": "0", "action": "Yes"}',
        '{"number": 1.0, "subject": 0.0, "action": 1}',
        '{"Number": 1, "Subject": 0, "ACTION": 1}',
        '{"number": 1, "subject": 0, "action": 1, "reason": "a fox {is} no dog"}',
        '{"number": 1, "subject": 0, "action": 1} and again {"number": 1, "subject": 0, "action": 1}',
        '{"reason": "thinking"}\n{"number": 1, "subject": 0, "action": 1}',
        '\ufeff{"number": 1, "subject": 0, "action": 1}',
    ],
)
def test_what_says_one_thing_is_read(reply: str) -> None:
    assert read_verdicts(reply, KEYS) == SAID


@pytest.mark.parametrize(
    "reply",
    [
        '{"image_1": {"number": 1, "subject": 0}, "image_2": {"number": 0, "subject": 1}}',
        '{"Image 1": {"Number": 1, "Subject": 0}, "Image 2": {"Number": 0, "Subject": 1}}',
        '{"image_1_number": 1, "image_1_subject": 0, "image_2_number": 0, "image_2_subject": 1}',
    ],
)
def test_keys_may_be_nested(reply: str) -> None:
    keys = ("image_1_number", "image_1_subject", "image_2_number", "image_2_subject")
    assert list(read_verdicts(reply, keys).values()) == [True, False, False, True]


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        ("", "said nothing"),
        (" \n", "said nothing"),
        ("The number is right, the subject is not.", "no JSON object"),
        ("number: 1, subject: 0, action: 1", "no JSON object"),
        ("[1, 0, 1]", "no JSON object"),
        ('{"number": 1, "subject": 0, "act', "no JSON object"),
        ('{"number": 1, "subject": 0}', "lacks action"),
        ("{}", "lacks number, subject, action"),
        ('{"number": -1, "subject": -1, "action": -1}', "number is neither"),
        ('{"number": 1, "subject": 0.5, "action": 1}', "subject is neither"),
        ('{"number": 1, "subject": null, "action": 1}', "subject is neither"),
        ('{"number": 1, "subject": NaN, "action": 1}', "subject is neither"),
        ('{"number": 1, "subject": [0], "action": 1}', "subject is neither"),
        ('{"number": 1, "subject": "0 or 1", "action": 1}', "subject is neither"),
        ('{"number": 1, "subject": 0, "subject": 1, "action": 1}', "subject is neither"),
        ("{'number': 1, 'subject': 0, 'subject': 1, 'action': 1}", "subject is neither"),
        ('{"number": 1, "a": {"number": 0}, "Number": 0, "subject": 0, "action": 1}', "number is neither"),
        ('{"number": 1, "subject": 0, "action": 1} {"number": 0, "subject": 0, "action": 1}', "two different"),
        ("{'number': __import__('os').getpid(), 'subject': 0, 'action': 1}", "no JSON object"),
        ("{" * 5000, "no JSON object"),
        ('{"a":' * 5000, "no JSON object"),
        (" " * LONGEST + json.dumps({"number": 1, "subject": 0, "action": 1}), "no JSON object"),
    ],
)
def test_what_says_none_or_two_is_an_error_and_never_a_guess(reply: str, what: str) -> None:
    with pytest.raises(UnreadableError, match=what):
        read_verdicts(reply, KEYS)
