"""The sections of the ResNet18 page, and the words and sums behind them."""
