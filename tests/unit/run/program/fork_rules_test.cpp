// SPDX-License-Identifier: GPL-3.0-or-later
// When a rank of a program is forked, with what, and what its runs teach: values alone.
#include "engine/run/program/fork/fork_messages.h"
#include "engine/run/program/fork/heavy_packages.h"
#include "engine/run/program/fork/import_variables.h"
#include "engine/run/program/rank_start.h"
#include "tests/texts.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace trainyard;
using namespace trainyard::run;

namespace {

using Modules = std::vector<std::string>;
using State = ScriptNote::State;

QStringList listed(const Modules& modules) {
    QStringList list;
    for (const auto& module : modules) list << QString::fromStdString(module);
    return list;
}

} // namespace

class ForkRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatARankIsForkedWith() {
        const Modules seen{"numpy", "torch"};
        struct Row {
            const char* preload;
            State state;
            bool isPython;
            int ranks;
            bool mayRestart;
            Modules expected;
        };
        const std::vector<Row> rows{
            {"auto", State::New, true, 1, true, {}},         {"auto", State::Fine, true, 1, false, seen},
            {"auto", State::Fine, true, 2, true, seen},      {"auto", State::Fine, true, 2, false, {}},
            {"auto", State::Doubted, true, 1, true, {}},     {"auto", State::Never, true, 1, true, {}},
            {"auto", State::Fine, false, 1, true, {}},       {"off", State::Fine, true, 1, true, {}},
            {"scipy", State::New, true, 1, true, {"scipy"}}, {"scipy", State::Fine, true, 2, false, {"scipy"}},
            {"scipy", State::Doubted, true, 1, true, {}},    {"scipy", State::Never, true, 1, true, {}},
            {"scipy", State::New, false, 1, true, {}},       {"auto", State::StoreDoubted, true, 2, true, {}},
        };
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& row = rows[i];
            const ScriptNote note{row.state, row.state == State::New ? Modules() : seen, {}};
            const StartFacts facts{*spec::parsePreload(row.preload), note, row.isPython, row.ranks, row.mayRestart};
            QVERIFY2(modulesToFork(facts) == row.expected, std::to_string(i).c_str());
        }
    }
    void whenForkingIsBlamed() {
        QVERIFY(mayBlameForking({false, 1}, false, 1));
        QVERIFY(mayBlameForking({true, SIGSEGV}, false, 59));
        QVERIFY(!mayBlameForking({false, 0}, false, 1));
        QVERIFY(!mayBlameForking({false, 1}, true, 1));
        QVERIFY(!mayBlameForking({false, 1}, false, 61));
        for (const int number : {SIGKILL, SIGTERM, SIGINT, 0}) QVERIFY(!mayBlameForking({true, number}, false, 1));
    }
    // Rule: secrets and what differs from rank to rank never reach a fork server; what is read at an import does.
    void whatAServerIsGiven() {
        const auto given = serverVariables({{"OMP_NUM_THREADS", "2"},
                                            {"PYTHONPATH", "/a"},
                                            {"LC_ALL", "C"},
                                            {"TORCH_LOGS", "all"},
                                            {"OPENBLAS_NUM_THREADS", "8"},
                                            {"RANK", "1"},
                                            {"MASTER_PORT", "1"},
                                            {"TORCHELASTIC_RUN_ID", "x"},
                                            {"TORCH_NCCL_ASYNC_ERROR_HANDLING", "1"},
                                            {"CUDA_VISIBLE_DEVICES", "3"},
                                            {"TRAINYARD_WORKER_OF", "x"},
                                            {"WANDB_API_KEY", "x"},
                                            {"HF_TOKEN", "x"},
                                            {"TORCH_MIRROR", "https://ada:secret@example.org"}});
        const program::Variables expected{{"OMP_NUM_THREADS", "2"},
                                          {"PYTHONPATH", "/a"},
                                          {"LC_ALL", "C"},
                                          {"TORCH_LOGS", "all"},
                                          {"OPENBLAS_NUM_THREADS", "1"}};
        QVERIFY(given == expected);
    }
    void whatAScriptMustNotChange() {
        const auto early = listed(earlyVariables({"numpy", "torch.nn"}));
        for (const char* name : {"OMP_*", "TORCH*", "NPY_*", "-TORCH_HOME", "-CUDA_VISIBLE_DEVICES"})
            QVERIFY2(early.contains(QString(name)), name);
        for (const char* name : {"HF_*", "MPL*"}) QVERIFY2(!early.contains(QString(name)), name);
        QVERIFY(listed(earlyVariables({"transformers"})).contains("HF_*"));
    }
    void whatAProcessHasImported() {
        const std::string line = "7f0-7f1 r-xp 0 08:01 5   ", folder = "/usr/lib/python3/dist-packages";
        QCOMPARE(listed(heavyPackagesIn(line + folder + "/torch/_C.cpython-311-x86_64-linux-gnu.so\n" + line + folder +
                                        "/numpy/core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so\n")),
                 (QStringList{"numpy", "torch"}));
        QCOMPARE(listed(heavyPackagesIn(line + "/v/numpy/_core/_multiarray_umath.abi3.so\n")), QStringList{"numpy"});
        QCOMPARE(listed(heavyPackagesIn(line + "/home/ada/torch/data.so\n")), QStringList());
        QCOMPARE(listed(heavyPackagesIn("")), QStringList());
    }

    // Bad inputs: answers of a fork server.
    void answersAreParsed() {
        using Kind = ForkReply::Kind;
        const auto kind = [](std::string_view text) { return parseForkReply(text).kind; };
        const auto rank = parseForkReply("rank 12 11");
        QVERIFY(rank.kind == Kind::Rank && rank.rank == 12 && rank.holder == 11);
        QVERIFY(kind("exit 255") == Kind::Exited && parseForkReply("exit 7").value == 7);
        QVERIFY(kind("signal 9") == Kind::Killed && kind("gone") == Kind::Gone);
        const auto unfit = parseForkReply("unfit it sets \x1b[1mX");
        QVERIFY(unfit.kind == Kind::Unfit && unfit.reason.find('\x1b') == std::string::npos);
        QVERIFY(kind("useless") == Kind::Useless);
        for (const char* bad :
             {"", "rank", "rank 12", "rank 12 11 10", "rank -1 11", "rank 1 11", "rank 12 0", "exit", "exit 256",
              "exit -1", "exit 1x", "signal 0", "signal 128", "gone now", "rank 99999999999 11", "words", " exit 1"})
            QVERIFY2(kind(bad) == Kind::Bad, bad);
        QVERIFY(kind("unfit " + std::string(5000, 'x')) == Kind::Bad);
    }
    void aRequestHasItsParts() {
        const auto text = encodeForkRequest({"M=1", {"OMP_*", "-X"}, "/tmp", {"py", "a b.py"}, {"A=1"}});
        const std::string expected =
            "trainyard fork 1|" + std::to_string(SIGRTMIN + 3) + "|M=1|OMP_*,-X|/tmp|2|py|a b.py|A=1|";
        QCOMPARE(QString::fromStdString(text).replace(QChar('\0'), '|'), QString::fromStdString(expected));
    }
    // Bad inputs: what is kept of a script.
    void notesAreKept() {
        const QTemporaryDir folder;
        const std::filesystem::path cache = folder.path().toStdString();
        const auto file = noteFile(cache, "/a/train.py", "/usr/bin/python3");
        QVERIFY(file != noteFile(cache, "/a/train.py", "/v/bin/python"));
        QVERIFY(readNote(file) == ScriptNote());
        for (const State state : {State::Never, State::Doubted, State::StoreDoubted}) {
            const ScriptNote note{state, {"torch", "a.b"}, "it sets OMP_NUM_THREADS", state == State::Doubted};
            writeNote(file, note);
            QVERIFY(readNote(file) == note);
        }
        QVERIFY(noteFrom("{\"state\": \"fine\", \"modules\": [], \"reason\": \"\"}").store); // of earlier programs
        for (const char* bad :
             {"", "[]", "{}", "{\"state\": \"fine\"}", "{\"state\": \"odd\", \"modules\": [], \"reason\": \"\"}",
              "{\"state\": \"fine\", \"modules\": [\"os; x\"], \"reason\": \"\"}",
              "{\"state\": \"fine\", \"modules\": [7], \"reason\": \"\"}",
              "{\"state\": \"fine\", \"modules\": [], \"reason\": 1}",
              "{\"state\": \"fine\", \"modules\": [], \"reason\": \"\", \"store\": 1}"})
            QVERIFY2(noteFrom(bad) == ScriptNote(), bad);
    }
    // Bad inputs: program.preload.
    void preloadIsChecked() {
        using Mode = spec::Preload::Mode;
        QVERIFY(spec::parsePreload("off")->mode == Mode::Off && spec::parsePreload("auto")->mode == Mode::Auto);
        QVERIFY(spec::parsePreload("torch, numpy")->modules == (Modules{"torch", "numpy"}));
        QVERIFY(spec::parsePreload("torch.nn")->mode == Mode::Named);
        for (const char* bad : {"", ",", "torch,", "torch,torch", "to rch", "torch;", "1a", ".torch", "torch.", "a..b",
                                "t\xc3\xb6rch", "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q"}) {
            const auto preload = spec::parsePreload(bad);
            QVERIFY2(!preload && preload.error().kind == ErrorKind::Input && !preload.error().remedy.empty(), bad);
        }
    }
};

QTEST_APPLESS_MAIN(ForkRulesTest)
#include "fork_rules_test.moc"
