-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables of a workspace's trainyard.db, schema version 1 (PRAGMA user_version). A released version of this file is
-- frozen: later versions are steps in migrations.cpp.
-- Times named *_ms are milliseconds since 1970-01-01 UTC, 0 when it has not happened. A NULL number is NaN.

CREATE TABLE runs (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,               -- queued starting running restarting stopping finished stopped failed interrupted
  spec TEXT NOT NULL,                 -- the run file
  sweep TEXT NOT NULL,                -- sweeps.id, or '' for a run of its own
  trial INTEGER NOT NULL,             -- number in the sweep, or -1
  params TEXT NOT NULL,               -- the trial's parameters, {path: value}
  error TEXT NOT NULL, error_kind TEXT NOT NULL, error_where TEXT NOT NULL, error_remedy TEXT NOT NULL,
  color_index INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  notes TEXT NOT NULL,
  tags TEXT NOT NULL,                 -- separated by spaces
  created_ms INTEGER NOT NULL, started_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL,
  world_size INTEGER NOT NULL, restarts INTEGER NOT NULL,
  launch_to_first_step REAL,          -- seconds, -1: not yet
  train_seconds REAL, samples_per_second REAL,
  supervisor_pid INTEGER NOT NULL, socket_path TEXT NOT NULL, folder TEXT NOT NULL,
  environment TEXT NOT NULL           -- JSON: versions, devices, host
);
CREATE INDEX runs_by_created ON runs (archived, created_ms);
CREATE INDEX runs_by_sweep ON runs (sweep, trial);
CREATE INDEX runs_by_name ON runs (name, created_ms);
CREATE INDEX runs_by_color ON runs (archived, color_index);

CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;

CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  name TEXT NOT NULL,                 -- train/loss
  count INTEGER NOT NULL,             -- points over all chunks
  last REAL, last_step INTEGER NOT NULL,
  min REAL, min_step INTEGER NOT NULL, -- NaN values are left out of min and max
  max REAL, max_step INTEGER NOT NULL,
  UNIQUE (run, name)
);

CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);

CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL,
  UNIQUE (run, path)
);

CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
CREATE INDEX log_by_run ON log (run, id);

CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
);
