-- SPDX-License-Identifier: GPL-3.0-or-later
-- A workspace of Trainyard 0.1.0 (schema version 4), as text. Never to be changed.
BEGIN TRANSACTION;
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO "changes" VALUES(3);
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL,
  UNIQUE (run, path)
);
INSERT INTO "checkpoints" VALUES(1,'20261123-165552-5c464e','/home/ada/runs/runs/20261123-165552-5c464e/checkpoints/step-00000008.safetensors',8,1.0,73956,1795452952822,'{"grad_norm":0.25343447916006206,"lr":0.01,"samples_per_s":97952.58113364737,"time/backward":0.0001231659999965424,"time/comm":2.348572577050488e-07,"time/data":3.3905716918525286e-06,"time/forward":6.648514278952331e-05,"time/optimizer":2.9844286473235115e-06,"time/step":0.00020418042861690213,"train/accuracy":0.3,"train/loss":1.0889676809310913,"val/accuracy":0.3,"val/f1":0.16666666666666666,"val/loss":1.101777935028076,"val/precision":0.1111111111111111,"val/recall":0.3333333333333333}',1,0,0);
INSERT INTO "checkpoints" VALUES(5,'20261123-165552-5c464e','/home/ada/runs/runs/20261123-165552-5c464e/checkpoints/step-00000020.safetensors',20,2.5,73988,1795452952828,'{"grad_norm":0.28911841967257157,"lr":0.01,"samples_per_s":72311.80852077695,"time/backward":0.00014286649980022048,"time/comm":2.527499418647494e-07,"time/data":4.0862498735805275e-06,"time/forward":0.00010974975043609447,"time/optimizer":4.593249968820601e-06,"time/step":0.00027657999999064486,"train/accuracy":0.25,"train/loss":1.1144362688064575,"val/accuracy":0.3,"val/f1":0.16326530612244897,"val/loss":1.1012425422668457,"val/precision":0.10810810810810811,"val/recall":0.3333333333333333}',0,1,0);
CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);
INSERT INTO "chunks" VALUES(1,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03A60BF816E84E873672DDA013CA2AB73FEDF5EA3F4538D03F5DB458A7C672CD3FB08D4A8BEA80D23F065534EC');
INSERT INTO "chunks" VALUES(2,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03BA0AE417FC4D87367B14AE47E17A843F7B14AE47E17A843F7B14AE47E17A843F7B14AE47E17A843F27BF9397');
INSERT INTO "chunks" VALUES(3,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03A60BF616EC4E89361F3B9ED60F6BDD40A1CB524C09EAF7407C25BEF348EBF540727BB3EF7CA7F14066898945');
INSERT INTO "chunks" VALUES(4,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03AC0BF616EC4E8B36000000B49585293F922449E2C324203F0000C0BA9C12203F000080E3CDB9223F8A6B897D');
INSERT INTO "chunks" VALUES(5,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03AA0BF616EC4E8B36000000C099FFD33E49922449A2858F3E00000000EE8E8A3E0000000036F6903EC550EABF');
INSERT INTO "chunks" VALUES(6,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03A80BF816E84E8736000000409E23033F000000803271CC3E000000A01513CF3E000000D09323D13E0CE66AA9');
INSERT INTO "chunks" VALUES(7,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03AC0BF416EE4E89360000002C4F85373F9224490EBE6D113F000000275024153F0000005B2EC51C3F675BDFCE');
INSERT INTO "chunks" VALUES(8,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03AE0BF416EE4E893600000000FFC3E93E000000000309C93E00000080C42CCE3E000000F0F643D33E6570879A');
INSERT INTO "chunks" VALUES(9,0,4,20,X'010004020E020780808080808080C07F80808080808080308080808080808002FFFFFFFFFFFFFF03A80BF616EC4E8936000080E656C1453FB76DDB8628C32A3F00000000C4322D3F0000000E3E20323F45617C42');
INSERT INTO "chunks" VALUES(10,0,20,20,X'010014020200000000000000000000000000000000000080808080808080C07F8080808080808010000000000000000000000000000000000000A40BE203470102010201944AED490201020101029C1FAF1E0000666666666666D63F000000000000D03F333333333333D33F333333333333D33F000000000000D03F000000000000E03F666666666666D63F333333333333D33FCDCCCCCCCCCCDC3F666666666666D63F666666666666D63F000000000000D03F000000000000E03F000000000000D03F9A9999999999D93F9A9999999999C93F000000000000D03FCDCCCCCCCCCCDC3F666666666666D63F000000000000D03F0AFE0517');
INSERT INTO "chunks" VALUES(11,0,20,20,X'010114020200000000000000000000000000000000000080808080808080C07F8080808080808010000000000000000000000000000000000000A20BE203470001020102904AE9490102010000009A1FAB1E0100BCF78C3F60128D3FAE5C8C3FA6FD8C3F03B98D3F05148B3F1E138E3F4B638B3FCF9D8B3F4D5E8D3F94CF8B3FBC288D3F82218C3F0DA68C3FCBCD8C3FD5CC8D3F01128D3F5E3F8C3F8BDE8C3FD9A58E3FBC262796');
INSERT INTO "chunks" VALUES(12,0,3,20,X'01000310100780808080808080F07F8080808080808010FFFFFFFFFFFFFF03D263E828801E333333333333D33F333333333333D33F333333333333D33F542662CE');
INSERT INTO "chunks" VALUES(13,0,3,20,X'01000310100780808080808080F07F8080808080808010FFFFFFFFFFFFFF03D663E428861E555555555555C53F555555555555C53F39052FA7E0E5C43FEF51BD2F');
INSERT INTO "chunks" VALUES(14,0,3,20,X'01000310100780808080808080F07F8080808080808010FFFFFFFFFFFFFF03D663E628841E666666E6E1A0F13F33333333D39FF13F00000080B09EF13F81314A4B');
INSERT INTO "chunks" VALUES(15,0,3,20,X'01000310100780808080808080F07F8080808080808010FFFFFFFFFFFFFF03D863E428861E1CC7711CC771BC3F1CC7711CC771BC3FD0BAC114F9ACBB3F965F1D4E');
INSERT INTO "chunks" VALUES(16,0,3,20,X'01000310100780808080808080F07F8080808080808010FFFFFFFFFFFFFF03D863E428861E555555555555D53F555555555555D53F555555555555D53FBEE01EA7');
INSERT INTO "chunks" VALUES(17,0,2,10,X'010002120280808080808080F27F808080808080800288B003DA07F99214F6DD6DC53FD0EB52083BD95040DFF6DEE4');
INSERT INTO "chunks" VALUES(18,0,2,10,X'010102120280808080808080F27F808080808080800298AC03CA0B0000C8420000C84274ECD3B9');
INSERT INTO "chunks" VALUES(19,0,2,10,X'010002120280808080808080F27F808080808080800286B003DA077ED5942EBECE86408804219605BBE440BABAA1BB');
INSERT INTO "chunks" VALUES(20,0,2,10,X'010002120280808080808080F27F808080808080800290B003D6070000001BFEF64C3F00000038EF2D2C3FD0D4FA6E');
INSERT INTO "chunks" VALUES(21,0,2,10,X'010102120280808080808080F27F80808080808080028CB003DA07F678893660079234880BE2C6');
INSERT INTO "chunks" VALUES(22,0,2,10,X'010102120280808080808080F27F80808080808080028CB003D80704A02037876DAC37EDAC20D2');
INSERT INTO "chunks" VALUES(23,0,2,10,X'010002120280808080808080F27F80808080808080028EB003D8070000AC8FFB149B3F0000001A9A012A3FC10D8C8F');
INSERT INTO "chunks" VALUES(24,0,2,10,X'010102120280808080808080F27F808080808080800290B003D807A1976C37ACC40337FB993177');
INSERT INTO "chunks" VALUES(25,0,2,10,X'010002120280808080808080F27F80808080808080028AB003DA070000D8DE920F9C3F0000006D4FDF3E3F402182B2');
INSERT INTO "chunks" VALUES(26,0,3,11,X'01000312020080808080808080F27F80808080808080020084B003DA0778CDCCCCCCCCCCDC3F666666666666D63F000000000000D03F01F1EEBE');
INSERT INTO "chunks" VALUES(27,0,3,11,X'01010312020080808080808080F27F80808080808080020082B003DA0778CF9D8B3F4D6F7342F07B135282D2A2B7');
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO "log" VALUES(1,'20261123-165552-5c464e',0,'info','load-data: 160 samples',1795452952783);
INSERT INTO "log" VALUES(2,'20261123-165552-5c464e',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products',1795452952810);
INSERT INTO "log" VALUES(3,'20261123-165552-d4d9a0',0,'info','load-data: 160 samples',1795452953228);
INSERT INTO "log" VALUES(4,'20261123-165552-d4d9a0',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products',1795452953228);
INSERT INTO "log" VALUES(5,'20261123-165552-d4d9a0',0,'info','failed: step 12: the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm) (lower the learning rate, check the data, or set failure.nonFinite to skip or rollback)',1795452953258);
INSERT INTO "log" VALUES(6,'20261123-165552-d4d9a0',0,'error','rank 0 on this computer, step 16, step 12: the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm) (lower the learning rate, check the data, or set failure.nonFinite to skip or rollback)',1795452953258);
INSERT INTO "log" VALUES(7,'20261123-165552-d4d9a0',0,'error','rank 0 on this computer, step 16, step 12: the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm) (lower the learning rate, check the data, or set failure.nonFinite to skip or rollback)',1795452953266);
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
INSERT INTO "runs" VALUES('20261123-165552-5c464e','frozen','finished','{
  "version": 1,
  "name": "frozen",
  "task": "classification",
  "model": {
    "name": "mlp",
    "params": {
      "activation": "relu",
      "dropout": 0.0,
      "hidden": [
        64,
        64,
        64,
        64,
        64
      ]
    }
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
    "lr": 0.01,
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
  "steps": 20,
  "seed": 42,
  "deterministic": false,
  "scaling": {
    "workers": 1,
    "device": "cpu",
    "threadsPerWorker": 0,
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
    "everySteps": 0,
    "keep": 1,
    "scoreBy": "val/accuracy",
    "mode": "max",
    "budgetMb": 0
  },
  "failure": {
    "maxRestarts": 0,
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
','20261122-120000-abcdef',0,'{}','','','','',0,0,'','',1795452952370,1795452952380,1795452952838,20,20,2.5,1,0,0.446,1.77287610003986628726e-02,7.23118085207769472613e+04,0,'','/home/ada/runs/runs/20261123-165552-5c464e','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0-18-amd64 x86_64","computer":"ada","computed":"one rank: nothing to average; oneDNN for 5 of 8 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','',-1,'general',2);
INSERT INTO "runs" VALUES('20261123-165552-d4d9a0','frozen-fork','failed','{
  "version": 1,
  "name": "frozen-fork",
  "task": "classification",
  "model": {
    "name": "mlp",
    "params": {
      "activation": "relu",
      "dropout": 0.0,
      "hidden": [
        64,
        64,
        64,
        64,
        64
      ]
    }
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
    "lr": 100.0,
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
  "steps": 60,
  "seed": 42,
  "deterministic": false,
  "scaling": {
    "workers": 1,
    "device": "cpu",
    "threadsPerWorker": 0,
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
    "everySteps": 0,
    "keep": 1,
    "scoreBy": "val/accuracy",
    "mode": "max",
    "budgetMb": 0
  },
  "failure": {
    "maxRestarts": 0,
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
','20261122-120000-abcdef',1,'{}','the loss is not a finite number at step 12: the loss of rank 0 is not a finite number: the first output that is not finite came from layer "layers.5" (aten::addmm)','run','rank 0 on this computer, step 16, step 12','lower the learning rate, check the data, or set failure.nonFinite to skip or rollback',1,0,'','',1795452952853,1795452952861,1795452953266,16,60,1.125,1,0,0.401,2.86955149987685835533e-02,0.0,0,'','/home/ada/runs/runs/20261123-165552-d4d9a0','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0-18-amd64 x86_64","computer":"ada","computed":"one rank: nothing to average; oneDNN for 5 of 8 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','20261123-165552-5c464e',8,'general',3);
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
INSERT INTO "series" VALUES(1,'20261123-165552-5c464e','grad_norm',4,2.89118419672571569378e-01,20,9.04966638489577424042e-02,1,2.89118419672571569378e-01,20);
INSERT INTO "series" VALUES(2,'20261123-165552-5c464e','lr',4,0.01,20,0.01,1,0.01,1);
INSERT INTO "series" VALUES(3,'20261123-165552-5c464e','samples_per_s',4,7.23118085207769472613e+04,20,3.01242474742486338067e+04,1,9.79525811336473707299e+04,8);
INSERT INTO "series" VALUES(4,'20261123-165552-5c464e','time/backward',4,1.4286649980022048112e-04,20,1.22625000017251295503e-04,16,1.94715999896288849413e-04,1);
INSERT INTO "series" VALUES(5,'20261123-165552-5c464e','time/comm',4,2.52749941864749416708e-07,20,1.97874896912253461778e-07,16,4.76799959869822487235e-06,1);
INSERT INTO "series" VALUES(6,'20261123-165552-5c464e','time/data',4,4.08624987358052749186e-06,20,3.39057169185252860188e-06,8,3.65050000254996120929e-05,1);
INSERT INTO "series" VALUES(7,'20261123-165552-5c464e','time/forward',4,1.09749750436094473116e-04,20,6.64851427895233129412e-05,8,3.58897999831242486834e-04,1);
INSERT INTO "series" VALUES(8,'20261123-165552-5c464e','time/optimizer',4,4.59324996882060077041e-06,20,2.98442864732351154088e-06,8,1.22860001283697783946e-05,1);
INSERT INTO "series" VALUES(9,'20261123-165552-5c464e','time/step',4,2.76579999990644864737e-04,20,2.04180428616902129605e-04,8,6.63916999656066764146e-04,1);
INSERT INTO "series" VALUES(10,'20261123-165552-5c464e','train/accuracy',20,0.25,20,0.2,16,0.5,6);
INSERT INTO "series" VALUES(11,'20261123-165552-5c464e','train/loss',20,1.11443626880645751953e+00,20,1.0865484476089477539e+00,6,1.11443626880645751953e+00,20);
INSERT INTO "series" VALUES(12,'20261123-165552-5c464e','val/accuracy',3,0.3,20,0.3,8,0.3,8);
INSERT INTO "series" VALUES(13,'20261123-165552-5c464e','val/f1',3,1.63265306122448966563e-01,20,1.63265306122448966563e-01,20,1.66666666666666657414e-01,8);
INSERT INTO "series" VALUES(14,'20261123-165552-5c464e','val/loss',3,1.10124254226684570312e+00,20,1.10124254226684570312e+00,20,1.10177793502807608305e+00,8);
INSERT INTO "series" VALUES(15,'20261123-165552-5c464e','val/precision',3,1.08108108108108114109e-01,20,1.08108108108108114109e-01,20,1.11111111111111104943e-01,8);
INSERT INTO "series" VALUES(16,'20261123-165552-5c464e','val/recall',3,3.33333333333333314829e-01,20,3.33333333333333314829e-01,8,3.33333333333333314829e-01,8);
INSERT INTO "series" VALUES(17,'20261123-165552-d4d9a0','grad_norm',2,6.73942280587937148084e+01,10,1.67415375858716491963e-01,9,6.73942280587937148084e+01,10);
INSERT INTO "series" VALUES(18,'20261123-165552-d4d9a0','lr',2,100.0,10,100.0,9,100.0,9);
INSERT INTO "series" VALUES(19,'20261123-165552-d4d9a0','samples_per_s',2,4.24561745762909413309e+04,10,7.29842862284436478138e+02,9,4.24561745762909413309e+04,10);
INSERT INTO "series" VALUES(20,'20261123-165552-d4d9a0','time/backward',2,2.14992000110214576125e-04,10,2.14992000110214576125e-04,10,8.83935999809182249009e-04,9);
INSERT INTO "series" VALUES(21,'20261123-165552-d4d9a0','time/comm',2,2.71999851975124329328e-07,10,2.71999851975124329328e-07,10,4.0969998735818080604e-06,9);
INSERT INTO "series" VALUES(22,'20261123-165552-d4d9a0','time/data',2,2.05550004466203972697e-05,10,9.57399970502592623233e-06,9,2.05550004466203972697e-05,10);
INSERT INTO "series" VALUES(23,'20261123-165552-d4d9a0','time/forward',2,1.98411999917880166321e-04,10,1.98411999917880166321e-04,10,2.64472299995759385637e-02,9);
INSERT INTO "series" VALUES(24,'20261123-165552-d4d9a0','time/optimizer',2,7.85399970482103526592e-06,10,7.85399970482103526592e-06,10,1.41020000228309072554e-05,9);
INSERT INTO "series" VALUES(25,'20261123-165552-d4d9a0','time/step',2,4.71074000415683258324e-04,10,4.71074000415683258324e-04,10,2.74031589997321134433e-02,9);
INSERT INTO "series" VALUES(26,'20261123-165552-d4d9a0','train/accuracy',3,0.25,11,0.25,11,0.45,9);
INSERT INTO "series" VALUES(27,'20261123-165552-d4d9a0','train/loss',3,158359879680.0,11,1.09075343608856201171e+00,9,158359879680.0,11);
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
, changed INTEGER NOT NULL DEFAULT 0);
INSERT INTO "sweeps" VALUES('20261122-120000-abcdef','frozen-rates','stopped','{"version":1,"name":"frozen-rates","run":{"epochs":2},"space":{"optimizer.lr":[0.1,0.2]},"search":"grid","trials":0,"parallel":1,"scoreBy":"val/accuracy","mode":"max","seed":1}',1763812800000,1763812900000,0,2,'20261123-165552-5c464e',1);
CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;
INSERT INTO "workers" VALUES('20261123-165552-5c464e',0,'',8499,'cpu','finished',20,20,2.5,3,0.0,2.13176339648509169388e-02,9.768752492017204192e-01,1.80711683342871481765e-03,185774080,'write the last checkpoint');
INSERT INTO "workers" VALUES('20261123-165552-d4d9a0',0,'',8519,'cpu','failed',16,60,1.125,8,0.0,0.0,0.0,0.0,183508992,'update the weights');
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('checkpoints',5);
COMMIT;
PRAGMA user_version = 4;
