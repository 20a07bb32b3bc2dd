"""Readers of graph files, one file a family of formats; app.graphs is the way in."""
