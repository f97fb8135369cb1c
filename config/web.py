"""The web server as a program: `python -m config.web`, with uvicorn, where TRELLIS_HOST and TRELLIS_PORT say."""

import sys

import uvicorn

from common.errors import EngineUnavailable, Misconfigured
from config.conf import server_settings

DRAIN_S = 5  # how long open streams may go on after SIGTERM


def main() -> None:
    """Serves until SIGTERM or SIGINT."""
    import django

    django.setup()
    from config.exposure import refuse_exposure

    settings = server_settings()
    refuse_exposure(settings.host)
    uvicorn.run(
        "config.asgi:application",
        host=settings.host,
        port=settings.port,
        workers=settings.web_workers,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=DRAIN_S,
        proxy_headers=bool(settings.public_url),
    )


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        main()
    except (EngineUnavailable, Misconfigured) as error:
        sys.exit(str(error))
