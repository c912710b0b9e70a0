-- SPDX-License-Identifier: GPL-3.0-or-later
-- A workspace as Trainyard 0.1.0 (schema version 1) has written it, as text. Never to be changed.
BEGIN TRANSACTION;
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL,
  UNIQUE (run, path)
);
INSERT INTO "checkpoints" VALUES(1,'20261120-142631-f825b5','/home/ada/runs/runs/20261120-142631-f825b5/checkpoints/step-00000004.safetensors',4,1.0,13196,1795184795653,'{"grad_norm":0.49762589123494144,"lr":0.1,"samples_per_s":111436.30562482766,"time/comm":4.730999232075798e-06,"time/data":9.061333306211358e-06,"time/step":0.0005942680005925164,"train/accuracy":0.23333333333333334,"train/loss":1.1669655442237854,"val/accuracy":0.35,"val/loss":1.0892522176106771}',1,0,0);
INSERT INTO "checkpoints" VALUES(2,'20261120-142631-f825b5','/home/ada/runs/runs/20261120-142631-f825b5/checkpoints/step-00000008.safetensors',8,2.0,13180,1795184795653,'{"grad_norm":0.3022233051792465,"lr":0.1,"samples_per_s":71620.87135942324,"time/comm":0.0006734242497259402,"time/data":9.186999704979826e-06,"time/step":0.0009114962495004875,"train/accuracy":0.3,"train/loss":1.0806350708007813,"val/accuracy":0.35,"val/loss":1.0624016125996907}',0,0,0);
INSERT INTO "checkpoints" VALUES(3,'20261120-142631-f825b5','/home/ada/runs/runs/20261120-142631-f825b5/checkpoints/step-00000012.safetensors',12,3.0,13204,1795184795660,'{"grad_norm":0.1865625964224004,"lr":0.1,"samples_per_s":64312.877859810476,"time/comm":0.0004399222502797784,"time/data":8.507749953423627e-06,"time/step":0.0007798340002409532,"train/accuracy":0.36666666666666664,"train/loss":1.0340841114521027,"val/accuracy":0.35,"val/loss":1.0430421829223633}',0,1,0);
INSERT INTO "checkpoints" VALUES(4,'20261120-142635-c14c7f','/home/ada/runs/runs/20261120-142635-c14c7f/checkpoints/step-00000004.safetensors',4,1.0,13204,1795184798548,'{"grad_norm":0.5534325347807393,"lr":1e-09,"samples_per_s":59795.20142250008,"time/comm":0.0008012126666775051,"time/data":1.0927333278232254e-05,"time/step":0.0010738049998811523,"train/accuracy":0.23333333333333334,"train/loss":1.208327829837799,"val/accuracy":0.35,"val/loss":1.132091967264811}',1,1,0);
CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);
INSERT INTO "chunks" VALUES(1,0,4,12,X'0100040206020080808080808080D07F8080808080808020808080808080800400B49B01E2399C53CD40294E8544F9B5DC3FA5CD1F441AD9DF3F795EF56AA057D33F5541257D48E1C73FEF9C8593');
INSERT INTO "chunks" VALUES(2,0,4,12,X'0100040206020080808080808080D07F8080808080808020808080808080800400FA9501F83EFC4DB5409A9999999999B93F9A9999999999B93F9A9999999999B93F9A9999999999B93F05E73930');
INSERT INTO "chunks" VALUES(3,0,4,12,X'0100040206020080808080808080D07F8080808080808020808080808080800400E29A018E3AE852B940963E526B5456B940FADBD6E3C434FB401E9416F14D7CF1400F756D171C67EF40A5A1F3FC');
INSERT INTO "chunks" VALUES(4,0,4,12,X'0100040206020080808080808080D07F8080808080808020808080808080800400B89B01E0399E53CB40000000005832C13EABAAAA2ADFD7D33E000080901711463F000080ADABD43C3FDD6CE94E');
INSERT INTO "chunks" VALUES(5,0,4,12,X'0100040206020080808080808080D07F8080808080808020808080808080800400B69B01E2399C53CD40000000C08542E83EABAAAA2AC400E33E000000A03B44E33E0000004090D7E13E0693A09F');
INSERT INTO "chunks" VALUES(6,0,4,12,X'0100040206020080808080808080D07F8080808080808020808080808080800400B69B01E0399E53CB400000A0E483A8833F555555D01479433F0000804A2FDE4D3F000080C3B88D493F00E8F69B');
INSERT INTO "chunks" VALUES(7,0,12,12,X'01000C02020000000000000000000080808080808080D07F808080808080801000000000000000000000E09A01A429ED20009A5DC3580201D0138F120100222222222222D23F9A9999999999D93F9A9999999999D93FDEDDDDDDDDDDCD3F9A9999999999D93F333333333333D33F444444444444D43F333333333333D33F444444444444D43F666666666666D63F222222222222D23F777777777777D73F80A46033');
INSERT INTO "chunks" VALUES(8,0,12,12,X'01000C02020000000000000000000080808080808080D07F808080808080801000000000000000000000DE9A01A429EB2001985DBF580100D0138F12000100000060D8D5F23F000000D052E6F03F000000109300F13F00000010E4ABF23F000000B0E2CDF03F000000D073CFF13F000000B03D26F13F00000000484AF13F000000D0E035F13F00000080D795F03F00000060732AF13F000000C89B8BF03F6543BD16');
INSERT INTO "chunks" VALUES(9,0,3,12,X'01000308080080808080808080F07F808080808080801000B89D02B6499429666666666666D63F666666666666D63F666666666666D63F42DCA7D1');
INSERT INTO "chunks" VALUES(10,0,3,12,X'01000308080080808080808080F07F808080808080801000B49D02B8499029BCBBBBBB936DF13F555555D598FFF03F000000004DB0F03F7CC0BB7D');
INSERT INTO "chunks" VALUES(11,0,2,4,X'010002020680808080808080D07F8080808080808020EECA02A635294E8544F9B5DC3FFD9EAD25B8B5E13FE1EE02CD');
INSERT INTO "chunks" VALUES(12,0,2,4,X'010002020680808080808080D07F8080808080808020ECBE02864195D626E80B2E113E95D626E80B2E113E3822EDFF');
INSERT INTO "chunks" VALUES(13,0,2,4,X'010002020680808080808080D07F8080808080808020FCC902F6359BAF6D905A76B24051990D726632ED40D46EBB82');
INSERT INTO "chunks" VALUES(14,0,2,4,X'010002020680808080808080D07F8080808080808020F2CA02A4350000F09522F48D3FABAAAA190F414A3FA7B90697');
INSERT INTO "chunks" VALUES(15,0,2,4,X'010102020680808080808080D07F8080808080808020F0CA02A6353EE340378A54373707A0E9F9');
INSERT INTO "chunks" VALUES(16,0,2,4,X'010002020680808080808080D07F8080808080808020EECA02A63500006024B4E5943F5555D556DD97513FF1D8DF55');
INSERT INTO "chunks" VALUES(17,0,4,4,X'0100040202000080808080808080D07F80808080808080100000FCC902C616ED0600222222222222D23F9A9999999999D93F9A9999999999D93FDEDDDDDDDDDDCD3FCADE2C4A');
INSERT INTO "chunks" VALUES(18,0,4,4,X'0100040202000080808080808080D07F80808080808080100000F8C902C816ED060300000060D8D5F23F00000050F30EF13F00000030CE3AF13F000000904F55F33F5F58C1DD');
INSERT INTO "chunks" VALUES(19,0,1,4,X'0100010880808080808080F07FFAAB03666666666666D63FD75DCBEF');
INSERT INTO "chunks" VALUES(20,0,1,4,X'0100010880808080808080F07FF6AB03777777770C1DF23F7C8CAA34');
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO "log" VALUES(1,'20261120-142631-f825b5',0,'info','load-data: 240 samples',1795184795627);
INSERT INTO "log" VALUES(2,'20261120-142631-f825b5',0,'info','first-step: 2 ranks, 1 bucket, averaged during backward (chosen by auto)',1795184795628);
INSERT INTO "log" VALUES(3,'20261120-142635-c14c7f',0,'info','load-data: 240 samples',1795184798507);
INSERT INTO "log" VALUES(4,'20261120-142635-c14c7f',0,'info','first-step: 2 ranks, 1 bucket, averaged during backward (chosen by auto)',1795184798535);
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
INSERT INTO "runs" VALUES('20261120-142631-f825b5','frozen','finished','{
  "version": 1,
  "name": "frozen",
  "task": "classification",
  "model": {
    "name": "mlp",
    "params": {
      "activation": "relu",
      "dropout": 0.0,
      "hidden": [
        8
      ]
    }
  },
  "dataset": {
    "name": "spirals",
    "params": {
      "classes": 3,
      "noise": 0.15,
      "samples": 300,
      "validation": 20.0
    }
  },
  "optimizer": {
    "name": "sgd",
    "lr": 0.1,
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
    "labelSmoothing": 0.0
  },
  "batch": {
    "perRank": 30,
    "accumulate": 1
  },
  "precision": "fp32",
  "epochs": 3,
  "seed": 7,
  "deterministic": false,
  "scaling": {
    "workers": 2,
    "device": "cpu",
    "threadsPerWorker": 0,
    "backend": "auto",
    "averaging": "auto",
    "port": 0
  },
  "hosts": [],
  "checkpoint": {
    "everyEpochs": 1,
    "everySteps": 0,
    "keep": 2,
    "scoreBy": "val/accuracy",
    "mode": "max"
  },
  "failure": {
    "maxRestarts": 3,
    "heartbeatSeconds": 20.0
  },
  "storage": ""
}
','',-1,'{}','','','','',0,0,'','',1795184792034,1795184792079,1795184795716,12,0,3.0,2,0,3.603,3.22361630005616461858e-02,0.0,0,'','/home/ada/runs/runs/20261120-142631-f825b5','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0-18-amd64 x86_64","computer":"lab","workers":[{"rank":0,"host":"","device":"cpu"},{"rank":1,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":2}]}');
INSERT INTO "runs" VALUES('20261120-142635-c14c7f','frozen','finished','{
  "version": 1,
  "name": "frozen",
  "task": "classification",
  "model": {
    "name": "mlp",
    "params": {
      "activation": "relu",
      "dropout": 0.0,
      "hidden": [
        8
      ]
    }
  },
  "dataset": {
    "name": "spirals",
    "params": {
      "classes": 3,
      "noise": 0.15,
      "samples": 300,
      "validation": 20.0
    }
  },
  "optimizer": {
    "name": "sgd",
    "lr": 1e-09,
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
    "labelSmoothing": 0.0
  },
  "batch": {
    "perRank": 30,
    "accumulate": 1
  },
  "precision": "fp32",
  "epochs": 1,
  "seed": 7,
  "deterministic": false,
  "scaling": {
    "workers": 2,
    "device": "cpu",
    "threadsPerWorker": 0,
    "backend": "auto",
    "averaging": "auto",
    "port": 0
  },
  "hosts": [],
  "checkpoint": {
    "everyEpochs": 1,
    "everySteps": 0,
    "keep": 2,
    "scoreBy": "val/accuracy",
    "mode": "max"
  },
  "failure": {
    "maxRestarts": 3,
    "heartbeatSeconds": 20.0
  },
  "storage": ""
}
','',-1,'{}','','','','',1,0,'','',1795184795808,1795184795877,1795184798620,4,0,1.0,2,0,2.727,3.33509819993196288123e-02,0.0,0,'','/home/ada/runs/runs/20261120-142635-c14c7f','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0-18-amd64 x86_64","computer":"lab","workers":[{"rank":0,"host":"","device":"cpu"},{"rank":1,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":2}]}');
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
INSERT INTO "series" VALUES(1,'20261120-142631-f825b5','grad_norm',4,1.8656259642240038965e-01,12,1.8656259642240038965e-01,12,4.97625891234941442053e-01,4);
INSERT INTO "series" VALUES(2,'20261120-142631-f825b5','lr',4,0.1,12,0.1,1,0.1,1);
INSERT INTO "series" VALUES(3,'20261120-142631-f825b5','samples_per_s',4,6.43128778598104763669e+04,12,6.48632976259258248316e+03,1,1.11436305624827655268e+05,4);
INSERT INTO "series" VALUES(4,'20261120-142631-f825b5','time/comm',4,4.39922250279778381809e-04,12,2.05000105779618024826e-06,1,6.73424249725940171629e-04,8);
INSERT INTO "series" VALUES(5,'20261120-142631-f825b5','time/data',4,8.5077499534236267209e-06,12,8.5077499534236267209e-06,12,1.15679995360551401972e-05,1);
INSERT INTO "series" VALUES(6,'20261120-142631-f825b5','time/step',4,7.79834000240953173488e-04,12,5.94268000592516388615e-04,4,9.59876100023393519222e-03,1);
INSERT INTO "series" VALUES(7,'20261120-142631-f825b5','train/accuracy',12,3.66666666666666640761e-01,12,2.33333333333333337034e-01,4,0.4,2);
INSERT INTO "series" VALUES(8,'20261120-142631-f825b5','train/loss',12,1.03408411145210266113e+00,12,1.03408411145210266113e+00,12,1.17720830440521240234e+00,1);
INSERT INTO "series" VALUES(9,'20261120-142631-f825b5','val/accuracy',3,0.35,12,0.35,4,0.35,4);
INSERT INTO "series" VALUES(10,'20261120-142631-f825b5','val/loss',3,1.04304218292236328125e+00,12,1.04304218292236328125e+00,12,1.08925221761067714254e+00,4);
INSERT INTO "series" VALUES(11,'20261120-142635-c14c7f','grad_norm',2,5.53432534780739282531e-01,4,4.48606793322343266883e-01,1,5.53432534780739282531e-01,4);
INSERT INTO "series" VALUES(12,'20261120-142635-c14c7f','lr',2,1.0e-09,4,1.0e-09,1,1.0e-09,1);
INSERT INTO "series" VALUES(13,'20261120-142635-c14c7f','samples_per_s',2,5.97952014225000821152e+04,4,4.7263537663034176149e+03,1,5.97952014225000821152e+04,4);
INSERT INTO "series" VALUES(14,'20261120-142635-c14c7f','time/comm',2,8.01212666677505124489e-04,4,8.01212666677505124489e-04,4,1.46258069999021245166e-02,1);
INSERT INTO "series" VALUES(15,'20261120-142635-c14c7f','time/data',2,1.09273332782322540879e-05,4,1.09273332782322540879e-05,4,1.14970007416559383273e-05,1);
INSERT INTO "series" VALUES(16,'20261120-142635-c14c7f','time/step',2,1.07380499988115230176e-03,4,1.07380499988115230176e-03,4,2.04075000001466833055e-02,1);
INSERT INTO "series" VALUES(17,'20261120-142635-c14c7f','train/accuracy',4,2.33333333333333337034e-01,4,2.33333333333333337034e-01,4,0.4,2);
INSERT INTO "series" VALUES(18,'20261120-142635-c14c7f','train/loss',4,1.20832782983779907226e+00,4,1.0661500096321105957e+00,2,1.20832782983779907226e+00,4);
INSERT INTO "series" VALUES(19,'20261120-142635-c14c7f','val/accuracy',1,0.35,4,0.35,4,0.35,4);
INSERT INTO "series" VALUES(20,'20261120-142635-c14c7f','val/loss',1,1.13209196726481109429e+00,4,1.13209196726481109429e+00,4,1.13209196726481109429e+00,4);
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
);
CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;
INSERT INTO "workers" VALUES('20261120-142631-f825b5',0,'',24055,'cpu','finished',0,0,0.0,0,0.0,0.0,0.0,0.0,164921344,'meet the other ranks');
INSERT INTO "workers" VALUES('20261120-142631-f825b5',1,'',24056,'cpu','finished',0,0,0.0,0,0.0,0.0,0.0,0.0,161296384,'start');
INSERT INTO "workers" VALUES('20261120-142635-c14c7f',0,'',25833,'cpu','finished',0,0,0.0,0,0.0,0.0,0.0,0.0,161517568,'start');
INSERT INTO "workers" VALUES('20261120-142635-c14c7f',1,'',25837,'cpu','finished',0,0,0.0,0,0.0,0.0,0.0,0.0,165310464,'meet the other ranks');
CREATE INDEX runs_by_created ON runs (archived, created_ms);
CREATE INDEX runs_by_sweep ON runs (sweep, trial);
CREATE INDEX runs_by_name ON runs (name, created_ms);
CREATE INDEX runs_by_color ON runs (archived, color_index);
CREATE INDEX log_by_run ON log (run, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('checkpoints',4);
COMMIT;
PRAGMA user_version = 1;
