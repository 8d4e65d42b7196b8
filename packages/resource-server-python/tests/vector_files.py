"""Reads the vectors that define the behavior of every kit: packages/vectors."""

import json
from pathlib import Path
from typing import Any

from latchkey_resource_server import Requirement, require_elevation, require_permission

FOLDER = Path(__file__).parents[2] / "vectors"

_RIGHT = {
    "issuer": "https://id.example",
    "resource": "https://api.example",
    "client_id": "api-1",
    "client_secret": "lks_secret",
}


def vectors(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


def named(cases: list[Any]) -> Any:
    """Return the cases as parameters of a test, with their names as ids."""
    import pytest

    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def options(given: dict[str, Any]) -> dict[str, Any]:
    """Add what every kit needs. The options have the names of the vectors."""
    return {**_RIGHT, **given}


def requirements(vector: dict[str, Any]) -> list[Requirement]:
    needed = [require_permission(*vector.get("permissions", []))]
    return [*needed, require_elevation()] if vector.get("elevation", False) else needed
