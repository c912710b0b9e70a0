// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/field_use.h"
#include "engine/spec/run/run_spec.h"
#include "tests/unit/spec/spec_test_catalog.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace trainyard::spec;

namespace {

void row(const char* name, const char* json, const char* path, const char* part) {
    QTest::newRow(name) << QByteArray(json) << QString(path) << QString(part);
}

// Bad inputs: run files, weights of a file and what of them is trained.
void rowsOfTheWeights() {
    row("head", R"({"model":{"name":"mlp","weights":{"file":"a.pth","head":"old"}}})", "model.weights.head",
        "must be one of auto, keep, new");
    row("thaws nothing", R"({"finetune":{"thawAtEpoch":2}})", "finetune.thawAtEpoch", "thaws nothing");
    row("never thawed", R"({"finetune":{"freeze":["body"],"thawAtEpoch":5}})", "finetune.thawAtEpoch",
        "is not reached: the run has 5 epochs");
    row("no glob", R"({"finetune":{"freeze":[""]}})", "finetune.freeze.0", "must name parameters or layers");
    row("factor 0", R"({"finetune":{"groups":{"fc":0}}})", "finetune.groups", "add \"fc\" to finetune.freeze instead");
    row("factor -1", R"({"finetune":{"groups":{"fc":-1}}})", "finetune.groups", "must be greater than 0");
    row("statistics of nothing", R"({"finetune":{"normStats":"frozen"}})", "finetune.normStats", "nothing is frozen");
    row("features of a body that learns", R"({"finetune":{"features":"cache"}})", "finetune.features",
        "needs a frozen body");
    row("features thawed", R"({"finetune":{"features":"cache","freeze":["body"],"thawAtEpoch":1}})",
        "finetune.features", "cannot be with finetune.thawAtEpoch");
    row("features augmented", R"({"finetune":{"features":"cache","freeze":["body"]},"augment":{"flip":true}})",
        "finetune.features", "cannot be with augmentation");
    row("lora of nothing", R"({"finetune":{"lora":{"alpha":8}}})", "finetune.lora.rank", "trains no low-rank matrices");
    row("lora thaws", R"({"epochs":3,"finetune":{"freeze":["a"],"thawAtEpoch":1,"lora":{"rank":8}}})",
        "finetune.lora.rank", "cannot be with finetune.thawAtEpoch");
    row("lora rank", R"({"finetune":{"lora":{"rank":4096}}})", "finetune.lora.rank", "1024");
    row("recompute of no blocks", R"({"tuning":{"recompute":"blocks"}})", "tuning.recompute",
        "is not possible with mlp, which has no blocks");
}

// One wrong file a row: its text, the path that is named, and a part of what is said.
// Bad inputs: run files, values of the step. Each row has one mistake.
void rowsOfTheStep() {
    row("workers 0", R"({"scaling":{"workers":0}})", "scaling.workers", "must be at least 1, found 0");
    row("workers 10,000", R"({"scaling":{"workers":10000}})", "scaling.workers", "must be at most 1024, found 10000");
    row("lr 0", R"({"optimizer":{"lr":0}})", "optimizer.lr", "must be greater than 0, found 0");
    row("lr -1", R"({"optimizer":{"lr":-1}})", "optimizer.lr", "must be greater than 0, found -1");
    row("lr 1e30", R"({"optimizer":{"lr":1e30}})", "optimizer.lr", "must be at most 100, found 1e+30");
    row("lr over the catalog", R"({"optimizer":{"lr":20}})", "optimizer.lr", "must be at most 10, found 20");
    row("lr as text", R"({"optimizer":{"lr":"nan"}})", "optimizer.lr",
        R"(must be a number, found "nan" (write a number, such as 0.5))");
    row("lr in quotes", R"({"optimizer":{"lr":"0.1"}})", "optimizer.lr",
        R"(must be a number, found "0.1" (write it without quotes))");
    row("momentum in quotes", R"({"optimizer":{"momentum":"0.9"}})", "optimizer.momentum",
        R"(must be a number, found "0.9" (write it without quotes))");
    row("batch 0", R"({"batch":{"perRank":0}})", "batch.perRank", "must be at least 1, found 0");
    row("batch larger than data", R"({"batch":{"perRank":50000}})", "batch.perRank",
        "100000 samples, and fashion-mnist has 60000");
    row("batch larger than limit",
        R"({"batch":{"global":64},"dataset":{"name":"fashion-mnist","params":{"limit":50}}})", "batch.global",
        "fashion-mnist has 50");
    row("not divisible", R"({"batch":{"global":65}})", "batch.global",
        "must be divisible by workers × accumulate = 2, found 65 (use 64 or 66)");
    row("not divisible, small", R"({"batch":{"global":3},"scaling":{"workers":4}})", "batch.global", "(use 4)");
    row("both batches", R"({"batch":{"global":64,"perRank":32}})", "batch", "has both perRank and global");
    row("accumulate", R"({"batch":{"accumulate":0}})", "batch.accumulate", "must be at least 1");
    row("both lengths", R"({"epochs":1,"steps":1})", "epochs", "cannot be given together with steps");
    row("no length", R"({"epochs":null})", "epochs", "is missing, and so is steps");
    row("epochs 1e12", R"({"epochs":1e12})", "epochs", "must be at most 1000000, found 1000000000000");
    row("steps -5", R"({"steps":-5})", "steps", "must be at least 1, found -5");
    row("seed", R"({"seed":-1})", "seed", "must be at least 0");
    row("device", R"({"scaling":{"device":"gpu"}})", "scaling.device",
        R"(must be one of auto, cpu, cuda, found "gpu" (did you mean "cuda"?))");
    row("cuda without a card", R"({"scaling":{"device":"cuda"}})", "scaling.device", "no CUDA device");
    row("nccl on cpu", R"({"scaling":{"device":"cpu","backend":"nccl"}})", "scaling.backend",
        "works between CUDA devices only");
    row("nccl not built", R"({"scaling":{"backend":"nccl"}})", "scaling.backend", "is not part of this LibTorch");
    for (const int port : {80, 1024, 4000, 65535, 65536, -1}) // each would listen on every interface
        QTest::addRow("port %d", port) << QByteArray(R"({"scaling":{"port":)") + QByteArray::number(port) + "}}"
                                       << "scaling.port"
                                       << QString("would open an unauthenticated port, found %1 (leave it "
                                                  "out: the ranks rendezvous through "
                                                  "their supervisor, and nothing has to listen)")
                                              .arg(port);
    row("threads", R"({"scaling":{"threadsPerWorker":-1}})", "scaling.threadsPerWorker", "must be at least 0");
}

// Bad inputs: run files, values of task, data, model and optimizer.
void rowsOfParts() {
    row("compression in the reducer", R"({"scaling":{"averaging":"reducer","compression":"fp16"}})",
        "scaling.compression", "LibTorch's reducer does not compress gradients, found \"fp16\"");
    row("powersgd in the reducer", R"({"scaling":{"averaging":"reducer","compression":"powersgd"}})",
        "scaling.compression", "LibTorch's reducer does not compress gradients, found \"powersgd\"");
    row("compression rank 0", R"({"scaling":{"compressionRank":0}})", "scaling.compressionRank", "at least 1");
    row("compression rank", R"({"scaling":{"compressionRank":1000}})", "scaling.compressionRank", "at most 256");
    row("precision", R"({"precision":"fp23"})", "precision", "did you mean \"fp32\"?");
    row("half a precision without a card", R"({"precision":"fp16"})", "precision",
        R"(needs a CUDA device, which this computer does not have, found "fp16" (use "bf16" or "auto"))");
    row("task", R"({"task":"clasification"})", "task", "did you mean \"classification\"?");
    row("data of another task", R"({"dataset":"waves"})", "dataset.name",
        "serves regression, and the run's task is classification, found \"waves\" (set task to regression");
    row("loss of another task", R"({"task":"regression","dataset":"waves","loss":"cross-entropy"})", "loss.name",
        "serves classification or language, and the run's task is regression");
    row("model", R"({"model":"resnet81"})", "model.name",
        "is not a known model, found \"resnet81\" (did you mean \"resnet18\"?)");
    row("model, far off", R"({"model":"quaternion"})", "model.name", "known: mlp, resnet18");
    row("no model", R"({"model":""})", "model.name", "must not be empty");
    row("dataset not there", R"({"dataset":"mnist"})", "dataset.name", "its files are not in");
    row("optimizer", R"({"optimizer":"adam"})", "optimizer.name", "did you mean \"adamw\"?");
    row("unknown param", R"({"optimizer":{"momentun":0.9}})", "optimizer.momentun", "did you mean \"momentum\"?");
    row("param of another optimizer", R"({"optimizer":{"name":"adamw","momentum":0.9}})", "optimizer.momentum",
        "is not a parameter of adamw, found 0.9 (leave it out, or set the whole of it: --set optimizer=adamw)");
    row("param of a model without", R"({"model":{"name":"resnet18","params":{"x":1}}})", "model.params.x",
        "it has none");
    row("list element", R"({"model":{"params":{"hidden":[512,0]}}})", "model.params.hidden",
        "must be at least 1, found 0");
    row("list of fractions", R"({"model":{"params":{"hidden":[1.5]}}})", "model.params.hidden",
        "must be a list of whole numbers");
    row("option", R"({"model":{"params":{"activation":"rela"}}})", "model.params.activation", "did you mean \"relu\"?");
    row("flag param", R"({"optimizer":{"nesterov":1}})", "optimizer.nesterov", "must be true or false");
}

// Bad inputs: run files, names and hosts.
void rowsOfNames() {
    row("name ../../x", R"({"name":"../../x"})", "name", "must not hold / or");
    row("name option", R"({"name":"-oProxyCommand=x"})", "name", "must not begin with -");
    row("name newline", "{\"name\":\"a\\nb\"}", "name", "control characters");
    row("name escape", "{\"name\":\"\\u001b[2J\"}", "name", "control characters");
    row("name right-to-left", "{\"name\":\"a\\u202eb\"}", "name", "direction of writing");
    row("name blank", R"({"name":"  "})", "name", "must not be blank");
    row("host option", R"({"hosts":["-oProxyCommand=x"]})", "hosts.0", "must not begin with -");
    row("host shell", R"({"hosts":["ok","a;rm -rf ~"]})", "hosts.1", "must be a host's name");
    row("host substitution", "{\"hosts\":[\"$(id)\"]}", "hosts.0", "must be a host's name");
    row("host space", R"({"hosts":["a b"]})", "hosts.0", "must be a host's name");
    row("host user", R"({"hosts":["-l@b"]})", "hosts.0", "must not begin with -");
    row("host after user", R"({"hosts":["a@-b"]})", "hosts.0", "must be a host's name");
    row("host port", R"({"hosts":["a:99999"]})", "hosts.0", "a number from 1 to 65535");
    row("host IPv6", R"({"hosts":["2001:db8::xyz"]})", "hosts.0", "is not an IPv6 address");
    row("host IPv6 port", R"({"hosts":["fe80::1%eth 0"]})", "hosts.0", "is not an IPv6 address");
    row("host slurm node", R"({"hosts":["slurm:n1:22"]})", "hosts.0", "must be slurm:, then the name of a node");
    row("host empty", R"({"hosts":[""]})", "hosts.0", "must not be empty");
    row("spare option", R"({"hosts":["a"],"spareHosts":["-oX"]})", "spareHosts.0", "must not begin with -");
    row("spare that trains", R"({"hosts":["a"],"spareHosts":["b","a"]})", "spareHosts.1", "is there twice");
    row("spare twice", R"({"hosts":["a"],"spareHosts":["b","b"]})", "spareHosts.1", "is there twice");
    row("spare for no host", R"({"spareHosts":["b"]})", "spareHosts", "needs hosts to replace");
    row("spare job", R"({"hosts":["a"],"spareHosts":["slurm"]})", "spareHosts.0", "must be a single host");
}

// Bad inputs: run files, policies.
void rowsOfPolicies() {
    row("scoreBy slip", R"({"checkpoint":{"scoreBy":"val/acuracy"}})", "checkpoint.scoreBy",
        "did you mean \"val/accuracy\"?");
    row("scoreBy wild", R"({"checkpoint":{"scoreBy":"a b;"}})", "checkpoint.scoreBy", "is not the name of a series");
    row("mode", R"({"checkpoint":{"mode":"maximum"}})", "checkpoint.mode", "must be one of max, min");
    row("keep", R"({"checkpoint":{"keep":0}})", "checkpoint.keep", "must be at least 1");
    row("heartbeat", R"({"failure":{"heartbeatSeconds":0.1}})", "failure.heartbeatSeconds",
        "must be at least 1, found 0.1");
    row("link", R"({"failure":{"linkSeconds":0.5}})", "failure.linkSeconds", "must be at least 1, found 0.5");
    row("averaging", R"({"scaling":{"averaging":"sharde"}})", "scaling.averaging", "did you mean \"shared\"?");
    row("compression", R"({"scaling":{"compression":"int8"}})", "scaling.compression",
        "one of none, fp16, bf16, powersgd");
    row("elastic without workers", R"({"scaling":{"workers":4,"elastic":{"min":1,"max":2}}})", "scaling.elastic",
        "must include scaling.workers = 4");
    row("elastic min 0", R"({"scaling":{"elastic":{"min":0,"max":2}}})", "scaling.elastic.min", "at least 1");
    row("lr rule", R"({"scaling":{"lrRule":"squared"}})", "scaling.lrRule", "one of none, linear, sqrt");
    row("unreadable files", R"({"data":{"onError":"ignore"}})", "data.onError", "one of stop, skip");
    row("too many of them", R"({"data":{"maxBad":10}})", "data.maxBad", "must be at most 1");
    row("division", R"({"data":{"division":"clas"}})", "data.division", "did you mean \"class\"?");
    row("crop", R"({"augment":{"crop":-1}})", "augment.crop", "must be at least 0");
    row("erase", R"({"augment":{"erase":1.5}})", "augment.erase", "must be at most 1");
    row("clip", R"({"gradient":{"clipNorm":-1}})", "gradient.clipNorm", "must be at least 0");
    row("ema", R"({"ema":1})", "ema", "must be less than 1");
    row("layout", R"({"tuning":{"layout":"nhwc"}})", "tuning.layout", "one of auto, contiguous, channels_last");
    row("early stop", R"({"earlyStop":{"metric":"val/los"}})", "earlyStop.metric", "did you mean \"val/loss\"?");
    row("patience", R"({"earlyStop":{"patience":0}})", "earlyStop.patience", "must be at least 1");
    row("not finite", R"({"failure":{"nonFinite":"ignore"}})", "failure.nonFinite", "one of stop, skip, rollback");
    row("rollback", R"({"failure":{"rollbackLrFactor":0}})", "failure.rollbackLrFactor", "must be at least");
    row("budget", R"({"checkpoint":{"budgetMb":-1}})", "checkpoint.budgetMb", "must be at least 0");
    row("storage", "{\"storage\":\"a\\u0000b\"}", "storage", "without control characters");
}

} // namespace

class SpecValidateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goodFileHasNoErrorsAndGetsItsDefaults() {
        RunSpec spec = *parseRunSpec(
            R"({"optimizer":{"lr":1},"batch":{"global":64},"model":{"name":"mlp","params":{"hidden":128}}})");
        const Catalog catalog = testCatalog();
        const auto errors = validate(spec, catalog);
        QVERIFY2(errors.empty(), errors.empty() ? "" : toError(errors, {}).text().c_str());
        QCOMPARE(spec.model.params.size(), 3u);
        QCOMPARE(spec.model.text("activation", ""), std::string("relu"));
        QVERIFY(spec.model.params.at("hidden") == Value(std::vector<double>{128}));
        QVERIFY(spec.optimizer.params.at("lr") == Value(1.0)); // widened to the parameter's type
        QVERIFY(spec.optimizer.params.at("nesterov") == Value(false));
        const RunSpec once = spec;
        QVERIFY(validate(spec, catalog).empty());
        QVERIFY(spec == once);
    }

    void badValuesAreExplained_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("part");
        rowsOfTheStep();
        rowsOfTheWeights();
        rowsOfParts();
        rowsOfNames();
        rowsOfPolicies();
        QTest::newRow("name of 300") << QByteArray("{\"name\":\"") + QByteArray(300, 'x') + "\"}" << "name"
                                     << "must be at most 100 characters";
    }
    // One mistake, one message.
    void badValuesAreExplained() {
        QFETCH(QByteArray, json);
        QFETCH(QString, path);
        QFETCH(QString, part);
        auto spec = parseRunSpec(json.toStdString());
        QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
        const auto errors = validate(*spec, testCatalog());
        QCOMPARE(errors.size(), 1u);
        QCOMPARE(QString::fromStdString(errors[0].path), path);
        const std::string message = toError(errors, "run.json").text();
        QVERIFY2(message.find(part.toStdString()) != std::string::npos, message.c_str());
        QVERIFY(message.starts_with("run.json: " + path.toStdString()));
    }
    // Feature: what means nothing for the task or the model is refused, and has no field in the window.
    // Bad inputs: run files, settings of another task or model.
    void fieldsOfOtherRunsAreRefused() {
        const Entry mlp{.name = "mlp", .title = "", .help = ""};
        Entry gpt = mlp;
        gpt.facts["recompute"] = "blocks";
        QVERIFY(whyUnused("tuning.recompute", "classification", &mlp) &&
                !whyUnused("tuning.recompute", "language", &gpt));
        QVERIFY(!whyUnused("tuning.recompute", "language", nullptr) && !whyUnused("augment.flip", "language", &mlp));
        for (const char* task : {"classification", "multi-label", "regression", "language"}) {
            const std::string word = task;
            QCOMPARE(whyUnused("data.balance", word, &mlp).has_value(), word != "classification");
            for (const char* mixing : {"augment.mixup", "augment.cutmix"})
                QCOMPARE(whyUnused(mixing, word, &mlp).has_value(), word == "regression" || word == "language");
        }
        RunSpec spec;
        spec.task = "regression";
        std::vector<FieldError> errors;
        checkFieldUse(spec, &mlp, errors);
        QVERIFY(errors.empty()); // their defaults are right for all
        spec.data.balance = 0.5;
        spec.augment = {.mixup = 0.2, .cutmix = 1};
        checkFieldUse(spec, &mlp, errors);
        QCOMPARE(errors.size(), 3u);
        QCOMPARE(errors[0].path, "data.balance");
        QCOMPARE(errors[0].message, "draws by classes, and the run's task is regression");
    }
    // What is carried over has the scale of its step, and that of the loss in fp16 changes.
    void aScaledLossRulesOutPowerSgd() {
        auto catalog = testCatalog();
        catalog.precisions = {"fp32", "fp16"};
        auto spec = parseRunSpec(R"({"precision":"fp16","scaling":{"compression":"powersgd"}})");
        const auto errors = validate(*spec, catalog);
        QCOMPARE(errors.size(), 1u);
        const auto message = QString::fromStdString(toError(errors, "run.json").text());
        QVERIFY2(message.startsWith("run.json: scaling.compression: ") && message.contains("use \"bf16\" as precision"),
                 qPrintable(message));
    }
    void goodHostsAndNamesPass_data() {
        QTest::addColumn<QByteArray>("json");
        for (const char* json : {R"({"hosts":["gpu-box","anna@node7:2222","10.0.0.1","[::1]:22","a_b.c"]})",
                                 R"({"hosts":["2001:db8::1","fe80::1%eth0","me@[fe80::1%eth0]:22","me@fd00::2"]})",
                                 "{\"name\":\"量子 run; 'x' $(id)\"}", R"({"checkpoint":{"scoreBy":"my/own_metric"}})",
                                 R"({"hosts":["a"],"scaling":{"device":"cuda","backend":"nccl"}})",
                                 R"({"hosts":["gpubox"],"precision":"fp16"})", R"({"precision":"auto"})",
                                 R"({"version":1,"scaling":{"port":0}})"})
            QTest::newRow(json) << QByteArray(json);
    }
    void goodHostsAndNamesPass() {
        QFETCH(QByteArray, json);
        RunSpec spec = *parseRunSpec(json.toStdString());
        const auto errors = validate(spec, testCatalog());
        QVERIFY2(errors.empty(), errors.empty() ? "" : toError(errors, {}).text().c_str());
    }
    void numbersThatAreNotFiniteAreRefused() {
        for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            RunSpec spec;
            spec.optimizer.params["lr"] = bad;
            spec.optimizer.params["momentum"] = bad;
            spec.failure.heartbeatSeconds = std::nan("");
            const auto errors = validate(spec, testCatalog());
            QCOMPARE(errors.size(), 3u);
        }
    }
    // Bad inputs: run files with several mistakes. One error names them all.
    void severalMistakesAreToldTogether() {
        auto spec = parseRunSpec(R"({"epochs":0,"seed":-1,"model":"x","scaling":{"workers":0}})");
        const auto errors = validate(*spec, testCatalog());
        QCOMPARE(errors.size(), 4u);
        const Error error = toError(errors, "run.json");
        QCOMPARE(error.where, std::string("run.json"));
        for (const char* part : {"4 fields", "epochs", "seed", "model.name", "scaling.workers"})
            QVERIFY2(error.message.find(part) != std::string::npos, error.message.c_str());
    }

    void catalogComesBack() {
        const Catalog catalog = testCatalog();
        const std::string json = toJson(catalog);
        const auto back = catalogFromJson(json);
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QCOMPARE(toJson(*back), json);
        QVERIFY(back->models[0].params[0].defaultValue == catalog.models[0].params[0].defaultValue);
        QVERIFY(std::holds_alternative<double>(back->optimizers[0].find("momentum")->defaultValue));
        QVERIFY(back->optimizers[0].find("lr")->minExclusive);
        QVERIFY(!Catalog::find(back->datasets, "mnist")->available);
        QVERIFY(Catalog::find(back->datasets, "nothing") == nullptr);
    }
    void badCatalogsAreInputErrors() {
        for (const char* json :
             {"", "{}", "[]", R"({"models":[1]})", R"({"models":[{"params":[{"type":"complex"}]}]})"}) {
            const auto catalog = catalogFromJson(json);
            QVERIFY(!catalog.ok());
            QCOMPARE(catalog.error().kind, ErrorKind::Input);
        }
    }
    void valuesPrintAsInTheFile() {
        QCOMPARE(toText(Value(0.05)), std::string("0.05"));
        QCOMPARE(toText(Value(1.0)), std::string("1"));
        QCOMPARE(toText(Value(true)), std::string("true"));
        QCOMPARE(toText(Value(std::vector<double>{512, 512})), std::string("[512,512]"));
        QCOMPARE(toText(Value(std::string("a b"))), std::string("a b"));
        QCOMPARE(toText(Value(std::nan(""))), std::string("nan"));
    }
};

QTEST_GUILESS_MAIN(SpecValidateTest)
#include "spec_validate_test.moc"
