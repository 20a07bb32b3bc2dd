"""Sentences in Chinese."""
