-- SPDX-License-Identifier: GPL-3.0-or-later
-- A workspace of Trainyard 0.1.0 (schema version 5), as text. Never to be changed.
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
INSERT INTO runs VALUES('20261124-220404-7c836a','frozen-asha-0','finished',replace('{\n  "version": 1,\n  "name": "frozen-asha-0",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        512,\n        512\n      ]\n    }\n  },\n  "dataset": {\n    "name": "spirals",\n    "params": {\n      "classes": 3,\n      "noise": 0.15,\n      "samples": 64,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.2291555953412837,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 32,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "epochs": 3,\n  "seed": 42,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "auto",\n    "threadsPerWorker": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "port": 0\n  },\n  "hosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 2,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'20261124-220404-693aa9',0,'{"optimizer.lr":0.2291555953412837}','','','','',0,0,'','',1795557844509,1795557844533,1795557845342,6,6,3.0,1,0,0.75900000000000000799,0.07236475100012285111,16747.586496248484764,0,'','/ws/runs/20261124-220404-7c836a','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0 x86_64","computer":"host","computed":"one rank: nothing to average; oneDNN for 5 of 8 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','',-1,'general',6);
INSERT INTO runs VALUES('20261124-220405-5bf989','frozen-asha-1','finished',replace('{\n  "version": 1,\n  "name": "frozen-asha-1",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        512,\n        512\n      ]\n    }\n  },\n  "dataset": {\n    "name": "spirals",\n    "params": {\n      "classes": 3,\n      "noise": 0.15,\n      "samples": 64,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.005418968796138091,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 32,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "epochs": 3,\n  "seed": 42,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "auto",\n    "threadsPerWorker": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "port": 0\n  },\n  "hosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 2,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'20261124-220404-693aa9',1,'{"optimizer.lr":0.005418968796138091}','','','','',1,0,'','',1795557845377,1795557845388,1795557845484,6,6,3.0,1,0,0.044999999999999998334,0.06437312100001690851,8260.4258090316106969,0,'','/ws/runs/20261124-220405-5bf989','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0 x86_64","computer":"host","computed":"one rank: nothing to average; oneDNN for 5 of 8 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','',-1,'general',10);
INSERT INTO runs VALUES('20261124-220405-817c4a','frozen-asha-2','stopped',replace('{\n  "version": 1,\n  "name": "frozen-asha-2",\n  "task": "classification",\n  "model": {\n    "name": "mlp",\n    "params": {\n      "activation": "relu",\n      "dropout": 0.0,\n      "hidden": [\n        512,\n        512\n      ]\n    }\n  },\n  "dataset": {\n    "name": "spirals",\n    "params": {\n      "classes": 3,\n      "noise": 0.15,\n      "samples": 64,\n      "test": 0.0,\n      "validation": 20.0\n    }\n  },\n  "optimizer": {\n    "name": "sgd",\n    "dampening": 0.0,\n    "decayNorms": true,\n    "lr": 0.0017532645578627925,\n    "momentum": 0.0,\n    "nesterov": false,\n    "weightDecay": 0.0\n  },\n  "schedule": {\n    "name": "constant",\n    "warmupEpochs": 0.0\n  },\n  "loss": {\n    "name": "cross-entropy",\n    "classWeights": [],\n    "labelSmoothing": 0.0\n  },\n  "batch": {\n    "perRank": 32,\n    "accumulate": 1,\n    "dropLast": false\n  },\n  "augment": {\n    "crop": 0,\n    "flip": false,\n    "erase": 0.0\n  },\n  "gradient": {\n    "clipNorm": 0.0,\n    "clipValue": 0.0\n  },\n  "ema": 0.0,\n  "precision": "fp32",\n  "tuning": {\n    "layout": "auto",\n    "kernels": "auto"\n  },\n  "epochs": 3,\n  "seed": 42,\n  "deterministic": false,\n  "scaling": {\n    "workers": 1,\n    "device": "auto",\n    "threadsPerWorker": 0,\n    "backend": "auto",\n    "averaging": "auto",\n    "compression": "none",\n    "lrRule": "none",\n    "syncBatchNorm": false,\n    "elastic": {\n      "min": 0,\n      "max": 0\n    },\n    "port": 0\n  },\n  "hosts": [],\n  "checkpoint": {\n    "everyEpochs": 1,\n    "everySteps": 0,\n    "keep": 2,\n    "scoreBy": "val/accuracy",\n    "mode": "max",\n    "budgetMb": 0\n  },\n  "failure": {\n    "maxRestarts": 3,\n    "heartbeatSeconds": 20.0,\n    "nonFinite": "stop",\n    "rollbackLrFactor": 0.5\n  },\n  "earlyStop": {\n    "metric": "",\n    "mode": "min",\n    "patience": 5,\n    "minDelta": 0.0\n  },\n  "debug": {\n    "overfitBatches": 0,\n    "fastDevRun": false\n  },\n  "tensorBoard": false,\n  "storage": ""\n}\n','\n',char(10)),'20261124-220404-693aa9',2,'{"optimizer.lr":0.0017532645578627925}','','','','',2,0,'','',1795557845533,1795557845551,1795557845677,6,6,3.0,1,0,0.085000000000000006106,0.09087299499992695928,13724.046376866161153,0,'','/ws/runs/20261124-220405-817c4a','{"trainyard":"0.1.0","libtorch":"1.13.0","system":"Linux 6.1.0 x86_64","computer":"host","computed":"one rank: nothing to average; oneDNN for 5 of 8 products","workers":[{"rank":0,"host":"","device":"cpu"}],"hosts":[{"host":"","cores":2,"ranks":1}]}','',-1,'general',15);
CREATE TABLE workers (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
  step INTEGER NOT NULL, total_steps INTEGER NOT NULL, epoch REAL, total_epochs INTEGER NOT NULL,
  samples_per_second REAL, data_share REAL, compute_share REAL, comm_share REAL,
  resident_bytes INTEGER NOT NULL, doing TEXT NOT NULL,
  PRIMARY KEY (run, rank)
) WITHOUT ROWID;
INSERT INTO workers VALUES('20261124-220404-7c836a',0,'',9523,'cpu','finished',6,6,3.0,3,0.0,0.0050824165944353232038,0.99467581123912895968,0.00024177216643568003213,112848896,'write the last checkpoint');
INSERT INTO workers VALUES('20261124-220405-5bf989',0,'',9533,'cpu','finished',6,6,3.0,3,0.0,0.0042570097979087624662,0.99550920099396511542,0.00023378920812608795874,111558656,'write the last checkpoint');
INSERT INTO workers VALUES('20261124-220405-817c4a',0,'',9543,'cpu','finished',6,6,3.0,3,0.0,0.003865955771329424289,0.99599762600472563356,0.00013641822394492807949,111591424,'write the last checkpoint');
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
INSERT INTO series VALUES(1,'20261124-220404-7c836a','lr',4,0.22915559534128371321,6,0.22915559534128371321,1,0.22915559534128371321,1);
INSERT INTO series VALUES(2,'20261124-220404-7c836a','grad_norm',4,1.2840471414871186262,6,0.48671687117528378285,2,1.2840471414871186262,6);
INSERT INTO series VALUES(3,'20261124-220404-7c836a','samples_per_s',4,16747.586496248484764,6,2810.4144967980746514,2,16747.586496248484764,6);
INSERT INTO series VALUES(4,'20261124-220404-7c836a','time/backward',4,0.00083759350002310384297,6,0.00083759350002310384297,6,0.003030664499874546891,4);
INSERT INTO series VALUES(5,'20261124-220404-7c836a','time/comm',4,7.2349996571574592962e-07,6,6.1299988374230451881e-07,2,1.490999920861213468e-06,1);
INSERT INTO series VALUES(6,'20261124-220404-7c836a','time/data',4,1.2042499974995735101e-05,6,1.2042499974995735101e-05,6,3.6067999872102518565e-05,1);
INSERT INTO series VALUES(7,'20261124-220404-7c836a','time/forward',4,0.00054529700003058678703,6,0.00054529700003058678703,6,0.0019420520000039687147,2);
INSERT INTO series VALUES(8,'20261124-220404-7c836a','time/optimizer',4,8.1478500078446813859e-05,6,7.5521499979913642164e-05,4,0.0033569209999768645502,2);
INSERT INTO series VALUES(9,'20261124-220404-7c836a','time/step',4,0.0015524624999443403794,6,0.0015524624999443403794,6,0.007116387999985818169,2);
INSERT INTO series VALUES(10,'20261124-220404-7c836a','train/accuracy',6,0.6500000000000000222,6,0.125,1,0.69999999999999995559,4);
INSERT INTO series VALUES(11,'20261124-220404-7c836a','train/loss',6,0.90894156694412231445,6,0.90894156694412231445,6,1.1440175771713256835,1);
INSERT INTO series VALUES(12,'20261124-220404-7c836a','val/accuracy',3,0.41666666666666668517,6,0.33333333333333331482,4,0.5,2);
INSERT INTO series VALUES(13,'20261124-220404-7c836a','val/f1',3,0.39444444444444437536,6,0.29292929292929287266,4,0.51851851851851848973,2);
INSERT INTO series VALUES(14,'20261124-220404-7c836a','val/loss',3,1.0535914103190104906,6,1.0511854489644367749,2,1.1264731884002685546,4);
INSERT INTO series VALUES(15,'20261124-220404-7c836a','val/precision',3,0.55952380952380953438,6,0.20833333333333334258,4,0.65079365079365070201,2);
INSERT INTO series VALUES(16,'20261124-220404-7c836a','val/recall',3,0.54761904761904756089,6,0.5,4,0.65079365079365070201,2);
INSERT INTO series VALUES(17,'20261124-220405-5bf989','grad_norm',4,1.1185341994061479553,6,0.88165632765266555015,2,1.1185341994061479553,6);
INSERT INTO series VALUES(18,'20261124-220405-5bf989','lr',4,0.0054189687961380909181,6,0.0054189687961380909181,1,0.0054189687961380909181,1);
INSERT INTO series VALUES(19,'20261124-220405-5bf989','samples_per_s',4,8260.4258090316106969,6,3460.9695646656896315,1,15106.999682520341594,4);
INSERT INTO series VALUES(20,'20261124-220405-5bf989','time/backward',4,0.00088709699991795787354,6,0.00088709699991795787354,6,0.0053774830000747897429,1);
INSERT INTO series VALUES(21,'20261124-220405-5bf989','time/comm',4,8.0699999216449214145e-07,6,5.1650022214744240045e-07,4,1.4799998098169453442e-06,1);
INSERT INTO series VALUES(22,'20261124-220405-5bf989','time/data',4,1.5617999906680779531e-05,6,1.2778000041180348489e-05,4,1.9974999986516195349e-05,2);
INSERT INTO series VALUES(23,'20261124-220405-5bf989','time/forward',4,0.0020475880000958568416,6,0.00062259499986794253345,4,0.0036148149999917222885,1);
INSERT INTO series VALUES(24,'20261124-220405-5bf989','time/optimizer',4,0.00014162549996399320662,6,7.8202499935287050902e-05,4,0.00017511800001557276118,1);
INSERT INTO series VALUES(25,'20261124-220405-5bf989','time/step',4,0.0031475375000127314706,6,0.0017210565000596034224,4,0.0092459640000015497207,1);
INSERT INTO series VALUES(26,'20261124-220405-5bf989','train/accuracy',6,0.34999999999999997779,6,0.125,1,0.34999999999999997779,6);
INSERT INTO series VALUES(27,'20261124-220405-5bf989','train/loss',6,1.1172903776168823242,6,1.1172903776168823242,6,1.1440175771713256835,1);
INSERT INTO series VALUES(28,'20261124-220405-5bf989','val/accuracy',3,0.16666666666666665741,6,0.16666666666666665741,6,0.25,2);
INSERT INTO series VALUES(29,'20261124-220405-5bf989','val/f1',3,0.10256410256410257442,6,0.10256410256410257442,6,0.17777777777777778456,4);
INSERT INTO series VALUES(30,'20261124-220405-5bf989','val/loss',3,1.1030038197835285718,6,1.101627667744954353,2,1.1030038197835285718,6);
INSERT INTO series VALUES(31,'20261124-220405-5bf989','val/precision',3,0.066666666666666665741,6,0.066666666666666665741,6,0.18095238095238097564,4);
INSERT INTO series VALUES(32,'20261124-220405-5bf989','val/recall',3,0.22222222222222220988,6,0.14285714285714284921,2,0.22222222222222220988,6);
INSERT INTO series VALUES(33,'20261124-220405-817c4a','grad_norm',4,1.1546169096879981275,6,0.89146282358149209201,2,1.1546169096879981275,6);
INSERT INTO series VALUES(34,'20261124-220405-817c4a','lr',4,0.0017532645578627924567,6,0.0017532645578627924567,1,0.0017532645578627924567,1);
INSERT INTO series VALUES(35,'20261124-220405-817c4a','samples_per_s',4,13724.046376866161153,6,903.5161885417212488,1,13724.046376866161153,6);
INSERT INTO series VALUES(36,'20261124-220405-817c4a','time/backward',4,0.0010901579998972010798,6,0.0010839079999414025223,4,0.023550510999939433531,1);
INSERT INTO series VALUES(37,'20261124-220405-817c4a','time/comm',4,8.6950012700981460511e-07,6,8.6950012700981460511e-07,6,1.4360000477608991786e-06,1);
INSERT INTO series VALUES(38,'20261124-220405-817c4a','time/data',4,4.8867000032259966246e-05,6,1.5959499933160259388e-05,4,4.8867000032259966246e-05,6);
INSERT INTO series VALUES(39,'20261124-220405-817c4a','time/forward',4,0.00062054249997345323208,6,0.00062054249997345323208,6,0.011515253000197844812,1);
INSERT INTO series VALUES(40,'20261124-220405-817c4a','time/optimizer',4,8.8674500034358061384e-05,6,8.8674500034358061384e-05,6,0.00026690499998949235305,1);
INSERT INTO series VALUES(41,'20261124-220405-817c4a','time/step',4,0.0018944849999797952477,6,0.0018944849999797952477,6,0.035417184999914752552,1);
INSERT INTO series VALUES(42,'20261124-220405-817c4a','train/accuracy',6,0.34999999999999997779,6,0.125,1,0.34999999999999997779,6);
INSERT INTO series VALUES(43,'20261124-220405-817c4a','train/loss',6,1.1319510936737060546,6,1.1317440271377563476,2,1.1440175771713256835,1);
INSERT INTO series VALUES(44,'20261124-220405-817c4a','val/accuracy',2,0.25,4,0.25,2,0.25,2);
INSERT INTO series VALUES(45,'20261124-220405-817c4a','val/f1',2,0.14285714285714284921,4,0.14285714285714284921,2,0.14285714285714284921,2);
INSERT INTO series VALUES(46,'20261124-220405-817c4a','val/loss',2,1.1014287471771240234,4,1.1011682351430256421,2,1.1014287471771240234,4);
INSERT INTO series VALUES(47,'20261124-220405-817c4a','val/precision',2,0.14285714285714284921,4,0.14285714285714284921,2,0.14285714285714284921,2);
INSERT INTO series VALUES(48,'20261124-220405-817c4a','val/recall',2,0.14285714285714284921,4,0.14285714285714284921,2,0.14285714285714284921,2);
CREATE TABLE chunks (
  series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,             -- index of the first point
  count INTEGER NOT NULL,             -- 1 to 512
  last_step INTEGER NOT NULL,         -- the largest step in the chunk
  data BLOB NOT NULL,                 -- see SERIES.md
  PRIMARY KEY (series, first)
);
INSERT INTO chunks VALUES(1,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800f42bbe8201e296028f732cd6d775f854cd3f2cd6d775f854cd3f2cd6d775f854cd3f2cd6d775f854cd3fbec02889');
INSERT INTO chunks VALUES(2,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800ee3dc670daa8029173343b17782c3fee3f97fe06855e26df3ff370a76d34e8f03ff259f303758bf43f4f085ec5');
INSERT INTO chunks VALUES(3,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800f03dc470dca8028f73436157e65e44c6400ea0ec38d4f4a540c9927961040bba409e8f2789e55ad040ced95a4d');
INSERT INTO chunks VALUES(4,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800f63dcc70cca8028773000080c7df3f5b3f0000a031b4235d3f0000309dc3d3683f000050583e724b3fe66fc088');
INSERT INTO chunks VALUES(5,0,4,6,X'0101040202020080808080808080e07f8080808080808010808080808080800800f43dcc70cca80287735e1ec835088d2435365047358a364235b7842b45');
INSERT INTO chunks VALUES(6,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800f23dc470dca8028d730000000af7e8023f000000183a44f63e000000582fb8e93e000000984441e93e5c67b1ba');
INSERT INTO chunks VALUES(7,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800f63dcc70caa80283730000e0c4f1c54c3f0000f0748ed15f3f0000c0ad4d26483f0000106448de413f28ccaac0');
INSERT INTO chunks VALUES(8,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800f83dcc70cca80287730000006127db213f0000203df97f6b3f0000807d29cc133f000000f9ed5b153fe6f1d632');
INSERT INTO chunks VALUES(9,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800f03dc670daa8028d730000f8105cfe663f00009cdb12267d3f0000907f76f26f3f000098ea7f6f593fc1009638');
INSERT INTO chunks VALUES(10,0,6,6,X'01000602020000000080808080808080e07f808080808080801000000000ec3dc470e4eb01af9f02f6d001cbf501000000000000c03f9a9999999999d93f000000000000e13f666666666666e63f000000000000da3fcdcccccccccce43fa79e41c3');
INSERT INTO chunks VALUES(11,0,6,6,X'01010602020000000080808080808080e07f808080808080801000000000e83dc670e0eb01a99f02eed001c5f5012b6f923f2cab823f9e5b773f6557723f6816803f65b0683f89e647d7');
INSERT INTO chunks VALUES(12,0,3,6,X'01000304040080808080808080f07f8080808080808010008c9a0294b702f111000000000000e03f555555555555d53fabaaaaaaaaaada3fc4df18d8');
INSERT INTO chunks VALUES(13,0,3,6,X'01000304040080808080808080f07f8080808080808010008e9a0294b702f1117b09ed25b497e03f69fd4a815abfd23fe8933ee9933ed93f122606b2');
INSERT INTO chunks VALUES(14,0,3,6,X'01000304040080808080808080f07f8080808080808010008e9a0294b702f111555555d5a7d1f03f000000c00806f23fabaaaaaa82dbf03f92f64e61');
INSERT INTO chunks VALUES(15,0,3,6,X'01000304040080808080808080f07f808080808080801000909a0292b702ed11344dd3344dd3e43fabaaaaaaaaaaca3f7a9ee7799ee7e13f2f7c3a25');
INSERT INTO chunks VALUES(16,0,3,6,X'01000304040080808080808080f07f808080808080801000909a0292b702ed11344dd3344dd3e43f000000000000e03f611886611886e13ffdbc2a5c');
INSERT INTO chunks VALUES(17,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800be9501a835c89a01e6b501343b17782c3fee3f918cb2548736ec3f1d9354f3cdd3f03fdc82de1d84e5f13f181418e7');
INSERT INTO chunks VALUES(18,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800c29001a23ace9501e6b501da8b1e5c3332763fda8b1e5c3332763fda8b1e5c3332763fda8b1e5c3332763fa0b95c62');
INSERT INTO chunks VALUES(19,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800c29501a635c89a01eab501fda4c76af009ab403ac91c4cf8c4b740a0c998f57f81cd408e0ce9803622c0405cfa7ea6');
INSERT INTO chunks VALUES(20,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800c89501a435ca9a01ecb5010000ec19b306763f0000c095e08b513f0000c01b62c14f3f0000304d82114d3f845b5368');
INSERT INTO chunks VALUES(21,0,4,6,X'0101040202020080808080808080e07f8080808080808010808080808080800800c69501a435ca9a01eab50168a4c635ceaf9035a0a50a359ea05835614c040e');
INSERT INTO chunks VALUES(22,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800c49501a635c89a01eab5010000008014dcf23e0000008cfff1f43e000000f422ccea3e000000c86c60f03e1d708dec');
INSERT INTO chunks VALUES(23,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800c89501a235ce9a01e8b50100009806d19c6d3f000050d6b0f8603f0000e094b466443f0000e06f1ac6603f07bdb539');
INSERT INTO chunks VALUES(24,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800c89501a435cc9a01e8b5010000802afcf3263f000000f51d1a1b3f000000b81480143f000000c82990223f063be976');
INSERT INTO chunks VALUES(25,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800c29501a635ca9a01e8b501000000488cef823f00009055e4ec6a3f00007858a2325c3f00000454ddc8693fd06a3e36');
INSERT INTO chunks VALUES(26,0,6,6,X'01000602020000000080808080808080e07f808080808080801000000000bc9501a635d87f899a01c6b9029fa302000000000000c03f000000000000d03f000000000000d03f000000000000d03f000000000000c83f666666666666d63f02fa2376');
INSERT INTO chunks VALUES(27,0,6,6,X'01010602020000000080808080808080e07f808080808080801000000000ba9501a835d47f879a01c4b9029ba3022b6f923f2685903f8504913f4912903f6305903f5f038f3f2c4b4165');
INSERT INTO chunks VALUES(28,0,3,6,X'01000304040080808080808080f07f808080808080801000f49602f68e018cf601000000000000d03f000000000000d03f555555555555c53f9bc13624');
INSERT INTO chunks VALUES(29,0,3,6,X'01000304040080808080808080f07f808080808080801000f89602f48e018ef601922449922449c23f176cc1166cc1c63f1ba4411aa441ba3f63bf7c48');
INSERT INTO chunks VALUES(30,0,3,6,X'01000304040080808080808080f07f808080808080801000f89602f68e018af6015555555544a0f13f5555555539a3f13f55555555e7a5f13f5630c57f');
INSERT INTO chunks VALUES(31,0,3,6,X'01000304040080808080808080f07f808080808080801000f89602f68e018cf601922449922449c23f987229977229c73f111111111111b13f2247ac66');
INSERT INTO chunks VALUES(32,0,3,6,X'01000304040080808080808080f07f808080808080801000fa9602f48e018ef601922449922449c23f9ba6699aa669ca3f1cc7711cc771cc3fbbe4b6d2');
INSERT INTO chunks VALUES(33,0,4,6,X'0100040202020080808080808080e07f80808080808080108080808080808008008aaf049031e2db02db53343b17782c3fee3f043c1c0bdd86ec3f41699bbf3f33f13fee4ba8944f79f23fc49c7b32');
INSERT INTO chunks VALUES(34,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800b6a904e03694d602db531403fc7bb9b95c3f1403fc7bb9b95c3f1403fc7bb9b95c3f1403fc7bb9b95c3fa7de8483');
INSERT INTO chunks VALUES(35,0,4,6,X'0100040202020080808080808080e07f80808080808080108080808080808008008caf048e31e4db02d9531a4a7527213c8c40aaee646d443bba4018bcd12646b6ca40ba59adef05ceca400226c645');
INSERT INTO chunks VALUES(36,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800a8b004f82ffadc02db530000320aa01d983f0000801e51d1533f0000585a3dc2513f0000403d74dc513ff9b037bc');
INSERT INTO chunks VALUES(37,0,4,6,X'0101040202020080808080808080e07f8080808080808010808080808080800800a6b004f82ffadc02db5396bcc0357cb88b358d8189359867693566ebf27c');
INSERT INTO chunks VALUES(38,0,4,6,X'0100040202020080808080808080e07f80808080808080108080808080808008008eaf048e31e4db02db53000000dca74bf53e0000007875cefc3e0000007c18bcf03e00000056d19e093f8d1fff84');
INSERT INTO chunks VALUES(39,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800a6b004f82ffadc02db53000054184f95873f0000d05c89a8583f000040e9b78e453f000020df7c55443ff95821e5');
INSERT INTO chunks VALUES(40,0,4,6,X'0100040202020080808080808080e07f8080808080808010808080808080800800aab004f62ffcdc02db530000003fec7d313f0000803c87ae2b3f000080d90d87173f0000804fd83e173f693844b8');
INSERT INTO chunks VALUES(41,0,4,6,X'0100040202020080808080808080e07f80808080808080108080808080808008008eaf048e31e4db02db53000095863322a23f0000e031ec65683f0000c076a4255f3f000088c70b0a5f3f71bf1131');
INSERT INTO chunks VALUES(42,0,6,6,X'01000602020000000080808080808080e07f80808080808080100000000086af048e318abe02bbd102eefd01fbfd01000000000000c03f000000000000d03f000000000000c83f000000000000d03f000000000000c83f666666666666d63f9276c813');
INSERT INTO chunks VALUES(43,0,6,6,X'01010602020000000080808080808080e07f80808080808080100000000084af048e3188be02b7d102eafd01f5fd012b6f923ffddc903fc3b7913fdd1b913f4448913fc6e3903fde665ebb');
INSERT INTO chunks VALUES(44,0,2,4,X'010102040480808080808080f07f8080808080808010e8f505dc96020000803e0000803e9ef906ed');
INSERT INTO chunks VALUES(45,0,2,4,X'010002040480808080808080f07f8080808080808010ecf505da9602922449922449c23f922449922449c23f300e341a');
INSERT INTO chunks VALUES(46,0,2,4,X'010002040480808080808080f07f8080808080808010ecf505dc960255555595629ef13f000000c0739ff13f985c71c7');
INSERT INTO chunks VALUES(47,0,2,4,X'010002040480808080808080f07f8080808080808010eef505da9602922449922449c23f922449922449c23f58d31fa2');
INSERT INTO chunks VALUES(48,0,2,4,X'010002040480808080808080f07f8080808080808010eef505da9602922449922449c23f922449922449c23f58d31fa2');
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  step INTEGER NOT NULL, epoch REAL, bytes INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
  metrics TEXT NOT NULL,              -- JSON: {series: value}, null for a value that is not finite
  best INTEGER NOT NULL, last INTEGER NOT NULL, pinned INTEGER NOT NULL,
  UNIQUE (run, path)
);
INSERT INTO checkpoints VALUES(1,'20261124-220404-7c836a','/ws/runs/20261124-220404-7c836a/checkpoints/step-00000002.safetensors',2,1.0,1067924,1795557845317,'{"grad_norm":0.4867168711752838,"lr":0.2291555953412837,"samples_per_s":2810.4144967980747,"time/backward":0.0017785320001166838,"time/comm":6.129998837423045e-07,"time/data":2.1235000076558208e-05,"time/forward":0.0019420520000039687,"time/optimizer":0.0033569209999768646,"time/step":0.007116387999985818,"train/accuracy":0.4,"train/loss":1.0208487510681152,"val/accuracy":0.5,"val/f1":0.5185185185185185,"val/loss":1.0511854489644368,"val/precision":0.6507936507936507,"val/recall":0.6507936507936507}',1,0,0);
INSERT INTO checkpoints VALUES(3,'20261124-220404-7c836a','/ws/runs/20261124-220404-7c836a/checkpoints/step-00000004.safetensors',4,2.0,1067924,1795557845331,'{"grad_norm":1.056690624557686,"lr":0.2291555953412837,"samples_per_s":6667.017112348877,"time/backward":0.003030664499874547,"time/comm":7.424999921568087e-07,"time/data":1.2264000133654918e-05,"time/forward":0.0007369879999714612,"time/optimizer":7.552149997991364e-05,"time/step":0.0038997950000521087,"train/accuracy":0.7,"train/loss":0.9466460347175598,"val/accuracy":0.3333333333333333,"val/f1":0.2929292929292929,"val/loss":1.1264731884002686,"val/precision":0.20833333333333334,"val/recall":0.5}',0,0,0);
INSERT INTO checkpoints VALUES(6,'20261124-220404-7c836a','/ws/runs/20261124-220404-7c836a/checkpoints/step-00000006.safetensors',6,3.0,1067940,1795557845337,'{"grad_norm":1.2840471414871186,"lr":0.2291555953412837,"samples_per_s":16747.586496248485,"time/backward":0.0008375935000231038,"time/comm":7.234999657157459e-07,"time/data":1.2042499974995735e-05,"time/forward":0.0005452970000305868,"time/optimizer":8.147850007844681e-05,"time/step":0.0015524624999443404,"train/accuracy":0.65,"train/loss":0.9089415669441223,"val/accuracy":0.4166666666666667,"val/f1":0.3944444444444444,"val/loss":1.0535914103190105,"val/precision":0.5595238095238095,"val/recall":0.5476190476190476}',0,1,0);
INSERT INTO checkpoints VALUES(7,'20261124-220405-5bf989','/ws/runs/20261124-220405-5bf989/checkpoints/step-00000002.safetensors',2,1.0,1067940,1795557845458,'{"grad_norm":0.8816563276526656,"lr":0.005418968796138091,"samples_per_s":6084.9699113837505,"time/backward":0.0010709469997891574,"time/comm":1.0780001957755303e-06,"time/data":1.9974999986516195e-05,"time/forward":0.002071710000109306,"time/optimizer":0.00010338600009163201,"time/step":0.0032867869999790855,"train/accuracy":0.25,"train/loss":1.129063367843628,"val/accuracy":0.25,"val/f1":0.14285714285714285,"val/loss":1.1016276677449544,"val/precision":0.14285714285714285,"val/recall":0.14285714285714285}',1,0,0);
INSERT INTO checkpoints VALUES(9,'20261124-220405-5bf989','/ws/runs/20261124-220405-5bf989/checkpoints/step-00000004.safetensors',4,2.0,1067932,1795557845468,'{"grad_norm":1.051710081586129,"lr":0.005418968796138091,"samples_per_s":15106.999682520342,"time/backward":0.0009690980000414129,"time/comm":5.165002221474424e-07,"time/data":1.2778000041180348e-05,"time/forward":0.0006225949998679425,"time/optimizer":7.820249993528705e-05,"time/step":0.0017210565000596034,"train/accuracy":0.25,"train/loss":1.1255580186843872,"val/accuracy":0.25,"val/f1":0.17777777777777778,"val/loss":1.1023495992024739,"val/precision":0.18095238095238098,"val/recall":0.20634920634920637}',0,0,0);
INSERT INTO checkpoints VALUES(12,'20261124-220405-5bf989','/ws/runs/20261124-220405-5bf989/checkpoints/step-00000006.safetensors',6,3.0,1067948,1795557845477,'{"grad_norm":1.118534199406148,"lr":0.005418968796138091,"samples_per_s":8260.42580903161,"time/backward":0.0008870969999179579,"time/comm":8.069999921644921e-07,"time/data":1.561799990668078e-05,"time/forward":0.002047588000095857,"time/optimizer":0.0001416254999639932,"time/step":0.0031475375000127315,"train/accuracy":0.35,"train/loss":1.1172903776168823,"val/accuracy":0.16666666666666666,"val/f1":0.10256410256410257,"val/loss":1.1030038197835286,"val/precision":0.06666666666666667,"val/recall":0.2222222222222222}',0,1,0);
INSERT INTO checkpoints VALUES(13,'20261124-220405-817c4a','/ws/runs/20261124-220405-817c4a/checkpoints/step-00000002.safetensors',2,1.0,1067940,1795557845661,'{"grad_norm":0.8914628235814921,"lr":0.0017532645578627925,"samples_per_s":6715.267294224041,"time/backward":0.001209572999869124,"time/comm":1.0409999049443286e-06,"time/data":2.7472000056150137e-05,"time/forward":0.0015050260001316929,"time/optimizer":0.00021119500001987035,"time/step":0.00297828800012212,"train/accuracy":0.25,"train/loss":1.1317440271377563,"val/accuracy":0.25,"val/f1":0.14285714285714285,"val/loss":1.1011682351430256,"val/precision":0.14285714285714285,"val/recall":0.14285714285714285}',1,0,0);
INSERT INTO checkpoints VALUES(15,'20261124-220405-817c4a','/ws/runs/20261124-220405-817c4a/checkpoints/step-00000004.safetensors',4,2.0,1067940,1795557845676,'{"grad_norm":1.0750119671489105,"lr":0.0017532645578627925,"samples_per_s":13676.548059670298,"time/backward":0.0010839079999414025,"time/comm":1.0244999657516018e-06,"time/data":1.595949993316026e-05,"time/forward":0.0006578825000360666,"time/optimizer":8.975050002391072e-05,"time/step":0.001901064500088978,"train/accuracy":0.25,"train/loss":1.1336628198623657,"val/accuracy":0.25,"val/f1":0.14285714285714285,"val/loss":1.101428747177124,"val/precision":0.14285714285714285,"val/recall":0.14285714285714285}',0,1,0);
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,              -- -1: the supervisor
  level TEXT NOT NULL, text TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO log VALUES(1,'20261124-220404-7c836a',0,'info','load-data: 52 samples',1795557845201);
INSERT INTO log VALUES(2,'20261124-220404-7c836a',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products',1795557845266);
INSERT INTO log VALUES(3,'20261124-220405-5bf989',0,'info','load-data: 52 samples',1795557845407);
INSERT INTO log VALUES(4,'20261124-220405-5bf989',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products',1795557845412);
INSERT INTO log VALUES(5,'20261124-220405-5bf989',-1,'notice','stopped early by asha at epoch 1: val/accuracy 0.25 came 2nd of 2, and 0.5 was needed',1795557845497);
INSERT INTO log VALUES(6,'20261124-220405-817c4a',0,'info','load-data: 52 samples',1795557845574);
INSERT INTO log VALUES(7,'20261124-220405-817c4a',0,'info','first-step: one rank: nothing to average; oneDNN for 5 of 8 products',1795557845582);
INSERT INTO log VALUES(8,'20261124-220405-817c4a',-1,'notice','stopped early by asha at epoch 1: val/accuracy 0.25 came 3rd of 3, and 0.4167 was needed',1795557845657);
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL, status TEXT NOT NULL, spec TEXT NOT NULL,
  created_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, supervisor_pid INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  best_run TEXT NOT NULL
, changed INTEGER NOT NULL DEFAULT 0);
INSERT INTO sweeps VALUES('20261124-220404-693aa9','frozen-asha','finished',replace('{\n  "version": 1,\n  "name": "frozen-asha",\n  "run": {\n    "dataset": {\n      "name": "spirals",\n      "params": {\n        "samples": 64\n      }\n    },\n    "model": {\n      "name": "mlp"\n    },\n    "epochs": 3,\n    "batch": {\n      "perRank": 32\n    },\n    "scaling": {\n      "workers": 1\n    },\n    "version": 1\n  },\n  "space": {\n    "optimizer.lr": {\n      "from": 0.001,\n      "to": 1.0,\n      "scale": "log",\n      "count": 0\n    }\n  },\n  "searcher": {\n    "name": "random"\n  },\n  "scheduler": {\n    "name": "asha",\n    "brackets": 1,\n    "factor": 3.0,\n    "grace": 1.0,\n    "mode": "stop"\n  },\n  "trials": 3,\n  "parallel": 1,\n  "scoreBy": "val/accuracy",\n  "mode": "max",\n  "seed": 1,\n  "seeds": {\n    "count": 1\n  },\n  "score": "best",\n  "stop": [],\n  "failure": {\n    "retries": 0,\n    "maxShare": 0.5\n  },\n  "budget": {\n    "seconds": 0.0,\n    "trainSeconds": 0.0,\n    "epochs": 0.0,\n    "target": null,\n    "idleTrials": 0\n  },\n  "atEnd": "stop"\n}\n','\n',char(10)),1795557844433,1795557845705,0,3,'20261124-220404-7c836a',17);
CREATE TABLE changes (last INTEGER NOT NULL);
INSERT INTO changes VALUES(17);
CREATE TABLE trial_events (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,                 -- slot_free started report ended failed
  trial INTEGER NOT NULL,             -- -1: none
  t REAL, loss REAL,                  -- epochs or steps; smaller is better, NULL is NaN
  params TEXT NOT NULL,               -- of started: {path: value}
  memo TEXT NOT NULL,                 -- of started: a list of numbers
  wall_ms INTEGER NOT NULL,
  PRIMARY KEY (sweep, number)
) WITHOUT ROWID;
INSERT INTO trial_events VALUES('20261124-220404-693aa9',0,'slot_free',-1,0.0,NULL,'{}','',1795557844489);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',1,'started',0,0.0,NULL,'{"optimizer.lr":0.2291555953412837}','[]',1795557844489);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',2,'report',0,1.0,-0.5,'{}','',1795557845283);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',3,'ended',0,3.0,-0.5,'{}','',1795557845360);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',4,'slot_free',-1,0.0,NULL,'{}','',1795557845365);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',5,'started',1,0.0,NULL,'{"optimizer.lr":0.005418968796138091}','[]',1795557845365);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',6,'report',1,1.0,-0.25,'{}','',1795557845497);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',7,'slot_free',-1,0.0,NULL,'{}','',1795557845509);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',8,'started',2,0.0,NULL,'{"optimizer.lr":0.0017532645578627925}','[]',1795557845509);
INSERT INTO trial_events VALUES('20261124-220404-693aa9',9,'report',2,1.0,-0.25,'{}','',1795557845655);
CREATE TABLE trial_decisions (
  sweep TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL,
  decision TEXT NOT NULL,             -- stopped paused resumed
  rule TEXT NOT NULL,                 -- the scheduler
  rung REAL, loss REAL, cut REAL,
  place INTEGER NOT NULL, places INTEGER NOT NULL,
  PRIMARY KEY (sweep, trial)
) WITHOUT ROWID;
INSERT INTO trial_decisions VALUES('20261124-220404-693aa9',1,'stopped','asha',1.0,-0.25,-0.5,2,2);
INSERT INTO trial_decisions VALUES('20261124-220404-693aa9',2,'stopped','asha',1.0,-0.25,-0.41666666666666668517,3,3);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('checkpoints',15);
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
COMMIT;
PRAGMA user_version = 5;
