"""Departments and people in the administration. Django looks for `admin` here, so this module names them all."""

from accounts.admin import departments, people  # noqa: F401
