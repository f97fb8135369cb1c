"""What a model is shown of a community and what is taken of its answer. Pure: given the middle of a community, gives the question; given the answer, gives a title and a summary."""

import re
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.template.loader import render_to_string

from common.text import canonical, language_of
from inference.types import ChatMessage
from ontology.communities.central import Central
from ontology.model_reading.output import after_thoughts

TITLE_CHARACTERS, SUMMARY_CHARACTERS, NAME_CHARACTERS = 120, 1200, 100
LEAST_SENTENCES = 1
_LABEL = re.compile(r"^(?:title|summary|标题|摘要)\s*[:：]\s*", re.IGNORECASE)
_MARKS = ' \t#*_"“”「」《》`'


@dataclass(frozen=True, slots=True)
class Material:
    """A question about a community. `sources` are the evidence of all that stands in it, `kb_ids` where those stand; `fingerprint` is the same for the same question."""

    prompt: str
    sources: tuple[UUID, ...]

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        return (ChatMessage("user", self.prompt),)

    @property
    def fingerprint(self) -> str:
        return sha256(self.prompt.encode()).hexdigest()


def material(central: Central) -> Material | None:
    """None where there is no sentence to tell of. A name that stands nowhere is not told."""
    said = [each.sentence for each in central.told]
    if len(said) < LEAST_SENTENCES:
        return None
    named = [each for each in central.entities if each.id in central.places]
    names = [" ".join(each.name.split())[:NAME_CHARACTERS] for each in named]
    sources = [each.quote.id for each in central.told] + [central.places[each.id].id for each in named]
    language = language_of(" ".join(said))
    prompt = render_to_string(f"prompts/community_{language}.txt", {"names": names, "sentences": said}).strip()
    return Material(prompt, tuple(dict.fromkeys(sources)))


def title_and_summary(answer: str) -> tuple[str, str]:
    """Both empty where the answer is none: nothing after the thoughts, or no more than a title."""
    lines = [line.strip() for line in canonical(after_thoughts(answer)).splitlines()]
    lines = [plain for line in lines if (plain := _LABEL.sub("", line.strip(_MARKS)).strip(_MARKS))]
    if len(lines) < 2:
        return "", ""
    return lines[0][:TITLE_CHARACTERS], " ".join(lines[1:])[:SUMMARY_CHARACTERS]
