"""The sections of the DCGAN page, one file each."""
