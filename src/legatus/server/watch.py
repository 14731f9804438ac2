"""What whoever runs a server watches: metrics for Prometheus, and a log of one JSON object a line."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from .desk import Desk

PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class Metrics:
    """Of one process; ``GET /metrics``."""

    def __init__(self, desk: Desk) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("legatus_requests", "Answers by status", ["status"], registry=self.registry)
        self.seconds = Histogram("legatus_request_seconds", "Time to an answer", registry=self.registry)
        tables = Gauge("legatus_tables", "Matches in memory", registry=self.registry)
        tables.set_function(lambda: len(desk.hall.tables))
        sockets = Gauge("legatus_sockets", "Open sockets", registry=self.registry)
        sockets.set_function(lambda: sum(desk.sockets.values()))
        thinking = Gauge("legatus_bots_thinking", "Matches in which a bot thinks", registry=self.registry)
        thinking.set_function(lambda: sum(table.thinking is not None for table in desk.hall.tables))

    def text(self) -> bytes:
        return generate_latest(self.registry)


NOISE = {"Invalid HTTP request received.", "Unsupported upgrade request."}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in PLAIN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def is_of_interest(record: logging.LogRecord) -> bool:
    """False for what any stranger can have logged thousands of times a second."""
    return record.msg not in NOISE


def log_to_stderr(level: str) -> None:
    """The log of the whole process, one JSON object a line."""
    logging.getLogger("uvicorn.error").addFilter(is_of_interest)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
