"""The only list of models there is, and of methods that are trained on the spot. Imports no torch."""

from __future__ import annotations

from typing import TypeVar

from models.card import Card, MethodCard, ModelCard
from models.cnn.resnet18_card import CARD as RESNET18
from models.generative.autoencoder_kl_decoder_card import CARD as AUTOENCODER_KL_DECODER
from models.generative.autoencoder_kl_encoder_card import CARD as AUTOENCODER_KL_ENCODER
from models.generative.dcgan_discriminator_card import CARD as DCGAN_DISCRIMINATOR
from models.generative.dcgan_generator_card import CARD as DCGAN_GENERATOR
from models.generative.ddpm_card import CARD as DDPM
from models.generative.digit_judge_card import CARD as DIGIT_JUDGE
from models.generative.latent_diffusion_card import CARD as LATENT_DIFFUSION
from models.generative.realnvp_card import CARD as REALNVP
from models.generative.realnvp_inverse_card import CARD as REALNVP_INVERSE
from models.generative.text_encoder_card import CARD as TEXT_ENCODER
from models.generative.vae_decoder_card import CARD as VAE_DECODER
from models.generative.vae_encoder_card import CARD as VAE_ENCODER
from models.graph.deepwalk_card import CARD as DEEPWALK
from models.graph.gat_card import CARD as GAT
from models.graph.gcn_card import CARD as GCN
from models.graph.graphsage_card import CARD as GRAPHSAGE
from models.graph.line_card import CARD as LINE
from models.graph.message_passing_card import CARD as MESSAGE_PASSING
from models.graph.node2vec_card import CARD as NODE2VEC
from models.graph.sdne_card import CARD as SDNE
from models.graph.struc2vec_card import CARD as STRUC2VEC
from models.vision.swinir_card import CARD as SWINIR

AnyCard = TypeVar("AnyCard", ModelCard, MethodCard)


def by_slug(cards: tuple[AnyCard, ...]) -> dict[str, AnyCard]:
    """Index cards by slug. Raises ValueError on a slug that stands twice."""
    index: dict[str, AnyCard] = {}
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
        VAE_ENCODER,
        VAE_DECODER,
        REALNVP,
        REALNVP_INVERSE,
        LATENT_DIFFUSION,
        TEXT_ENCODER,
        AUTOENCODER_KL_ENCODER,
        AUTOENCODER_KL_DECODER,
        SWINIR,
        GCN,
        GRAPHSAGE,
        GAT,
        MESSAGE_PASSING,
    )
)

METHODS: dict[str, MethodCard] = by_slug((DEEPWALK, LINE, NODE2VEC, STRUC2VEC, SDNE))


def heads() -> tuple[Card, ...]:
    """The cards that head a page, models first: what the home page and the navigation list."""
    cards: tuple[Card, ...] = (*MODELS.values(), *METHODS.values())
    return tuple(card for card in cards if not card.part_of)
