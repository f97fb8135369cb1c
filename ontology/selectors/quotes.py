"""The places that support a fact, with their words and some around them. Given facts of one kind, gives for each the first places that the subject may read."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.urls import reverse

from ontology.selectors.around import AROUND, shown_words
from ontology.selectors.views import GraphView

WORDS = """
place.id, place.document_id, document.path, document.title, document.language, version.number, place.start, place."end",
    substr(version.text, greatest(place.start - {around}, 0) + 1, place."end" - place.start + 2 * {around}),
    place.extractor, place.confidence, document.effective_on, version.created_at
"""
PLACES = f"""
SELECT place.fact, {WORDS}
FROM (
    SELECT evidence.*, evidence.{{kind}}_id AS fact, row_number() OVER (PARTITION BY evidence.{{kind}}_id ORDER BY evidence.id) AS nth
    FROM ontology_evidence AS evidence JOIN knowledge_document AS source ON source.id = evidence.document_id
    WHERE evidence.{{kind}}_id = ANY(%(facts)s) AND evidence.is_live AND source.kb_id = ANY(%(kbs)s) AND evidence.id > %(after)s
) AS place
JOIN knowledge_document AS document ON document.id = place.document_id
JOIN knowledge_version AS version ON version.id = place.version_id
WHERE place.nth <= %(limit)s ORDER BY place.id
"""  # noqa: S608 (our own texts)
THESE = f"""
SELECT {WORDS} FROM ontology_evidence AS place
JOIN knowledge_document AS document ON document.id = place.document_id
JOIN knowledge_version AS version ON version.id = place.version_id
WHERE place.id = ANY(%(places)s)
"""  # noqa: S608 (our own texts)
KINDS = ("entity", "alias", "attribute", "relation")
NIL = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Quote:
    """One place: `before`, `quote` and `after` are the version's own words, `start` and `end` their offsets."""

    id: UUID
    document_id: UUID
    path: str
    title: str
    language: str
    version: int
    start: int
    end: int
    before: str
    quote: str
    after: str
    extractor: str
    confidence: float
    effective_on: date | None
    read_at: datetime

    @property
    def url(self) -> str:
        """The document, with these words marked."""
        place = f"?version={self.version}&start={self.start}&end={self.end}#evidence"
        return reverse("document", args=[self.document_id]) + place

    @property
    def shown(self) -> tuple[str, str, str]:
        """Before, quote and after as people read them: cut between words, a table's row with dots between its cells."""
        return shown_words(self.before, self.quote, self.after, start=self.start)

    @property
    def said(self) -> dict[str, Any]:
        """As programs get it."""
        return {
            "id": str(self.id),
            "document": str(self.document_id),
            "path": self.path,
            "title": self.title or self.path,
            "version": self.version,
            "start": self.start,
            "end": self.end,
            "quote": self.quote,
            "before": self.before,
            "after": self.after,
            "extractor": self.extractor,
            "confidence": self.confidence,
            "url": self.url,
        }


def places_of(
    view: GraphView, kind: str, facts: Collection[UUID], *, limit: int, after: UUID = NIL
) -> dict[UUID, list[Quote]]:
    """At most `limit` places for each fact, those that were found first; `after` is the id of the last one already given."""
    found: dict[UUID, list[Quote]] = defaultdict(list)
    if not facts:
        return found
    assert kind in KINDS
    with connection.cursor() as cursor:
        cursor.execute(
            PLACES.format(kind=kind, around=AROUND),
            {"facts": list(facts), "kbs": list(view.kb_ids), "limit": limit, "after": after},
        )
        for fact, *rest in cursor.fetchall():
            found[fact].append(quote_from(rest))
    return found


def quotes_at(places: Collection[UUID]) -> dict[UUID, Quote]:
    """These places, by their ids, of versions that readers see now or saw before; the caller has found that the subject may see them."""
    with connection.cursor() as cursor:
        cursor.execute(THESE.format(around=AROUND), {"places": list(places)})
        return {row[0]: quote_from(list(row)) for row in cursor.fetchall()}


def quote_from(row: list[Any]) -> Quote:
    id, document, path, title, language, version, start, end, words, *rest = row
    lead = min(start, AROUND)
    stop = lead + end - start
    before, after = words[:lead], words[stop:]
    return Quote(
        id, document, path, title, language, version, start, end,
        before.rpartition("\n")[2], words[lead:stop], after.partition("\n")[0], *rest,
    )  # fmt: skip
