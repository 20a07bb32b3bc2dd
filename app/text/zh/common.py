"""Messages: common."""

MESSAGES: dict[str, str] = {}
