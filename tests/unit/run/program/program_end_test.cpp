// SPDX-License-Identifier: GPL-3.0-or-later
// What a program has failed of, and how it is stopped: values.
#include "engine/run/program/program_end.h"
#include "engine/run/program/program_stop.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

class ProgramEndTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCauseIsReadFromTheLastLines_data() {
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("printed");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("where");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, int exitCode, const char* printed, const char* message, const char* where,
                            ErrorKind kind = ErrorKind::Run, ErrorCode code = ErrorCode::General) {
            QTest::newRow(name) << exitCode << QString(printed) << QString(message) << QString(where)
                                << static_cast<int>(kind) << static_cast<int>(code);
        };
        const char* trace =
            "epoch 1\nTraceback (most recent call last):\n"
            "  File \"/p/train.py\", line 40, in <module>\n    main()\n"
            "  File \"/p/train.py\", line 12, in main\n    step()\n"
            "  File \"/usr/lib/python3/dist-packages/torch/nn/modules/module.py\", line 1194, in _call\n"
            "    return forward_call(*input, **kwargs)\n";
        row("an exception", 1, (std::string(trace) + "ValueError: shapes differ\n").c_str(),
            "ValueError: shapes differ", "/p/train.py, line 12, in main");
        row("at the level of the module", 1,
            "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    1/0\n"
            "ZeroDivisionError: division by zero\n",
            "ZeroDivisionError: division by zero", "train.py, line 3");
        row("with the rank before each line", 1,
            "[rank1]: Traceback (most recent call last):\n[rank1]:   File \"/p/a.py\", line 5, in f\n[rank1]:     x\n"
            "[rank1]: NameError: name 'x' is not defined\n",
            "NameError: name 'x' is not defined", "/p/a.py, line 5, in f");
        row("the last of two", 1,
            "Traceback (most recent call last):\n  File \"/p/a.py\", line 1, in f\nKeyError: 'a'\n\n"
            "During handling of the above exception, another exception occurred:\n\n"
            "Traceback (most recent call last):\n  File \"/p/b.py\", line 2, in g\nRuntimeError: no a\n",
            "RuntimeError: no a", "/p/b.py, line 2, in g");
        row("output after it", 1, (std::string(trace) + "ValueError: no\nwandb: waiting\n").c_str(), "ValueError: no",
            "/p/train.py, line 12, in main");
        row("a syntax error of the script", 1,
            "  File \"/p/train.py\", line 7\n    if x\n        ^\nSyntaxError: invalid syntax\n",
            "SyntaxError: invalid syntax", "/p/train.py, line 7", ErrorKind::Input);
        row("a missing module", 1,
            "Traceback (most recent call last):\n  File \"/p/train.py\", line 1, in <module>\n"
            "ModuleNotFoundError: No module named 'timm'\n",
            "ModuleNotFoundError: No module named 'timm'", "/p/train.py, line 1", ErrorKind::Input);
        row("CUDA memory", 1, (std::string(trace) + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried\n").c_str(),
            "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried", "/p/train.py, line 12, in main", ErrorKind::Run,
            ErrorCode::OutOfMemory);
        row("older CUDA memory", 1, (std::string(trace) + "RuntimeError: CUDA out of memory. Tried\n").c_str(),
            "RuntimeError: CUDA out of memory. Tried", "/p/train.py, line 12, in main", ErrorKind::Run,
            ErrorCode::OutOfMemory);
        row("the disk", 1, (std::string(trace) + "OSError: [Errno 28] No space left on device\n").c_str(),
            "OSError: [Errno 28] No space left on device", "/p/train.py, line 12, in main", ErrorKind::Environment,
            ErrorCode::DiskFull);
        row("open files", 1, (std::string(trace) + "OSError: [Errno 24] Too many open files: 'a'\n").c_str(),
            "OSError: [Errno 24] Too many open files: 'a'", "/p/train.py, line 12, in main", ErrorKind::Environment);
        row("threads", 1, (std::string(trace) + "RuntimeError: can't start new thread\n").c_str(),
            "RuntimeError: can't start new thread", "/p/train.py, line 12, in main", ErrorKind::Environment);
        row("processes", 1,
            (std::string(trace) + "    os.fork()\nBlockingIOError: [Errno 11] Resource temporarily unavailable\n")
                .c_str(),
            "BlockingIOError: [Errno 11] Resource temporarily unavailable", "/p/train.py, line 12, in main",
            ErrorKind::Environment);
        row("a lost peer", 1,
            (std::string(trace) + "RuntimeError: [pair.cc:598] Connection closed by peer [::1]\n").c_str(),
            "RuntimeError: [pair.cc:598] Connection closed by peer [::1]", "/p/train.py, line 12, in main",
            ErrorKind::Run, ErrorCode::PeerLost);
        row("a lost peer of NCCL", 1,
            (std::string(trace) + "torch.distributed.DistBackendError: NCCL error\nncclRemoteError: A call failed\n")
                .c_str(),
            "torch.distributed.DistBackendError: NCCL error", "/p/train.py, line 12, in main", ErrorKind::Run,
            ErrorCode::PeerLost);
        row("argparse", 2, "usage: train.py [-h] [--lr LR]\ntrain.py: error: unrecognized arguments: --x\n",
            "unrecognized arguments: --x", "", ErrorKind::Input);
        row("a required argument", 2,
            "usage: train.py [-h] --data DIR\ntrain.py: error: the following arguments are required: --data\n",
            "the following arguments are required: --data", "", ErrorKind::Input);
        row("click", 2, "Usage: train.py [OPTIONS]\nTry 'train.py --help' for help.\n\nError: No such option: --x\n",
            "No such option: --x", "", ErrorKind::Input);
        row("another program", 7, "loading\ncannot load\n",
            "the program exited with 7; the last line it printed: cannot load", "");
        row("a bar", 1, "10%|#   |\r20%|##  |\n", "the program exited with 1; the last line it printed: 20%|##  |", "");
        row("nothing", 3, "", "the program exited with 3, and printed nothing", "");
        row("NUL and escapes", 1, "\x1b[31mbad\x1b[0m\n", "the program exited with 1; the last line it printed: ", "");
    }
    void theCauseIsReadFromTheLastLines() {
        QFETCH(int, exitCode);
        QFETCH(QString, printed);
        QFETCH(QString, message);
        QFETCH(QString, where);
        QFETCH(int, kind);
        QFETCH(int, code);
        const auto text = printed.toStdString();
        const auto error = errorOf({.exitCode = exitCode,
                                    .printed = text,
                                    .project = "/p",
                                    .interpreter = "/usr/bin/python3",
                                    .hasPeers = true});
        QVERIFY2(error.message.starts_with(message.toStdString()), error.message.c_str());
        QCOMPARE(QString::fromStdString(error.where), where);
        QCOMPARE(static_cast<int>(error.kind), kind);
        QCOMPARE(static_cast<int>(error.code), code);
        QVERIFY(error.kind == ErrorKind::Run || !error.remedy.empty());
    }
    void aRankWithoutPeersHasLostNone() {
        const auto error = errorOf({.exitCode = 1,
                                    .printed = "Traceback (most recent call last):\n  File \"/p/a.py\", line 1, in f\n"
                                               "RuntimeError: Connection closed by peer\n",
                                    .project = "/p",
                                    .interpreter = {}});
        QCOMPARE(error.code, ErrorCode::General);
    }

    void aStopBecomesSignals_data() {
        QTest::addColumn<QString>("asked"); // second:mode
        QTest::addColumn<int>("writesTo");  // the second until which a checkpoint grows
        QTest::addColumn<QString>("done");  // second:action
        QTest::newRow("never") << "" << 0 << "";
        QTest::newRow("save") << "1:save" << 0 << "1:terminate 61:kill";
        QTest::newRow("now") << "1:now" << 0 << "1:terminate 3:kill";
        QTest::newRow("save, then now") << "1:save 5:now" << 0 << "1:terminate 7:kill";
        QTest::newRow("save, then kill") << "1:save 5:kill" << 0 << "1:terminate 5:kill";
        QTest::newRow("kill") << "1:kill" << 0 << "1:kill";
        QTest::newRow("now, then save") << "1:now 2:save" << 0 << "1:terminate 3:kill";
        QTest::newRow("a checkpoint that is done in time") << "1:save" << 40 << "1:terminate 61:kill";
        QTest::newRow("a checkpoint that grows") << "1:save" << 200 << "1:terminate 200:kill";
        QTest::newRow("a checkpoint that grows for ever") << "1:save" << 2000 << "1:terminate 661:kill";
        QTest::newRow("now: none is waited for") << "1:now" << 200 << "1:terminate 3:kill";
        QTest::newRow("one that grows, then now") << "1:save 100:now" << 200 << "1:terminate 100:kill";
        QTest::newRow("at the checkpoint is the supervisor's") << "1:at" << 200 << "";
    }
    void aStopBecomesSignals() {
        QFETCH(QString, asked);
        QFETCH(int, writesTo);
        QFETCH(QString, done);
        ProgramStopping stopping({.graceSeconds = 60, .group = false});
        QStringList seen;
        for (int now = 0; now < 1000; ++now) {
            const auto at = QString::number(now) + ":";
            for (const auto& each : asked.split(' ', Qt::SkipEmptyParts)) {
                if (each == at + "save") stopping.request(wire::StopMode::SaveAndStop, now);
                if (each == at + "now") stopping.request(wire::StopMode::StopNow, now);
                if (each == at + "at") stopping.request(wire::StopMode::AtCheckpoint, now);
                if (each == at + "kill") stopping.request(wire::StopMode::Kill, now);
            }
            switch (stopping.next(now, now < writesTo)) {
            case ProgramStopping::Action::None: break;
            case ProgramStopping::Action::Terminate: seen << at + "terminate"; break;
            case ProgramStopping::Action::Kill: seen << at + "kill"; break;
            }
        }
        QCOMPARE(seen.join(' '), done);
    }
};

QTEST_GUILESS_MAIN(ProgramEndTest)
#include "program_end_test.moc"
