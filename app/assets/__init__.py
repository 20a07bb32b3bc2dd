"""Sample pictures that the pages offer."""
