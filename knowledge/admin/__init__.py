"""Knowledge bases, documents, chunks, keys and spaces in the administration. Django looks for `admin` here, so this module names them all."""

from knowledge.admin import bases, chunks, documents, keys, spaces  # noqa: F401
