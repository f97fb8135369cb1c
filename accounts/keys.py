"""API keys as text: `trl_<prefix>_<secret>`. The prefix is for recognition and look-up; of the secret only a hash is kept.

The secret has 256 random bits, so a plain SHA-256 is enough: there is nothing to guess from a list of words.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

FORM = re.compile(r"trl_([a-z0-9]{8})_([A-Za-z0-9_-]{43})")
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, slots=True)
class KeyText:
    """A key taken apart."""

    prefix: str
    secret: str

    def __str__(self) -> str:
        return f"trl_{self.prefix}_{self.secret}"

    @property
    def secret_hash(self) -> str:
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def fits(self, secret_hash: str) -> bool:
        """Compared in constant time."""
        return hmac.compare_digest(self.secret_hash, secret_hash)


def new_key() -> KeyText:
    """A key that nobody has."""
    prefix = "".join(secrets.choice(ALPHABET) for _ in range(8))
    return KeyText(prefix=prefix, secret=secrets.token_urlsafe(32))


def parse_key(text: str) -> KeyText | None:
    """The key's parts, or None when it does not have the form of one."""
    match = FORM.fullmatch(text.strip())
    return KeyText(*match.groups()) if match else None
