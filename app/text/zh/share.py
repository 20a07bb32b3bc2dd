"""Messages: share."""

MESSAGES: dict[str, str] = {}
