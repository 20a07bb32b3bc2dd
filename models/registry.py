"""The only list of models there is. Imports no torch."""

from __future__ import annotations

from models.card import ModelCard
from models.cnn.resnet18_card import CARD as RESNET18
from models.generative.dcgan_discriminator_card import CARD as DCGAN_DISCRIMINATOR
from models.generative.dcgan_generator_card import CARD as DCGAN_GENERATOR
from models.generative.ddpm_card import CARD as DDPM
from models.generative.digit_judge_card import CARD as DIGIT_JUDGE
from models.vision.swinir_card import CARD as SWINIR


def by_slug(cards: tuple[ModelCard, ...]) -> dict[str, ModelCard]:
    """Index cards by slug. Raises ValueError on a slug that stands twice."""
    index: dict[str, ModelCard] = {}
    for card in cards:
        if card.slug in index:
            raise ValueError(f"two cards are called {card.slug!r}")
        index[card.slug] = card
    return index


MODELS: dict[str, ModelCard] = by_slug(
    (
        RESNET18,
        DCGAN_GENERATOR,
        DCGAN_DISCRIMINATOR,
        DDPM,
        DIGIT_JUDGE,
        SWINIR,
    )
)
