// SPDX-License-Identifier: GPL-3.0-or-later
// Lines in the manner of well-known training programs, as a run reads them while they are printed.
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/printed_reader.h"

#include <QTest>

#include <map>

using namespace trainyard;
using namespace trainyard::program;

namespace {

// "acc 10=0.5 20=0.6 | loss 10=1 20=0.5"
QString curvesOf(const QByteArray& text) {
    std::map<std::string, QStringList> curves;
    PrintedReader reader({}, [&](const std::string& series, const imports::Point& point) {
        curves[series] << QString("%1=%2").arg(point.step).arg(point.value);
    });
    LineSplitter splitter(4096);
    const auto told = [&](const GrownLine& line) { reader.add(line.text); };
    for (const QByteArray& look : text.split('\f')) { // a look after each
        splitter.add({look.constData(), static_cast<std::size_t>(look.size())}, told);
        splitter.rest(told);
    }
    splitter.end(told);
    reader.end();
    QStringList all;
    for (const auto& [name, points] : curves) all << QString::fromStdString(name) + " " + points.join(' ');
    return all.join(" | ");
}

} // namespace

class PrintedShapesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: curves of what a program prints, without a word from its author.
    void theLinesOfAProgramBecomeCurves_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("curves");
        const auto row = [](const char* name, const char* text, const char* curves) {
            QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(curves);
        };
        row("timm",
            "Train: 0 [   0/312 (  0%)]  Loss: 6.93 (6.93)  Time: 2.113s,  121.15/s  (2.113s,  121.15/s)  LR: "
            "1.000e-05  "
            "Data: 1.2 (1.2)\n"
            "Train: 0 [  50/312 ( 16%)]  Loss: 6.88 (6.91)  Time: 0.301s,  850.50/s  (0.337s,  759.64/s)  LR: "
            "1.000e-05  "
            "Data: 0.0 (0.1)\n"
            "Train: 1 [   0/312 (  0%)]  Loss: 6.50 (6.50)  Time: 2.011s,  127.29/s  (2.011s,  127.29/s)  LR: "
            "2.000e-05  "
            "Data: 1.1 (1.1)\n",
            "LR 0=1e-05 50=1e-05 312=2e-05 | Loss 0=6.93 50=6.88 312=6.5");
        row("timm, validation",
            "Train: 0 [ 300/312 ( 97%)]  Loss: 6.5 (6.9)  LR: 1.000e-05\n"
            "Test: [  39/39]  Time: 0.113 (0.201)  Loss:   6.71 ( 6.75)  Acc@1:   1.25 (  0.98)  Acc@5:   5.00 (  "
            "4.31)\n"
            "Train: 1 [ 300/312 ( 97%)]  Loss: 6.1 (6.2)  LR: 2.000e-05\n"
            "Test: [  39/39]  Time: 0.110 (0.199)  Loss:   6.31 ( 6.35)  Acc@1:   2.50 (  2.10)  Acc@5:   8.75 (  "
            "8.02)\n",
            "LR 300=1e-05 612=2e-05 | Loss 300=6.5 612=6.1 | test/Acc@1 300=1.25 612=2.5 | test/Acc@5 300=5 612=8.75 | "
            "test/Loss 300=6.71 612=6.31");
        row("Hugging Face Trainer",
            "{'loss': 2.1, 'grad_norm': 3.5, 'learning_rate': 4.9e-05, 'epoch': 1}\n"
            "{'loss': 1.9, 'grad_norm': 2.5, 'learning_rate': 4.8e-05, 'epoch': 2}\n"
            "{'eval_loss': 1.8, 'eval_accuracy': 0.4, 'eval_runtime': 1.5, 'epoch': 2}\n"
            "{'loss': 1.7, 'grad_norm': 2.25, 'learning_rate': 4.7e-05, 'epoch': 3}\n"
            "{'eval_loss': 1.6, 'eval_accuracy': 0.5, 'eval_runtime': 1.5, 'epoch': 3}\n",
            "eval_accuracy 2=0.4 3=0.5 | eval_loss 2=1.8 3=1.6 | grad_norm 1=3.5 2=2.5 3=2.25 | learning_rate "
            "1=4.9e-05 "
            "2=4.8e-05 3=4.7e-05 | loss 1=2.1 2=1.9 3=1.7");
        row("Lightning's bar",
            "\rEpoch 0:  50%|█████     | 50/100 [00:01<00:01, 40.1it/s, v_num=0, train_loss=1.50]\r"
            "Epoch 0: 100%|██████████| 100/100 [00:02<00:00, 40.1it/s, v_num=0, train_loss=1.20]\r\f"
            "Epoch 1:  50%|█████     | 50/100 [00:01<00:01, 40.2it/s, v_num=0, train_loss=1.10]\r\f"
            "Epoch 1: 100%|██████████| 100/100 [00:02<00:00, 40.2it/s, v_num=0, train_loss=0.90]\n",
            "train_loss 100=1.2 150=1.1 200=0.9");
        row("YOLO",
            "      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n"
            "        1/3      2.61G      1.153      1.398      1.192         81        640: 100%|██████████| 8/8 "
            "[00:02<00:00]\n"
            "        2/3      2.75G      1.101      1.301      1.101         90        640: 100%|██████████| 8/8 "
            "[00:02<00:00]\n",
            "box_loss 1=1.153 2=1.101 | cls_loss 1=1.398 2=1.301 | dfl_loss 1=1.192 2=1.101");
        row("Keras",
            "Epoch 1/2\n"
            "469/469 ━━━━━━━━━━━━━━━━━━━━ 2s 4ms/step - accuracy: 0.87 - loss: 0.45 - val_accuracy: 0.92 - val_loss: "
            "0.28\n"
            "Epoch 2/2\n"
            "469/469 ━━━━━━━━━━━━━━━━━━━━ 2s 4ms/step - accuracy: 0.93 - loss: 0.24 - val_accuracy: 0.95 - val_loss: "
            "0.18\n",
            "accuracy 469=0.87 938=0.93 | loss 469=0.45 938=0.24 | val_accuracy 469=0.92 938=0.95 | val_loss 469=0.28 "
            "938=0.18");
        row("nanoGPT",
            "step 0: train loss 4.28, val loss 4.29\n"
            "iter 0: loss 4.27, time 512.11ms, mfu -100.00%\n"
            "iter 10: loss 3.15, time 31.50ms, mfu 12.10%\n"
            "step 250: train loss 1.96, val loss 2.06\n"
            "iter 250: loss 2.04, time 520.02ms, mfu 11.90%\n",
            "loss 0=4.27 10=3.15 250=2.04 | train loss 0=4.28 250=1.96 | val loss 0=4.29 250=2.06");
        row("detectron2",
            "[11/29 10:12:01 d2.utils.events]:  eta: 0:10:12  iter: 19  total_loss: 3.41  loss_cls: 1.5  loss_box_reg: "
            "0.2  "
            "time: 0.4101  data_time: 0.0121  lr: 0.0004  max_mem: 2110M\n"
            "[11/29 10:12:09 d2.utils.events]:  eta: 0:10:01  iter: 39  total_loss: 2.91  loss_cls: 1.1  loss_box_reg: "
            "0.3  "
            "time: 0.4098  data_time: 0.0042  lr: 0.0008  max_mem: 2110M\n",
            "loss_box_reg 19=0.2 39=0.3 | loss_cls 19=1.5 39=1.1 | lr 19=0.0004 39=0.0008 | total_loss 19=3.41 "
            "39=2.91");
        row("fairseq",
            "2026-11-29 10:00:01 | INFO | train_inner | epoch 001:    100 / 500 loss=9.1, nll_loss=8.5, ppl=362.04, "
            "wps=21000, ups=5.1, wpb=4096, bsz=128, num_updates=100, lr=1.2e-05, gnorm=2.1, train_wall=20, wall=21\n"
            "2026-11-29 10:00:21 | INFO | train_inner | epoch 001:    200 / 500 loss=8.2, nll_loss=7.4, ppl=168.90, "
            "wps=21100, ups=5.1, wpb=4096, bsz=128, num_updates=200, lr=2.4e-05, gnorm=1.8, train_wall=19, wall=41\n",
            "gnorm 100=2.1 200=1.8 | loss 100=9.1 200=8.2 | lr 100=1.2e-05 200=2.4e-05 | nll_loss 100=8.5 200=7.4 | "
            "ppl "
            "100=362.04 200=168.9");
        row("PyTorch's MNIST",
            "Train Epoch: 1 [0/6000 (0%)]\tLoss: 2.30\nTrain Epoch: 1 [3200/6000 (53%)]\tLoss: 0.60\n\n"
            "Test set: Average loss: 0.21, Accuracy: 938/1000 (94%)\n\n"
            "Train Epoch: 2 [0/6000 (0%)]\tLoss: 0.40\nTrain Epoch: 2 [3200/6000 (53%)]\tLoss: 0.30\n\n"
            "Test set: Average loss: 0.11, Accuracy: 963/1000 (96%)\n\n",
            "Loss 0=2.3 3200=0.6 6000=0.4 9200=0.3 | test/Accuracy 3200=0.938 9200=0.963 | test/loss 3200=0.21 "
            "9200=0.11");
        row("PyTorch's ImageNet",
            "Epoch: [0][   1/500]\tTime  3.1 ( 3.1)\tData  2.1 ( 2.1)\tLoss 7.0e+00 (7.0e+00)\tAcc@1   0.00 (  0.00)\n"
            "Epoch: [0][ 101/500]\tTime  0.3 ( 0.4)\tData  0.0 ( 0.1)\tLoss 6.5e+00 (6.8e+00)\tAcc@1   1.17 (  0.61)\n"
            " * Acc@1 2.1\n"
            "Epoch: [1][   1/500]\tTime  3.0 ( 3.0)\tData  2.0 ( 2.0)\tLoss 6.2e+00 (6.2e+00)\tAcc@1   2.34 (  2.34)\n"
            " * Acc@1 4.2\n",
            "Acc@1 1=0 101=1.17 501=2.34 | Acc@1 (summary) 101=2.1 501=4.2 | Loss 1=7 101=6.5 501=6.2");
        row("torchvision's references",
            "Epoch: [0]  [  0/100]  eta: 0:01:40  lr: 0.01  loss: 0.9 (0.9)  acc1: 10.0 (10.0)  time: 1.0  data: 0.9  "
            "max "
            "mem: 900\n"
            "Epoch: [0]  [ 10/100]  eta: 0:00:20  lr: 0.01  loss: 0.7 (0.8)  acc1: 20.0 (15.0)  time: 0.2  data: 0.0  "
            "max "
            "mem: 900\n",
            "acc1 0=10 10=20 | loss 0=0.9 10=0.7 | lr 0=0.01 10=0.01");
        row("DETR",
            "Epoch: [1]  [  0/50]  eta: 0:00:50  lr: 0.000100  class_error: 95.5  loss: 30.1 (30.1)  loss_ce: 2.1 "
            "(2.1)\n"
            "Epoch: [1]  [ 10/50]  eta: 0:00:40  lr: 0.000100  class_error: 90.5  loss: 25.1 (27.1)  loss_ce: 1.9 "
            "(2.0)\n",
            "class_error 0=95.5 10=90.5 | loss 0=30.1 10=25.1 | loss_ce 0=2.1 10=1.9 | lr 0=0.0001 10=0.0001");
        row("MMEngine",
            "11/29 10:11:12 - mmengine - INFO - Epoch(train)  [1][ 50/100]  lr: 2.0e-02  eta: 0:01:01  time: 0.3  "
            "data_time: 0.01  memory: 1200  loss: 1.9  loss_cls: 1.1\n"
            "11/29 10:11:42 - mmengine - INFO - Epoch(train)  [2][ 50/100]  lr: 1.0e-02  eta: 0:00:31  time: 0.3  "
            "data_time: 0.01  memory: 1200  loss: 1.5  loss_cls: 0.9\n",
            "loss 50=1.9 150=1.5 | loss_cls 50=1.1 150=0.9 | lr 50=0.02 150=0.01");
        row("Megatron",
            " [2026-11-29 10:00:00] iteration       10/    1000 | consumed samples:          160 | elapsed time per "
            "iteration (ms): 812.1 | learning rate: 1.5E-05 | global batch size:    16 | lm loss: 1.05E+01 | loss "
            "scale: "
            "1.0 | grad norm: 9.5 | number of skipped iterations:   0 |\n"
            " [2026-11-29 10:00:08] iteration       20/    1000 | consumed samples:          320 | elapsed time per "
            "iteration (ms): 801.9 | learning rate: 3.0E-05 | global batch size:    16 | lm loss: 9.05E+00 | loss "
            "scale: "
            "1.0 | grad norm: 8.5 | number of skipped iterations:   0 |\n",
            "grad norm 10=9.5 20=8.5 | learning rate 10=1.5e-05 20=3e-05 | lm loss 10=10.5 20=9.05");
        row("Stable-Baselines3",
            "-----------------------------------\n| rollout/           |            |\n|    ep_rew_mean     | 21.5     "
            "  "
            "|\n| time/              |            |\n|    fps             | 900        |\n|    total_timesteps | 2048  "
            "     "
            "|\n-----------------------------------\n"
            "-----------------------------------\n| rollout/           |            |\n|    ep_rew_mean     | 30.5     "
            "  "
            "|\n| time/              |            |\n|    fps             | 910        |\n|    total_timesteps | 4096  "
            "     "
            "|\n-----------------------------------\n",
            "ep_rew_mean 2048=21.5 4096=30.5");
        row("CleanRL", "global_step=1024, episodic_return=20.5\nglobal_step=2048, episodic_return=31.0\n",
            "episodic_return 1024=20.5 2048=31");
        row("Ray's trial table", "loss: 0.9, training_iteration: 1\nloss: 0.7, training_iteration: 2\n",
            "loss 1=0.9 2=0.7");
        row("XGBoost", "[0]\ttrain-rmse:0.61\teval-rmse:0.70\n[1]\ttrain-rmse:0.51\teval-rmse:0.65\n",
            "eval-rmse 0=0.7 1=0.65 | train-rmse 0=0.61 1=0.51");
        row("LightGBM",
            "[10]\ttraining's auc: 0.81\tvalid_1's auc: 0.78\n[20]\ttraining's auc: 0.86\tvalid_1's auc: 0.80\n",
            "training's auc 10=0.81 20=0.86 | valid_1's auc 10=0.78 20=0.8");
        row("CatBoost",
            "0:\tlearn: 0.61\ttest: 0.65\tbest: 0.65 (0)\ttotal: 3ms\tremaining: 2s\n"
            "1:\tlearn: 0.51\ttest: 0.60\tbest: 0.60 (1)\ttotal: 6ms\tremaining: 2s\n",
            "best 0=0.65 1=0.6 | learn 0=0.61 1=0.51 | test 0=0.65 1=0.6");
        row("fastai",
            "epoch     train_loss  valid_loss  accuracy  time    \n"
            "0         0.81        0.65        0.71      00:05     \n"
            "1         0.61        0.55        0.78      00:05     \n",
            "accuracy 0=0.71 1=0.78 | train_loss 0=0.81 1=0.61 | valid_loss 0=0.65 1=0.55");
        row("scikit-learn", "Iteration 1, loss = 0.91\nIteration 2, loss = 0.71\n", "loss 1=0.91 2=0.71");
        row("spaCy",
            "E    #       LOSS TAGGER  TAG_ACC  SCORE \n---  ------  -----------  -------  ------\n"
            "  0       0        61.33    20.12    0.20\n  0     200      2361.00    80.12    0.80\n",
            "LOSS TAGGER 0=61.33 200=2361 | SCORE 0=0.2 200=0.8 | TAG_ACC 0=20.12 200=80.12");
        row("JAX examples",
            "epoch:  1, train_loss: 0.51, train_accuracy: 85.10, test_loss: 0.31, test_accuracy: 91.00\n"
            "epoch:  2, train_loss: 0.31, train_accuracy: 91.10, test_loss: 0.21, test_accuracy: 94.00\n",
            "test_accuracy 1=91 2=94 | test_loss 1=0.31 2=0.21 | train_accuracy 1=85.1 2=91.1 | train_loss 1=0.51 "
            "2=0.31");
        row("Julia's Flux", "[ Info: epoch = 1, loss = 0.91\n[ Info: epoch = 2, loss = 0.71\n", "loss 1=0.91 2=0.71");
        row("AllenNLP",
            "accuracy: 0.5100, batch_loss: 0.61, loss: 0.71 ||: : 100it [00:01, 90.1it/s]\n"
            "accuracy: 0.6100, batch_loss: 0.51, loss: 0.61 ||: : 200it [00:02, 90.1it/s]\n",
            "accuracy 0=0.51 1=0.61 | batch_loss 0=0.61 1=0.51 | loss 0=0.71 1=0.61");
        row("ESPnet",
            "[host] 2026-11-29 10:00:00,123 (trainer:700) INFO: 1epoch:train:1-100batch: iter_time=0.1, loss_ctc=90.1, "
            "loss=80.1, acc=0.2\n"
            "[host] 2026-11-29 10:01:00,123 (trainer:700) INFO: 1epoch:train:101-200batch: iter_time=0.1, "
            "loss_ctc=80.1, "
            "loss=70.1, acc=0.3\n",
            "acc 0=0.2 1=0.3 | loss 0=80.1 1=70.1 | loss_ctc 0=90.1 1=80.1");
        row("OpenNMT",
            "[2026-11-29 10:00:00,000 INFO] Step 50/1000; acc: 12.1; ppl: 900.5; xent: 6.80; lr: 0.00010; sents:    "
            "3000; "
            "bsz:  900/ 850/60\n"
            "[2026-11-29 10:00:30,000 INFO] Step 100/1000; acc: 22.1; ppl: 300.5; xent: 5.70; lr: 0.00020; sents:    "
            "3000; "
            "bsz:  900/ 850/60\n",
            "acc 50=12.1 100=22.1 | lr 50=0.0001 100=0.0002 | ppl 50=900.5 100=300.5 | xent 50=6.8 100=5.7");
        row("DeepSpeed",
            "[2026-11-29 10:00:00,000] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[9.65e-06], "
            "mom=[(0.9, 0.95)]\nstep 10: loss 2.5\n"
            "[2026-11-29 10:00:09,000] [INFO] [logging.py:96:log_dist] [Rank 0] step=20, skipped=0, lr=[9.55e-06], "
            "mom=[(0.9, 0.95)]\nstep 20: loss 2.1\n",
            "loss 10=2.5 20=2.1 | lr 10=9.65e-06 20=9.55e-06");
        row("diffusers",
            "\rSteps:   1%|          | 10/1000 [00:05<08:15,  2.00it/s, lr=1e-5, step_loss=0.21]\r\f"
            "\rSteps:   2%|▏         | 20/1000 [00:10<08:10,  2.00it/s, lr=1e-5, step_loss=0.11]\r\f",
            "lr 10=1e-05 20=1e-05 | step_loss 10=0.21 20=0.11");
        row("kohya",
            "\rsteps:   5%|▌         | 80/1600 [01:00<19:00,  1.33it/s, avr_loss=0.121]\r\f"
            "\rsteps:  10%|█         | 160/1600 [02:00<18:00,  1.33it/s, avr_loss=0.101]\n",
            "avr_loss 80=0.121 160=0.101");
        row("llm.c",
            "step    1/100 | train loss 11.01 | norm 15.3 | lr 1.00e-04 | 850.1 ms | 61.1% bf16 MFU | 600000 tok/s\n"
            "step    2/100 | train loss 10.51 | norm 13.3 | lr 2.00e-04 | 849.1 ms | 61.2% bf16 MFU | 600100 tok/s\n",
            "lr 1=0.0001 2=0.0002 | train loss 1=11.01 2=10.51");
        row("torchtitan",
            "[titan] 2026-11-29 10:00:00,000 - root - INFO - step:  10  loss:  7.10  memory:  8.1GiB(10.2%)  tps: "
            "12,001  "
            "mfu: 30.1%\n"
            "[titan] 2026-11-29 10:00:09,000 - root - INFO - step:  20  loss:  6.10  memory:  8.1GiB(10.2%)  tps: "
            "12,101  "
            "mfu: 30.3%\n",
            "loss 10=7.1 20=6.1");
        row("a GAN", "[0/5][0/100]\tLoss_D: 1.5\tLoss_G: 3.5\n[0/5][50/100]\tLoss_D: 1.1\tLoss_G: 4.5\n",
            "Loss_D 0=1.5 50=1.1 | Loss_G 0=3.5 50=4.5");
        row("a tutorial",
            "Epoch [1/5], Step [100/600], Loss: 2.1\nEpoch [1/5], Step [200/600], Loss: 1.9\nEpoch [2/5], Step "
            "[100/600], Loss: 1.1\n",
            "Loss 100=2.1 200=1.9 700=1.1");
        row("epochs with bars",
            "Epoch 001 | train loss 0.91 | val loss 0.95 | val acc 0.61\n"
            "Epoch 002 | train loss 0.81 | val loss 0.85 | val acc 0.71\n",
            "train loss 1=0.91 2=0.81 | val acc 1=0.61 2=0.71 | val loss 1=0.95 2=0.85");
        row("logging",
            "2026-11-29 10:00:00,123 INFO train: epoch 3 step 1200 loss 0.43 lr 1e-4\n"
            "2026-11-29 10:00:10,123 INFO train: epoch 3 step 1300 loss 0.41 lr 1e-4\n",
            "loss 1200=0.43 1300=0.41 | lr 1200=0.0001 1300=0.0001");
        row("loguru",
            "2026-11-29 10:00:00.123 | INFO     | __main__:train:42 - step 10 loss 0.5\n"
            "2026-11-29 10:00:01.123 | INFO     | __main__:train:42 - step 20 loss 0.4\n",
            "loss 10=0.5 20=0.4");
        row("thousands", "step 1,200 loss 0.5\nstep 1,300 loss 0.4\n", "loss 1200=0.5 1300=0.4");
        row("several values of an epoch", "Epoch 1\nloss: 0.5\nloss: 0.4\nEpoch 2\nloss: 0.3\n",
            "loss 1=0.5 2=0.4 3=0.3");
        row("JSON lines", "{\"step\": 10, \"loss\": 0.5}\n{\"step\": 20, \"loss\": 0.4}\n", "loss 10=0.5 20=0.4");
        row("absl",
            "I1129 10:00:00.123456 140000 train.py:88] step 10, loss 0.5\n"
            "I1129 10:00:01.123456 140000 train.py:88] step 20, loss 0.4\n",
            "loss 10=0.5 20=0.4");
        row("a reward",
            "Episode 10\tLast reward: 21.0\tAverage reward: 10.1\nEpisode 20\tLast reward: 31.0\tAverage "
            "reward: 14.5\n",
            "Last reward 10=21 20=31 | reward 10=10.1 20=14.5");
        row("infinite and not a number", "step 1 loss inf\nstep 2 loss nan\nstep 3 loss 0.5\n",
            "loss 1=inf 2=nan 3=0.5");
        row("a configuration is no curve", "lr: 0.1\nbatch_size: 64\nepochs: 3\nlr: 0.1\nsaved to out/ckpt_3.pt\n", "");
        row("the end of a bar without a newline", "\r 50%|##  | 1/2 [loss=0.5]\r100%|####| 2/2 [loss=0.4]\f\n",
            "loss 1=0.5 2=0.4");
    }
    void theLinesOfAProgramBecomeCurves() {
        QFETCH(QByteArray, text);
        QTEST(curvesOf(text), "curves");
    }
};

QTEST_GUILESS_MAIN(PrintedShapesTest)
#include "printed_shapes_test.moc"
