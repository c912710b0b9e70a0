# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes runs as W&B (offline) and MLflow (folder and database) write them, from the descriptions of their formats:
wandb/sdk/internal/datastore.py with wandb_internal.proto, mlflow's file store and the tables of its SQL store. The
standard library is all it needs. write_foreign_runs.py FOLDER [went-on]"""
import json
import pathlib
import sqlite3
import struct
import sys
import zlib

BEGAN = 1_760_000_000  # seconds since 1970


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def message(number, content):
    if isinstance(content, str):
        content = content.encode()
    return varint(number << 3 | 2) + varint(len(content)) + content


def whole(number, value):
    return varint(number << 3) + varint(value)


def item(key, value):
    """HistoryItem, ConfigItem and SummaryItem; newer writers give the key as its parts."""
    keys = message(1, key) if isinstance(key, str) else b"".join(message(2, part) for part in key)
    return message(1, keys + message(16, value if isinstance(value, str) else json.dumps(value)))


class WandbLog:
    BLOCK, HEAD = 32768, 7

    def __init__(self):
        self.bytes = struct.pack("<4sHB", b":W&B", 0xBEE1, 0)

    def part(self, kind, data):
        crc = zlib.crc32(data, zlib.crc32(bytes([kind]))) & 0xFFFFFFFF
        self.bytes += struct.pack("<IHB", crc, len(data), kind) + data

    def record(self, data):
        first = True
        while True:
            left = self.BLOCK - len(self.bytes) % self.BLOCK
            if left < self.HEAD:
                self.bytes += b"\0" * left
                left = self.BLOCK
            here, data = data[: left - self.HEAD], data[left - self.HEAD:]
            last = not data
            self.part(1 if first and last else 2 if first else 4 if last else 3, here)
            first = False
            if last:
                return


def history(step, values):
    items = b"".join(item(key, value) for key, value in values.items())
    return message(2, items + message(2, whole(1, step)))


def stats(seconds, values):
    items = b"".join(message(3, message(1, key) + message(16, json.dumps(value))) for key, value in values.items())
    return message(7, message(2, whole(1, int(seconds)) + whole(2, round(seconds % 1 * 1e9))) + items)


def wandb_run(steps, exit_code=0, large=False, first=0):
    log = WandbLog()
    config = item("lr", 0.125) + item("net", {"layers": [128, 64], "bias": True}) + item("_wandb", {"python": "3.11"})
    log.record(whole(1, 1) + message(17, message(1, "abc123") + message(4, config) + message(8, "brisk-sea-7")
                                     + message(9, "a note")))
    for step in range(first, first + steps):
        row = {"loss": 1 / (step + 1), "_step": step, "_timestamp": BEGAN + step, "_runtime": step}
        if step == 2:
            row.update({"loss": "NaN", ("val", "acc"): 0.75, "nested": {"deep": {"x": 3}},
                        "picture": {"_type": "image-file", "path": "a.png"}})
        if large and step == 3:
            row["text"] = "x" * 100_000  # over several blocks
        log.record(history(step, {key: json.dumps(value) for key, value in row.items()}))
        if step in (1, 3):  # twice while one step is the last
            log.record(stats(BEGAN + step + 0.25, {"cpu": 12.5 * step, "gpu.0.memoryAllocatedBytes": 2 << 30}))
            log.record(stats(BEGAN + step + 0.5, {"cpu": 50, "proc.memory.rssMB": None}))
    log.record(message(3, item("loss", 0.5) + item("best", {"acc": 0.875}) + item("_runtime", 9)))
    if exit_code is not None:
        log.record(message(18, (whole(1, exit_code) if exit_code else b"") + whole(2, 9)))
    return log.bytes


def mlflow_folder(folder, run_id, name, stage="active", status=3):
    run = folder / "0" / run_id
    for kind in ("metrics/val", "params", "tags", "artifacts"):
        (run / kind).mkdir(parents=True)
    (folder / "0" / "meta.yaml").write_text("artifact_location: file:///m/0\nexperiment_id: '0'\nname: Default\n")
    (run / "meta.yaml").write_text(
        f"artifact_uri: file:///m/0/{run_id}/artifacts\nend_time: {BEGAN + 9}000\nentry_point_name: ''\n"
        f"experiment_id: '0'\nlifecycle_stage: {stage}\nrun_id: {run_id}\nrun_name: {name}\nrun_uuid: {run_id}\n"
        f"source_name: ''\nsource_type: 4\nstart_time: {BEGAN}000\nstatus: {status}\ntags: []\nuser_id: me\n")
    (run / "metrics" / "loss").write_text("".join(f"{BEGAN + s}000 {1 / (s + 1)} {s}\n" for s in range(5)))
    (run / "metrics" / "val" / "acc").write_text(f"{BEGAN + 2}000 0.5 2\n{BEGAN + 1}000 0.25 1\n{BEGAN + 3}000 0.75 2\n")
    (run / "params" / "lr").write_text("0.125")
    (run / "params" / "net").write_text("mlp")
    (run / "tags" / "mlflow.note.content").write_text("a note")
    (run / "artifacts" / "metrics.csv").write_text("step,loss\n1,1\n")


def mlflow_database(path):
    """The tables of mlflow/store/tracking/dbmodels/models.py that hold runs, without those of other things."""
    with sqlite3.connect(path) as db:
        db.executescript("""
            CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
            CREATE TABLE experiments (experiment_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(256) NOT NULL UNIQUE,
                artifact_location VARCHAR(256), lifecycle_stage VARCHAR(32));
            CREATE TABLE runs (run_uuid VARCHAR(32) NOT NULL PRIMARY KEY, name VARCHAR(250), source_type VARCHAR(20),
                status VARCHAR(9), start_time BIGINT, end_time BIGINT, deleted_time BIGINT,
                lifecycle_stage VARCHAR(20), artifact_uri VARCHAR(200), experiment_id INTEGER);
            CREATE TABLE metrics (key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT NOT NULL,
                run_uuid VARCHAR(32) NOT NULL, step BIGINT NOT NULL DEFAULT 0, is_nan BOOLEAN NOT NULL DEFAULT 0,
                PRIMARY KEY (key, timestamp, step, run_uuid, value, is_nan));
            CREATE TABLE params (key VARCHAR(250) NOT NULL, value VARCHAR(8000) NOT NULL,
                run_uuid VARCHAR(32) NOT NULL, PRIMARY KEY (key, run_uuid));
            CREATE TABLE tags (key VARCHAR(250) NOT NULL, value VARCHAR(8000), run_uuid VARCHAR(32) NOT NULL,
                PRIMARY KEY (key, run_uuid));
            INSERT INTO experiments VALUES (0, 'Default', '', 'active');""")
        for at, (run, name, status, stage) in enumerate([("a" * 32, "calm-owl", "FINISHED", "active"),
                                                         ("b" * 32, "", "FAILED", "active"),
                                                         ("c" * 32, "gone", "FINISHED", "deleted")]):
            db.execute("INSERT INTO runs VALUES (?, ?, 'LOCAL', ?, ?, ?, NULL, ?, '', 0)",
                       (run, name, status, BEGAN * 1000 + at, BEGAN * 1000 + 9, stage))
            db.executemany("INSERT INTO metrics VALUES ('loss', ?, ?, ?, ?, 0)",
                           [(1 / (s + 1), (BEGAN + s) * 1000, run, s) for s in range(5)])
            db.execute("INSERT INTO metrics VALUES ('acc', 0, ?, ?, 1, 1)", (BEGAN * 1000, run))
            db.execute("INSERT INTO metrics VALUES ('acc', 1.7976931348623157e308, ?, ?, 2, 0)", (BEGAN * 1000, run))
            db.execute("INSERT INTO params VALUES ('lr', '0.125', ?)", (run,))
            db.execute("INSERT INTO tags VALUES ('mlflow.note.content', 'a note', ?)", (run,))
    db.close()


def wandb_went_on(folder):
    """One run that was started twice: a folder and a log for each start, with one id."""
    for start, log in enumerate([wandb_run(4, exit_code=1), wandb_run(3, first=4)]):
        path = folder / f"offline-run-2025100{start + 1}_000000-went-on" / "run-went-on.wandb"
        path.parent.mkdir(parents=True)
        path.write_bytes(log)


def main():
    folder = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ["went-on"]:
        return wandb_went_on(folder)
    for name, content in {"offline-run-20251009_a-abc123/run-abc123.wandb": wandb_run(5),
                          "offline-run-20251009_b-large/run-large.wandb": wandb_run(5, large=True),
                          "offline-run-20251009_c-failed/run-failed.wandb": wandb_run(3, exit_code=1),
                          "offline-run-20251009_d-killed/run-killed.wandb": wandb_run(3, exit_code=None)}.items():
        path = folder / "wandb" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        (path.parent / "files").mkdir()
        (path.parent / "files" / "metrics.csv").write_text("step,loss\n1,1\n")
    mlflow_folder(folder / "mlruns", "1" * 32, "amused-ray-1")
    mlflow_folder(folder / "mlruns", "2" * 32, "gone", stage="deleted")
    mlflow_folder(folder / "mlruns", "3" * 32, "broke", status=4)
    mlflow_database(folder / "mlflow.db")


if __name__ == "__main__":
    main()
