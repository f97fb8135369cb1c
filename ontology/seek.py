"""Look through what was read before a name was known. Versions in which a new name stands are marked stale, so that the rules go over them again.

So the facts do not depend on the order in which documents came.
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q

from knowledge.models import Chunk
from ontology.gazetteers import known_names
from ontology.models import Alias, Entity, ExtractedVersion
from ontology.places_of_names import Places
from ontology.rules.gazetteer import Gazetteer
from ontology.twins import versions_with_twins


def seek(graph_id: UUID) -> int:
    """One pass for all names that wait; gives the number of versions to go over again. Leaves at once when another process is at it."""
    with transaction.atomic():
        if not alone(graph_id):
            return 0
        entities, aliases = waiting(Entity, graph_id), waiting(Alias, graph_id)
        if not entities and not aliases:
            return 0
        hits = {*versions_that_lack(graph_id), *versions_with_twins(graph_id)}
        ExtractedVersion.objects.filter(version__in=hits).update(is_stale=True)
        Entity.objects.filter(pk__in=entities).update(is_sought=True)
        Alias.objects.filter(pk__in=aliases).update(is_sought=True)
        return len(hits)


def alone(graph_id: UUID) -> bool:
    """Until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [f"seek {graph_id}"])
        return bool(cursor.fetchone()[0])


def waiting(model: type[Entity] | type[Alias], graph_id: UUID) -> Sequence[UUID]:
    """Names that no text was searched for."""
    return list(model._default_manager.filter(graph_id=graph_id, is_sought=False).values_list("pk", flat=True))


def versions_that_lack(graph_id: UUID) -> list[UUID]:
    """Versions that readers see or will see, in which such a name stands where nothing was found of the one who bears it."""
    gazetteer = Gazetteer.of(known_names(graph_id, is_sought=False))
    bearers = {known.entity_id for names in gazetteer.entries for known in names if known.entity_id}
    places = Places.of(bearers)
    found: set[UUID] = set()
    for version_id, start, text in texts(graph_id):
        if version_id not in found and not places.cover_all(version_id, start, gazetteer.sightings(text)):
            found.add(version_id)
    return sorted(found)


def texts(graph_id: UUID) -> Iterator[tuple[UUID, int, str]]:
    """Chunk by chunk, with where it begins."""
    chunks = Chunk.objects.filter(kb__graph_source__graph_id=graph_id)
    current = chunks.filter(Q(document__live_version=F("version")) | Q(version__published_at=None))
    rows = current.order_by("version", "ordinal").values_list("version_id", "start", "text")
    yield from rows.iterator(chunk_size=2000)
