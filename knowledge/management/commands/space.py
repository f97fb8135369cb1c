"""`manage.py space fit|embed|list|activate|delete`: embedding spaces, seen and switched by an operator. With --json one object a line for each space."""

from argparse import SUPPRESS
from collections.abc import Callable, Iterable
from json import dumps
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.types import Subject
from common.commands import whole_number
from common.errors import Conflict, EngineUnavailable, NotFound, TrellisError
from inference.fingerprint import is_same
from inference.models import EmbeddingSpace
from inference.ports import Embedder
from inference.selectors import space_numbered
from knowledge.embed_space import embed_missing, space_beside
from knowledge.space_index import preparing, size_bytes
from knowledge.spaces import activate_space, delete_space, fit_space, lacking, prepare_space
from knowledge.tools import tools

SWITCH_TRIES = 3
FAILED, WRONG_USE, ENGINE_MISSING = 1, 2, 3


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Fit, list, switch and remove embedding spaces; embed everything anew for another model."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="every space with its model, dimensions, state and number of vectors")
        fit = actions.add_parser(
            "fit", help="fit a new reduction and fill it beside the space in use; nothing is embedded"
        )
        fit.add_argument(
            "--dims", type=whole_number(), default=0, help="dimensions of the reduced vectors; a third when not given"
        )
        embed = actions.add_parser(
            "embed", help="embed everything anew with the model at EMBEDDING_NEXT_BASE_URL, beside the space in use"
        )
        for action in (fit, embed):
            action.add_argument("--activate", action="store_true", help="switch to it when it is ready")
        for name, text in (
            ("activate", "switch all questions to a space"),
            ("delete", "remove a space that is not in use"),
        ):
            actions.add_parser(name, help=text).add_argument(
                "number", type=whole_number(), help="number of the space, see list"
            )
        for action in (parser, *actions.choices.values()):
            action.add_argument("--json", action="store_true", default=SUPPRESS, help="print JSON, one object a line")

    def handle(self, *args: Any, action: str, json: bool = False, **options: Any) -> None:
        try:
            spaces = ACTIONS[action](options)
        except EngineUnavailable as error:
            raise CommandError(str(error), returncode=ENGINE_MISSING) from None
        except NotFound as error:
            raise CommandError(str(error), returncode=WRONG_USE) from None
        except TrellisError as error:
            raise CommandError(str(error), returncode=FAILED) from None
        for space in spaces:
            facts = facts_of(space)
            self.stdout.write(dumps(facts, ensure_ascii=False) if json else line_of(facts))


def listed(options: dict[str, Any]) -> Iterable[EmbeddingSpace]:
    return EmbeddingSpace.objects.all()


def fitted(options: dict[str, Any]) -> Iterable[EmbeddingSpace]:
    with preparing():
        return ready(fit_space(dims=options["dims"]), options)


def embedded(options: dict[str, Any]) -> Iterable[EmbeddingSpace]:
    embedder = tools().embedders[-1]
    with preparing():
        space = space_beside(embedder.info())
        embed_all(space, embedder)
        return ready(space, options)


def ready(space: EmbeddingSpace, options: dict[str, Any]) -> Iterable[EmbeddingSpace]:
    """Filled and indexed, and switched to when that was asked for."""
    if options["activate"]:
        switch(space)
    else:
        prepare_space(space)
    return [space]


def activated(options: dict[str, Any]) -> Iterable[EmbeddingSpace]:
    space = space_numbered(options["number"])
    with preparing():
        switch(space)
    return [space]


def switch(space: EmbeddingSpace) -> None:
    """Activate it; what is read meanwhile by the model in use is embedded by this space's model too. Raises Conflict when it stays incomplete."""
    for tries_left in reversed(range(SWITCH_TRIES)):
        complete(space)
        try:
            activate_space(subject=Subject.system(), space=space)
        except Conflict:
            if not tries_left:
                raise
        else:
            return


def complete(space: EmbeddingSpace) -> None:
    """Embed what a space lacks that vectors of its model can't fill, when one of the embedders serves its model."""
    prepare_space(space)
    for embedder in tools().embedders if lacking(space).exists() or tools().fact_vectors.lacking(space) else ():
        if is_same(embedder.info().fingerprint, space.fingerprint):
            embed_all(space, embedder)


def embed_all(space: EmbeddingSpace, embedder: Embedder) -> None:
    """What chunks hold, and the sentences of facts."""
    embed_missing(space, embedder)
    tools().fact_vectors.embed_missing(space, embedder)


def deleted(options: dict[str, Any]) -> Iterable[EmbeddingSpace]:
    delete_space(subject=Subject.system(), space=space_numbered(options["number"]))
    return []


ACTIONS: dict[str, Callable[[dict[str, Any]], Iterable[EmbeddingSpace]]] = {
    "list": listed,
    "fit": fitted,
    "embed": embedded,
    "activate": activated,
    "delete": deleted,
}


def facts_of(space: EmbeddingSpace) -> dict[str, Any]:
    """What is printed of a space."""
    return {
        "number": space.number,
        "id": str(space.pk),
        "model": space.model,
        "fingerprint": space.fingerprint,
        "raw_dims": space.raw_dims,
        "dims": space.dims,
        "variance": round(space.variance, 4),
        "fitted_on": space.fitted_on,
        "state": space.state,
        "vectors": space.vectors.count(),
        "index_bytes": size_bytes(space),
        "activated_at": space.activated_at and space.activated_at.isoformat(),
    }


def line_of(facts: dict[str, Any]) -> str:
    """The same for people."""
    return (
        f"#{facts['number']:<3} {facts['state']:<8} {facts['model']}  {facts['raw_dims']} → {facts['dims']} dimensions  "
        f"{facts['vectors']} vectors  variance kept {facts['variance']:.1%}  index {facts['index_bytes'] / 1e6:.1f} MB"
    )
