"""SwinIR: image restoration with shifted-window attention.

Liang et al., "SwinIR: Image Restoration Using Swin Transformer", ICCVW 2021 (figure 2), on the windows of
Liu et al., "Swin Transformer", ICCV 2021 (section 3.2).

    image -> conv_first -> [RSTB x K] -> norm -> conv_after_body -> (+ shallow features) -> reconstruction

Reads downward: window arithmetic, attention, layer, RSTB, reconstruction, the whole model.
Differs from the study notes: the shift mask is applied and follows the actual size, inputs of any size are
padded to whole windows, no norm stands inside an RSTB outside its layers, and the mean is taken off first.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

RGB_MEAN = (0.4488, 0.4371, 0.4040)  # of DIV2K, as the official weights were trained
MASKED = -100.0  # added to the score of a pair that must not see each other


@dataclass(frozen=True, kw_only=True)
class SwinIRConfig:
    """Sizes of one SwinIR. The defaults are the paper's classical super-resolution model.

    upsampler: "pixelshuffle" (classical), "pixelshuffledirect" (lightweight), "nearest+conv" (real-world)
    or "" (denoising and JPEG: the output has the input's size).
    img_size: the training size; where it is not larger than a window the windows shrink to it and do not shift.
    """

    scale: int = 2
    in_chans: int = 3
    embed_dim: int = 180
    depths: tuple[int, ...] = (6, 6, 6, 6, 6, 6)
    num_heads: tuple[int, ...] = (6, 6, 6, 6, 6, 6)
    window_size: int = 8
    mlp_ratio: float = 2.0
    upsampler: str = "pixelshuffle"
    resi_connection: str = "1conv"
    img_size: int = 64
    img_range: float = 1.0
    num_feat: int = 64
    drop_path: float = 0.0

    def __post_init__(self) -> None:
        if len(self.depths) != len(self.num_heads):
            raise ValueError("depths and num_heads must have one entry for each RSTB")
        if any(self.embed_dim % heads for heads in self.num_heads):
            raise ValueError(
                f"embed_dim {self.embed_dim} must be a multiple of every entry of {self.num_heads}"
            )

    @classmethod
    def tiny(cls, **changes: object) -> SwinIRConfig:
        """A preset for tests: two RSTBs of two layers."""
        small: dict = dict(
            embed_dim=12, depths=(2, 2), num_heads=(2, 3), window_size=4, img_size=16, num_feat=8
        )
        return cls(**(small | changes))

    @property
    def effective_window(self) -> int:
        return min(self.window_size, self.img_size)

    def shift_of(self, layer: int) -> int:
        """Cyclic shift of the layer-th layer of an RSTB: none in even layers, half a window in odd ones."""
        if self.img_size <= self.window_size or layer % 2 == 0:
            return 0
        return self.window_size // 2


# ---------------------------------------------------------------- windows


def window_partition(x: Tensor, window_size: int) -> Tensor:
    """Cut (B, H, W, C) into windows (B, nW, N, C), N = window_size ** 2, row by row."""
    b, h, w, c = x.shape
    x = x.view(b, h // window_size, window_size, w // window_size, window_size, c)
    x = x.permute(0, 1, 3, 2, 4, 5)  # (B, H/M, W/M, M, M, C)
    return x.reshape(
        b, (h // window_size) * (w // window_size), window_size * window_size, c
    )  # (B, nW, N, C)


def window_reverse(windows: Tensor, window_size: int, h: int, w: int) -> Tensor:
    """Put windows (B, nW, N, C) back into the picture (B, H, W, C)."""
    b, _, _, c = windows.shape
    x = windows.view(b, h // window_size, w // window_size, window_size, window_size, c)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)


def relative_position_index(window_size: int) -> Tensor:
    """(N, N) row of the bias table for each pair of positions in a window (Swin, section 3.2)."""
    axis = torch.arange(window_size)
    at = torch.stack([axis.repeat_interleave(window_size), axis.repeat(window_size)])  # (2, N) row, column
    offset = at[:, :, None] - at[:, None, :] + window_size - 1  # (2, N, N), each 0 .. 2M-2
    return offset[0] * (2 * window_size - 1) + offset[1]


def shift_mask(h: int, w: int, window_size: int, shift: int, like: Tensor) -> Tensor:
    """(nW, N, N): 0 where two tokens of a shifted window are true neighbours, -100 where the roll joined them.

    After a roll by -shift the last window of each row and column holds pieces from opposite edges.
    Each position gets the number of its piece (three bands a side); only equal numbers may attend.
    """

    def bands(size: int) -> Tensor:
        at = torch.arange(size, device=like.device)
        return (at >= size - window_size).to(like.dtype) + (at >= size - shift).to(like.dtype)  # 0, 1 or 2

    piece = 3 * bands(h)[:, None] + bands(w)[None, :]  # (H, W)
    piece = window_partition(piece[None, :, :, None], window_size)[0, :, :, 0]  # (nW, N)
    return torch.where(piece[:, :, None] == piece[:, None, :], 0.0, MASKED).to(like.dtype)


def pad_to_windows(x: Tensor, window_size: int) -> Tensor:
    """Extend (B, C, H, W) right and down to whole windows by reflection; symmetric where a side is too short."""
    for dim in (2, 3):
        size = x.shape[dim]
        missing = -size % window_size
        if missing == 0:
            continue
        at = torch.arange(size + missing, device=x.device)
        if missing < size:
            at = torch.where(at < size, at, 2 * (size - 1) - at)
        else:
            at = at % (2 * size)
            at = torch.minimum(at, 2 * size - 1 - at)
        x = x.index_select(dim, at)
    return x


# ---------------------------------------------------------------- attention


class WindowAttention(nn.Module):
    """softmax(Q K^T / sqrt(d) + B + mask) V in every window, by head (Swin, equation 4)."""

    def __init__(self, dim: int, num_heads: int, window_size: int, name: str):
        super().__init__()
        self.num_heads, self.window_size = num_heads, window_size
        self.scale = (dim // num_heads) ** -0.5
        self.relative_position_bias_table = nn.Parameter(torch.zeros((2 * window_size - 1) ** 2, num_heads))
        nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)
        self.relative_position_index: Tensor
        self.register_buffer(
            "relative_position_index", relative_position_index(window_size), persistent=False
        )
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

        per_head = ("batch", "window", "head", "position", "channel")
        pairs = ("batch", "window", "head", "query", "key")
        self.tap_q = Tap(f"{name}.q", per_head, "heads")
        self.tap_k = Tap(f"{name}.k", per_head, "heads")
        self.tap_v = Tap(f"{name}.v", per_head, "heads")
        self.tap_bias = Tap(f"{name}.bias", ("head", "query", "key"), "attention")
        self.tap_scores = Tap(f"{name}.scores", pairs, "attention")
        self.tap_weights = Tap(f"{name}.weights", pairs, "attention")
        self.tap_out = Tap(f"{name}.out", per_head, "heads")

    def bias(self) -> Tensor:
        """(heads, N, N): learned bias of each pair of positions, looked up by their offset."""
        n = self.window_size**2
        table = self.relative_position_bias_table[self.relative_position_index.view(-1)]  # (N*N, heads)
        return table.view(n, n, self.num_heads).permute(2, 0, 1)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """x: (B, nW, N, C). mask: (nW, N, N) added to the scores, or None."""
        b, windows, n, c = x.shape
        qkv = self.qkv(x).view(b, windows, n, 3, self.num_heads, c // self.num_heads)
        q, k, v = qkv.permute(3, 0, 1, 4, 2, 5).unbind(0)  # each (B, nW, heads, N, d)
        q, k, v = self.tap_q(q), self.tap_k(k), self.tap_v(v)

        scores = (q * self.scale) @ k.transpose(-2, -1) + self.tap_bias(self.bias())  # (B, nW, heads, N, N)
        scores = self.tap_scores(scores)  # before the mask, so that what it silences can be seen
        if mask is not None:
            scores = scores + mask[:, None]  # (nW, 1, N, N)
        weights = self.tap_weights(scores.softmax(dim=-1))

        out = self.tap_out(weights @ v)  # (B, nW, heads, N, d)
        return self.proj(out.transpose(2, 3).reshape(b, windows, n, c))


class DropPath(nn.Module):
    """Drop a residual branch of whole samples while training (stochastic depth, Huang et al. 2016)."""

    def __init__(self, rate: float):
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.rate == 0.0:
            return x
        keep = torch.rand(x.shape[0], 1, 1, 1, device=x.device, dtype=x.dtype) >= self.rate
        return x * keep / (1.0 - self.rate)


class MLP(nn.Module):
    """Two linear layers with GELU, token by token."""

    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, dim)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc2(F.gelu(self.fc1(x)))


class SwinLayer(nn.Module):
    """One Swin Transformer layer: x + (S)W-MSA(LN(x)), then x + MLP(LN(x)) (SwinIR, figure 2b)."""

    def __init__(self, config: SwinIRConfig, num_heads: int, layer: int, drop_path: float, name: str):
        super().__init__()
        dim = config.embed_dim
        self.window_size, self.shift = config.effective_window, config.shift_of(layer)
        self.norm1 = nn.LayerNorm(dim)
        self.attn = WindowAttention(dim, num_heads, self.window_size, f"{name}.attn")
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = MLP(dim, int(dim * config.mlp_ratio))
        self.drop_path = DropPath(drop_path)
        self.tap_out = Tap(f"{name}.out", ("batch", "row", "column", "channel"), "tokens")

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x: (B, H, W, C), H and W whole windows. mask: (nW, N, N), used by shifted layers only."""
        h, w = x.shape[1:3]
        y = self.norm1(x)
        if self.shift:
            y = torch.roll(y, (-self.shift, -self.shift), dims=(1, 2))
        windows = window_partition(y, self.window_size)  # (B, nW, N, C)
        windows = self.attn(windows, mask if self.shift else None)
        y = window_reverse(windows, self.window_size, h, w)
        if self.shift:
            y = torch.roll(y, (self.shift, self.shift), dims=(1, 2))
        x = x + self.drop_path(y)
        return self.tap_out(x + self.drop_path(self.mlp(self.norm2(x))))


class RSTB(nn.Module):
    """Residual Swin Transformer Block: x + conv(layers(x)) (SwinIR, equation 4)."""

    def __init__(self, config: SwinIRConfig, index: int, drop_path: list[float]):
        super().__init__()
        name = f"rstb.{index}"
        self.layers = nn.ModuleList(
            SwinLayer(config, config.num_heads[index], j, drop_path[j], f"{name}.layer.{j}")
            for j in range(config.depths[index])
        )
        self.conv = body_conv(config)
        self.tap_out = Tap(f"{name}.out", ("batch", "row", "column", "channel"), "tokens")

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:  # (B, H, W, C)
        y = x
        for layer in self.layers:
            y = layer(y, mask)
        y = self.conv(y.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
        return self.tap_out(x + y)


def body_conv(config: SwinIRConfig) -> nn.Module:
    """The convolution that ends an RSTB and the body: one 3x3, or a bottleneck of three to save parameters."""
    dim = config.embed_dim
    if config.resi_connection == "1conv":
        return nn.Conv2d(dim, dim, 3, padding=1)
    if config.resi_connection == "3conv":
        return nn.Sequential(
            nn.Conv2d(dim, dim // 4, 3, padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(dim // 4, dim // 4, 1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(dim // 4, dim, 3, padding=1),
        )
    raise ValueError(f"resi_connection must be '1conv' or '3conv', not {config.resi_connection!r}")


# ---------------------------------------------------------------- reconstruction


class PixelShuffleHead(nn.Module):
    """Classical: widen to num_feat, then one conv + pixel shuffle for each factor 2 (or one for 3)."""

    def __init__(self, config: SwinIRConfig):
        super().__init__()
        feat = config.num_feat
        self.before = nn.Conv2d(config.embed_dim, feat, 3, padding=1)
        self.steps = nn.ModuleList(
            nn.Conv2d(feat, feat * r * r, 3, padding=1) for r in factors_of(config.scale)
        )
        self.shuffles = nn.ModuleList(nn.PixelShuffle(r) for r in factors_of(config.scale))
        self.last = nn.Conv2d(feat, config.in_chans, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        x = F.leaky_relu(self.before(x), 0.01)
        for conv, shuffle in zip(self.steps, self.shuffles, strict=True):
            x = shuffle(conv(x))
        return self.last(x)


class DirectHead(nn.Module):
    """Lightweight: one conv to 3 * scale^2 channels, then one pixel shuffle."""

    def __init__(self, config: SwinIRConfig):
        super().__init__()
        self.conv = nn.Conv2d(config.embed_dim, config.in_chans * config.scale**2, 3, padding=1)
        self.shuffle = nn.PixelShuffle(config.scale)

    def forward(self, x: Tensor) -> Tensor:
        return self.shuffle(self.conv(x))


class NearestConvHead(nn.Module):
    """Real-world: nearest-neighbour doublings, each followed by a conv, which leaves no checkerboard."""

    def __init__(self, config: SwinIRConfig):
        super().__init__()
        if config.scale not in (2, 4):
            raise ValueError(f"nearest+conv works at scale 2 or 4, not {config.scale}")
        feat = config.num_feat
        self.before = nn.Conv2d(config.embed_dim, feat, 3, padding=1)
        self.ups = nn.ModuleList(nn.Conv2d(feat, feat, 3, padding=1) for _ in factors_of(config.scale))
        self.hr = nn.Conv2d(feat, feat, 3, padding=1)
        self.last = nn.Conv2d(feat, config.in_chans, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        x = F.leaky_relu(self.before(x), 0.01)
        for conv in self.ups:
            x = F.leaky_relu(conv(F.interpolate(x, scale_factor=2.0, mode="nearest")), 0.2)
        return self.last(F.leaky_relu(self.hr(x), 0.2))


class ResidualHead(nn.Module):
    """Denoising and JPEG: one conv back to the image's channels; the input is added by the model."""

    def __init__(self, config: SwinIRConfig):
        super().__init__()
        if config.scale != 1:
            raise ValueError("a model without an upsampler has scale 1")
        self.last = nn.Conv2d(config.embed_dim, config.in_chans, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(x)


HEADS = {
    "pixelshuffle": PixelShuffleHead,
    "pixelshuffledirect": DirectHead,
    "nearest+conv": NearestConvHead,
    "": ResidualHead,
}


def factors_of(scale: int) -> list[int]:
    """Upsampling steps of a scale: 2 -> [2], 4 -> [2, 2], 8 -> [2, 2, 2], 3 -> [3]. Raises ValueError otherwise."""
    if scale == 3:
        return [3]
    if scale < 2 or scale & (scale - 1):
        raise ValueError(f"scale must be 3 or a power of two, not {scale}")
    return [2] * (scale.bit_length() - 1)


# ---------------------------------------------------------------- the model


class SwinIR(nn.Module):
    """Super-resolve (or restore) an image.

    forward: x (B, in_chans, H, W) in [0, 1], any H and W >= 1; mask_strength multiplies the shift mask
    (1: the paper, 0: mask dropped, to see what leaks). Returns (B, in_chans, scale*H, scale*W), not clipped.
    """

    def __init__(self, config: SwinIRConfig):
        super().__init__()
        if config.upsampler not in HEADS:
            raise ValueError(f"upsampler must be one of {sorted(HEADS)}, not {config.upsampler!r}")
        self.config = config
        mean = RGB_MEAN if config.in_chans == 3 else (0.0,) * config.in_chans
        self.mean: Tensor
        self.register_buffer("mean", torch.tensor(mean).view(1, -1, 1, 1), persistent=False)

        self.conv_first = nn.Conv2d(config.in_chans, config.embed_dim, 3, padding=1)
        self.embed_norm = nn.LayerNorm(config.embed_dim)
        layers = sum(config.depths)
        rates = [config.drop_path * layer / max(1, layers - 1) for layer in range(layers)]
        self.rstb = nn.ModuleList()
        for i, depth in enumerate(config.depths):
            start = sum(config.depths[:i])
            self.rstb.append(RSTB(config, i, rates[start : start + depth]))
        self.norm = nn.LayerNorm(config.embed_dim)
        self.conv_after_body = body_conv(config)
        self.head = HEADS[config.upsampler](config)

        picture = ("batch", "channel", "row", "column")
        self.tap_shallow = Tap("shallow", picture, "feature_map")
        self.tap_mask = Tap("mask", ("window", "query", "key"), "mask")
        self.tap_deep = Tap("deep", picture, "feature_map")
        self.tap_fused = Tap("fused", picture, "feature_map")

        self.apply(init_linear)

    def forward(self, x: Tensor, mask_strength: Tensor | None = None) -> Tensor:
        h, w = x.shape[2:]
        window_size = self.config.effective_window
        x = pad_to_windows(x, window_size)
        x = (x - self.mean) * self.config.img_range

        shallow = self.tap_shallow(self.conv_first(x))  # (B, C, H, W)
        mask = shift_mask(x.shape[2], x.shape[3], window_size, self.config.window_size // 2, like=shallow)
        mask = self.tap_mask(mask if mask_strength is None else mask * mask_strength)  # (nW, N, N)

        tokens = self.embed_norm(shallow.permute(0, 2, 3, 1))  # (B, H, W, C)
        for rstb in self.rstb:
            tokens = rstb(tokens, mask)
        deep = self.conv_after_body(self.norm(tokens).permute(0, 3, 1, 2))  # (B, C, H, W)
        deep = self.tap_deep(deep)
        if self.config.upsampler:
            y = self.head(self.tap_fused(shallow + deep))
        else:
            y = x + self.head(self.tap_fused(shallow + deep))
        y = y / self.config.img_range + self.mean
        return y[:, :, : h * self.config.scale, : w * self.config.scale]


def init_linear(module: nn.Module) -> None:
    """Truncated normal of std 0.02 for linear layers, zero biases (official training code)."""
    if isinstance(module, nn.Linear):
        nn.init.trunc_normal_(module.weight, std=0.02)
        nn.init.zeros_(module.bias)
