"""The alias tables hold exactly the distribution they were made of, and draws follow it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import chisquare

from models.graph.alias import Alias

weight = st.one_of(st.just(0.0), st.floats(1e-6, 1e6))


@given(st.lists(st.lists(weight, max_size=12).filter(lambda row: not row or sum(row) > 0), max_size=8))
@settings(deadline=None)
def test_tables_give_each_thing_its_share(rows):
    indptr = np.cumsum([0, *map(len, rows)])
    table = Alias.of_rows(indptr, np.array([w for row in rows for w in row]))
    shares = [w / sum(row) for row in rows for w in row]
    np.testing.assert_allclose(table.probabilities(), shares, atol=1e-9)
    assert ((table.accept >= 0) & (table.accept <= 1)).all()
    row = np.repeat(np.arange(len(rows)), np.diff(indptr))
    assert np.array_equal(row[table.other], row)  # nothing leads out of a row


def test_many_rows_do_not_leak_into_each_other():
    """Rounding in a sum over all rows must not make one row's thing give to the next row's."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(0, 12, 3000)
    weights = rng.choice([0.1, 0.3, 1.0, 2.0, 7.0], sizes.sum())
    indptr, row = np.concatenate([[0], np.cumsum(sizes)]), np.repeat(np.arange(3000), sizes)
    shares = weights / np.bincount(row, weights=weights, minlength=3000)[row]
    np.testing.assert_allclose(Alias.of_rows(indptr, weights).probabilities(), shares, atol=1e-9)


def test_a_long_table_is_exact():
    weights = np.random.default_rng(0).pareto(1.1, 200_000) + 1
    np.testing.assert_allclose(Alias.of(weights).probabilities() * weights.sum() / weights, 1, rtol=1e-6)


@pytest.mark.parametrize("weights", [[1, 2, 3, 4], [1e-3, 1, 100, 1e-3, 5], np.arange(1, 40) ** 1.5])
def test_draws_follow_the_distribution(weights):
    weights, draws = np.array(weights, dtype=float), 200_000
    drawn = np.bincount(Alias.of(weights).draw(np.random.default_rng(1), draws), minlength=len(weights))
    expected = draws * weights / weights.sum()
    often = expected >= 5  # rare things are counted together
    seen, expected = ([*a[often], *([a[~often].sum()] if (~often).any() else [])] for a in (drawn, expected))
    assert chisquare(seen, expected).pvalue > 1e-3


def test_draws_of_rows_stay_in_their_row_and_follow_it():
    indptr, weights = np.array([0, 2, 2, 5]), np.array([1.0, 3.0, 2.0, 0.0, 6.0])
    rows = np.repeat([0, 2], 100_000)
    drawn = Alias.of_rows(indptr, weights).draw_rows(np.random.default_rng(2), rows)
    first, second = np.bincount(drawn[:100_000], minlength=5), np.bincount(drawn[100_000:], minlength=5)
    assert not first[2:].any() and not second[:2].any() and not second[3]
    assert chisquare(first[:2], [25_000, 75_000]).pvalue > 1e-3
    assert chisquare(second[[2, 4]], [25_000, 75_000]).pvalue > 1e-3


@pytest.mark.parametrize("weights", [[], [0.0, 0.0], [1.0, -1.0], [1.0, np.nan], [np.inf, 1.0]])
def test_weights_that_are_no_distribution_are_refused(weights):
    if not weights:
        assert len(Alias.of(np.array(weights)).accept) == 0
        return
    with pytest.raises(ValueError, match="finite"):
        Alias.of(np.array(weights))
