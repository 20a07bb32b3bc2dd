"""Messages: engine."""

MESSAGES: dict[str, str] = {}
