"""Known names found in text: how fast, as a ratio to a plain Python pass over the same text, and what 100,000 names cost in memory.

Names and texts are made up from syllables and characters, a twentieth of each text being names; both scripts are measured apart.
"""

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from uuid import UUID

import psutil

from benchmarks.measure import Figure, write
from ontology.rules.gazetteer import Gazetteer, KnownName

NAMES = 100_000
CHARACTERS = 1_000_000
SYLLABLES = ("ka", "lo", "mi", "ne", "ru", "ta", "vo", "shi", "ban", "dor", "gal", "pex")
HAN = [chr(code) for code in range(0x4E00, 0x5E00)]


def latin_name(dice: random.Random) -> str:
    return f"{''.join(dice.choices(SYLLABLES, k=4)).title()} {''.join(dice.choices(SYLLABLES, k=3)).title()}"


def han_name(dice: random.Random) -> str:
    return "".join(dice.choices(HAN, k=4))


def text_of(names: list[str], filler: Callable[[], str], dice: random.Random, length: int) -> str:
    """About `length` characters."""
    pieces: list[str] = []
    size = 0
    while size < length:
        piece = dice.choice(names) if dice.random() < 0.05 else filler()
        pieces.append(piece)
        size += len(piece)
    return "".join(pieces)


def plain_pass(text: str) -> int:
    """What the ratio is held against: looking at each character once."""
    return sum(1 for character in text if character.isalnum())


def searched(gazetteer: Gazetteer, text: str) -> int:
    """How many known names stand in the text."""
    return sum(1 for _ in gazetteer.sightings(text))


def seconds(work: Callable[[], object]) -> float:
    """The best of three."""
    best = float("inf")
    for _ in range(3):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="any number: a tenth of the names and of the text")
    share = 10 if parser.parse_args().sample else 1
    dice = random.Random(1)
    latin = [latin_name(dice) for _ in range(NAMES * 7 // 10 // share)]
    han = [han_name(dice) for _ in range(NAMES * 3 // 10 // share)]
    known = [KnownName(name, "Term", UUID(int=number)) for number, name in enumerate([*latin, *han])]
    process = psutil.Process()
    before = process.memory_info().rss
    begun = time.perf_counter()
    gazetteer = Gazetteer.of(known)
    built_s = time.perf_counter() - begun
    megabytes = (process.memory_info().rss - before) / 1e6
    write(
        Figure(
            "memory of the compiled names",
            round(megabytes, 1),
            "MB",
            note=f"{len(known)} names, built in {built_s:.1f} s",
        )
    )
    texts = {
        "Latin": text_of(latin, lambda: f" {''.join(dice.choices(SYLLABLES, k=2))} ", dice, CHARACTERS // share),
        "Chinese": text_of(han, lambda: dice.choice(HAN), dice, CHARACTERS // share),
    }
    for script, text in texts.items():
        found = searched(gazetteer, text)
        took_s = seconds(partial(searched, gazetteer, text))
        plain_s = seconds(partial(plain_pass, text))
        size = len(text.encode()) / 1e6
        note = f"{size:.1f} MB, {found} found; {size / took_s:.1f} MB/s"
        write(Figure(f"{script}: time, against a plain pass", round(took_s / plain_s, 1), "×", note=note))


if __name__ == "__main__":
    main()
