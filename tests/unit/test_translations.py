"""Every visible string is translated, and the compiled catalogue is the one that is written."""

from io import BytesIO

import pytest
from babel.messages.mofile import write_mo

from config import catalogue


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_every_string_has_a_translation(language: str) -> None:
    missing = [message.id for message in catalogue.untranslated(catalogue.merge(language))]

    assert missing == []


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_the_compiled_catalogue_is_up_to_date(language: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, catalogue.read(language))

    assert catalogue.po_file(language).with_suffix(".mo").read_bytes() == compiled.getvalue()


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_placeholders_are_the_same_in_both_languages(language: str) -> None:
    whole = catalogue.read(language)
    wrong = [
        (message.id, message.string)
        for message in whole
        if message.id and message.python_format and list(message.check(whole))
    ]

    assert wrong == []
