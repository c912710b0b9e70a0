-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables of a workspace's trainyard.db, schema version 10 (PRAGMA user_version), the first that was released.
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
  environment TEXT NOT NULL,          -- JSON: versions, devices, host
  forked_from TEXT NOT NULL DEFAULT '', forked_step INTEGER NOT NULL DEFAULT -1, -- the runs.id and step it began with
  error_code TEXT NOT NULL DEFAULT 'general', -- which error it was (engine/base/ERRORS.md)
  changed INTEGER NOT NULL DEFAULT 0, -- number of its last change, see changes
  color TEXT NOT NULL DEFAULT ''      -- chosen by a user (run_color.h); its number of the palette is what new runs avoid
);
CREATE INDEX runs_by_created ON runs (archived, created_ms);
CREATE INDEX runs_by_sweep ON runs (sweep, trial);
CREATE INDEX runs_by_name ON runs (name, created_ms);
CREATE INDEX runs_by_color ON runs (archived, color_index);
CREATE INDEX runs_by_choice ON runs (archived, color) WHERE color <> '';
CREATE INDEX runs_by_change ON runs (changed);
CREATE INDEX runs_by_status ON runs (status);

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
  superseded INTEGER NOT NULL DEFAULT 0,
  deleting INTEGER NOT NULL DEFAULT 0, -- a row whose file is being deleted is not listed (Store::beginDeleting)
  UNIQUE (run, path)
);
CREATE INDEX checkpoints_deleting ON checkpoints (run) WHERE deleting = 1;

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
  best_run TEXT NOT NULL,
  changed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sweeps_by_change ON sweeps (changed);

-- `changed` of a row is the number of its last change, by any process: a reader that remembers the last number it has
-- seen finds what is new without reading the rest. The numbers only grow, in the order of the commits.
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO changes VALUES (0);
CREATE TRIGGER run_made AFTER INSERT ON runs BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE runs SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;
CREATE TRIGGER run_changed AFTER UPDATE ON runs WHEN NEW.changed = OLD.changed BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE runs SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;
CREATE TRIGGER sweep_made AFTER INSERT ON sweeps BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE sweeps SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;
CREATE TRIGGER sweep_changed AFTER UPDATE ON sweeps WHEN NEW.changed = OLD.changed BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE sweeps SET changed = (SELECT last FROM changes) WHERE id = NEW.id;
END;

-- What happened to the trials of a sweep, in order: telling it to a judge anew (engine/sweep/judge/judge.h) makes it know
-- what the one before it knew. And what was decided about a trial that does not train to its end, with the reason.
CREATE TABLE trial_events (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,                 -- slot_free started report ended failed
  trial INTEGER NOT NULL,             -- -1: none
  t REAL, loss REAL,                  -- epochs or steps; smaller is better, NULL is NaN
  params TEXT NOT NULL,               -- of started: {path: value}
  memo TEXT NOT NULL,                 -- of started: a list of numbers
  wall_ms INTEGER NOT NULL,
  author TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (sweep, number)
) WITHOUT ROWID;
CREATE TABLE trial_decisions (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,
  decision TEXT NOT NULL,             -- stopped paused resumed
  rule TEXT NOT NULL,                 -- the scheduler
  rung REAL, loss REAL, cut REAL,
  place INTEGER NOT NULL, places INTEGER NOT NULL,
  PRIMARY KEY (sweep, trial)
) WITHOUT ROWID;

-- Requests to a sweep. Each waits here until the sweep's supervisor, or its successor, has answered it; the answer
-- is written together with the event that the request became.
CREATE TABLE sweep_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,             -- -1: none
  body TEXT NOT NULL,                 -- JSON: what is asked for
  author TEXT NOT NULL,               -- user@host
  wall_ms INTEGER NOT NULL,
  answer TEXT NOT NULL DEFAULT ''     -- JSON; '': none yet
);
CREATE INDEX open_requests ON sweep_requests (sweep) WHERE answer = '';

-- What happened to a run while it trained and shows in its curves (run_events.h).
CREATE TABLE run_events (
  id INTEGER PRIMARY KEY,             -- in the order in which they happened
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,                 -- started resumed restarted replaced workers learning_rate rolled_back
  step INTEGER NOT NULL,              -- the last step before it took effect
  seconds REAL,                       -- of training by then, as of a point
  before REAL, after REAL,            -- workers or a learning rate; NULL: unknown
  rank INTEGER NOT NULL,              -- of replaced; -1: none
  reason TEXT NOT NULL,               -- for people; '': none
  wall_ms INTEGER NOT NULL
);
CREATE INDEX run_events_by_run ON run_events (run, id);

-- Runs that wait for their turn. `changed` is the number of the last change of any of it, as in the tables above.
CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL,             -- they wait in this order
  state TEXT NOT NULL,                -- waiting starting started refused
  name TEXT NOT NULL,
  spec TEXT NOT NULL,                 -- the run file; '' once it has started
  checkpoint TEXT NOT NULL,           -- file that a fork begins with
  forked_from TEXT NOT NULL,          -- runs.id
  added_ms INTEGER NOT NULL,
  run TEXT NOT NULL,                  -- runs.id, once it has started
  error TEXT NOT NULL, error_kind TEXT NOT NULL, error_where TEXT NOT NULL, error_remedy TEXT NOT NULL,
  error_code TEXT NOT NULL            -- of refused
);
CREATE INDEX queue_open ON queue (place) WHERE state <> 'started';
CREATE TABLE queue_settings (slots INTEGER NOT NULL, paused INTEGER NOT NULL, changed INTEGER NOT NULL);
INSERT INTO queue_settings VALUES (1, 0, 0);
CREATE TRIGGER queue_made AFTER INSERT ON queue BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER queue_changed AFTER UPDATE ON queue BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER queue_dropped AFTER DELETE ON queue BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER queue_set AFTER UPDATE OF slots, paused ON queue_settings BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE queue_settings SET changed = (SELECT last FROM changes);
END;

-- `changed` is the number of the last change to any checkpoint, as above.
CREATE TABLE checkpoint_changes (changed INTEGER NOT NULL);
INSERT INTO checkpoint_changes VALUES (0);
CREATE TRIGGER checkpoint_made AFTER INSERT ON checkpoints BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE checkpoint_changes SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER checkpoint_changed AFTER UPDATE ON checkpoints BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE checkpoint_changes SET changed = (SELECT last FROM changes);
END;
CREATE TRIGGER checkpoint_dropped AFTER DELETE ON checkpoints BEGIN
  UPDATE changes SET last = last + 1;
  UPDATE checkpoint_changes SET changed = (SELECT last FROM changes);
END;
