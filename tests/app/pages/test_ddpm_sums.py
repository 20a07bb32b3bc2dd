"""Every number that the diffusion page works out again is the net's own, whatever the tap and the cell."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from app.widgets.formula import work
from models.generative.ddpm import UNet, UNetConfig
from models.taps import record, taps_of
from pages.ddpm_parts import sums

CONFIG = UNetConfig.tiny(in_channels=2)


@pytest.fixture(scope="module")
def ran():
    torch.manual_seed(0)
    net = UNet(CONFIG).eval()
    with torch.no_grad():
        for parameter in net.parameters():  # norms and biases that are not just 1 and 0
            if parameter.ndim == 1:
                parameter.add_(0.3 * torch.randn_like(parameter))
        x = torch.randn(1, 2, 8, 12)
        with record() as taps:
            net(x, torch.tensor([421]), torch.tensor([2]))
    state = {name: value.numpy() for name, value in net.state_dict().items()}
    return state, {name: value.numpy() for name, value in taps.items()}, x.numpy(), taps_of(net)


def test_the_wiring_names_every_block_and_every_tap_it_reads(ran):
    state, taps, _, specs = ran
    config = dataclasses.asdict(CONFIG)
    for block, feed in sums.wiring(config).items():
        assert f"{block}.out" in specs
        assert any(name.startswith(feed.prefix + ".") for name in state)
        assert all(name in taps for name in feed.taps)
    for i, source in enumerate(sums.skip_sources(config)[1:], 1):
        np.testing.assert_array_equal(taps[f"skip.{i}"], taps[f"{source}.out"])


def test_every_sum_gives_the_nets_own_number(ran):
    state, taps, x, specs = ran
    config = dataclasses.asdict(CONFIG)
    rng = np.random.default_rng(1)
    seen = set()
    for name, spec in specs.items():
        wanted = sums.needed(config, name)
        if wanted is None:
            continue
        for _ in range(3):
            cell = {
                axis: int(rng.integers(size))
                for axis, size in zip(spec.axes, taps[name].shape, strict=True)
                if axis != "batch"
            }
            found = sums.sum_of(state, config, {w: taps[w] for w in wanted}, name, cell, x)
            if found is None:
                continue
            place = tuple(0 if axis == "batch" else cell[axis] for axis in spec.axes)
            assert found.expected == pytest.approx(float(taps[name][place]))
            worked = work(found.terms, found.bias, found.expected, slack=found.slack)
            assert worked.agrees, (name, cell, worked.difference, worked.bound)
            seen.add(name.rpartition(".")[2])
    assert seen >= {"output", "embedding", "shift", "hidden", "out", "q", "k", "v", "heads", "0"}


def test_time_and_shift_are_the_nets_own(ran):
    state, taps, _, _ = ran
    channels = CONFIG.block_out_channels[0]
    np.testing.assert_allclose(sums.sinusoid(421, channels), taps["time.sinusoid"][0], atol=1e-5)
    np.testing.assert_allclose(
        sums.time_embedding(state, 421, channels), taps["time.embedding"][0], atol=1e-5
    )
    for block, feed in sums.wiring(dataclasses.asdict(CONFIG)).items():
        if feed.kind == "resnet":
            np.testing.assert_allclose(
                sums.shifts(state, feed.prefix, [3, 421], 2, channels)[1],
                taps[f"{block}.shift"][0],
                atol=1e-5,
            )


def test_attention_is_the_softmax_of_the_scores(ran):
    _, taps, _, _ = ran
    for block in sums.attentions(dataclasses.asdict(CONFIG)):
        q, k, w = (taps[f"{block}.{part}"][0] for part in ("q", "k", "weights"))
        for head in range(len(q)):
            np.testing.assert_allclose(sums.softmax(sums.scores(q[head, 5], k[head])), w[head, 5], atol=1e-5)
