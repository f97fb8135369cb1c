"""Collects the pages' files (styles, scripts, pictures) into the data folder when they have changed."""

from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STAMP = ".collected"


def collect_static() -> bool:
    """True when something had to be done."""
    stamp = Path(settings.STATIC_ROOT) / STAMP
    wanted = _fingerprint()
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(wanted)
    return True


def _fingerprint() -> str:
    """Changes when a file is added, removed or changed."""
    seen = sha256()
    for finder in get_finders():
        for path, storage in finder.list(ignore_patterns=[]):
            status = Path(storage.path(path)).stat()
            seen.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return seen.hexdigest()
