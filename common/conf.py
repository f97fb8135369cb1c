"""How every package reads its settings: one frozen class each, from the environment; a bad value stops the process and names the variable."""

from typing import TypeVar

from pydantic import ValidationError
from pydantic_settings import BaseSettings

from common.errors import Misconfigured

Settings = TypeVar("Settings", bound=BaseSettings)


def load_settings(kind: type[Settings]) -> Settings:
    """Read one settings class from the environment. Raises Misconfigured, naming each variable that has a bad value."""
    try:
        return kind()
    except ValidationError as error:
        faults = (
            f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
            for fault in error.errors(include_input=False)
        )
        raise Misconfigured("These environment variables can't be used as they are. " + "; ".join(faults)) from None
