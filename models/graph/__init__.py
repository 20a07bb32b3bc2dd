"""The notes' section 6: node embeddings and graph neural networks, and the graph they all start from."""
