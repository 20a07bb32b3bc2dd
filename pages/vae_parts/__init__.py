"""The sections of the VAE page, one file each."""
