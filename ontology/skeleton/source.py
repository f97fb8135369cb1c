"""From a text to its tree of nodes, each of which knows its line. Nothing is constructed; what could cost memory or run code is refused first.

Refused: more than a megabyte, anchors and aliases, tags, several documents, more than 50,000 nodes, nesting beyond 12. Duplicate keys and
wrong kinds of values are left to `fields.py`.
"""

from collections.abc import Sequence

import yaml
from django.utils.translation import gettext as _

from ontology.skeleton.faults import WIDE_COLON, Fault, SkeletonRefused, colon_advice

BYTES_MAX = 1_000_000
NODES_MAX = 50_000
DEPTH_MAX = 12

LOADER: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def tree_of(text: str) -> yaml.Node:
    """The root node. Raises SkeletonRefused."""
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise SkeletonRefused([Fault(line, 1, _("A character here is half of one."), _("Write it again."))]) from None
    if size > BYTES_MAX:
        raise SkeletonRefused([Fault(1, 1, _("The file is larger than a megabyte."), _("Write a smaller skeleton."))])
    try:
        refuse_dangers(text)
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        raise SkeletonRefused([broken(error, lines=text.split("\n"))]) from None
    if root is None:
        raise SkeletonRefused([Fault(1, 1, _("The file is empty."), _("Begin with “classes:”."))])
    return root


def refuse_dangers(text: str) -> None:
    """Looks at events only, so that nothing is built before it is known to be small and plain."""
    depth = nodes = documents = 0
    for event in yaml.parse(text, Loader=LOADER):
        nodes += isinstance(event, yaml.NodeEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if danger := danger_of(event, depth, nodes, documents):
            mark = event.start_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            raise SkeletonRefused([Fault(line, column, *danger)])


def danger_of(event: yaml.Event, depth: int, nodes: int, documents: int) -> tuple[str, str] | None:
    """What makes this event one that is not read, and what to do instead."""
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        return _("Anchors (&) and aliases (*) are not read."), _("Put the value in quotes, or write it out.")
    if getattr(event, "tag", None) is not None:
        return _("Tags (!) are not read."), _("Put the value in quotes, or leave the tag out.")
    if depth > DEPTH_MAX:
        return _("The file is nested too deep."), _("Nothing in a skeleton is deeper than seven levels.")
    if nodes > NODES_MAX:
        return _("The file holds too many values."), _("Write a smaller skeleton.")
    if documents > 1:
        return _("A second document begins here (---)."), _("Keep one skeleton in one file.")
    return None


def broken(error: yaml.YAMLError, *, lines: Sequence[str]) -> Fault:
    """A text that is not YAML. The parser may point behind the last line."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    instead = _("Check the indentation, the colons and the quotes of this line and of the one before it.")
    line, column = (min(mark.line + 1, len(lines)), mark.column + 1) if mark else (1, 1)
    if any(WIDE_COLON in each for each in lines[max(0, line - 2) : line]):
        instead = colon_advice()
    return Fault(line, column, _("This is not YAML: %(problem)s.") % {"problem": problem}, instead)
