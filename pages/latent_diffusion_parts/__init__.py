"""The sections of the latent diffusion page."""
