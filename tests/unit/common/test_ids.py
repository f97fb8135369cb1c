"""Identifiers sort by time of birth."""

import time

from common.ids import uuid7


def test_an_id_is_a_version_7_uuid() -> None:
    made = uuid7()

    assert (made.version, made.variant) == (7, "specified in RFC 4122")


def test_a_later_id_is_greater() -> None:
    earlier = uuid7()
    time.sleep(0.002)

    assert earlier < uuid7()


def test_ids_of_one_moment_differ() -> None:
    assert len({uuid7() for _ in range(1000)}) == 1000
