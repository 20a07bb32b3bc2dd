"""Sums, maxima and softmax over the edges that end at each node: what every graph network is made of.

An edge list is source (E,) and target (E,), numbers of nodes: edge e carries a message from source[e] to target[e].
The functions take any number of nodes and edges, none included, and read and write each edge once.
"""

from __future__ import annotations

import torch
from torch import Tensor


def at(x: Tensor, index: Tensor) -> Tensor:
    """x[index]: (E, …) out of (N, …), what each edge finds at one of its ends."""
    return x.index_select(0, index)


def sum_at(messages: Tensor, target: Tensor, count: int) -> Tensor:
    """(count, …): the sum of the messages (E, …) that arrive at each node; 0 where none does."""
    zeros = messages.new_zeros(count, *messages.shape[1:])
    return zeros.scatter_add(0, _spread(target, messages), messages)


def max_at(messages: Tensor, target: Tensor, count: int, start: float) -> Tensor:
    """(count, …): the largest of `start` and of the messages (E, …) that arrive at each node."""
    least = messages.new_full((count, *messages.shape[1:]), start)
    return least.scatter_reduce(0, _spread(target, messages), messages, "amax")


def softmax_at(scores: Tensor, target: Tensor, count: int) -> Tensor:
    """(E, …): exp(score), divided by the sum of it over all edges with the same target.

    A score of -inf gives 0. Each node that an edge ends at must have one finite score.
    """
    largest = max_at(
        scores.detach(), target, count, -torch.inf
    )  # (count, …), taken off so that exp cannot overflow
    power = (scores - at(largest, target)).exp()
    return power / at(sum_at(power, target, count), target)


def _spread(index: Tensor, like: Tensor) -> Tensor:
    """The index (E,), the same for every channel of (E, …)."""
    return index.view(-1, *(1 for _ in like.shape[1:])).expand_as(like)
