"""The page: built from ``web/`` into ``page/``.  Its own paths all get the same document."""

from __future__ import annotations

import gzip
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from msgspec import Struct

from .words import WORDS

FOLDER = Path(__file__).parent / "page"
PACKED = "is_packed"  # of routes whose answers are not to be compressed any more
Asked = Request[Any, Any, Any]
FOREVER = "public, max-age=31536000, immutable"  # names of assets change with what is in them


def is_built() -> bool:
    return (FOLDER / "index.html").exists()


class File(Struct, frozen=True):
    """A file of the page, as it is and compressed."""

    kind: str
    body: bytes
    packed: bytes


@lru_cache(maxsize=200)
def _read(path: Path, changed: int) -> File:
    """Read and compress a file once; ``changed`` is the time of its last change."""
    kind = guess_type(path.name)[0] or "application/octet-stream"
    if kind == "application/javascript":  # litestar says it of all that is text/...
        kind += "; charset=utf-8"
    body = path.read_bytes()
    return File(kind, body, gzip.compress(body, mtime=0))


def _file(request: Asked, path: Path, cache: str) -> Response[bytes]:
    file = _read(path, path.stat().st_mtime_ns)
    headers = {"cache-control": cache, "vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.body, media_type=file.kind, headers=headers)
    return Response(file.packed, media_type=file.kind, headers={**headers, "content-encoding": "gzip"})


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
async def document(request: Asked) -> Response[bytes]:
    if not is_built():
        text = "\n".join(WORDS[lang].sentences["server.page"] for lang in WORDS)
        return Response(text.encode(), media_type="text/plain", status_code=503)
    return _file(request, FOLDER / "index.html", "no-cache")


@get("/assets/{name:str}")
async def asset(request: Asked, name: FromPath[str]) -> Response[bytes]:
    return _known(request, FOLDER / "assets", name, FOREVER)


@get("/icon.svg")
async def icon(request: Asked) -> Response[bytes]:
    return _known(request, FOLDER, "icon.svg", "public, max-age=86400")


def _known(request: Asked, folder: Path, name: str, cache: str) -> Response[bytes]:
    """A file that is in the folder: names are looked up, never joined."""
    found = {path.name: path for path in folder.iterdir()} if folder.is_dir() else {}
    if name not in found:
        raise NotFoundException
    return _file(request, found[name], cache)


router = Router(path="/", route_handlers=[document, asset, icon], include_in_schema=False, opt={PACKED: True})
