"""Asks a server on this machine for one page; by `http.client`, so that a proxy in the environment is not asked instead."""

import http.client

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (compared, not bound)


def near_host(host: str) -> str:
    """Where a server that listens on `host` is found from this machine."""
    return "127.0.0.1" if host in EVERYWHERE else host


def status_of(
    port: int, path: str, headers: dict[str, str], *, host: str = "127.0.0.1", timeout_s: float = 2
) -> int | None:
    """The status of the answer, None when there is none."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout_s)
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def bearer(key: str) -> dict[str, str]:
    """The header that carries a key."""
    return {"Authorization": f"Bearer {key}"}
