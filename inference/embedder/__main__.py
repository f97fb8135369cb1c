"""`python -m inference.embedder`: serves the embedding model on 127.0.0.1 until SIGTERM, at a lower priority than the web server."""

import os
import sys

import uvicorn

from common.conf import load_settings
from common.errors import Misconfigured
from inference.conf import EmbedderSettings
from inference.embedder.app import embedder_app
from inference.embedder.load import load_model

NICENESS = 5
STOP_LIMIT_S = 10


def main() -> None:
    """Load and serve."""
    # Before the model is loaded, because its threads keep the priority that they are born with.
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
    settings = load_settings(EmbedderSettings)
    app = embedder_app(
        load_model(settings),
        key=settings.key_file.read_text().strip(),
        slice_texts=settings.slice_texts,
        waiting_texts=settings.waiting_texts,
    )
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=settings.port,
        access_log=False,
        timeout_graceful_shutdown=STOP_LIMIT_S,
        timeout_keep_alive=75,
    )


if __name__ == "__main__":
    try:
        main()
    except Misconfigured as error:
        sys.exit(str(error))
