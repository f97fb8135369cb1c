"""R1: kill −9 of any process at any of 200 random moments of reading, deleting and merging; after restart and `reconcile`, nothing is lost, doubled or out of step.

The whole server runs (`manage.py up`) on a data folder that is thrown away, with a server of hashed vectors in place of the embedder. An editor uploads, replaces,
bins, restores, deletes, merges, takes back and changes the skeleton, while processes are killed: workers and the projector, main and child, the beat, PostgreSQL whole
or one backend, Valkey, the graph, everything at once. After every few kills the editor pauses until nothing is left to do; then the ledger is compared with a simple
model of what was acknowledged, and every rule is looked at without mending, then with. A deed that was cut off may have happened or not, and nothing between.
"""

import argparse
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._storm_model import NAMES, OTHER_SKELETON, PATHS, SKELETON, Model, text_of
from benchmarks._storm_processes import KINDS, WEIGHTS, Server, environment
from benchmarks._storm_sight import (
    REST_S,
    difference,
    facts_of,
    findings,
    in_graph,
    in_ledger,
    in_vectors,
    nudge,
    patiently,
)
from benchmarks._storm_tally import Tally
from benchmarks.measure import PROJECT, Figure, say, write

KILLS = 200
KILLS_A_ROUND = 10
BETWEEN_KILLS_S = (0.0, 4.0)
PATIENCE_S = 10.0
FEWEST_LEFT = len(NAMES) // 2


class Storm:
    """One server, one knowledge base, one editor."""

    def __init__(self, server: Server, seed: int) -> None:
        from accounts.types import Subject
        from knowledge.services.bases import kb_create
        from knowledge.tools import tools
        from ontology.graphs import source_of
        from ontology.services.skeletons import skeleton_apply

        self.server, self.chance, self.moments = server, random.Random(seed), random.Random(seed + 1)
        self.model, self.tally, self.number = Model(), Tally(), 0
        self.subject, self.tools = Subject.system(), tools()
        self.kb = kb_create(subject=self.subject, slug="storm")
        self.graph_id = source_of(self.kb.pk).graph_id
        skeleton_apply(subject=self.subject, graph_id=self.graph_id, text=SKELETON)

    # what the editor does

    def deed(self) -> None:
        """One, chosen by chance."""
        deeds = (self.upload, self.upload, self.upload, self.bin, self.restore, self.purge, self.merge, self.unmerge)
        self.chance.choices((*deeds, self.change_the_skeleton), (3, 3, 3, 2, 2, 2, 3, 2, 1))[0]()

    def upload(self) -> None:
        from knowledge.services.uploads import upload
        from knowledge.uploading import IncomingFile

        self.number += 1
        text = text_of(self.chance, self.number)
        if free := [path for path in PATHS if path not in self.model.binned]:
            path = self.chance.choice(free)
            file = IncomingFile(path, text.encode())
            self.attempt(
                lambda: upload(subject=self.subject, kb=self.kb, files=[file], tools=self.tools),
                lambda model: model.live.update({path: text}),
            )

    def bin(self) -> None:
        from knowledge.services.bin import document_bin

        if self.model.live:
            path = self.chance.choice(sorted(self.model.live))
            self.attempt(
                lambda: document_bin(subject=self.subject, document=self.document(path), tools=self.tools),
                lambda model: model.binned.update({path: model.live.pop(path)}),
            )

    def restore(self) -> None:
        from knowledge.services.bin import document_restore

        if self.model.binned:
            path = self.chance.choice(sorted(self.model.binned))
            self.attempt(
                lambda: document_restore(subject=self.subject, document=self.document(path), tools=self.tools),
                lambda model: model.live.update({path: model.binned.pop(path)}),
            )

    def purge(self) -> None:
        from knowledge.services.purging import purge_start

        if self.model.binned:
            path = self.chance.choice(sorted(self.model.binned))
            self.attempt(
                lambda: purge_start(subject=self.subject, kb=self.kb, documents=[self.document(path)]),
                lambda model: model.binned.pop(path),
            )

    def merge(self) -> None:
        from ontology.services.identity import entities_merge

        roots = sorted({self.model.root(name) for name in NAMES})
        if len(roots) <= FEWEST_LEFT:
            return
        into, other = self.chance.sample(roots, 2)
        self.attempt(
            lambda: entities_merge(subject=self.subject, into_id=self.entity(into), others=[self.entity(other)]),
            lambda model: model.merged.update({other: into}),
        )

    def unmerge(self) -> None:
        from ontology.services.identity import entity_unmerge

        if self.model.merged:
            name = self.chance.choice(sorted(self.model.merged))
            self.attempt(
                lambda: entity_unmerge(subject=self.subject, entity_id=self.entity(name)),
                lambda model: model.merged.pop(name),
            )

    def change_the_skeleton(self) -> None:
        from ontology.services.skeletons import skeleton_apply

        has_calls = not self.model.has_calls
        text = SKELETON if has_calls else OTHER_SKELETON
        self.attempt(
            lambda: skeleton_apply(subject=self.subject, graph_id=self.graph_id, text=text, drop_confirmed=True),
            lambda model: setattr(model, "has_calls", has_calls),
        )

    def attempt(self, act: Callable[[], Any], change: Callable[[Model], Any]) -> None:
        """What was acknowledged has happened; what was refused has not; of what was cut off the ledger is asked, and it must be the one or the other."""
        from django.db import Error, connection

        from common.errors import TrellisError

        after = self.model.copy()
        change(after)
        try:
            act()
        except (TrellisError, LookupError):
            self.tally.refused += 1
        except Error:
            connection.close()
            self.tally.cut_off += 1
            seen = patiently(self.seen)
            if seen not in (facts_of(self.model), facts_of(after)):
                self.tally.lost += 1
                self.tally.note(f"lost: half a deed; {difference(facts_of(after), seen)}")
            self.model = after if seen == facts_of(after) else self.model
        else:
            self.tally.acknowledged += 1
            self.model = after

    def document(self, path: str) -> Any:
        from knowledge.models import Document

        return Document.objects.exclude(state="deleting").get(kb=self.kb, path=path)

    def entity(self, name: str) -> Any:
        """Raises LookupError while nothing that was read names it."""
        from ontology.models import Entity

        found = Entity.objects.filter(graph=self.graph_id, class_name="System", name=name).first()
        if found is None:
            raise LookupError(name)
        return found.pk

    # what is known

    def seen(self) -> dict[str, Any]:
        """What the ledger has of all that is acknowledged, read or not yet."""
        from knowledge.models import Document
        from ontology.graphs import source_of
        from ontology.models import Entity

        documents = Document.objects.filter(kb=self.kb).exclude(state="deleting")
        texts = {
            (document.path, document.state, document.versions.order_by("-number")[0].original.sha256)
            for document in documents
        }
        merged = Entity.objects.filter(graph=self.graph_id).exclude(merged_into=None)
        skeleton = source_of(self.kb.pk).graph.skeleton
        return {
            "texts": texts,
            "merged": dict(merged.values_list("name", "merged_into__name")),
            "has_calls": skeleton is not None and skeleton.text == SKELETON,
        }

    def unfinished(self) -> str:
        """What is still to be done, in words; empty at rest."""
        from inference.selectors import active_space
        from knowledge.models import Document, StageRun
        from ontology.fact_vectors.sentences import waiting
        from ontology.models import Entity, Graph, GraphChange
        from ontology.tend_graphs import due

        graph = Graph.objects.select_related("skeleton").get(pk=self.graph_id)
        space = active_space()
        counts = {
            "documents being deleted": Document.objects.filter(state="deleting").count(),
            "stages": StageRun.objects.filter(state__in=("waiting", "running"), document__state="live").count(),
            "stages that failed": StageRun.objects.filter(state="failed").count(),
            "versions to extract": len(due(graph)),
            "names to seek": Entity.objects.filter(graph=graph, is_sought=False).count(),
            "changes for the graph": GraphChange.objects.count(),
            "vectors of facts": waiting(graph, space.pk if space else None).count,
        }
        return ", ".join(f"{count} {name}" for name, count in counts.items() if count)

    def rest(self) -> None:
        """Until nothing is left to do; the periodic looks are asked for more often than the beat does."""
        until = time.monotonic() + REST_S
        while left := patiently(self.unfinished):
            self.server.keep_up()
            if time.monotonic() > until:
                self.tally.lost += 1
                self.tally.note(f"lost: no rest after {REST_S} s: {left}")
                return
            nudge()
            time.sleep(1.5)

    def check(self) -> None:
        """At rest: what was acknowledged is there, once, everywhere."""
        if (seen := self.seen()) != (wanted := facts_of(self.model)):
            self.tally.lost += 1
            self.tally.note(f"lost: {difference(wanted, seen)}")
        self.tally.compare("relation", self.model.relations(), in_ledger(self.graph_id))
        self.tally.compare("edge", self.model.edges(), in_graph(self.graph_id))
        self.tally.compare("fact vector", self.model.sentences(), in_vectors())
        for mend in (False, True):
            for finding in findings(mend):
                if finding.broken:
                    kind = "broken" if not mend else f"{finding.mended} mended of"
                    self.tally.note(f"{kind} {finding.broken}: {finding.rule} {finding.examples[:3]}")
                self.tally.out_of_step += 0 if mend else finding.broken
                self.tally.left += finding.broken - finding.mended if mend else 0

    # the storm

    def rage(self, kills: int) -> Tally:
        """So many kills, with a rest after every few."""
        done = 0
        while done < kills:
            count = min(KILLS_A_ROUND, kills - done)
            self.round(count)
            done += count
            self.rest()
            self.check()
            say(f"{done} of {kills} kills: {dict(self.tally.kills)}, {self.summary()}")
        self.tally.starts = self.server.starts
        return self.tally

    def round(self, count: int) -> None:
        """The editor works until the killer is done."""
        is_over = threading.Event()
        killer = threading.Thread(target=self.kill, args=(count, is_over), daemon=True)
        killer.start()
        while not is_over.is_set():
            patiently(self.deed)
            time.sleep(self.chance.uniform(0, 0.4))
        killer.join()
        self.server.keep_up()
        while not self.model.has_calls:  # so that there is something to compare
            patiently(self.change_the_skeleton)

    def kill(self, count: int, is_over: threading.Event) -> None:
        try:
            while count:
                self.wait_for_a_deed()
                time.sleep(self.moments.uniform(*BETWEEN_KILLS_S))
                self.server.keep_up()
                kind = self.moments.choices(KINDS, WEIGHTS)[0]
                if self.server.kill(kind, self.moments):
                    self.tally.kills[kind] += 1
                    count -= 1
            self.server.keep_up()  # the editor waits for it
        finally:
            is_over.set()

    def wait_for_a_deed(self) -> None:
        """Something is done again since the last kill, so that there is something to break; not for ever, since that it takes long to recover is a moment too."""
        before, until = self.tally.acknowledged, time.monotonic() + PATIENCE_S
        while self.tally.acknowledged == before and time.monotonic() < until:
            time.sleep(0.1)

    def summary(self) -> str:
        tally = self.tally
        return (
            f"{tally.acknowledged} deeds acknowledged, {tally.cut_off} cut off, {tally.refused} refused; {tally.compared} compared, {tally.lost} lost, {tally.doubled} doubled, "
            f"{tally.out_of_step} out of step, {tally.left} left after mending"
        )


def child(kills: int, seed: int, port: int) -> None:
    """The storm in this process, whose environment names the data folder; prints what came of it."""
    server = Server(Path(os.environ["TRELLIS_DATA_DIR"]), port)
    try:
        server.start()
        import django

        django.setup()
        logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # that connections break is what this is about
        tally = Storm(server, seed).rage(kills)
        print(json.dumps({**vars(tally), "kills": dict(tally.kills)}))
    finally:
        server.stop()


def measured(kills: int, seed: int) -> dict[str, Any]:
    """With a data folder and a server of vectors of its own."""
    from config.embedded.engine import free_ports
    from inference.hash_model import HashModel
    from tests.scripted_model import ScriptedModel

    model = ScriptedModel(names=("hash",), embeddings_model=HashModel(dims=64))
    with tempfile.TemporaryDirectory(prefix="trellis-bench-") as folder, model:
        command = [sys.executable, "-m", "benchmarks.ledger_storm", "--child", str(kills), "--seed", str(seed)]
        command += ["--port", str(free_ports((), 1)[0])]
        variables = environment(Path(folder) / "var", model.url, model.key)
        done = subprocess.run(command, cwd=PROJECT, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="how many kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=int)
    parser.add_argument("--port", type=int)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.seed, options.port)
        return
    found = measured(options.sample or KILLS, options.seed)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(found["kills"].items()))
    deeds = f"{found['acknowledged']} deeds acknowledged, {found['cut_off']} cut off, {found['refused']} refused; {found['compared']} relations, edges and fact vectors compared"
    write(Figure("processes killed", sum(found["kills"].values()), "kills", note=f"{kinds}; {deeds}"))
    for name, value in (
        ("lost after restart", found["lost"]),
        ("doubled after restart", found["doubled"]),
        ("rules broken before mending", found["out_of_step"]),
        ("rules broken after mending", found["left"]),
    ):
        write(Figure(name, value, "cases", "0", value == 0, "; ".join(found["examples"][:3]) if value else ""))


if __name__ == "__main__":
    main()
