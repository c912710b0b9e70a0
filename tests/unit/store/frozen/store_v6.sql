-- SPDX-License-Identifier: GPL-3.0-or-later
-- A workspace of Trainyard 0.1.0 (schema version 6), as text. Never to be changed.
BEGIN TRANSACTION;
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
, forked_from TEXT NOT NULL DEFAULT '', forked_step INTEGER NOT NULL DEFAULT -1, error_code TEXT NOT NULL DEFAULT 'general', changed INTEGER NOT NULL DEFAULT 0);
INSERT INTO runs VALUES('20261125-122054-104f39','frozen-v6','finished',replace('{\n  "version": 1,\n  "name": "frozen-v6",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        8\n      ]\n    }\n  },\n  "dataset": {\n    "name": "blobs",\n    "params": {\n      "classes": 4,\n      "features": 2,\n      "samples": 3000,\n      "spread": 0.2,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.05,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 64,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "steps": 12,\n  "seed": 42,\n  "deterministic": false,\n  "scaling": {\n    "workers": 2,\n    "device": "auto",\n    "threadsPerWorker": 1,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "port": 0\n  },\n  "hosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 1,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'',-1,'{}','','','','',0,0,'','',1795609254067,1795609254077,1795609254548,12,12,0.63157894736842101757,2,0,0.4739999999999999769,0.0057520069995007361285,1680525.6852614344097,0,'','/ws/runs/20261125-122054-104f39','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.18.44-fc-v657 x86_64","computer":"vm","computed":"2 ranks, averaged through shared memory (chosen by auto); oneDNN for 5 of 5 products","workers":[{"rank":0,"host":"","device":"cpu"},{"rank":1,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":2}]}','',-1,'general',4);
CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;
INSERT INTO workers VALUES('20261125-122054-104f39',0,'',561,'cpu','finished',12,12,0.63157894736842101757,1,0.0,0.022441959299120840115,0.48623078896021676431,0.49132725174066255169,108675072,'write the last checkpoint');
INSERT INTO workers VALUES('20261125-122054-104f39',1,'',564,'cpu','finished',12,12,0.63157894736842101757,1,0.0,0.030937499259494422726,0.96102267970974930566,0.0080398210307562525261,106991616,'write the last checkpoint');
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
INSERT INTO series VALUES(1,'20261125-122054-104f39','grad_norm',2,0.42890073538980671985,12,0.35624783448881097713,1,0.42890073538980671985,12);
INSERT INTO series VALUES(2,'20261125-122054-104f39','lr',2,0.050000000000000002775,12,0.050000000000000002775,1,0.050000000000000002775,1);
INSERT INTO series VALUES(3,'20261125-122054-104f39','samples_per_s',2,1680491.7326669648755,12,100125.23476182490412,1,1680491.7326669648755,12);
INSERT INTO series VALUES(4,'20261125-122054-104f39','time/backward',2,3.3674181808733422431e-05,12,3.3674181808733422431e-05,12,9.8849999631056562066e-05,1);
INSERT INTO series VALUES(5,'20261125-122054-104f39','time/comm',2,8.0272713437972764479e-07,12,8.0272713437972764479e-07,12,0.0011139230000480893068,1);
INSERT INTO series VALUES(6,'20261125-122054-104f39','time/data',2,3.3339090970747005042e-06,12,3.3339090970747005042e-06,12,1.4599999303754884749e-05,1);
INSERT INTO series VALUES(7,'20261125-122054-104f39','time/forward',2,3.4300272669828366794e-05,12,3.4300272669828366794e-05,12,0.00020056100038345903158,1);
INSERT INTO series VALUES(8,'20261125-122054-104f39','time/optimizer',2,3.4263658480168407314e-07,12,3.4263658480168407314e-07,12,2.6419993446324951946e-06,1);
INSERT INTO series VALUES(9,'20261125-122054-104f39','time/step',2,7.5825818385055754333e-05,12,7.5825818385055754333e-05,12,0.0014508320000459207221,1);
INSERT INTO series VALUES(10,'20261125-122054-104f39','train/accuracy',12,0.234375,12,0.1953125,5,0.34375,7);
INSERT INTO series VALUES(11,'20261125-122054-104f39','train/loss',12,1.3015693426132202148,12,1.2781991958618164062,7,1.3662943243980407714,5);
INSERT INTO series VALUES(12,'20261125-122054-104f39','val/accuracy',1,0.35166666666666668294,12,0.35166666666666668294,12,0.35166666666666668294,12);
INSERT INTO series VALUES(13,'20261125-122054-104f39','val/f1',1,0.25706597222222221654,12,0.25706597222222221654,12,0.25706597222222221654,12);
INSERT INTO series VALUES(14,'20261125-122054-104f39','val/loss',1,1.2858126894632975201,12,1.2858126894632975201,12,1.2858126894632975201,12);
INSERT INTO series VALUES(15,'20261125-122054-104f39','val/precision',1,0.32454361054766733829,12,0.32454361054766733829,12,0.32454361054766733829,12);
INSERT INTO series VALUES(16,'20261125-122054-104f39','val/recall',1,0.34937888198757760527,12,0.34937888198757760527,12,0.34937888198757760527,12);
CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);
INSERT INTO chunks VALUES(1,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139dc18f80ded9d99b7c3ccd63f45b1ee111c73db3f550124e0');
INSERT INTO chunks VALUES(2,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139d816fc0f9a9999999999a93f9a9999999999a93f1a5c3bab');
INSERT INTO chunks VALUES(3,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139de18f80d859d95c1d371f840ed0f90bb6ba4394167577e59');
INSERT INTO chunks VALUES(4,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139e418f60d00000010b6e9193fbae8a213aca7013f7a79904d');
INSERT INTO chunks VALUES(5,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139e218f60d0000c0b62140523f2fbae8a25fefaa3e307ffa8b');
INSERT INTO chunks VALUES(6,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139e018f60d000000a0509eee3e8c2ebae883f7cb3ea616da72');
INSERT INTO chunks VALUES(7,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139e218f60d000000e0b5492a3fd1451765b4fb013f43156ad7');
INSERT INTO chunks VALUES(8,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139e418f60d00000080a629c63e2fbae8a273fe963e32cc25d8');
INSERT INTO chunks VALUES(9,0,2,12,X'0100020216d0bc8dcad7a1f9aa7fecd0bc8dcad7a139de18f80d000080ff3ac5573f000000a495e0133f3b0b23e4');
INSERT INTO chunks VALUES(10,0,12,12,X'01010c020200000000000000000000d0bc8dcad7a1f9aa7f808080808080801000000000000000000001da188002650102010201000201020000683e0000903e0000943e0000683e0000483e0000503e0000b03e0000683e0000903e0000903e0000603e0000703e966c5e0b');
INSERT INTO chunks VALUES(11,0,12,12,X'01000c020200000000000000000000d0bc8dcad7a1f9aa7f808080808080801000000000000000000001d618840269010201000201020102000000400fbbf53f00000000f77ef53f000000d0ab2bf53f0000006005bcf53f0000007057dcf53f00000080324bf53f000000008173f43f000000707136f53f00000020edf4f43f0000008079b5f43f000000e0e833f53f000000603ad3f43fd79cd17c');
INSERT INTO chunks VALUES(12,0,1,12,X'01000118bc8dcad7a1f99ae47fc038824e1be8b481d63f583c5060');
INSERT INTO chunks VALUES(13,0,1,12,X'01000118bc8dcad7a1f99ae47fc43809f8e6d5c473d03f3abfa642');
INSERT INTO chunks VALUES(14,0,1,12,X'01000118bc8dcad7a1f99ae47fc4383a6da053b092f43f52e679fa');
INSERT INTO chunks VALUES(15,0,1,12,X'01000118bc8dcad7a1f99ae47fc63838645b9052c5d43f9b8119e2');
INSERT INTO chunks VALUES(16,0,1,12,X'01000118bc8dcad7a1f99ae47fc6381c2e033e395cd63f418ba90d');
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL,
  UNIQUE (run, path)
);
INSERT INTO checkpoints VALUES(1,'20261125-122054-104f39','/ws/runs/20261125-122054-104f39/checkpoints/step-00000012.safetensors',12,0.63157894736842101757,4784,1795609254545,'{"grad_norm":0.4289007353898067,"lr":0.05,"samples_per_s":1680491.7326669649,"time/backward":3.367418180873342e-05,"time/comm":8.027271343797276e-07,"time/data":3.3339090970747005e-06,"time/forward":3.430027266982837e-05,"time/optimizer":3.4263658480168407e-07,"time/step":7.582581838505575e-05,"train/accuracy":0.234375,"train/loss":1.3015693426132202,"val/accuracy":0.3516666666666667,"val/f1":0.2570659722222222,"val/loss":1.2858126894632975,"val/precision":0.32454361054766734,"val/recall":0.3493788819875776}',1,1,0);
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO log VALUES(1,'20261125-122054-104f39',0,'info','load-data: 2,400 samples',1795609254534);
INSERT INTO log VALUES(2,'20261125-122054-104f39',0,'info','first-step: 2 ranks, averaged through shared memory (chosen by auto); oneDNN for 5 of 5 products',1795609254537);
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
, changed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO changes VALUES(4);
CREATE TABLE trial_events (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,                 -- slot_free started report ended failed
  trial INTEGER NOT NULL,             -- -1: none
  t REAL, loss REAL,                  -- epochs or steps; smaller is better, NULL is NaN
  params TEXT NOT NULL,               -- of started: {path: value}
  memo TEXT NOT NULL,                 -- of started: a list of numbers
  wall_ms INTEGER NOT NULL, author TEXT NOT NULL DEFAULT '',
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
CREATE TABLE sweep_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,             -- -1: none
  body TEXT NOT NULL,                 -- JSON: what is asked for
  author TEXT NOT NULL,               -- user@host
  wall_ms INTEGER NOT NULL,
  answer TEXT NOT NULL DEFAULT ''     -- JSON; '': none yet
);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('checkpoints',1);
CREATE INDEX runs_by_created ON runs (archived, created_ms);
CREATE INDEX runs_by_sweep ON runs (sweep, trial);
CREATE INDEX runs_by_name ON runs (name, created_ms);
CREATE INDEX runs_by_color ON runs (archived, color_index);
CREATE INDEX log_by_run ON log (run, id);
CREATE INDEX runs_by_change ON runs (changed);
CREATE INDEX sweeps_by_change ON sweeps (changed);
CREATE INDEX runs_by_status ON runs (status);
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
CREATE INDEX open_requests ON sweep_requests (sweep) WHERE answer = '';
COMMIT;
PRAGMA user_version = 6;
