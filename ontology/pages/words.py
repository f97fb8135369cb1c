"""What the pages of the graph say of classes, relations and values, in the reader's language; and the colour of each class."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ontology.labels import labelled, labelled_inverse, word
from ontology.selectors.views import GraphView
from ontology.types import Extractor, Reason

COLOURS = 10

EXTRACTORS: dict[str, Promise] = {
    Extractor.SUBJECT: _("subject of the document"),
    Extractor.GAZETTEER: _("known name"),
    Extractor.PATTERN: _("form of the name"),
    Extractor.PHRASE: _("phrase"),
    Extractor.TABLE: _("table"),
    Extractor.KEY_VALUE: _("key and value"),
    Extractor.MODEL: _("language model"),
    Extractor.IMPORT: _("import"),
    Extractor.HAND: _("by hand"),
}
REASONS: dict[str, Promise] = {
    Reason.UNKNOWN_CLASS: _("Unknown class"),
    Reason.UNKNOWN_RELATION: _("Unknown relation"),
    Reason.UNKNOWN_ATTRIBUTE: _("Unknown attribute"),
    Reason.WRONG_ENDS: _("Relation between classes that it can't join"),
    Reason.NOT_IN_TEXT: _("Does not stand in the text"),
    Reason.UNREADABLE_VALUE: _("Value that can't be read as its type"),
    Reason.BAD_NAME: _("Can't be a name"),
    Reason.HOMONYM: _("Name that several entities bear"),
    Reason.SAME_ENDS: _("Relation of an entity with itself"),
    Reason.BROKEN_OUTPUT: _("Broken output of a model"),
}
DEEDS: dict[str, Promise] = {
    "entity.add": _("added by hand"),
    "entity.confirm": _("confirmed"),
    "entity.reject": _("rejected"),
    "entity.leave": _("decision taken back"),
    "entity.rename": _("renamed"),
    "entity.merge": _("merged"),
    "entity.unmerge": _("merge taken back"),
    "entity.keep_apart": _("declared different from another"),
    "entity.may_merge": _("no longer declared different"),
    "entity.split": _("split in two"),
    "entity.keep_whole": _("declared to be one"),
    "attribute.add": _("value added"),
    "attribute.confirm": _("value confirmed"),
    "attribute.reject": _("value rejected"),
    "relation.add": _("relation added"),
    "relation.confirm": _("relation confirmed"),
    "relation.reject": _("relation rejected"),
    "quarantine.ignore": _("kind of case ignored for ever"),
    "quarantine.map": _("kind of case taken for something declared"),
    "quarantine.reopen": _("decision about a kind of case taken back"),
    "quarantine.dismiss": _("case dismissed"),
    "quarantine.restore": _("dismissed case restored"),
    "quarantine.means": _("said whom a name means in a document"),
}


@dataclass(frozen=True, slots=True)
class ClassShown:
    """A class with its words, its colour (a number of the tokens) and how many entities the reader may know of."""

    name: str
    label: str
    description: str
    colour: int
    count: int = 0


@dataclass(frozen=True, slots=True)
class RelationTypeShown:
    """A type of relation as it reads from its source and from its target."""

    name: str
    label: str
    inverse: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]


def classes_shown(view: GraphView, counts: dict[str, int] | None = None) -> list[ClassShown]:
    """In the order of the skeleton; then those that it no longer has, where there are still entities."""
    declared = view.skeleton.classes
    names = [*declared, *sorted(set(counts or {}) - declared.keys())]
    return [
        ClassShown(
            name,
            labelled(declared.get(name), name),
            word(declared[name].description, "") if name in declared else "",
            number % COLOURS + 1,
            (counts or {}).get(name, 0),
        )
        for number, name in enumerate(names)
    ]


def class_shown(view: GraphView, name: str) -> ClassShown:
    return next((each for each in classes_shown(view) if each.name == name), ClassShown(name, name, "", COLOURS))


def relation_types(view: GraphView) -> list[RelationTypeShown]:
    return [
        RelationTypeShown(
            each.name, labelled(each, each.name), labelled_inverse(each, each.name), each.sources, each.targets
        )
        for each in view.skeleton.relations.values()
    ]
