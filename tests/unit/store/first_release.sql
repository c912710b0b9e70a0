-- SPDX-License-Identifier: GPL-3.0-or-later
-- A workspace as the first release wrote it: a run with notes, tags and a colour, a sweep of two trials, an entry of the queue.
PRAGMA foreign_keys=OFF;
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
, forked_from TEXT NOT NULL DEFAULT '', forked_step INTEGER NOT NULL DEFAULT -1, error_code TEXT NOT NULL DEFAULT 'general', changed INTEGER NOT NULL DEFAULT 0, color TEXT NOT NULL DEFAULT '');
INSERT INTO runs VALUES('20261128-121305-54440d','first','finished',replace('{\n  "version": 1,\n  "name": "first",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        512,\n        512\n      ]\n    }\n  },\n  "dataset": {\n    "name": "blobs",\n    "params": {\n      "classes": 4,\n      "features": 2,\n      "samples": 400,\n      "spread": 0.2,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "data": {\n    "onError": "stop",\n    "maxBad": 0.25,\n    "division": "class",\n    "changed": "refuse"\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.05,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 64,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "epochs": 2,\n  "seed": 1,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "auto",\n    "threadsPerWorker": 0,\n    "memoryMb": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "compressionRank": 2,\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "place": "listed",\n    "port": 0\n  },\n  "hosts": [],\n  "spareHosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 2,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "linkSeconds": 300.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'',-1,'{}','','','','',0,0,'kept note','a b',1795867985387,1795867985584,1795867994607,10,10,2.0,1,0,8.2370000000000000994,0.67601705400011269375,1147.413871701380458,0,'','/workspace/runs/20261128-121305-54440d','{"trainyard":"0.1.0","computer":"computer"}','',-1,'general',28,'#0f766e');
INSERT INTO runs VALUES('20261128-121314-d8783b','few-0','finished',replace('{\n  "version": 1,\n  "name": "few-0",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        512,\n        512\n      ]\n    }\n  },\n  "dataset": {\n    "name": "blobs",\n    "params": {\n      "classes": 4,\n      "features": 2,\n      "samples": 400,\n      "spread": 0.2,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "data": {\n    "onError": "stop",\n    "maxBad": 0.25,\n    "division": "class",\n    "changed": "refuse"\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.01,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 64,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "epochs": 1,\n  "seed": 1,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "auto",\n    "threadsPerWorker": 0,\n    "memoryMb": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "compressionRank": 2,\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "place": "listed",\n    "port": 0\n  },\n  "hosts": [],\n  "spareHosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 2,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "linkSeconds": 300.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'20261128-121314-a12c85',0,'{"optimizer.lr":0.01}','','','','',1,0,'','',1795867994865,1795867995015,1795867995683,5,5,1.0,1,0,0.61299999999999998934,0.21339831599834724329,4674.8784561405445857,0,'','/workspace/runs/20261128-121314-d8783b','{"trainyard":"0.1.0","computer":"computer"}','',-1,'general',29,'');
INSERT INTO runs VALUES('20261128-121314-d8783e','few-1','finished',replace('{\n  "version": 1,\n  "name": "few-1",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        512,\n        512\n      ]\n    }\n  },\n  "dataset": {\n    "name": "blobs",\n    "params": {\n      "classes": 4,\n      "features": 2,\n      "samples": 400,\n      "spread": 0.2,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "data": {\n    "onError": "stop",\n    "maxBad": 0.25,\n    "division": "class",\n    "changed": "refuse"\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.05,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 64,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "epochs": 1,\n  "seed": 1,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "auto",\n    "threadsPerWorker": 0,\n    "memoryMb": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "compressionRank": 2,\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "place": "listed",\n    "port": 0\n  },\n  "hosts": [],\n  "spareHosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 2,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "linkSeconds": 300.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'20261128-121314-a12c85',1,'{"optimizer.lr":0.05}','','','','',2,0,'','',1795867994866,1795867995007,1795867995735,5,5,1.0,1,0,0.75200000000000000177,0.2715123579982900992,39140.702605083788512,0,'','/workspace/runs/20261128-121314-d8783e','{"trainyard":"0.1.0","computer":"computer"}','',-1,'general',30,'');
CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;
INSERT INTO workers VALUES('20261128-121305-54440d',0,'',9949,'cpu','finished',10,10,2.0,2,0.0,0.00089060275710355248091,0.99906404182713359762,4.5355415762799915569e-05,114397184,'write the last checkpoint');
INSERT INTO workers VALUES('20261128-121314-d8783b',0,'',10006,'cpu','finished',5,5,1.0,1,0.0,0.0022418333776278555682,0.99767313053368200659,8.5036088690126495036e-05,112312320,'write the last checkpoint');
INSERT INTO workers VALUES('20261128-121314-d8783e',0,'',10031,'cpu','finished',5,5,1.0,1,0.0,0.0013505071759207420891,0.99861492018001374315,3.4572644065595514186e-05,111206400,'write the last checkpoint');
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
INSERT INTO series VALUES(2,'20261128-121305-54440d','lr',10,0.050000000000000002775,10,0.050000000000000002775,1,0.050000000000000002775,1);
INSERT INTO series VALUES(10,'20261128-121305-54440d','train/accuracy',10,1.0,10,0.484375,1,1.0,5);
INSERT INTO series VALUES(11,'20261128-121305-54440d','train/loss',10,0.64733541011810302734,10,0.64733541011810302734,10,1.3606480360031127929,1);
INSERT INTO series VALUES(12,'20261128-121305-54440d','val/accuracy',2,0.9875000000000000444,10,0.9875000000000000444,10,1.0,5);
INSERT INTO series VALUES(14,'20261128-121305-54440d','val/loss',2,0.58734993934631352097,10,0.58734993934631352097,10,0.86411447525024409621,5);
INSERT INTO series VALUES(18,'20261128-121314-d8783b','lr',2,0.010000000000000000208,5,0.010000000000000000208,1,0.010000000000000000208,1);
INSERT INTO series VALUES(26,'20261128-121314-d8783b','train/accuracy',5,0.5,5,0.46875,4,0.53125,2);
INSERT INTO series VALUES(27,'20261128-121314-d8783b','train/loss',5,1.2520602941513061523,5,1.2520602941513061523,5,1.3606480360031127929,1);
INSERT INTO series VALUES(28,'20261128-121314-d8783b','val/accuracy',1,0.5,5,0.5,5,0.5,5);
INSERT INTO series VALUES(30,'20261128-121314-d8783b','val/loss',1,1.2291462898254394975,5,1.2291462898254394975,5,1.2291462898254394975,5);
INSERT INTO series VALUES(34,'20261128-121314-d8783e','lr',4,0.050000000000000002775,5,0.050000000000000002775,1,0.050000000000000002775,1);
INSERT INTO series VALUES(42,'20261128-121314-d8783e','train/accuracy',5,1.0,5,0.484375,1,1.0,5);
INSERT INTO series VALUES(43,'20261128-121314-d8783e','train/loss',5,0.93864536285400390625,5,0.93864536285400390625,5,1.3606480360031127929,1);
INSERT INTO series VALUES(44,'20261128-121314-d8783e','val/accuracy',1,1.0,5,1.0,5,1.0,5);
INSERT INTO series VALUES(46,'20261128-121314-d8783e','val/loss',1,0.86411447525024409621,5,0.86411447525024409621,5,0.86411447525024409621,5);
CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);
INSERT INTO chunks VALUES(2,0,10,10,X'01000a02020000000000000000b4e6cc99b3e6ccc97f80808080808080100102000000020100868005d2a5059a98019950e69c01cad909ddb809bffc01cc74da469a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93fe49a0512');
INSERT INTO chunks VALUES(10,0,10,10,X'01010a02020000000000000000b4e6cc99b3e6ccc97f80808080808080100102000000020100868005d2a5059a98019950e69c01cad909ddb809bffc01cc74da460000f83e00000c3f0000443f0000483f0000803f0000803f00007c3f0000783f00007c3f0000803fbc605d53');
INSERT INTO chunks VALUES(11,0,10,10,X'01010a02020000000000000000b4e6cc99b3e6ccc97f80808080808080100102000000020100868005d2a5059a98019950e69c01cad909ddb809bffc01cc74da46b729ae3fabf09d3fe6be8f3f629f873f104b703ffcbf5e3f45e74e3f4e603c3f177b383fc6b7253f575d595d');
INSERT INTO chunks VALUES(12,0,2,10,X'0100020a0a80808080808080f07f8080808080808010cedb1dc4cb2a000000000000f03f9a9999999999ef3fcb09fef1');
INSERT INTO chunks VALUES(14,0,2,10,X'0100020a0a80808080808080f07f8080808080808010cedb1dc4cb2a66666666d3a6eb3f9a99991992cbe23f1be98283');
INSERT INTO chunks VALUES(18,0,2,5,X'0100020208b4e6cc99b3e6ccc97fcc99b3e6cc99b326981ea6b1087b14ae47e17a843f7b14ae47e17a843fa494d1e7');
INSERT INTO chunks VALUES(26,0,5,5,X'0101050202000000b4e6cc99b3e6ccc97f8080808080808010010200981ec0af03c9d90100040000f83e0000083f0000043f0000f03e0000003fec555ee9');
INSERT INTO chunks VALUES(27,0,5,5,X'0101050202000000b4e6cc99b3e6ccc97f8080808080808010010200981ec0af03c9d9010004b729ae3fa4a1a93f58d5a63f428ca53f8343a03f1cbe8c7c');
INSERT INTO chunks VALUES(28,0,1,5,X'0101010a80808080808080f07fbecf080000003f449929c8');
INSERT INTO chunks VALUES(30,0,1,5,X'0100010a80808080808080f07fbecf08cdcccc4c95aaf33fba1fa766');
INSERT INTO chunks VALUES(34,0,4,5,X'01000402020002b4e6cc99b3e6ccc97f808080808080801001ce99b3e6cc99b30692ca06e2890cc19e0785a7029a9999999999a93f9a9999999999a93f9a9999999999a93f9a9999999999a93fc22a878e');
INSERT INTO chunks VALUES(42,0,5,5,X'0101050202000000b4e6cc99b3e6ccc97f808080808080801001020092ca06e2890cc19e07d1c0028191020000f83e00000c3f0000443f0000483f0000803ff3a11bf3');
INSERT INTO chunks VALUES(43,0,5,5,X'0101050202000000b4e6cc99b3e6ccc97f808080808080801001020092ca06e2890cc19e07d1c002819102b729ae3fabf09d3fe6be8f3f629f873f104b703f2c9f4bb2');
INSERT INTO chunks VALUES(44,0,1,5,X'0101010a80808080808080f07fae831a0000803f1353468c');
INSERT INTO chunks VALUES(46,0,1,5,X'0100010a80808080808080f07fae831a66666666d3a6eb3fd80453ea');
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL, superseded INTEGER NOT NULL DEFAULT 0, deleting INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run, path)
);
INSERT INTO checkpoints VALUES(1,'20261128-121305-54440d','/workspace/runs/20261128-121305-54440d/checkpoints/step-00000005.safetensors',5,1.0,1070384,1795867994048,'{"grad_norm":1.273864048782893,"lr":0.05,"samples_per_s":1250.9700149213297,"time/backward":0.03858178300288273,"time/comm":2.453998604323715e-06,"time/data":6.479600051534362e-05,"time/forward":0.012246304999280255,"time/optimizer":0.00015970700042089447,"time/step":0.05116029899727437,"train/accuracy":1.0,"train/loss":0.9386453628540039,"val/accuracy":1.0,"val/f1":1.0,"val/loss":0.8641144752502441,"val/precision":1.0,"val/recall":1.0}',1,0,0,0,0);
INSERT INTO checkpoints VALUES(3,'20261128-121305-54440d','/workspace/runs/20261128-121305-54440d/checkpoints/step-00000010.safetensors',10,2.0,1070456,1795867994267,'{"grad_norm":1.0196542898583592,"lr":0.05,"samples_per_s":1147.4138717013805,"time/backward":0.03936981999868294,"time/comm":2.1529958758037537e-06,"time/data":3.087599907303229e-05,"time/forward":0.01615048600069713,"time/optimizer":0.0001769520022207871,"time/step":0.05577760699816281,"train/accuracy":1.0,"train/loss":0.647335410118103,"val/accuracy":0.9875,"val/f1":0.9891252955082742,"val/loss":0.5873499393463135,"val/precision":0.9891304347826086,"val/recall":0.9895833333333334}',0,1,0,0,0);
INSERT INTO checkpoints VALUES(4,'20261128-121314-d8783b','/workspace/runs/20261128-121314-d8783b/checkpoints/step-00000005.safetensors',5,1.0,1070416,1795867995683,'{"grad_norm":1.5700436736110503,"lr":0.01,"samples_per_s":4674.878456140545,"time/backward":0.0008410580003328505,"time/comm":9.287487046094611e-07,"time/data":2.010949992836686e-05,"time/forward":0.012726621000183513,"time/optimizer":7.331350116146496e-05,"time/step":0.013690195499293623,"train/accuracy":0.5,"train/loss":1.2520602941513062,"val/accuracy":0.5,"val/f1":0.3314285714285714,"val/loss":1.2291462898254395,"val/precision":0.24808184143222506,"val/recall":0.5}',1,1,0,0,0);
INSERT INTO checkpoints VALUES(5,'20261128-121314-d8783e','/workspace/runs/20261128-121314-d8783e/checkpoints/step-00000005.safetensors',5,1.0,1070392,1795867995735,'{"grad_norm":1.273864048782893,"lr":0.05,"samples_per_s":39140.70260508379,"time/backward":0.0008404250020248583,"time/comm":6.904992915224284e-07,"time/data":3.113100137852598e-05,"time/forward":0.0006479339990619337,"time/optimizer":7.560250196547713e-05,"time/step":0.001635126498513273,"train/accuracy":1.0,"train/loss":0.9386453628540039,"val/accuracy":1.0,"val/f1":1.0,"val/loss":0.8641144752502441,"val/precision":1.0,"val/recall":1.0}',1,1,0,0,0);
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO log VALUES(1,'20261128-121305-54440d',0,'info','load-data: 320 samples',1795867992987);
INSERT INTO log VALUES(2,'20261128-121305-54440d',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products, kernels c56e26de',1795867993586);
INSERT INTO log VALUES(3,'20261128-121305-54440d',0,'info','checkpoint of step 5 saved, 1.1 MB',1795867994047);
INSERT INTO log VALUES(4,'20261128-121305-54440d',0,'info','checkpoint of step 10 saved, 1.1 MB',1795867994266);
INSERT INTO log VALUES(5,'20261128-121305-54440d',-1,'info','finished at step 10 after 9.0 s; 0 processes left',1795867994607);
INSERT INTO log VALUES(6,'20261128-121314-d8783b',0,'info','load-data: 320 samples',1795867995074);
INSERT INTO log VALUES(7,'20261128-121314-d8783e',0,'info','load-data: 320 samples',1795867995290);
INSERT INTO log VALUES(8,'20261128-121314-d8783b',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products, kernels 0c9b154e',1795867995462);
INSERT INTO log VALUES(9,'20261128-121314-d8783e',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products, kernels 0c9b154e',1795867995479);
INSERT INTO log VALUES(10,'20261128-121314-d8783b',0,'info','checkpoint of step 5 saved, 1.1 MB',1795867995682);
INSERT INTO log VALUES(11,'20261128-121314-d8783b',-1,'info','finished at step 5 after 0.7 s; 0 processes left',1795867995683);
INSERT INTO log VALUES(12,'20261128-121314-d8783e',0,'info','checkpoint of step 5 saved, 1.1 MB',1795867995735);
INSERT INTO log VALUES(13,'20261128-121314-d8783e',-1,'info','finished at step 5 after 0.7 s; 0 processes left',1795867995736);
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
, changed INTEGER NOT NULL DEFAULT 0);
INSERT INTO sweeps VALUES('20261128-121314-a12c85','few','finished',replace('{\n  "version": 1,\n  "name": "few",\n  "run": {\n    "version": 1,\n    "task": "classification",\n    "dataset": {\n      "name": "blobs",\n      "params": {\n        "samples": 400\n      }\n    },\n    "model": "mlp",\n    "batch": {\n      "perRank": 64\n    },\n    "epochs": 1,\n    "seed": 1,\n    "scaling": {\n      "workers": 1\n    }\n  },\n  "space": {\n    "optimizer.lr": [\n      0.01,\n      0.05\n    ]\n  },\n  "searcher": {\n    "name": "grid"\n  },\n  "scheduler": {\n    "name": "fifo"\n  },\n  "trials": 0,\n  "parallel": 0,\n  "perDevice": 1,\n  "scoreBy": "val/loss",\n  "mode": "min",\n  "seed": 1,\n  "seeds": {\n    "count": 1,\n    "for": "all"\n  },\n  "score": "best",\n  "stop": [],\n  "failure": {\n    "retries": 0,\n    "maxShare": 0.5\n  },\n  "budget": {\n    "seconds": 0.0,\n    "trainSeconds": 0.0,\n    "epochs": 0.0,\n    "target": null,\n    "idleTrials": 0\n  },\n  "atEnd": "stop"\n}\n','\n',char(10)),1795867994645,1795867995739,0,2,'20261128-121314-d8783e',22);
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO changes VALUES(30);
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
INSERT INTO trial_events VALUES('20261128-121314-a12c85',0,'slot_free',-1,0.0,NULL,'{}','',1795867994864,'');
INSERT INTO trial_events VALUES('20261128-121314-a12c85',1,'started',0,0.0,NULL,'{"optimizer.lr":0.01}','[]',1795867994864,'');
INSERT INTO trial_events VALUES('20261128-121314-a12c85',2,'slot_free',-1,0.0,NULL,'{}','',1795867994864,'');
INSERT INTO trial_events VALUES('20261128-121314-a12c85',3,'started',1,0.0,NULL,'{"optimizer.lr":0.05}','[]',1795867994864,'');
INSERT INTO trial_events VALUES('20261128-121314-a12c85',4,'ended',0,1.0,1.2291462898254394975,'{}','',1795867995687,'');
INSERT INTO trial_events VALUES('20261128-121314-a12c85',5,'ended',1,1.0,0.86411447525024409621,'{}','',1795867995739,'');
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
INSERT INTO run_events VALUES(1,'20261128-121305-54440d','started',0,0.0,NULL,1.0,-1,'',1795867993624);
INSERT INTO run_events VALUES(2,'20261128-121314-d8783b','started',0,0.0,NULL,1.0,-1,'',1795867995478);
INSERT INTO run_events VALUES(3,'20261128-121314-d8783e','started',0,0.0,NULL,1.0,-1,'',1795867995618);
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
INSERT INTO queue VALUES(1,1,'waiting','waits',replace('{\n  "version": 1,\n  "name": "waits",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        512,\n        512\n      ]\n    }\n  },\n  "dataset": {\n    "name": "blobs",\n    "params": {\n      "classes": 4,\n      "features": 2,\n      "samples": 400,\n      "spread": 0.2,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "data": {\n    "onError": "stop",\n    "maxBad": 0.25,\n    "division": "class",\n    "changed": "refuse"\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.05,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 64,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "epochs": 2,\n  "seed": 1,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "auto",\n    "threadsPerWorker": 0,\n    "memoryMb": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "compressionRank": 2,\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "place": "listed",\n    "port": 0\n  },\n  "hosts": [],\n  "spareHosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 2,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "linkSeconds": 300.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'','',1795867995969,'','','','','','general');
CREATE TABLE queue_settings (slots INTEGER NOT NULL, paused INTEGER NOT NULL, changed INTEGER NOT NULL);
INSERT INTO queue_settings VALUES(1,1,27);
CREATE TABLE checkpoint_changes (changed INTEGER NOT NULL);
INSERT INTO checkpoint_changes VALUES(20);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('checkpoints',5);
INSERT INTO sqlite_sequence VALUES('queue',1);
CREATE INDEX runs_by_created ON runs (archived, created_ms);
CREATE INDEX runs_by_sweep ON runs (sweep, trial);
CREATE INDEX runs_by_name ON runs (name, created_ms);
CREATE INDEX runs_by_color ON runs (archived, color_index);
CREATE INDEX log_by_run ON log (run, id);
CREATE INDEX runs_by_change ON runs (changed);
CREATE INDEX sweeps_by_change ON sweeps (changed);
CREATE INDEX runs_by_status ON runs (status);
CREATE INDEX open_requests ON sweep_requests (sweep) WHERE answer = '';
CREATE INDEX run_events_by_run ON run_events (run, id);
CREATE INDEX queue_open ON queue (place) WHERE state <> 'started';
CREATE INDEX checkpoints_deleting ON checkpoints (run) WHERE deleting = 1;
CREATE INDEX runs_by_choice ON runs (archived, color) WHERE color <> '';
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
COMMIT;
PRAGMA user_version = 10;
