"""Structured logs with the request's id. Files rotate in the data folder; a terminal gets the same lines."""

import logging
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import structlog

request_id: ContextVar[str] = ContextVar("request_id", default="")

MAX_BYTES = 20 * 1024 * 1024
BACKUPS = 5


def add_request_id(logger: object, name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Put the id of the request that is being answered on the line."""
    if current := request_id.get():
        event["request_id"] = current
    return event


SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    add_request_id,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


class NoProbes(logging.Filter):
    """Keeps request lines of health probes out."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "/health/" not in record.getMessage()


def logging_config(folder: Path, *, level: str) -> dict[str, Any]:
    """The `LOGGING` dictionary: JSON lines to standard error and to `<folder>/trellis.log`, rotated at 20 MB, five kept."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    folder.mkdir(parents=True, exist_ok=True)
    file = {
        "class": "logging.handlers.RotatingFileHandler",
        "filename": str(folder / "trellis.log"),
        "maxBytes": MAX_BYTES,
        "backupCount": BACKUPS,
        "encoding": "utf-8",
        "delay": True,
        "formatter": "json",
        "filters": ["no_probes"],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"no_probes": {"()": "common.logs.NoProbes"}},
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processor": structlog.processors.JSONRenderer(ensure_ascii=False),
                "foreign_pre_chain": SHARED,
            }
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "json", "level": "WARNING"},
            "file": file,
        },
        "root": {"handlers": ["console", "file"], "level": level},
        "loggers": {"pdfminer": {"level": "ERROR"}, "httpx": {"level": "WARNING"}, "fontTools": {"level": "ERROR"}},
    }
