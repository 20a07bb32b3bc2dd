"""Messages: home."""

MESSAGES: dict[str, str] = {}
