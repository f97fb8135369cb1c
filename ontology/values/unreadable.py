"""The one thing that goes wrong when a value is read."""

from common.errors import InvalidInput


class UnreadableValue(InvalidInput):
    """What stands there is not understood as the declared type; the message is a sentence for people."""

    code = "unreadable_value"
