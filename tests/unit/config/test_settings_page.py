"""The page of settings is the one that the classes give."""

from config.conf import PROJECT
from config.settings_page import settings_page


def test_the_page_is_up_to_date() -> None:
    assert (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8") == settings_page()
