-- SPDX-License-Identifier: GPL-3.0-or-later
-- A workspace of Trainyard 0.1.0 (schema version 6), as text. Never to be changed.
BEGIN TRANSACTION;
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO "changes" VALUES(4);
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL,
  UNIQUE (run, path)
);
INSERT INTO "checkpoints" VALUES(1,'20261125-124628-87a71c','/frozen/runs/20261125-124628-87a71c/checkpoints/step-00000003.safetensors',3,0.375,3932,1795610789334,'{"grad_norm":0.4153545129055286,"lr":0.05,"samples_per_s":238922.9350165064,"time/backward":3.0113499633444007e-05,"time/comm":2.2150061340653338e-07,"time/data":4.914500095765106e-06,"time/forward":4.2525500248302706e-05,"time/optimizer":8.309998520417139e-07,"time/step":8.370900013687788e-05,"train/accuracy":0.15,"train/loss":1.3463553190231323,"val/accuracy":0.15,"val/f1":0.10353535353535354,"val/loss":1.3007281303405762,"val/precision":0.08888888888888889,"val/recall":0.14285714285714288}',0,0,0);
INSERT INTO "checkpoints" VALUES(3,'20261125-124628-87a71c','/frozen/runs/20261125-124628-87a71c/checkpoints/step-00000006.safetensors',6,0.75,3924,1795610789338,'{"grad_norm":0.6645455357251583,"lr":0.05,"samples_per_s":230676.95952632147,"time/backward":3.2963000194285996e-05,"time/comm":2.663327904883772e-07,"time/data":4.830999993525135e-06,"time/forward":4.164399979345035e-05,"time/optimizer":7.79333580188298e-07,"time/step":8.670133350581939e-05,"train/accuracy":0.05,"train/loss":1.5795342922210693,"val/accuracy":0.175,"val/f1":0.1178743961352657,"val/loss":1.280534267425537,"val/precision":0.1015531660692951,"val/recall":0.16666666666666666}',1,1,0);
CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);
INSERT INTO "chunks" VALUES(1,0,3,6,X'01000302040280808080808080C07F808080808080801880808080808080048A098A038817560D2EEBC5CDD83F62374B182B95DA3F2B8ED4FFF443E53F54C6635A');
INSERT INTO "chunks" VALUES(2,0,3,6,X'01000302040280808080808080C07F80808080808080188080808080808004AC05E806A8139A9999999999A93F9A9999999999A93F9A9999999999A93F1F70103C');
INSERT INTO "chunks" VALUES(3,0,3,6,X'01000302040280808080808080C07F808080808080801880808080808080048C098A03861798A2A83D61C3EC4022EFE97A572A0D41D3221CADA7280C41EFFE8D70');
INSERT INTO "chunks" VALUES(4,0,3,6,X'01000302040280808080808080C07F80808080808080188080808080808004960984038C17000000A45032133F000000F08793FF3E000000103848013F53D444FE');
INSERT INTO "chunks" VALUES(5,0,3,6,X'01010302040280808080808080C07F80808080808080188080808080808004920986038A1700FF5D35A0D56D3480FC8E34E797F6E8');
INSERT INTO "chunks" VALUES(6,0,3,6,X'01000302040280808080808080C07F80808080808080188080808080808004900986038C17000000F0B276F33E00000080E79CD43EABAAAA2A3F43D43EFF6F4E91');
INSERT INTO "chunks" VALUES(7,0,3,6,X'01000302040280808080808080C07F80808080808080188080808080808004940984038E1700000068F61D2C3F00000010AD4B063F000000F05CD5053FA0B1C0BA');
INSERT INTO "chunks" VALUES(8,0,3,6,X'01000302040280808080808080C07F80808080808080188080808080808004960984038E1700000080369FCC3E000000003CE2AB3EABAAAAAA6C26AA3EA707567D');
INSERT INTO "chunks" VALUES(9,0,3,6,X'01000302040280808080808080C07F808080808080801880808080808080048E0988038A17000000B52A40363F000000AC9DF1153F555555916DBA163FDAACD9BB');
INSERT INTO "chunks" VALUES(10,0,6,6,X'01000602020000000080808080808080C07F8080808080808010000000008809E201398C16831601333333333333C33F333333333333C33F333333333333C33F333333333333C33F9A9999999999B93F9A9999999999A93FCF82C318');
INSERT INTO "chunks" VALUES(11,0,6,6,X'01010602020000000080808080808080C07F8080808080808010000000008609E4013B8C16851602B28DAC3F3E92A53F5F55AC3F208BAC3F8CBFA13F2E2ECA3F11E8ABB6');
INSERT INTO "chunks" VALUES(12,0,2,6,X'010002060680808080808080D87F8080808080808010B61DD20A333333333333C33F666666666666C63FA90C2CAA');
INSERT INTO "chunks" VALUES(13,0,2,6,X'010002060680808080808080D87F8080808080808010B81DD20A2C056AFD4A81BA3F8DCC6F34042DBE3F3AE2F666');
INSERT INTO "chunks" VALUES(14,0,2,6,X'010002060680808080808080D87F8080808080808010BA1DD00ACDCCCC4CC8CFF43F00000080117DF43F58F69B55');
INSERT INTO "chunks" VALUES(15,0,2,6,X'010002060680808080808080D87F8080808080808010BA1DD00A176CC1166CC1B63F38A8126763FFB93F51D72D4A');
INSERT INTO "chunks" VALUES(16,0,2,6,X'010002060680808080808080D87F8080808080808010BC1DD00A932449922449C23F555555555555C53FB75D299A');
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO "log" VALUES(1,'20261125-124628-87a71c',0,'info','load-data: 160 samples',1795610789310);
INSERT INTO "log" VALUES(2,'20261125-124628-87a71c',0,'info','first-step: one rank: nothing to average; oneDNN for 2 of 2 products',1795610789322);
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
INSERT INTO "runs" VALUES('20261125-124628-87a71c','frozen-six','finished','{
  "version": 1,
  "name": "frozen-six",
  "task": "classification",
  "model": {
    "name": "softmax"
  },
  "dataset": {
    "name": "spirals",
    "params": {
      "classes": 3,
      "noise": 0.15,
      "samples": 200,
      "test": 0.0,
      "validation": 20.0
    }
  },
  "optimizer": {
    "name": "sgd",
    "dampening": 0.0,
    "decayNorms": true,
    "lr": 0.05,
    "momentum": 0.0,
    "nesterov": false,
    "weightDecay": 0.0
  },
  "schedule": {
    "name": "constant",
    "warmupEpochs": 0.0
  },
  "loss": {
    "name": "cross-entropy",
    "classWeights": [],
    "labelSmoothing": 0.0
  },
  "batch": {
    "perRank": 20,
    "accumulate": 1,
    "dropLast": false
  },
  "augment": {
    "crop": 0,
    "flip": false,
    "erase": 0.0
  },
  "gradient": {
    "clipNorm": 0.0,
    "clipValue": 0.0
  },
  "ema": 0.0,
  "precision": "fp32",
  "tuning": {
    "layout": "auto",
    "kernels": "auto"
  },
  "steps": 6,
  "seed": 42,
  "deterministic": false,
  "scaling": {
    "workers": 1,
    "device": "cpu",
    "threadsPerWorker": 1,
    "backend": "auto",
    "averaging": "auto",
    "compression": "none",
    "lrRule": "none",
    "syncBatchNorm": false,
    "elastic": {
      "min": 0,
      "max": 0
    },
    "port": 0
  },
  "hosts": [],
  "checkpoint": {
    "everyEpochs": 1,
    "everySteps": 3,
    "keep": 2,
    "scoreBy": "val/accuracy",
    "mode": "max",
    "budgetMb": 0
  },
  "failure": {
    "maxRestarts": 3,
    "heartbeatSeconds": 20.0,
    "nonFinite": "stop",
    "rollbackLrFactor": 0.5
  },
  "earlyStop": {
    "metric": "",
    "mode": "min",
    "patience": 5,
    "minDelta": 0.0
  },
  "debug": {
    "overfitBatches": 0,
    "fastDevRun": false
  },
  "tensorBoard": false,
  "storage": ""
}
','',-1,'{}','','','','',0,0,'','',1795610788561,1795610788646,1795610789392,6,6,0.75,1,0,0.761,1.59446339994246955029e-02,2.30676959526321472362e+05,0,'','/frozen/runs/20261125-124628-87a71c','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux x86_64","computer":"lab","computed":"one rank: nothing to average; oneDNN for 2 of 2 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','',-1,'general',4);
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
INSERT INTO "series" VALUES(1,'20261125-124628-87a71c','grad_norm',3,6.64545535725158287299e-01,6,3.87559394519674582646e-01,1,6.64545535725158287299e-01,6);
INSERT INTO "series" VALUES(2,'20261125-124628-87a71c','lr',3,0.05,6,0.05,1,0.05,1);
INSERT INTO "series" VALUES(3,'20261125-124628-87a71c','samples_per_s',3,2.30676959526321472362e+05,6,5.89070387767005595363e+04,1,2.38922935016506409735e+05,3);
INSERT INTO "series" VALUES(4,'20261125-124628-87a71c','time/backward',3,3.29630001942859962582e-05,6,3.01134996334440074861e-05,3,7.32290000087232328951e-05,1);
INSERT INTO "series" VALUES(5,'20261125-124628-87a71c','time/comm',3,2.66332790488377213478e-07,6,2.21500613406533375382e-07,3,8.26999894343316555023e-07,1);
INSERT INTO "series" VALUES(6,'20261125-124628-87a71c','time/data',3,4.83099999352513530259e-06,6,4.83099999352513530259e-06,6,1.85620001502684317529e-05,1);
INSERT INTO "series" VALUES(7,'20261125-124628-87a71c','time/forward',3,4.16439997934503480792e-05,6,4.16439997934503480792e-05,6,2.14515999687137082219e-04,1);
INSERT INTO "series" VALUES(8,'20261125-124628-87a71c','time/optimizer',3,7.79333580188298e-07,6,7.79333580188298e-07,6,3.41199938702629879117e-06,1);
INSERT INTO "series" VALUES(9,'20261125-124628-87a71c','time/step',3,8.67013335058193919044e-05,6,8.3709000136877875775e-05,3,3.39518000146199483424e-04,1);
INSERT INTO "series" VALUES(10,'20261125-124628-87a71c','train/accuracy',6,0.05,6,0.05,6,0.15,1);
INSERT INTO "series" VALUES(11,'20261125-124628-87a71c','train/loss',6,1.57953429222106933593e+00,6,1.26365804672241210937e+00,5,1.57953429222106933593e+00,6);
INSERT INTO "series" VALUES(12,'20261125-124628-87a71c','val/accuracy',2,0.175,6,0.15,3,0.175,6);
INSERT INTO "series" VALUES(13,'20261125-124628-87a71c','val/f1',2,1.17874396135265693819e-01,6,1.03535353535353535914e-01,3,1.17874396135265693819e-01,6);
INSERT INTO "series" VALUES(14,'20261125-124628-87a71c','val/loss',2,1.28053426742553710937e+00,6,1.28053426742553710937e+00,6,1.30072813034057621628e+00,3);
INSERT INTO "series" VALUES(15,'20261125-124628-87a71c','val/precision',2,1.01553166069295097706e-01,6,8.88888888888888922812e-02,3,1.01553166069295097706e-01,6);
INSERT INTO "series" VALUES(16,'20261125-124628-87a71c','val/recall',2,1.66666666666666657414e-01,6,1.42857142857142876968e-01,3,1.66666666666666657414e-01,6);
CREATE TABLE sweep_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,             -- -1: none
  body TEXT NOT NULL,                 -- JSON: what is asked for
  author TEXT NOT NULL,               -- user@host
  wall_ms INTEGER NOT NULL,
  answer TEXT NOT NULL DEFAULT ''     -- JSON; '': none yet
);
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
, changed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE trial_decisions (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,
  decision TEXT NOT NULL,             -- stopped paused resumed
  rule TEXT NOT NULL,                 -- the scheduler
  rung REAL, loss REAL, cut REAL,
  place INTEGER NOT NULL, places INTEGER NOT NULL,
  PRIMARY KEY (sweep, trial)
) WITHOUT ROWID;
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
CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;
INSERT INTO "workers" VALUES('20261125-124628-87a71c',0,'',7606,'cpu','finished',6,6,0.75,1,0.0,5.59084525632123074956e-02,9.41394148486323856239e-01,2.69739895046382021845e-03,107139072,'write the last checkpoint');
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('checkpoints',3);
COMMIT;
PRAGMA user_version = 6;
