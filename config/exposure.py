"""What must hold before anybody outside this machine can reach the server: a secret key of its own, and somebody to sign in as."""

import ipaddress

from django.conf import settings
from django.contrib.auth import get_user_model

from common.errors import Misconfigured

SHORTEST_KEY = 32
FEWEST_DIFFERENT = 8
WELL_KNOWN = ("insecure", "changeme", "change-me", "change_me", "secret-key", "your-secret", "default", "example")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens on this address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_weak(secret_key: str) -> bool:
    """Whether a key is short, poor, or one that stands in instructions."""
    known = any(word in secret_key.lower() for word in WELL_KNOWN)
    return len(secret_key) < SHORTEST_KEY or len(set(secret_key)) < FEWEST_DIFFERENT or known


def has_administrator() -> bool:
    """Whether somebody can sign in as administrator."""
    administrators = get_user_model().objects.filter(is_administrator=True, is_active=True)
    return any(person.has_usable_password() for person in administrators)


def exposure_faults() -> list[str]:
    """Why the server may not be reached from outside; empty when it may."""
    faults = []
    if is_weak(settings.SECRET_KEY):
        faults.append(
            "TRELLIS_SECRET_KEY is short or well known: leave it out, so that one is made and kept, or set 50 random characters."
        )
    if settings.DEBUG:
        faults.append("TRELLIS_DEBUG shows faults and settings to the browser: leave it out.")
    if not has_administrator():
        faults.append("Nobody can sign in as administrator: run `manage.py createsuperuser`.")
    return faults


def refuse_exposure(host: str) -> None:
    """Raises Misconfigured when `host` can be reached from outside and something is wrong."""
    if not is_loopback(host) and (faults := exposure_faults()):
        raise Misconfigured(f"The server does not listen on {host}. " + " ".join(faults))
