"""Two spellings of one word: slips of the pen, not words that mean something else. Given two forms, gives how sure that is, from 0 to 1."""

from itertools import pairwise

from rapidfuzz.distance import OSA

from ontology.resolution.forms import Form, singular

LEAST_LETTERS = 6
TWO_SLIPS = 10
# Beginnings that turn a word into its opposite or its neighbour.
OPPOSITES = (
    ("in", "out"), ("in", "ex"), ("im", "ex"), ("inter", "intra"), ("inter", "exter"), ("pre", "post"), ("up", "down"), ("over", "under"), ("north", "south"), ("east", "west"), ("pro", "con"),
    ("en", "de"), ("in", "un"), ("hyper", "hypo"), ("macro", "micro"), ("sub", "super"), ("non", ""), ("un", ""), ("anti", ""), ("multi", "mono"), ("uni", "bi"), ("co", ""), ("re", ""), ("de", ""), ("dis", ""), ("im", ""), ("in", ""),
    ("a", "e"), ("e", "i"), ("off", "on"), ("primary", "secondary"), ("junior", "senior"), ("send", "receiv"), ("read", "writ"), ("push", "pull"), ("ab", "ad"), ("a", ""),
)  # fmt: skip


def same_but_for_slips(one: Form, other: Form) -> float:
    """0 when any word differs in more than a slip; Chinese names have no slips that can be told from other words."""
    if len(one.words) != len(other.words) or one.marks != other.marks:
        return 0.0
    differing = [(a, b) for a, b in zip(one.words, other.words, strict=True) if a != b]
    if len(differing) != 1:
        return 0.0
    return slip(*differing[0])


def slip(a: str, b: str) -> float:
    """How surely two words are one."""
    if not (a.isascii() and b.isascii() and a.isalpha() and b.isalpha()):
        return 0.0
    if singular(a) == singular(b):
        return 0.95
    short, long = sorted((len(a), len(b)))
    if short < LEAST_LETTERS or are_opposites(a, b) or a[0] != b[0]:
        return 0.0
    distance = OSA.distance(a, b, score_cutoff=2)
    if distance == 1:
        return 0.85 if short > LEAST_LETTERS + 1 or is_small_slip(a, b) else 0.5
    return 0.72 if distance == 2 and long >= TWO_SLIPS and a[-1] == b[-1] else 0.0


def is_small_slip(a: str, b: str) -> bool:
    """A letter doubled or left out of a pair, or two that changed places: not another letter."""
    return sorted(a) == sorted(b) or undoubled(a) == undoubled(b)


def undoubled(word: str) -> str:
    return word[:1] + "".join(b for a, b in pairwise(word) if a != b)


def are_opposites(a: str, b: str) -> bool:
    """import and export, normal and abnormal."""
    for one, other in OPPOSITES:
        for x, y in ((one, other), (other, one)):
            if a.startswith(x) and b.startswith(y) and a[len(x) :] == b[len(y) :]:
                return True
    return False
