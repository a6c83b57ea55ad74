from __future__ import annotations

import pytest

from core.errors import UsageError
from sessions.store import Store
from sessions.studies import people, withdrawing


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ada@example.org", "looks like a mail address"),
        ("Ada Lovelace", "looks like a name"),
        ("P" * 21, "at most 20 characters"),
        ("simulated:P1", "those of simulated people"),
        ("José", "letters without accents"),
        ("", "letters without accents"),
        ("P/17", "letters without accents"),
    ],
)
def test_what_looks_like_an_identity_is_refused_and_not_repeated(store: Store, text: str, why: str) -> None:
    with pytest.raises(UsageError) as told:
        people.find(store, text)
    assert why in str(told.value)
    assert not text or text not in str(told.value)
    assert people.everybody(store) == ()


def test_pseudonyms_are_issued_in_their_order_and_nobody_elses_are_let_in(store: Store) -> None:
    assert people.find(store, "Z9").pseudonym == "Z9"  # nothing was issued yet
    assert [person.pseudonym for person in people.issue(store, 3)] == ["P01", "P02", "P03"]
    assert [person.pseudonym for person in people.issue(store, 2)] == ["P04", "P05"]
    assert [person.pseudonym for person in people.issue(store, 1, "B")] == ["B01"]
    assert people.find(store, "p04").pseudonym == "P04"
    assert people.find(store, "Z9").pseudonym == "Z9"
    with pytest.raises(UsageError, match=r"P06 was not issued.*Did you mean P0"):
        people.find(store, "P06")


def test_simulated_people_do_not_close_the_door(store: Store) -> None:
    assert people.issue_simulated(store, 2)[1].pseudonym == "simulated:P02"
    assert people.find(store, "P7").pseudonym == "P7"


def test_somebody_who_withdrew_does_not_come_back(store: Store) -> None:
    person = people.find(store, "P7")
    store.write(lambda db: db.execute("UPDATE participants SET withdrawn = 1 WHERE id = ?", (person.id,)))
    with pytest.raises(UsageError, match="has withdrawn"):
        people.find(store, "P7")
    assert people.everybody(store) == ()


@pytest.mark.parametrize(("count", "prefix"), [(0, "P"), (1, ""), (1, "a b"), (1, "P1")])
def test_bad_numbers_and_prefixes(store: Store, count: int, prefix: str) -> None:
    with pytest.raises(UsageError):
        people.issue(store, count, prefix)


def test_the_number_of_somebody_who_withdrew_is_nobody_elses(store: Store) -> None:
    people.issue(store, 3)
    withdrawing.withdraw(store, "P03")
    assert [person.pseudonym for person in people.issue(store, 2)] == ["P04", "P05"]
    withdrawing.withdraw(store, "P01")
    assert [person.pseudonym for person in people.issue(store, 1)] == ["P08"]
