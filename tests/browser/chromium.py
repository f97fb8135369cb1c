"""Where Debian's Chromium is."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
ADVICE = "no Chromium was found, so browser tests are left out (on Debian: apt-get install chromium fonts-noto-cjk)"


def find_chromium() -> str | None:
    """The path of the first browser that is there."""
    return next(filter(None, map(shutil.which, NAMES)), None)
