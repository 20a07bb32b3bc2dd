"""How the official SwinIR checkpoints name their tensors, and ours. No torch needed.

Official layout: JingyunLiang/SwinIR, models/network_swinir.py. Buffers that follow from the sizes
(attention masks, the relative position index) are not weights and are left out.
"""

from __future__ import annotations

import re

_DROPPED = re.compile(r"(attn_mask|relative_position_index)$")

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), ours)
    for pattern, ours in (
        (r"^patch_embed\.norm\.", "embed_norm."),
        (r"^layers\.(\d+)\.residual_group\.blocks\.(\d+)\.", r"rstb.\1.layers.\2."),
        (r"^layers\.(\d+)\.conv\.", r"rstb.\1.conv."),
        (r"^conv_before_upsample\.0\.", "head.before."),
        (r"^conv_up1\.", "head.ups.0."),
        (r"^conv_up2\.", "head.ups.1."),
        (r"^conv_hr\.", "head.hr."),
        (r"^conv_last\.", "head.last."),
    )
)


def our_key(official: str, upsampler: str) -> str | None:
    """Our name of an official tensor, or None for a buffer that is computed instead."""
    if _DROPPED.search(official):
        return None
    if official.startswith("upsample."):  # Sequential(conv, shuffle, conv, shuffle, ...)
        _, position, rest = official.split(".", 2)
        return (
            f"head.conv.{rest}"
            if upsampler == "pixelshuffledirect"
            else f"head.steps.{int(position) // 2}.{rest}"
        )
    for pattern, ours in _RULES:
        new, hits = pattern.subn(ours, official)
        if hits:
            return new
    return official
