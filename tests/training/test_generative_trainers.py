"""Parts of the trainers of the judge, the diffusion model and the GAN that need no data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.generative import schedule  # noqa: E402
from models.generative.dcgan import Generator, GeneratorConfig  # noqa: E402
from models.generative.ddpm import UNet, UNetConfig  # noqa: E402
from models.training import common, dcgan, ddpm, digit_judge, samples  # noqa: E402


class Small:
    """A recipe with tiny sizes."""

    config = UNetConfig.tiny()
    schedule = "linear"
    prediction = "epsilon"
    dropped = 0.1


@pytest.mark.parametrize("prediction", ["epsilon", "v", "x0"])
def test_targets_are_what_the_sampler_undoes(prediction: str) -> None:
    rng = np.random.default_rng(0)
    x0, noise = rng.uniform(-1, 1, (3, 1, 4, 4)), rng.normal(size=(3, 1, 4, 4))
    levels = schedule.named("cosine").alpha_bar[[3, 400, 900]]
    target, weight = ddpm.target_and_weight(
        prediction, torch.from_numpy(x0), torch.from_numpy(noise), torch.from_numpy(levels)
    )
    column = levels.reshape(-1, 1, 1, 1)
    x_t = schedule.add_noise(x0, noise, column)
    assert np.allclose(schedule.to_x0(prediction, x_t, target.numpy(), column), x0, atol=1e-9)
    # whatever is predicted, an error of x0 costs min(SNR, 5) times its square
    slip = 1e-3
    off = schedule.to_x0(prediction, x_t, target.numpy() + slip, column) - x0
    cost = weight.numpy() * slip**2 / (off**2).mean((1, 2, 3))
    assert np.allclose(cost, np.minimum(schedule.snr(levels), ddpm.SNR_CAP), rtol=1e-6)


def test_steps_of_a_batch_are_spread() -> None:
    rng = torch.Generator().manual_seed(0)
    for count in (1, 7, 48):
        steps = ddpm.spread_steps(count, rng)
        assert steps.dtype == torch.int64 and int(steps.min()) >= 0 and int(steps.max()) < ddpm.STEPS
        gaps = torch.diff(steps.sort().values.double(), prepend=torch.zeros(1))
        assert gaps.max() <= 2 * ddpm.STEPS / count + 1  # one in each of `count` slices


def test_quick_attention_is_the_same_function() -> None:
    torch.manual_seed(0)
    model = UNet(UNetConfig.tiny()).eval()
    x, t, label = torch.randn(2, 1, 8, 8), torch.tensor([3, 900]), torch.tensor([0, 3])
    with torch.no_grad():
        plain = model(x, t, label)
        assert torch.allclose(ddpm.quicken(model)(x, t, label), plain, atol=1e-5)


def test_a_calm_start_says_nothing() -> None:
    torch.manual_seed(0)
    model = UNet(UNetConfig.tiny())
    ddpm.start_calm(model)
    with torch.no_grad():
        said = model(torch.randn(2, 1, 8, 8), torch.tensor([3, 900]), torch.tensor([0, 3]))
    assert torch.allclose(said, model.conv_out.bias.view(1, -1, 1, 1).expand_as(said))


def test_loss_falls_on_one_picture() -> None:
    torch.manual_seed(0)
    model, rng = ddpm.quicken(UNet(Small.config)), torch.Generator().manual_seed(0)
    ddpm.start_calm(model)
    optimiser = torch.optim.Adam(model.parameters(), 4e-3)
    pictures, labels = torch.ones(16, 1, 8, 8), torch.zeros(16, dtype=torch.int64)
    levels = torch.from_numpy(schedule.named("linear").alpha_bar.copy()).float()
    losses = []
    for _ in range(14):
        loss = ddpm.loss_of(model, Small, pictures, labels, levels, rng, True)  # type: ignore[arg-type]
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert np.mean(losses[-4:]) < 0.8 * np.mean(losses[:4])


def test_samples_do_not_depend_on_the_batch() -> None:
    torch.manual_seed(0)
    model = UNet(Small.config).eval()
    labels = np.array([0, 1, 2, 0, 1])
    whole = samples.ddim(model, Small, labels, steps=4, guidance=1.5, seed=3)
    split = samples.ddim(model, Small, labels, steps=4, guidance=1.5, seed=3, batch=2)
    assert whole.shape == (5, 1, 8, 8) and np.abs(whole).max() <= 1
    assert np.allclose(whole, split, atol=1e-4)


def test_frechet_distance_of_gaussians() -> None:
    rng = np.random.default_rng(0)
    one = rng.normal(size=(4000, 3))
    assert samples.frechet(one, one) == pytest.approx(0, abs=1e-9)
    assert samples.frechet(one, one + [3.0, 0, 0]) == pytest.approx(9, rel=1e-9)
    assert samples.frechet(one, one * 2) == pytest.approx(3, rel=0.1)  # (2 - 1)^2 for each of three axes


def test_diversity_of_a_collapse_is_nought() -> None:
    real = np.random.default_rng(0).random((40, 6))
    labels = np.arange(40) % 2
    assert samples.diversity(real, labels, real, labels)["ratio"] == 1
    same = np.repeat(real[:2], 20, axis=0)
    assert samples.diversity(same, np.repeat([0, 1], 20), real, labels)["ratio"] == pytest.approx(0, abs=1e-6)


def test_shifts_move_and_let_gradients_through() -> None:
    pictures = torch.full((6, 1, 32, 32), -1.0)
    pictures[:, 0, 16, 16] = 1
    pictures.requires_grad_()
    moved = dcgan.shifted(pictures, torch.Generator().manual_seed(0))
    assert moved.shape == pictures.shape and ((moved > 0).sum((1, 2, 3)) == 1).all()
    where = (moved > 0).nonzero()[:, 2:]
    assert (where - 16).abs().max() <= dcgan.SHIFT and len(set(map(tuple, where.tolist()))) > 1
    moved[moved > 0].sum().backward()
    assert pictures.grad is not None and float(pictures.grad.sum()) == 6


def test_gan_losses_are_those_of_the_page() -> None:
    from models.generative import gan_losses  # noqa: F401  (the page's, in numpy)

    real, fake = torch.tensor([[2.0], [-1.0]]), torch.tensor([[0.5], [-3.0]])
    d_real, d_fake = real.sigmoid(), fake.sigmoid()
    by_hand = -(d_real.log().mean() + (1 - d_fake).log().mean())
    assert torch.allclose(dcgan.losses_of_d(real, fake), by_hand)
    assert torch.allclose(dcgan.loss_of_g(fake), -d_fake.log().mean())


def test_snapshots_begin_untrained_and_end_with_the_run() -> None:
    assert len(dcgan.MOMENTS) == 12 and dcgan.MOMENTS[0] == 0 and dcgan.MOMENTS[-1] == 1
    assert list(dcgan.MOMENTS) == sorted(dcgan.MOMENTS)


def test_bend_keeps_size_and_range() -> None:
    pictures = torch.full((5, 1, 28, 28), -1.0)
    pictures[:, :, 10:18, 10:18] = 1
    bent = digit_judge.bend(pictures, torch.Generator().manual_seed(0))
    assert bent.shape == pictures.shape and bent.min() >= -1 - 1e-6 and bent.max() <= 1 + 1e-6
    assert (bent[:, 0, 0] == -1).all() and (bent.mean((1, 2, 3)) > -1).all()


def test_weights_are_read_back_within_their_rounding(tmp_path: Path) -> None:
    torch.manual_seed(0)
    net = Generator(GeneratorConfig.tiny())
    for int8, bound in ((False, 1e-3), (True, 2e-2)):
        path = tmp_path / f"{int8}.safetensors"
        common.write_weights(path, net, int8=int8, metadata={"model": "dcgan_generator"})
        back = common.read_back(path, Generator(GeneratorConfig.tiny()))
        for name, value in net.state_dict().items():
            if value.is_floating_point():
                assert torch.allclose(back.state_dict()[name], value, atol=bound * float(value.abs().max()))
    assert (tmp_path / "True.safetensors").stat().st_size < (tmp_path / "False.safetensors").stat().st_size


def test_average_follows() -> None:
    one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    common.average_into(one, two, 0.0)
    assert torch.equal(one.weight, two.weight)
    assert common.ramp(0, 0.999) == pytest.approx(0.1) and common.ramp(10**6, 0.999) == 0.999


def test_learning_rate_of_the_generative_trainers() -> None:
    assert common.learning_rate(0, 0.0, 1.0, 100) == pytest.approx(0.01)
    assert common.learning_rate(10**4, 0.0, 1.0, 100) == 1
    assert common.learning_rate(10**4, 1.0, 1.0, 100, floor=0.02) == pytest.approx(0.02)


def test_pictures_of_no_digit() -> None:
    rng = torch.Generator().manual_seed(0)
    some = torch.rand(20, 1, 28, 28, generator=rng) * 2 - 1
    made = digit_judge.no_digits(some, 10, rng)
    assert made.shape == (10, 1, 28, 28) and made.abs().max() <= 1
    tiles = made[4].flatten().sort().values  # every fifth: the tiles of a digit in another order
    assert torch.equal(tiles, some[8].flatten().sort().values) and not torch.equal(made[4], some[8])


def test_judge_learns_not_to_be_sure_of_outliers() -> None:
    sure, unsure = torch.tensor([[9.0, 0.0, 0.0]]), torch.zeros(1, 3)
    label = torch.tensor([0])
    right = digit_judge.loss_of(torch.cat([sure, unsure]), label, 1)
    assert right < digit_judge.loss_of(torch.cat([sure, sure]), label, 1)
    assert right < digit_judge.loss_of(torch.cat([unsure, unsure]), label, 1)
