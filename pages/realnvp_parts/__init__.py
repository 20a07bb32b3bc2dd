"""The sections of the RealNVP page, one file each."""
