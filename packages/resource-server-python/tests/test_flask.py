from typing import Any

import pytest
from flask import Flask
from world import (
    METADATA_PATH,
    REFUSED,
    World,
    bearer,
    expect_elevation,
    expect_refused,
    expect_unavailable,
)

from latchkey_resource_server import require_elevation, require_permission
from latchkey_resource_server.flask import access_of, metadata, protect


def client_of(world: World) -> Any:
    app = Flask(__name__)
    api = world.api()
    metadata(app, api)
    reading = require_permission("notes:read")

    @app.get("/notes")
    @protect(api, reading)
    def notes() -> dict[str, str]:
        return {"username": access_of().username}

    @app.delete("/notes/<note>")
    @protect(api, reading, require_elevation())
    def remove(note: str) -> dict[str, str]:
        return {"removed": note}

    @app.get("/open")
    def unprotected() -> str:
        with pytest.raises(RuntimeError, match="not protected"):
            access_of()
        return "open"

    return app.test_client()


def test_a_request_that_passes() -> None:
    client = client_of(World())
    response = client.get("/notes", headers=bearer("alice"))
    assert (response.status_code, response.json) == (200, {"username": "alice"})
    assert client.get("/open").status_code == 200


@pytest.mark.parametrize("name", list(REFUSED))
def test_refusals(name: str) -> None:
    response = client_of(World()).get("/notes", headers=REFUSED[name][0])
    expect_refused(response.status_code, response.headers, response.json, REFUSED[name])


def test_elevation_and_a_service_that_is_down() -> None:
    response = client_of(World()).delete("/notes/1", headers=bearer("alice"))
    expect_elevation(response.status_code, response.headers, response.json)
    world = World()
    world.goes_down()
    response = client_of(world).get("/notes", headers=bearer("alice"))
    expect_unavailable(response.status_code, response.headers, response.json)


def test_the_metadata() -> None:
    client = client_of(World())
    assert client.get(METADATA_PATH).json["resource"] == "https://api.example/notes"
    assert client.post(METADATA_PATH).status_code == 405
    assert client.options(METADATA_PATH).status_code == 204
