"""Extract from every document of a set inside of its schema, through the one check, and compare with what it says. Nothing is stored, and no name of the set is known beforehand."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import tee

from django.utils.translation import gettext as _

from common.errors import InvalidInput
from evaluation.extraction_files import GoldDocument, PublicSchema, Triple
from evaluation.model_extractor import ByModel
from evaluation.triples import Matched
from ontology.check import check, conforms
from ontology.model_reading.binding import reader
from ontology.rules.gazetteer import Gazetteer
from ontology.rules.rules import Rules
from ontology.types import AcceptedRelation, Checked, CompiledSkeleton

Extract = Callable[[Iterable[tuple[str, CompiledSkeleton]]], Iterator[Checked]]
"""What is found and checked in texts, each inside of a skeleton, in their order."""


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """One document's triples. `outside` counts accepted facts that the schema does not allow: always 0, or the check is broken.

    `unknown` are relations that the document names and its schema has not: nothing can find them.
    """

    document: GoldDocument
    triples: tuple[Triple, ...]
    matched: Matched
    accepted: int
    rejected: int
    outside: int
    unknown: frozenset[str] = frozenset()


def run(
    documents: Iterable[GoldDocument], schemas: Mapping[str, PublicSchema], extract: Extract
) -> Iterator[DocumentResult]:
    """Raises InvalidInput for a document whose schema there is not."""
    read, told = tee((document, schema_for(document, schemas)) for document in documents)
    found = extract((document.text, schema.skeleton) for document, schema in read)
    for (document, schema), checked in zip(told, found, strict=True):
        yield result_of(document, schema, checked)


def schema_for(document: GoldDocument, schemas: Mapping[str, PublicSchema]) -> PublicSchema:
    """Raises InvalidInput when there is none."""
    schema = schemas.get(document.ontology) or (schemas.get("") if not document.ontology else None)
    if schema is None:
        raise InvalidInput(
            _("Document %(id)s is of the schema “%(name)s”, which there is not.")
            % {"id": document.id, "name": document.ontology}
        )
    return schema


def result_of(document: GoldDocument, schema: PublicSchema, checked: Checked) -> DocumentResult:
    triples = tuple(
        dict.fromkeys(
            Triple(each.found.source.name, schema.called[each.found.type], each.found.target.name)
            for each in checked.accepted
            if isinstance(each, AcceptedRelation)
        )
    )
    outside = sum(not conforms(each, schema.skeleton) for each in checked.accepted)
    matched = Matched.of(triples, document.triples)
    unknown = {each.relation.strip() for each in document.triples} - set(schema.called.values())
    return DocumentResult(
        document, triples, matched, len(checked.accepted), len(checked.rejected), outside, frozenset(unknown)
    )


def extractor_named(name: str) -> Extract:
    """Raises InvalidInput for one that there is not."""
    match name:
        case "rules":
            return ByRules()
        case "model":
            return ByModel(reader())
        case _:
            raise InvalidInput(_("There is no extractor “%(name)s”. There are: rules, model.") % {"name": name})


class ByRules:
    """The rules as a server uses them; each skeleton's are compiled once."""

    def __init__(self) -> None:
        self.compiled: dict[str, Rules] = {}

    def __call__(self, texts: Iterable[tuple[str, CompiledSkeleton]]) -> Iterator[Checked]:
        return (self.checked(text, skeleton) for text, skeleton in texts)

    def checked(self, text: str, skeleton: CompiledSkeleton) -> Checked:
        """What passes of what the rules find."""
        rules = self.compiled.get(skeleton.fingerprint)
        if rules is None:
            rules = self.compiled[skeleton.fingerprint] = Rules.of(skeleton)
        return check(rules.find(text, (), Gazetteer.EMPTY, ""), text, skeleton)
