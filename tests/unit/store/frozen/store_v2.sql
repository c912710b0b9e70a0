-- SPDX-License-Identifier: GPL-3.0-or-later
-- A workspace as Trainyard 0.1.0 (schema version 2) has written it, as text. Never to be changed.
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
, forked_from TEXT NOT NULL DEFAULT '', forked_step INTEGER NOT NULL DEFAULT -1);
INSERT INTO runs VALUES('20261123-165552-5c464e','frozen','finished',replace('{\n  "version": 1,\n  "name": "frozen",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        64,\n        64,\n        64,\n        64,\n        64\n      ]\n    }\n  },\n  "dataset": {\n    "name": "spirals",\n    "params": {\n      "classes": 3,\n      "noise": 0.15,\n      "samples": 200,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.01,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 20,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "steps": 20,\n  "seed": 42,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "cpu",\n    "threadsPerWorker": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "port": 0\n  },\n  "hosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 1,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 0,\n    "heartbeatSeconds": 20.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'',-1,'{}','','','','',0,0,'','',1795452952370,1795452952380,1795452952838,20,20,2.5,1,0,0.44600000000000000754,0.017728761000398662872,72311.808520776947261,0,'','/home/ada/runs/runs/20261123-165552-5c464e','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0-18-amd64 x86_64","computer":"ada","computed":"one rank: nothing to average; oneDNN for 5 of 8 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','',-1);
INSERT INTO runs VALUES('20261123-165552-d4d9a0','frozen-fork','failed',replace('{\n  "version": 1,\n  "name": "frozen-fork",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        64,\n        64,\n        64,\n        64,\n        64\n      ]\n    }\n  },\n  "dataset": {\n    "name": "spirals",\n    "params": {\n      "classes": 3,\n      "noise": 0.15,\n      "samples": 200,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 100.0,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 20,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "steps": 60,\n  "seed": 42,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "cpu",\n    "threadsPerWorker": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "port": 0\n  },\n  "hosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 1,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 0,\n    "heartbeatSeconds": 20.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'',-1,'{}','the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm)','run','rank 0 on this computer, step 16, step 12','lower the learning rate, check the data, or set failure.nonFinite to skip or rollback',1,0,'','',1795452952853,1795452952861,1795452953266,16,60,1.125,1,0,0.40100000000000002309,0.028695514998768583553,0.0,0,'','/home/ada/runs/runs/20261123-165552-d4d9a0','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0-18-amd64 x86_64","computer":"ada","computed":"one rank: nothing to average; oneDNN for 5 of 8 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','20261123-165552-5c464e',8);
CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;
INSERT INTO workers VALUES('20261123-165552-5c464e',0,'',8499,'cpu','finished',20,20,2.5,3,0.0,0.021317633964850916938,0.9768752492017204192,0.0018071168334287148176,185774080,'write the last checkpoint');
INSERT INTO workers VALUES('20261123-165552-d4d9a0',0,'',8519,'cpu','failed',16,60,1.125,8,0.0,0.0,0.0,0.0,183508992,'update the weights');
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
INSERT INTO series VALUES(1,'20261123-165552-5c464e','grad_norm',4,0.28911841967257156937,20,0.090496663848957742404,1,0.28911841967257156937,20);
INSERT INTO series VALUES(2,'20261123-165552-5c464e','lr',4,0.010000000000000000208,20,0.010000000000000000208,1,0.010000000000000000208,1);
INSERT INTO series VALUES(3,'20261123-165552-5c464e','samples_per_s',4,72311.808520776947261,20,30124.247474248633806,1,97952.581133647370729,8);
INSERT INTO series VALUES(4,'20261123-165552-5c464e','time/backward',4,0.00014286649980022048112,20,0.0001226250000172512955,16,0.00019471599989628884941,1);
INSERT INTO series VALUES(5,'20261123-165552-5c464e','time/comm',4,2.527499418647494167e-07,20,1.9787489691225346177e-07,16,4.7679995986982248723e-06,1);
INSERT INTO series VALUES(6,'20261123-165552-5c464e','time/data',4,4.0862498735805274918e-06,20,3.3905716918525286018e-06,8,3.6505000025499612092e-05,1);
INSERT INTO series VALUES(7,'20261123-165552-5c464e','time/forward',4,0.00010974975043609447311,20,6.6485142789523312941e-05,8,0.00035889799983124248683,1);
INSERT INTO series VALUES(8,'20261123-165552-5c464e','time/optimizer',4,4.5932499688206007704e-06,20,2.9844286473235115408e-06,8,1.2286000128369778394e-05,1);
INSERT INTO series VALUES(9,'20261123-165552-5c464e','time/step',4,0.00027657999999064486473,20,0.0002041804286169021296,8,0.00066391699965606676414,1);
INSERT INTO series VALUES(10,'20261123-165552-5c464e','train/accuracy',20,0.25,20,0.2000000000000000111,16,0.5,6);
INSERT INTO series VALUES(11,'20261123-165552-5c464e','train/loss',20,1.1144362688064575195,20,1.0865484476089477539,6,1.1144362688064575195,20);
INSERT INTO series VALUES(12,'20261123-165552-5c464e','val/accuracy',3,0.29999999999999998889,20,0.29999999999999998889,8,0.29999999999999998889,8);
INSERT INTO series VALUES(13,'20261123-165552-5c464e','val/f1',3,0.16326530612244896656,20,0.16326530612244896656,20,0.16666666666666665741,8);
INSERT INTO series VALUES(14,'20261123-165552-5c464e','val/loss',3,1.1012425422668457031,20,1.1012425422668457031,20,1.101777935028076083,8);
INSERT INTO series VALUES(15,'20261123-165552-5c464e','val/precision',3,0.1081081081081081141,20,0.1081081081081081141,20,0.11111111111111110494,8);
INSERT INTO series VALUES(16,'20261123-165552-5c464e','val/recall',3,0.33333333333333331482,20,0.33333333333333331482,8,0.33333333333333331482,8);
INSERT INTO series VALUES(17,'20261123-165552-d4d9a0','grad_norm',2,67.394228058793714808,10,0.16741537585871649196,9,67.394228058793714808,10);
INSERT INTO series VALUES(18,'20261123-165552-d4d9a0','lr',2,100.0,10,100.0,9,100.0,9);
INSERT INTO series VALUES(19,'20261123-165552-d4d9a0','samples_per_s',2,42456.17457629094133,10,729.84286228443647813,9,42456.17457629094133,10);
INSERT INTO series VALUES(20,'20261123-165552-d4d9a0','time/backward',2,0.00021499200011021457612,10,0.00021499200011021457612,10,0.000883935999809182249,9);
INSERT INTO series VALUES(21,'20261123-165552-d4d9a0','time/comm',2,2.7199985197512432932e-07,10,2.7199985197512432932e-07,10,4.0969998735818080604e-06,9);
INSERT INTO series VALUES(22,'20261123-165552-d4d9a0','time/data',2,2.0555000446620397269e-05,10,9.5739997050259262323e-06,9,2.0555000446620397269e-05,10);
INSERT INTO series VALUES(23,'20261123-165552-d4d9a0','time/forward',2,0.00019841199991788016632,10,0.00019841199991788016632,10,0.026447229999575938563,9);
INSERT INTO series VALUES(24,'20261123-165552-d4d9a0','time/optimizer',2,7.8539997048210352659e-06,10,7.8539997048210352659e-06,10,1.4102000022830907255e-05,9);
INSERT INTO series VALUES(25,'20261123-165552-d4d9a0','time/step',2,0.00047107400041568325832,10,0.00047107400041568325832,10,0.027403158999732113443,9);
INSERT INTO series VALUES(26,'20261123-165552-d4d9a0','train/accuracy',3,0.25,11,0.25,11,0.4500000000000000111,9);
INSERT INTO series VALUES(27,'20261123-165552-d4d9a0','train/loss',3,158359879680.0,11,1.0907534360885620117,9,158359879680.0,11);
CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);
INSERT INTO chunks VALUES(1,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03a60bf816e84e873672dda013ca2ab73fedf5ea3f4538d03f5db458a7c672cd3fb08d4a8bea80d23f065534ec');
INSERT INTO chunks VALUES(2,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03ba0ae417fc4d87367b14ae47e17a843f7b14ae47e17a843f7b14ae47e17a843f7b14ae47e17a843f27bf9397');
INSERT INTO chunks VALUES(3,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03a60bf616ec4e89361f3b9ed60f6bdd40a1cb524c09eaf7407c25bef348ebf540727bb3ef7ca7f14066898945');
INSERT INTO chunks VALUES(4,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03ac0bf616ec4e8b36000000b49585293f922449e2c324203f0000c0ba9c12203f000080e3cdb9223f8a6b897d');
INSERT INTO chunks VALUES(5,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03aa0bf616ec4e8b36000000c099ffd33e49922449a2858f3e00000000ee8e8a3e0000000036f6903ec550eabf');
INSERT INTO chunks VALUES(6,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03a80bf816e84e8736000000409e23033f000000803271cc3e000000a01513cf3e000000d09323d13e0ce66aa9');
INSERT INTO chunks VALUES(7,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03ac0bf416ee4e89360000002c4f85373f9224490ebe6d113f000000275024153f0000005b2ec51c3f675bdfce');
INSERT INTO chunks VALUES(8,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03ae0bf416ee4e893600000000ffc3e93e000000000309c93e00000080c42cce3e000000f0f643d33e6570879a');
INSERT INTO chunks VALUES(9,0,4,20,X'010004020e020780808080808080c07f80808080808080308080808080808002ffffffffffffff03a80bf616ec4e8936000080e656c1453fb76ddb8628c32a3f00000000c4322d3f0000000e3e20323f45617c42');
INSERT INTO chunks VALUES(10,0,20,20,X'010014020200000000000000000000000000000000000080808080808080c07f8080808080808010000000000000000000000000000000000000a40be203470102010201944aed490201020101029c1faf1e0000666666666666d63f000000000000d03f333333333333d33f333333333333d33f000000000000d03f000000000000e03f666666666666d63f333333333333d33fcdccccccccccdc3f666666666666d63f666666666666d63f000000000000d03f000000000000e03f000000000000d03f9a9999999999d93f9a9999999999c93f000000000000d03fcdccccccccccdc3f666666666666d63f000000000000d03f0afe0517');
INSERT INTO chunks VALUES(11,0,20,20,X'010114020200000000000000000000000000000000000080808080808080c07f8080808080808010000000000000000000000000000000000000a20be203470001020102904ae9490102010000009a1fab1e0100bcf78c3f60128d3fae5c8c3fa6fd8c3f03b98d3f05148b3f1e138e3f4b638b3fcf9d8b3f4d5e8d3f94cf8b3fbc288d3f82218c3f0da68c3fcbcd8c3fd5cc8d3f01128d3f5e3f8c3f8bde8c3fd9a58e3fbc262796');
INSERT INTO chunks VALUES(12,0,3,20,X'01000310100780808080808080f07f8080808080808010ffffffffffffff03d263e828801e333333333333d33f333333333333d33f333333333333d33f542662ce');
INSERT INTO chunks VALUES(13,0,3,20,X'01000310100780808080808080f07f8080808080808010ffffffffffffff03d663e428861e555555555555c53f555555555555c53f39052fa7e0e5c43fef51bd2f');
INSERT INTO chunks VALUES(14,0,3,20,X'01000310100780808080808080f07f8080808080808010ffffffffffffff03d663e628841e666666e6e1a0f13f33333333d39ff13f00000080b09ef13f81314a4b');
INSERT INTO chunks VALUES(15,0,3,20,X'01000310100780808080808080f07f8080808080808010ffffffffffffff03d863e428861e1cc7711cc771bc3f1cc7711cc771bc3fd0bac114f9acbb3f965f1d4e');
INSERT INTO chunks VALUES(16,0,3,20,X'01000310100780808080808080f07f8080808080808010ffffffffffffff03d863e428861e555555555555d53f555555555555d53f555555555555d53fbee01ea7');
INSERT INTO chunks VALUES(17,0,2,10,X'010002120280808080808080f27f808080808080800288b003da07f99214f6dd6dc53fd0eb52083bd95040dff6dee4');
INSERT INTO chunks VALUES(18,0,2,10,X'010102120280808080808080f27f808080808080800298ac03ca0b0000c8420000c84274ecd3b9');
INSERT INTO chunks VALUES(19,0,2,10,X'010002120280808080808080f27f808080808080800286b003da077ed5942ebece86408804219605bbe440babaa1bb');
INSERT INTO chunks VALUES(20,0,2,10,X'010002120280808080808080f27f808080808080800290b003d6070000001bfef64c3f00000038ef2d2c3fd0d4fa6e');
INSERT INTO chunks VALUES(21,0,2,10,X'010102120280808080808080f27f80808080808080028cb003da07f678893660079234880be2c6');
INSERT INTO chunks VALUES(22,0,2,10,X'010102120280808080808080f27f80808080808080028cb003d80704a02037876dac37edac20d2');
INSERT INTO chunks VALUES(23,0,2,10,X'010002120280808080808080f27f80808080808080028eb003d8070000ac8ffb149b3f0000001a9a012a3fc10d8c8f');
INSERT INTO chunks VALUES(24,0,2,10,X'010102120280808080808080f27f808080808080800290b003d807a1976c37acc40337fb993177');
INSERT INTO chunks VALUES(25,0,2,10,X'010002120280808080808080f27f80808080808080028ab003da070000d8de920f9c3f0000006d4fdf3e3f402182b2');
INSERT INTO chunks VALUES(26,0,3,11,X'01000312020080808080808080f27f80808080808080020084b003da0778cdccccccccccdc3f666666666666d63f000000000000d03f01f1eebe');
INSERT INTO chunks VALUES(27,0,3,11,X'01010312020080808080808080f27f80808080808080020082b003da0778cf9d8b3f4d6f7342f07b135282d2a2b7');
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL,
  UNIQUE (run, path)
);
INSERT INTO checkpoints VALUES(1,'20261123-165552-5c464e','/home/ada/runs/runs/20261123-165552-5c464e/checkpoints/step-00000008.safetensors',8,1.0,73956,1795452952822,'{"grad_norm":0.25343447916006206,"lr":0.01,"samples_per_s":97952.58113364737,"time/backward":0.0001231659999965424,"time/comm":2.348572577050488e-07,"time/data":3.3905716918525286e-06,"time/forward":6.648514278952331e-05,"time/optimizer":2.9844286473235115e-06,"time/step":0.00020418042861690213,"train/accuracy":0.3,"train/loss":1.0889676809310913,"val/accuracy":0.3,"val/f1":0.16666666666666666,"val/loss":1.101777935028076,"val/precision":0.1111111111111111,"val/recall":0.3333333333333333}',1,0,0);
INSERT INTO checkpoints VALUES(5,'20261123-165552-5c464e','/home/ada/runs/runs/20261123-165552-5c464e/checkpoints/step-00000020.safetensors',20,2.5,73988,1795452952828,'{"grad_norm":0.28911841967257157,"lr":0.01,"samples_per_s":72311.80852077695,"time/backward":0.00014286649980022048,"time/comm":2.527499418647494e-07,"time/data":4.0862498735805275e-06,"time/forward":0.00010974975043609447,"time/optimizer":4.593249968820601e-06,"time/step":0.00027657999999064486,"train/accuracy":0.25,"train/loss":1.1144362688064575,"val/accuracy":0.3,"val/f1":0.16326530612244897,"val/loss":1.1012425422668457,"val/precision":0.10810810810810811,"val/recall":0.3333333333333333}',0,1,0);
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO log VALUES(1,'20261123-165552-5c464e',0,'info','load-data: 160 samples',1795452952783);
INSERT INTO log VALUES(2,'20261123-165552-5c464e',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products',1795452952810);
INSERT INTO log VALUES(3,'20261123-165552-d4d9a0',0,'info','load-data: 160 samples',1795452953228);
INSERT INTO log VALUES(4,'20261123-165552-d4d9a0',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products',1795452953228);
INSERT INTO log VALUES(5,'20261123-165552-d4d9a0',0,'info','failed: step 12: the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm) (lower the learning rate, check the data, or set failure.nonFinite to skip or rollback)',1795452953258);
INSERT INTO log VALUES(6,'20261123-165552-d4d9a0',0,'error','rank 0 on this computer, step 16, step 12: the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm) (lower the learning rate, check the data, or set failure.nonFinite to skip or rollback)',1795452953258);
INSERT INTO log VALUES(7,'20261123-165552-d4d9a0',0,'error','rank 0 on this computer, step 16, step 12: the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm) (lower the learning rate, check the data, or set failure.nonFinite to skip or rollback)',1795452953266);
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('checkpoints',5);
CREATE INDEX runs_by_created ON runs (archived, created_ms);
CREATE INDEX runs_by_sweep ON runs (sweep, trial);
CREATE INDEX runs_by_name ON runs (name, created_ms);
CREATE INDEX runs_by_color ON runs (archived, color_index);
CREATE INDEX log_by_run ON log (run, id);
COMMIT;
PRAGMA user_version = 2;
