"""What calls cost, and the most they can cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.prices import Load, Prices, load_of, most_tokens, usd

DEAR = Prices(input=2.0, cached=0.5, output=10.0, picture=0.001)


def test_a_call_is_priced_by_what_it_came_to() -> None:
    assert DEAR.cost(1000, 100) == pytest.approx((1000 * 2 + 100 * 10) / 1e6)
    assert DEAR.cost(1000, 100, cached=600) == pytest.approx((400 * 2 + 600 * 0.5 + 100 * 10) / 1e6)
    assert DEAR.cost(1000, 100, cached=5000) == pytest.approx((1000 * 0.5 + 100 * 10) / 1e6)
    assert DEAR.cost(1000, 100, pictures=3) == pytest.approx(0.003 + (1000 * 2 + 100 * 10) / 1e6)
    assert Prices(input=0.0, output=0.0).cost(1000, 100) == 0.0


@pytest.mark.parametrize("half", [Prices(), Prices(input=1.0), Prices(output=1.0), Prices(cached=1.0, picture=1.0)])
def test_half_a_price_is_no_price(half: Prices) -> None:
    assert not half.known
    assert half.cost(1000, 100) is None


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 9))
def test_no_call_within_its_load_costs_more_than_the_most(prompt: int, said: int, cached: int, pictures: int) -> None:
    dearest = Prices(input=1.0, cached=3.0, output=2.0, picture=0.01)
    for prices in (DEAR, dearest):
        cost = prices.cost(prompt, said, cached, pictures)
        assert cost is not None
        assert cost <= prices.most(Load(prompt, said, pictures, 0)) + 1e-12


def test_the_load_of_a_request_bounds_all_that_is_sent() -> None:
    words = "Wie viele Hunde? 三只狗 \U0001f415 " * 20
    request = {
        "model": "m",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": words}],
        "max_tokens": 300,
        "tools": [{"name": "x" * 5000}],
    }
    load = load_of(request, [])
    assert load.prompt >= len(words.encode()) + 5000
    assert (load.output, load.pictures) == (300, 0)
    assert load_of(request | {"n": 4}, []).output == 1200
    assert load_of(request | {"max_completion_tokens": 5000}, []).output == 5000
    with_pictures = load_of(request, [(1024, 1024), (64, 64)])
    assert with_pictures.pictures == 2
    assert with_pictures.prompt == load.prompt + most_tokens((1024, 1024)) + most_tokens((64, 64))
    assert load_of(request, [(1024, 1024), (64, 64)], 500).prompt == load.prompt + 1000
    assert load.guess <= load.prompt + load.output


@pytest.mark.parametrize(
    ("size", "known"),
    [
        ((1024, 1024), 85 + 170 * 4),
        ((1024, 1024), 2833 + 5667 * 4),  # tiles, where each is dear
        ((2048, 768), 2833 + 5667 * 8),
        ((10_000, 10), 2833 + 5667 * 8),
        ((1024, 1024), 1024 * 1024 // (28 * 28)),  # patches merged four to one
        ((1024, 1024), 64 * 64 + 64),  # patches of 16, a mark after each row
        ((5120, 5120), (5120 // 14) * (5120 // 14 + 1)),
        ((336, 336), 2880),  # five crops of 576
        ((1, 1), 256 * 13),  # thirteen crops of 256
    ],
)
def test_a_picture_is_never_taken_for_less_than_known_servers_make_of_it(size: tuple[int, int], known: int) -> None:
    assert most_tokens(size) >= known


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0.0, "$0.00"),
        (12.5, "$12.50"),
        (1234.567, "$1,234.57"),
        (0.5, "$0.50"),
        (0.0123, "$0.0123"),
        (0.000001234, "$0.00000123"),
        (0.25, "$0.25"),
    ],
)
def test_sums_are_shown_with_the_digits_they_need(amount: float, text: str) -> None:
    assert usd(amount) == text
