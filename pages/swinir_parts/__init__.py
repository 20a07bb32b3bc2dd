"""The sections of the SwinIR page, each in the order in which the page shows them."""
