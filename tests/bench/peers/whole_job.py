"""The contract `consistency` over a capture in native records, as one would write it at home: how
many steps came to each state. `whole_job.py sets FILE` asks DuckDB, `whole_job.py loop FILE` goes
through the lines with orjson. Prints a line a state: the count, a tab, the state.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

STATUSES = {"accepted", "paid", "reserved", "packed", "shipped", "delivered", "cancelled"}
REQUIRED = ("id", "source", "type", "subject")


def by_sets(path):
    import duckdb

    query = Path(__file__).with_name("whole_job.sql").read_text()
    return dict(duckdb.connect().execute(query, {"capture": path}).fetchall())


def refused(event):
    for name in REQUIRED:
        value = event.get(name)
        if type(value) is not str or not value:
            return "rejected"
    if event.get("specversion") != "1.0" or not event["source"].startswith("urn:checkout:"):
        return "rejected"
    data = event.get("data") or {}
    schema = data.get("schemaVersion")
    if type(schema) is not int:
        return "rejected"
    if schema not in (1, 2):
        return "contract-update-required"
    return None


def unusable(event, data):
    if event["type"] != "com.example.order.status.changed":
        return "contract-update-required"
    aggregate, version = data.get("orderId"), data.get("orderVersion")
    if type(aggregate) is not str or not aggregate or type(version) is not int or version < 1:
        return "rejected"
    if data.get("status") not in STATUSES:
        return "contract-update-required"
    return None


def by_loop(path):
    from orjson import loads

    states = Counter()
    receipts = set()
    current = defaultdict(int)
    waiting = defaultdict(dict)

    def apply(key, aggregate, version):
        """What comes of an event that is not ahead of its aggregate."""
        if version == current[aggregate] + 1:
            current[aggregate] = version
            receipts.add(key)
            return "event-applied"
        if version == current[aggregate]:
            return "same-version-event-rejected"
        return "stale-event-ignored"

    with open(path, "rb") as lines:
        for line in lines:
            event = loads(line)["event"]
            state = refused(event)
            if state:
                states[state] += 1
                continue
            key = (event["source"], event["id"])
            if key in receipts:
                states["duplicate-or-replay-suppressed"] += 1
                continue
            data = event["data"]
            state = unusable(event, data)
            if state:
                states[state] += 1
                continue
            version = data["orderVersion"]
            aggregate = (event["source"], data["orderId"])
            if version > current[aggregate] + 1:
                waiting[aggregate].setdefault(version, {}).setdefault(key)
                states["deferred-version-gap"] += 1
                continue
            state = apply(key, aggregate, version)
            states[state] += 1
            held = waiting.get(aggregate)
            while state == "event-applied" and held:
                candidates = held.pop(current[aggregate] + 1, None)
                if not candidates:
                    break
                version = current[aggregate] + 1
                for candidate in candidates:
                    states[apply(candidate, aggregate, version)] += 1
    return states


counts = {"sets": by_sets, "loop": by_loop}[sys.argv[1]](sys.argv[2])
for state, count in sorted(counts.items()):
    print(f"{count}\t{state}")
