"""Which pairs are worth a look at all: those that share a key that not too many share, so that 100,000 entities mean some looks for each and not 100,000.

After Christen, Data Matching (2012), chapter 4: standard blocking with several keys.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import combinations

from ontology.resolution.forms import Form
from ontology.resolution.profile import Profile
from ontology.resolution.short_forms import initials

CROWD = 50
"""A key that more share says nothing."""
LONGEST = 14


def pairs(profiles: Iterable[Profile]) -> Iterator[tuple[Profile, Profile]]:
    """Each pair that shares a key, once; `ontology/services/suggestions.py` does the same in the database."""
    everybody = list(profiles)
    by_key: dict[str, list[int]] = defaultdict(list)
    for at, profile in enumerate(everybody):
        for key in keys(profile):
            by_key[key].append(at)
    found = {pair for block in by_key.values() if len(block) <= CROWD for pair in combinations(block, 2)}
    yield from ((everybody[a], everybody[b]) for a, b in sorted(found))


def hashed(key: str) -> int:
    """64 bits with a sign, for a column."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), signed=True)


def keys(profile: Profile) -> set[str]:
    """What it is written like, its values and its neighbours."""
    found = {key for form in profile.forms for key in keys_of(form)}
    found.update(f"v{name}={value.key}" for name, values in profile.values.items() for value in values)
    found.update(f"n{each.type}{each.is_outgoing}{each.id}" for each in profile.neighbours)
    return found


def keys_of(form: Form) -> Iterator[str]:
    """What each way of `likeness.py` needs to meet."""
    yield f"s{form.squeezed}"
    latin = [word for word in form.words if word.isascii()]
    if len(latin) > 1:
        yield f"o{' '.join(sorted(latin))}"
        yield f"p{latin[0][0]} {latin[-1]}"
        yield f"h{' '.join(form.words[:-1])}"
        yield from (f"i{each}" for each in initials(latin))
    if latin:
        yield f"h{' '.join(form.words)}"
        yield from slips(form)
        if len(latin) == 1 and len(form.text) <= 8:
            yield f"i{form.squeezed}"
    if form.is_han:
        yield from (f"c{form.text[0]}{each}" for each in form.text[1:LONGEST])


def slips(form: Form) -> Iterator[str]:
    """With one word open: its beginning or its end has no slip in it."""
    for at, word in enumerate(form.words):
        if len(word) >= 5 and word.isascii():
            rest = " ".join((*form.words[:at], "?", *form.words[at + 1 :]))
            yield f"b{word[:3]} {rest}"
            yield f"e{word[0]}{word[-3:]} {rest}"
