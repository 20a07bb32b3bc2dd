"""Words about the tensors inside the four nets of latent diffusion."""

MESSAGES: dict[str, str] = {
    "latent_diffusion.tap.sinusoid": "The step t as cosines and sines of many wavelengths.",
    "latent_diffusion.tap.time": "What the network makes of the step: how much noise to expect.",
    "latent_diffusion.tap.words": "The mean of the words’ vectors: what the text is about, without its order.",
    "latent_diffusion.tap.embedding": (
        "Step and mean word in one vector, which every residual block reads: the words’ second way in, beside "
        "cross-attention."
    ),
    "latent_diffusion.tap.conv_in": "The four latent maps, spread over many channels: the first look at the noise.",
    "latent_diffusion.tap.resnet.shift": (
        "What step and mean word add to each channel, the same at every place."
    ),
    "latent_diffusion.tap.resnet.hidden": "The first convolution’s answer, already moved by step and mean word.",
    "latent_diffusion.tap.resnet.norm": (
        "The same, normalised in groups of channels and bent by SiLU: what the second convolution reads."
    ),
    "latent_diffusion.tap.resnet.out": "What leaves the block: its input plus what the convolutions want to change.",
    "latent_diffusion.tap.transformer.self.weights": (
        "How much each place (query) takes from each other place (key) of the picture."
    ),
    "latent_diffusion.tap.transformer.self.out": "What each place has gathered from the other places.",
    "latent_diffusion.tap.transformer.cross.weights": (
        "How much each place of the picture (query) takes from each word (token): here the words come in. "
        "g multiplies each word, by 1 unless one is weighed."
    ),
    "latent_diffusion.tap.transformer.cross.out": "What the words say to each place; it is added to the place.",
    "latent_diffusion.tap.transformer.out": "The map after places and words have been heard.",
    "latent_diffusion.tap.down": "Half as many rows and columns; fine detail travels through the skips.",
    "latent_diffusion.tap.up": "Twice as many rows and columns: every place repeated, then smoothed by a convolution.",
    "latent_diffusion.tap.output": "v, between noise and latents: with xₜ it gives the clean latents and the noise.",
    "text_encoder.tap.words": "The vector of each word plus that of its position: no word knows of another yet.",
    "text_encoder.tap.weights": "How much each token (query) reads of each other (key). Nobody reads the padding.",
    "text_encoder.tap.out": "Every token after reading the others, and after the layer’s own two steps.",
    "text_encoder.tap.context": "The context: one vector a token. This is all that the U-Net learns of the text.",
    "autoencoder_kl.tap.conv_in": "The first maps: edges and colours, or the latents spread over many channels.",
    "autoencoder_kl.tap.resnet.hidden": "The first convolution’s answer.",
    "autoencoder_kl.tap.resnet.out": "What leaves the block: its input plus what the two convolutions want to change.",
    "autoencoder_kl.tap.attention.weights": "How much each place takes from each other one at the coarsest size.",
    "autoencoder_kl.tap.attention.out": "The map, with what attention gathered added to it.",
    "autoencoder_kl.tap.down": "Half as many rows and columns; a learned filter decides what is kept.",
    "autoencoder_kl.tap.up": "Twice as many rows and columns: every place repeated, then smoothed by a convolution.",
    "autoencoder_kl.tap.mean": "The middle of the cloud of every latent number, not scaled yet.",
    "autoencoder_kl.tap.logvar": "The logarithm of its variance: very negative where the encoder is sure.",
    "autoencoder_kl.tap.picture": "The picture, from −1 (dark) to 1 (light) in red, green and blue.",
}
