"""Keeps the database in step with the code: refuses to go back, dumps before it migrates, and records what the data folder was written by."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from common.errors import EngineUnavailable, Misconfigured
from config.conf import engine_settings
from config.embedded.folders import private_folder
from config.embedded.locks import alone
from config.embedded.postgres import MAJOR, PostgresEngine


def bring_up_to_date(data: Path) -> bool:
    """Migrate when something is pending; True if it was. Raises Misconfigured when a newer release has written the data."""
    with alone(data / "run" / "schema.lock"):
        executor = MigrationExecutor(connection)
        refuse_newer(executor)
        pending = is_pending(executor)
        if pending:
            if executor.loader.applied_migrations:
                _dump(data)
            call_command("migrate", interactive=False, verbosity=0, stdout=sys.stderr)
            _record(data)
        return pending


def is_pending(executor: MigrationExecutor) -> bool:
    """Whether the database lacks migrations that the code has."""
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def refuse_newer(executor: MigrationExecutor) -> None:
    """Raises Misconfigured when the database has seen migrations that this code does not know."""
    known, applied = executor.loader.disk_migrations, executor.loader.applied_migrations
    strange = sorted(
        f"{app}.{name}" for app, name in applied if app in executor.loader.migrated_apps and (app, name) not in known
    )
    if strange:
        raise Misconfigured(
            f"The data was written by a newer release (it has {', '.join(strange[:3])}). Start that release, "
            "or restore the dump in the data folder's `backups` that was made before it was installed."
        )


def _dump(data: Path) -> None:
    """Keep the embedded database as it is before it is changed; an external one is its owner's to keep."""
    if engine_settings().database_url:
        return
    engine = PostgresEngine(data)
    target = data / "backups" / f"before-migration-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.dump"
    private_folder(target.parent)
    done = subprocess.run(
        [engine.binary("pg_dump"), "--format=custom", f"--file={target}", f"--dbname={engine.url}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        target.unlink(missing_ok=True)
        raise EngineUnavailable(
            f"The database could not be dumped before its migration, so nothing was changed: {done.stderr.strip()}"
        )


def _record(data: Path) -> None:
    applied = sorted(f"{app}.{name}" for app, name in MigrationExecutor(connection).loader.applied_migrations)
    version = {"postgres": MAJOR, "schema": sha256("\n".join(applied).encode()).hexdigest()[:16], "migrations": applied}
    (data / "VERSION").write_text(json.dumps(version, indent=1) + "\n")
