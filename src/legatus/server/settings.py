"""What whoever runs a server may set; the defaults suit a household."""

from __future__ import annotations

from msgspec import Struct

from .workers import Limits

DEFAULT_DATABASE = "sqlite:///legatus.sqlite3"


class Settings(Struct, frozen=True):
    database: str = DEFAULT_DATABASE  # a SQLAlchemy URL: sqlite:///file or postgresql://...
    workers: int = 2  # processes in which bots think and odds are reckoned
    memory: int = 2_000  # megabytes of each of them; 0: as many as it wants
    limits: Limits = Limits()  # how long a piece of work may take
    waiting: int = 20  # pieces of work of one player that wait; beyond, he is refused
    body_limit: int = 2_000_000  # bytes of a request; records are the longest
    message_limit: int = 4_000  # bytes of a message on a socket
    requests: int = 1_200  # a minute, of one address; 0: as many as come
    openings: int = 60  # matches and replays an hour, of one address; 0: as many as come
    open_matches: int = 100  # that are not over, of one key
    sockets: int = 60  # at a time, of one address; 0: as many as come
    connections: int = 300  # at a time, of one address that is not a proxy's; 0: as many as come
    lab: int = 400  # games of one balance in the page; 0: none
    tables: int = 200  # matches kept in memory when nobody looks at them
    tables_memory: int = 256_000_000  # bytes, about, of all matches kept in memory
