"""The page: built from ``web/`` into ``page/``.  Its own paths all get the same document."""

from __future__ import annotations

from mimetypes import guess_type
from pathlib import Path

from litestar import Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from .words import WORDS

FOLDER = Path(__file__).parent / "page"
FOREVER = "public, max-age=31536000, immutable"  # names of assets change with what is in them


def is_built() -> bool:
    return (FOLDER / "index.html").exists()


def _file(path: Path, cache: str) -> Response[bytes]:
    kind = guess_type(path.name)[0] or "application/octet-stream"
    if kind == "application/javascript":  # litestar says it of all that is text/...
        kind += "; charset=utf-8"
    return Response(path.read_bytes(), media_type=kind, headers={"cache-control": cache})


@get(
    [
        "/",
        "/new",
        "/about",
        "/lab",
        "/lab/{rest:path}",
        "/m/{rest:path}",
        "/join/{rest:path}",
        "/rules/{rest:path}",
        "/fortress/{rest:path}",
    ]
)
async def document() -> Response[bytes]:
    if not is_built():
        text = "\n".join(WORDS[lang].sentences["server.page"] for lang in WORDS)
        return Response(text.encode(), media_type="text/plain", status_code=503)
    return _file(FOLDER / "index.html", "no-cache")


@get("/assets/{name:str}")
async def asset(name: FromPath[str]) -> Response[bytes]:
    return _known(FOLDER / "assets", name, FOREVER)


@get("/icon.svg")
async def icon() -> Response[bytes]:
    return _known(FOLDER, "icon.svg", "public, max-age=86400")


def _known(folder: Path, name: str, cache: str) -> Response[bytes]:
    """A file that is in the folder: names are looked up, never joined."""
    found = {path.name: path for path in folder.iterdir()} if folder.is_dir() else {}
    if name not in found:
        raise NotFoundException
    return _file(found[name], cache)


router = Router(path="/", route_handlers=[document, asset, icon], include_in_schema=False)
