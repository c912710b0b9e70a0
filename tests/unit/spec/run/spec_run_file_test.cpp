// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/atomic_file.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/paths.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "tests/texts.h"
#include "tests/unit/spec/spec_test_catalog.h"

#include <nlohmann/json.hpp>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::spec;
using trainyard::test::text;

namespace {

bool holds(const std::string& whole, const QString& part) {
    return whole.find(part.toStdString()) != std::string::npos;
}

// The keys that reading or writing visits, as in "scaling.workers", with all objects gone through.
struct KeyList {
    std::vector<std::string> keys;
    void operator()(const char* key, const auto& member) {
        keys.emplace_back(key);
        if constexpr (requires { fields(member, *this); }) fields(member, *this);
    }
};

QString document() { return QString::fromStdString(*readFile(TRAINYARD_SOURCE_DIR "/engine/spec/RUN_FILE.md")); }

} // namespace

class SpecRunFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pathsAreMeantFromTheRunFile() {
        const std::string written =
            R"({"dataset": {"name": "csv", "params": {"file": "data/a.csv", "target": "data/a.csv"}},
                                     "model": {"name": "m", "params": {"path": "../b.pt"}}})";
        const auto spec = parseRunSpec(withAbsolutePaths(written, "/home/me/runs"));
        QVERIFY(spec.ok());
        QCOMPARE(spec->dataset.text("file", {}), std::string("/home/me/runs/data/a.csv"));
        QCOMPARE(spec->dataset.text("target", {}), std::string("data/a.csv")); // no path
        QCOMPARE(spec->model.text("path", {}), std::string("/home/me/b.pt"));
        const auto program = parseRunSpec(withAbsolutePaths(
            R"({"program": {"script": "train.py", "folder": "../p", "interpreter": "python3.11"}})", "/home/me/runs"));
        QVERIFY(program.ok());
        QCOMPARE(program->program->script, std::string("/home/me/runs/train.py"));
        QCOMPARE(program->program->folder, std::string("/home/me/p"));
        QCOMPARE(program->program->interpreter, std::string("python3.11")); // looked for
        for (const std::string same : {R"({"dataset": {"name": "csv", "params": {"file": "/data/a.csv"}}})", "{}", "{",
                                       R"({"dataset": {"name": "csv", "params": {"file": "a", "file": "b"}}})"})
            QCOMPARE(withAbsolutePaths(same, "/home/me"), same); // its faults stay for the reader to tell
    }
    void specComesBackWhole_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 5; ++i) QTest::newRow(QByteArray::number(i).constData()) << i;
    }
    void specComesBackWhole() {
        QFETCH(int, which);
        RunSpec spec;
        if (which >= 1) {
            spec.name = "ü \"quoted\" \\";
            spec.model = {
                "mlp", {{"hidden", std::vector<double>{512, 0.5}}, {"flag", true}, {"n", std::int64_t{3}}, {"x", 1.0}}};
            spec.optimizer = {"adamw", {{"lr", 0.001}, {"note", std::string("text")}}};
            spec.scaling = {.workers = 7,
                            .device = "cpu",
                            .threadsPerWorker = 3,
                            .backend = "gloo",
                            .averaging = "buckets",
                            .compression = "bf16",
                            .compressionRank = 3,
                            .lrRule = "sqrt",
                            .syncBatchNorm = true,
                            .elastic = {2, 9},
                            .port = 4000};
            spec.augment = {.crop = 4,
                            .flip = true,
                            .erase = 0.25,
                            .resizedCrop = 0.35,
                            .policy = "trivial",
                            .mixup = 0.2,
                            .cutmix = 1};
            spec.weights = {"resnet50.pth", "new"};
            spec.data = {.loading = "stream", .loaderThreads = 3, .order = "blocks", .balance = 0.5};
            spec.finetune = {.freeze = {"conv1*", "body"},
                             .thawAtEpoch = 3,
                             .groups = {{"fc.*", 10}},
                             .layerDecay = 0.75,
                             .normStats = "measured",
                             .features = "cache",
                             .lora = {.rank = 8, .alpha = 32, .dropout = 0.1, .targets = {"*.c_attn"}}};
            spec.gradient = {.clipNorm = 1.5, .clipValue = 2};
            spec.ema = 0.99;
            spec.tuning = {.layout = "channels_last", .kernels = "stock", .recompute = "blocks"};
            spec.earlyStop = {.metric = "val/loss", .mode = "min", .patience = 3, .minDelta = 0.01};
            spec.debug = {.overfitBatches = 2, .fastDevRun = true};
            spec.tensorBoard = true;
            spec.hosts = {"a", "b@c:22"};
            spec.checkpoint = {
                .everyEpochs = 0, .everySteps = 10, .keep = 9, .scoreBy = "val/loss", .mode = "min", .budgetMb = 77};
            spec.failure = {
                .maxRestarts = 0, .heartbeatSeconds = 1.5, .nonFinite = "rollback", .rollbackLrFactor = 0.25};
            spec.storage = "/data";
            spec.seed = std::int64_t{1} << 62;
            spec.deterministic = true;
        }
        if (which == 2) spec.batch = {std::nullopt, 256, 4, true}, spec.epochs.reset(), spec.steps = 1'000'000'000'000;
        if (which == 3) spec.batch = {8, 16, 1}, spec.steps = 5; // wrong, and still the same afterwards
        if (which == 4) spec.batch = {std::nullopt, std::nullopt, 1}, spec.epochs.reset();
        const auto back = parseRunSpec(toJson(spec));
        QVERIFY2(back.ok(), text(back).c_str());
        QCOMPARE(toJson(*back), toJson(spec));
        QVERIFY(*back == spec);
    }
    void programComesBackWhole_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 3; ++i) QTest::newRow(QByteArray::number(i).constData()) << i;
    }
    void programComesBackWhole() {
        QFETCH(int, which);
        RunSpec spec = programRun({.script = "/home/me/train.py"});
        if (which == 1) {
            spec.program = Program{.module = "pkg.train",
                                   .interpreter = "conda:torch",
                                   .folder = "/home/me/pkg",
                                   .arguments = {{"lr", 0.1},
                                                 {"model.width", std::int64_t{64}},
                                                 {"amp", true},
                                                 {"out", std::string("{output}/a")},
                                                 {"milestones", std::vector<double>{30, 60}},
                                                 {"layers", std::vector<std::string>{"a", "b c"}}},
                                   .style = "a=b",
                                   .environment = {{"OMP_PROC_BIND", "close"}},
                                   .secrets = {"HF_TOKEN"},
                                   .metrics = {{"loss=(?<value>\\S+)"}, "0"},
                                   .checkpoints = {{"snapshot_*.bin"}},
                                   .resume = {"--resume", "{checkpoint}"},
                                   .stop = {5, true}};
            spec.scaling.workers = 4;
            spec.scaling.device = "cpu";
            spec.checkpoint.scoreBy = "val/loss";
            spec.checkpoint.mode = "min";
            spec.hosts = {"h1", "h2"};
            spec.failure.maxRestarts = 1;
        }
        if (which == 2) spec.program = Program{.command = {"./train", "--fast", ""}};
        const auto back = parseRunSpec(toJson(spec));
        QVERIFY2(back.ok(), text(back).c_str());
        QCOMPARE(toJson(*back), toJson(spec));
        QVERIFY(*back == spec);
        QVERIFY(validateFields(*back).empty());
    }
    void programsArgumentsAreSetByTheirNames() {
        const auto changed = withOverride(R"({"program": {"script": "a.py", "arguments": {"model.lr": 1}}})",
                                          "program.arguments.model.lr", "0.5");
        QVERIFY2(changed.ok(), text(changed).c_str());
        QCOMPARE(std::get<double>(parseRunSpec(*changed)->program->arguments.at("model.lr")), 0.5);
    }
    void badProgramsAreRefused_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* json, const char* part) {
            QTest::newRow(name) << QByteArray(json).replace('\'', '"') << QString(part);
        };
        row("nothing", "{'program': {}}", "has no script, module or command (give one of the three)");
        row("two", "{'program': {'script': 'a.py', 'module': 'a'}}", "has more than one of script, module and command");
        row("a model beside it", "{'program': {'script': 'a.py'}, 'model': 'mlp'}",
            "model: means nothing for a program, found \"mlp\" (the program decides: give it as one of its arguments)");
        row("epochs", "{'program': {'script': 'a.py'}, 'epochs': 5}", "epochs: means nothing for a program");
        row("averaging", "{'program': {'script': 'a.py'}, 'scaling': {'averaging': 'shared'}}",
            "scaling.averaging: means nothing for a program");
        row("an object in it", "{'program': {'script': 'a.py', 'arguments': {'a': {}}}}",
            "program.arguments.a: must be a number, true, false, text or a list of numbers or of texts");
        row("a mixed list", "{'program': {'script': 'a.py', 'arguments': {'a': [1, 'b']}}}",
            "program.arguments.a: must be");
        row("a number as words", "{'program': {'script': 'a.py', 'arguments': 5}}",
            "program.arguments: must be an object, or a list of texts");
        row("words of a command", "{'program': {'command': ['a'], 'arguments': ['b']}}",
            "belongs to a script or module (put the words into program.command)");
        row("no word", "{'program': {'command': ['']}}", "program.command.0: must name a program");
        row("a style", "{'program': {'script': 'a.py', 'style': '-a b'}}", "program.style");
        row("ranks", "{'program': {'script': 'a.py', 'metrics': {'ranks': 'all'}}}", "program.metrics.ranks");
        row("its own checkpoints", "{'program': {'script': 'a.py'}, 'checkpoint': {'keep': 2}}",
            "checkpoint.keep: would delete checkpoints of the program, which are yours, found 2 (keep copies of them");
        row("copies of a host's", "{'program': {'script': 'a.py', 'checkpoints': {'copy': 'best'}}, 'hosts': ['h1']}",
            "program.checkpoints.copy: is for checkpoints that are saved on this computer");
        row("skipped steps", "{'program': {'script': 'a.py'}, 'failure': {'nonFinite': 'skip'}}",
            "failure.nonFinite: must be one of warn, stop, rollback");
        row("patience", "{'program': {'script': 'a.py'}, 'earlyStop': {'metric': 'a b', 'patience': 0}}",
            "earlyStop.patience: must be at least 1");
        row("grace", "{'program': {'script': 'a.py', 'stop': {'graceSeconds': -1}}}", "program.stop.graceSeconds");
        row("a variable", "{'program': {'script': 'a.py', 'environment': {'A=B': 'c'}}}",
            "cannot be a variable of the environment");
        row("a number as a variable", "{'program': {'script': 'a.py', 'environment': {'A': 5}}}",
            "program.environment.A: must be text, found 5 (write it in quotes)");
        row("NUL", "{'program': {'script': 'a\\u0000.py'}}", "without NUL");
    }
    void badProgramsAreRefused() {
        QFETCH(QByteArray, json);
        QFETCH(QString, part);
        const auto spec = parseRunSpec(json.toStdString());
        const auto errors = spec.ok() ? validateFields(*spec) : Errors{};
        const std::string said = spec.ok() ? toError(errors, {}).text() : spec.error().text();
        QVERIFY2(holds(said, part), said.c_str());
        QVERIFY(!spec.ok() || !errors.empty());
    }

    void emptyFileIsTheDefaultRun() { QVERIFY(*parseRunSpec("{}") == RunSpec{}); }
    void halvesTheBatchOfEachPass_data() {
        QTest::addColumn<QString>("batch"); // of two workers
        QTest::addColumn<QString>("halved");
        QTest::newRow("of a worker") << "'perRank': 64" << "'perRank': 32";
        QTest::newRow("an odd one") << "'perRank': 7" << "'perRank': 3";
        QTest::newRow("of all") << "'global': 64" << "'global': 32";
        QTest::newRow("of all, and half of it is not dealt evenly") << "'global': 6" << "'global': 2";
        QTest::newRow("in two passes") << "'global': 64, 'accumulate': 2" << "'global': 32, 'accumulate': 2";
        QTest::newRow("one sample is the least") << "'perRank': 1" << "";
        QTest::newRow("one sample of each worker") << "'global': 2" << "";
    }
    void halvesTheBatchOfEachPass() {
        QFETCH(QString, batch);
        QFETCH(QString, halved);
        const auto specOf = [](const QString& text) {
            const QString file = QString("{'version': 1, 'model': 'mlp', 'dataset': 'blobs', 'epochs': 1, 'scaling': "
                                         "{'workers': 2}, 'batch': {%1}}")
                                     .arg(text)
                                     .replace('\'', '"');
            return *parseRunSpec(file.toStdString());
        };
        const auto half = withHalfTheBatch(specOf(batch));
        QCOMPARE(half.has_value(), !halved.isEmpty());
        if (half) QVERIFY(*half == specOf(halved));
    }

    void shortFormsAreAccepted() {
        const RunSpec spec =
            *parseRunSpec(R"({"version":1,"model":"resnet18","optimizer":{"lr":1},"batch":{"global":64},"steps":9})");
        QCOMPARE(spec.model.name, std::string("resnet18"));
        QCOMPARE(spec.optimizer.name, std::string("sgd"));
        QCOMPARE(spec.optimizer.number("lr", 0), 1.0);
        QVERIFY(!spec.batch.perRank && !spec.epochs);
        QCOMPARE(spec.perRankBatch(), 32);
        QCOMPARE(spec.globalBatch(), 64);
        QCOMPARE(*parseRunSpec(R"({"epochs":1e3})")->epochs, 1000);
    }
    void aFileWithoutAVersionIsOfThePresentOne() {
        QCOMPARE(parseRunSpec(R"({"model":"mlp"})")->version, kRunFileVersion);
        const auto older = parseRunSpec(R"({"version":0,"model":"mlp"})");
        QVERIFY(!older.ok());
        QCOMPARE(older.error().remedy, std::string("write 1"));
    }

    // Bad inputs: run files, text.
    void badFilesAreExplained_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << QByteArray("") << "is not valid JSON at line 1, column 1: the text ends too early";
        QTest::newRow("not an object") << QByteArray("[1]") << "must hold one object";
        QTest::newRow("cut short") << QByteArray("{\"epochs\": 5,\n \"seed\": ") << "line 2";
        QTest::newRow("two values") << QByteArray("{} {}") << "is not valid JSON at line 1, column 4";
        QTest::newRow("comma") << QByteArray("{\"epochs\": 5,}") << "is not valid JSON at line 1, column 14";
        QTest::newRow("not UTF-8") << QByteArray("{\"name\": \"\xff\"}") << "is not valid JSON";
        QTest::newRow("zero byte") << QByteArray("{\"seed\": 1}\0{}", 14)
                                   << "is not valid JSON at line 1, column 12, found \\x00";
        QTest::newRow("NaN")
            << QByteArray("{\"optimizer\":{\"lr\": NaN}}")
            << "optimizer.lr: is not valid JSON at line 1, column 21: NaN and infinity are not allowed, found NaN";
        QTest::newRow("1e400") << QByteArray("{\"optimizer\":{\"lr\": 1e400}}")
                               << "optimizer.lr: is a number too large to hold, found 1e400";
        QTest::newRow("deep list") << QByteArray("{\"a\":") + QByteArray(10'000, '[') << "nested deeper than 64 levels";
        QTest::newRow("deep object") << QByteArray("{\"a\":").repeated(10'000) << "nested deeper than 64 levels";
        QTest::newRow("unknown key") << QByteArray("{\"optimzer\": \"sgd\"}")
                                     << "optimzer: is not a known key, found \"sgd\" (did you mean \"optimizer\"?)";
        QTest::newRow("unknown inner key") << QByteArray("{\"scaling\": {\"worker\": 2}}")
                                           << "scaling.worker: is not a known key, found 2 (did you mean \"workers\"?)";
        QTest::newRow("doubled key") << QByteArray("{\"seed\": 1, \"seed\": 2}") << "seed: is there twice";
        QTest::newRow("doubled inner key") << QByteArray("{\"model\": {\"params\": {\"hidden\": 1, \"hidden\": 2}}}")
                                           << "model.params.hidden: is there twice";
        QTest::newRow("text for number") << QByteArray("{\"epochs\": \"5\"}")
                                         << "epochs: must be a whole number, found \"5\" (write it without quotes)";
        QTest::newRow("word for number")
            << QByteArray("{\"epochs\": \"five\"}")
            << "epochs: must be a whole number, found \"five\" (write a number, such as 5)";
        QTest::newRow("fraction for number")
            << QByteArray("{\"epochs\": \"2.5\"}") << "found \"2.5\" (write a number, such as 5)";
        QTest::newRow("word for a fraction") << QByteArray("{\"ema\": \"most\"}")
                                             << "ema: must be a number, found \"most\" (write a number, such as 0.5)";
        QTest::newRow("word for a flag") << QByteArray("{\"deterministic\": \"yes\"}")
                                         << "deterministic: must be true or false, found \"yes\" (write true or false)";
        QTest::newRow("flag in quotes") << QByteArray("{\"deterministic\": \"true\"}")
                                        << "found \"true\" (write it without quotes)";
        QTest::newRow("number for text") << QByteArray("{\"name\": 5}")
                                         << "name: must be text, found 5 (write it in quotes)";
        QTest::newRow("half an epoch") << QByteArray("{\"epochs\": 0.5}")
                                       << "epochs: must be a whole number, found 0.5";
        QTest::newRow("large whole") << QByteArray("{\"seed\": 18446744073709551615}") << "seed: is too large";
        QTest::newRow("large int") << QByteArray("{\"scaling\": {\"workers\": 5000000000}}")
                                   << "scaling.workers: is too large, found 5000000000";
        QTest::newRow("flag") << QByteArray("{\"deterministic\": 1}") << "deterministic: must be true or false";
        QTest::newRow("hosts") << QByteArray("{\"hosts\": \"a\"}")
                               << R"(hosts: must be a list of texts, found "a" (write ["a"], or --set 'hosts=["a"]'))";
        QTest::newRow("host") << QByteArray("{\"hosts\": [\"a\", 5]}") << "hosts.1: must be text";
        QTest::newRow("null") << QByteArray("{\"model\": null}") << "model: must be a name or an object";
        QTest::newRow("object as list") << QByteArray("{\"scaling\": []}") << "scaling: must be an object";
        QTest::newRow("param object") << QByteArray("{\"optimizer\": {\"params\": {\"lr\": 1}}}")
                                      << "write the parameters beside \"name\"";
        QTest::newRow("flat model")
            << QByteArray("{\"model\": {\"hidden\": 5}}")
            << "model.hidden: is not a known key, found 5 (parameters of the model go into \"params\")";
        QTest::newRow("newer") << QByteArray("{\"version\": 2, \"whatever\": 1}")
                               << "version: this program reads run files up to version 1, found 2";
        QTest::newRow("sweep file") << QByteArray("{\"space\": {}}") << "belongs to a sweep file";
        QTest::newRow("several") << QByteArray("{\"epochs\": \"x\", \"sed\": 1}")
                                 << "2 fields are wrong: epochs must be";
        QTest::newRow("escape codes in a key") << QByteArray("{\"\\u001b[31m\": 1}") << "\\x1b[31m: is not a known key";
        QByteArray many = "{";
        for (int i = 0; i < 2000; ++i) many += "\"k" + QByteArray::number(i) + "\":1,";
        QTest::newRow("too many keys") << many << "one key too many";
    }
    void badFilesAreExplained() {
        QFETCH(QByteArray, json);
        QFETCH(QString, part);
        const auto spec = parseRunSpec(json.toStdString());
        QVERIFY(!spec.ok());
        QCOMPARE(spec.error().kind, ErrorKind::Input);
        QVERIFY2(holds(text(spec), part), text(spec).c_str());
        // What is wrong is a remedy too where it says what must be there.
        // Of several, each has its own behind it.
        const bool several = holds(text(spec), " fields are wrong: ") && holds(text(spec), " (");
        QVERIFY2(!spec.error().remedy.empty() || several || holds(text(spec), "must be "), text(spec).c_str());
    }
    void fileIsNamed() {
        QTemporaryDir dir;
        const std::filesystem::path file = std::filesystem::path(dir.path().toStdString()) / "a.json";
        QVERIFY(writeFileAtomic(file, "{\"epochs\": \"x\"}").ok());
        QVERIFY(text(readRunSpec(file)).starts_with(file.string() + ": epochs: must be"));
        QVERIFY(holds(text(readRunSpec(file.string() + "x")), "no such file"));
        QVERIFY(writeFileAtomic(file, std::string(5u << 20, ' ')).ok());
        QVERIFY(holds(text(readRunSpec(file)), "larger than"));
    }

    void overridesSetOneField_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("expected"); // another file that means the same
        QTest::newRow("number") << QByteArray("{}") << "optimizer.lr"
                                << "0.05" << QByteArray(R"({"optimizer":{"lr":0.05}})");
        QTest::newRow("short form") << QByteArray(R"({"optimizer":"adamw"})") << "optimizer.lr"
                                    << "0.05" << QByteArray(R"({"optimizer":{"name":"adamw","lr":0.05}})");
        QTest::newRow("text") << QByteArray("{}") << "model" << "resnet18" << QByteArray(R"({"model":"resnet18"})");
        QTest::newRow("text with quotes") << QByteArray("{}") << "name" << "\"42\"" << QByteArray(R"({"name":"42"})");
        QTest::newRow("list") << QByteArray("{}") << "model.params.hidden"
                              << "[8, 9]" << QByteArray(R"({"model":{"params":{"hidden":[8,9]}}})");
        QTest::newRow("steps for epochs") << QByteArray(R"({"epochs":3})") << "steps"
                                          << "10" << QByteArray(R"({"steps":10})");
        QTest::newRow("global for per rank")
            << QByteArray(R"({"batch":{"perRank":3,"accumulate":2}})") << "batch.global"
            << "10" << QByteArray(R"({"batch":{"global":10,"accumulate":2}})");
        QTest::newRow("element") << QByteArray(R"({"hosts":["a","b"]})") << "hosts.1"
                                 << "c" << QByteArray(R"({"hosts":["a","c"]})");
        QTest::newRow("not two values") << QByteArray("{}") << "name"
                                        << "1, \"seed\": 2" << QByteArray("{\"name\":\"1, \\\"seed\\\": 2\"}");
    }
    void overridesSetOneField() {
        QFETCH(QByteArray, json);
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QByteArray, expected);
        const auto changed = withOverride(json.toStdString(), path.toStdString(), value.toStdString());
        QVERIFY2(changed.ok(), text(changed).c_str());
        const auto spec = parseRunSpec(*changed);
        QVERIFY2(spec.ok(), text(spec).c_str());
        QVERIFY2(*spec == *parseRunSpec(expected.toStdString()), changed->c_str());
    }
    // Bad inputs: overrides (`--set`).
    void badOverridesAreExplained_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("part");
        QTest::newRow("unknown") << "optimzer.lr"
                                 << "1"
                                 << "optimzer: is not a known key, found an object (did you mean \"optimizer\"?)";
        QTest::newRow("empty part") << "optimizer..lr" << "1" << "has an empty part";
        QTest::newRow("empty") << "" << "1" << "has an empty part";
        QTest::newRow("through a number") << "seed.x" << "1" << "goes through seed, which has no fields";
        QTest::newRow("no such element") << "hosts.7" << "a"
                                         << "names an element that the list does not have, found a (the list has 1 "
                                            "element, 0; or set it whole: --set 'hosts=[\"a\",\"a\"]')";
        QTest::newRow("no such width") << "model.params.hidden.7" << "3"
                                       << "the list has the elements 0 to 1; or set it whole: "
                                          "--set 'model.params.hidden=[8,9,3]')";
        QTest::newRow("an element that is no number") << "hosts.first" << "b"
                                                      << "or set it whole: --set 'hosts=[\"a\",\"b\"]')";
        QTest::newRow("brackets that a shell took the quotes from")
            << "hosts" << "[local]"
            << R"(hosts: must be a list of texts, found "[local]" (write ["local"], or --set 'hosts=["local"]'))";
        QTest::newRow("two hosts without brackets")
            << "spareHosts" << "h1,h2" << R"((write ["h1","h2"], or --set 'spareHosts=["h1","h2"]'))";
        QTest::newRow("wrong type") << "optimizer.lr" << "{}" << "optimizer.lr: must be a number";
        QTest::newRow("not a number") << "epochs" << "many"
                                      << "epochs: must be a whole number, found \"many\" (write a number, such as 5)";
        QTest::newRow("deep") << QString("a.").repeated(100) + "b" << "1" << "has more than 64 parts";
    }
    void badOverridesAreExplained() {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, part);
        const auto changed = withOverride(R"({"seed":1,"hosts":["a"],"model":{"params":{"hidden":[8,9]}}})",
                                          path.toStdString(), value.toStdString());
        const std::string message = changed.ok() ? text(parseRunSpec(*changed)) : text(changed);
        QVERIFY2(holds(message, part), message.c_str());
    }

    void everyKeyIsInTheDocument() {
        const QString page = document();
        KeyList list;
        const RunSpec spec;
        fields(spec, list);
        QVERIFY(list.keys.size() > 30);
        for (const std::string& key : list.keys)
            QVERIFY2(page.contains(QString("| `%1` |").arg(QString::fromStdString(key))), key.c_str());
        const std::string sweep =
            toJson(SweepSpec{.name = "a", .runJson = "{}", .space = {{.path = "x", .values = {}}}});
        const auto tree = Json::parse(sweep);
        for (const auto& [key, value] : tree.items())
            QVERIFY2(page.contains(QString("| `%1` |").arg(QString::fromStdString(key))), key.c_str());
        for (const char* key : {"runFile", "scale", "count", "whole"})
            QVERIFY2(page.contains(QString("| `%1` |").arg(key)), key);
    }
    void everyExampleInTheDocumentIsRead() {
        static const QRegularExpression block("```json\n(.*?)```", QRegularExpression::DotMatchesEverythingOption);
        int runs = 0, sweeps = 0;
        for (auto found = block.globalMatch(document()); found.hasNext();) {
            const std::string json = found.next().captured(1).toStdString();
            if (isSweepFile(json)) {
                const auto sweep = parseSweepSpec(json);
                QVERIFY2(sweep.ok(), text(sweep).c_str());
                ++sweeps;
                continue;
            }
            const auto spec = parseRunSpec(json);
            QVERIFY2(spec.ok(), text(spec).c_str());
            const auto errors = validateFields(*spec);
            QVERIFY2(errors.empty(), errors.empty() ? "" : toError(errors, json).text().c_str());
            ++runs;
        }
        QCOMPARE(runs, 8);
        QCOMPARE(sweeps, 5);
    }
};

QTEST_GUILESS_MAIN(SpecRunFileTest)
#include "spec_run_file_test.moc"
