// SPDX-License-Identifier: GPL-3.0-or-later
// TorchScript files: what is refused before and in the sandbox, and that a good one trains like any model.
#include "engine/base/files/atomic_file.h"
#include "engine/store/files/zip_archive.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/script/module.h"
#include "engine/torch/worker/trained_model.h"
#include "tests/unit/store/zip_builder.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace trainyard;

namespace {

const script::Use kUse{{1, 4, 4}, 3, train::TaskKind::Classification};
constexpr script::Limits kLimits{.wallSeconds = 60, .cpuSeconds = 6, .memoryBytes = std::int64_t{1} << 30};

// A module with one layer of weights and whatever code is wanted beside it.
std::string moduleOf(const std::string& code, bool parameters = true) {
    torch::jit::Module module("Net");
    module.register_parameter("weight", torch::full({3, 16}, 0.5).set_requires_grad(parameters), false);
    module.register_attribute("training", c10::BoolType::get(), true);
    module.define(code);
    std::ostringstream stream;
    module.save(stream);
    return stream.str();
}

const char* const kLinear = "def forward(self, x):\n    return torch.matmul(x.flatten(1), self.weight.t())\n";

std::string inflated(const std::string& file, const store::ZipRecord& record) {
    const std::string stored = file.substr(record.offset, record.stored);
    if (record.method == 0) return stored;
    std::string content(record.size, '\0');
    z_stream stream{};
    inflateInit2(&stream, -MAX_WBITS);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data()));
    stream.avail_in = static_cast<uInt>(stored.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return content;
}

// The archive with one text in its code put in the place of another, its checksums right again.
std::string withCode(const std::string& file, const std::string& from, const std::string& to) {
    std::vector<test::ZipEntry> entries;
    const auto records = store::checkZip(std::as_bytes(std::span(file)), "").value();
    for (const auto& record : records) {
        std::string content = inflated(file, record);
        if (const auto at = content.find(from); at != std::string::npos && record.name.ends_with(".py"))
            content.replace(at, from.size(), to);
        if (!record.name.ends_with(".debug_pkl")) entries.push_back({record.name, content});
    }
    return test::zipOf(entries);
}

} // namespace

class TorchScriptTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    // Bad inputs: TorchScript files. A process that can write nothing inspects them.
    void refusesBadFiles_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& file, const QString& says) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << says;
        };
        const std::string good = moduleOf(kLinear);
        row("not one", "print('hello')",
            "is not a zip archive, which a saved module is (name a file of torch.jit.save)");
        std::string flipped = good;
        const auto records = store::checkZip(std::as_bytes(std::span(good)), "").value();
        for (const auto& record : records)
            if (record.name.ends_with("/data/0")) flipped[record.offset + 5] ^= 2;
        row("flipped weight bit", flipped, "/data/0\" is damaged: its bytes do not have the CRC-32");
        row("a state dictionary", test::zipOf({{"a/data.pkl", "x"}, {"a/data/0", "y"}}),
            "was made by torch.save and holds no code");
        row("another archive", test::zipOf({{"a.txt", "x"}}), "is a zip archive, but not a saved module");
        row("wrong number of outputs",
            moduleOf("def forward(self, x):\n    return torch.matmul(x.flatten(1), self.weight.t())[:, :2]\n"),
            "forward gives [2, 2] for an input of [2, 1, 4, 4], and the run needs [2, 3]");
        row("fixed batch",
            moduleOf("def forward(self, x):\n    return torch.matmul(x.reshape([2, -1])[:, :16], self.weight.t())\n"),
            "forward gives [2, 3] for an input of [3, 1, 4, 4], and the run needs [3, 3]");
        row("wrong type",
            moduleOf("def forward(self, x):\n    return torch.matmul(x.flatten(1), self.weight.t()).to(7)\n"),
            "forward gives numbers of type Double, and training needs Float");
        row("tuple", moduleOf("def forward(self, x):\n    return x, x\n"),
            "forward gives Tuple[Tensor, Tensor], and a model must give one tensor");
        row("never returns",
            moduleOf("def forward(self, x):\n    while bool(x.sum() > -1000000.0):\n        x = x + 1\n    return x\n"),
            "forward did not end within");
        row("huge allocation",
            moduleOf("def forward(self, x):\n    return torch.zeros([1099511627776]) + self.weight[0, 0]\n"),
            "forward asks for more memory than the 1.0 GiB that a check may take");
        row("another size of input",
            moduleOf("def forward(self, x):\n    return torch.matmul(x.flatten(1), self.weight)\n"),
            "forward fails for an input of [2, 1, 4, 4]: ");
        row("missing operation", withCode(good, "torch.matmul(", "ops.nosuch.matmul("),
            "needs the operation \"nosuch::matmul\", which this LibTorch does not have");
        row("nothing to train", moduleOf(kLinear, false), "has no parameters that can be trained");
        row("no influence", moduleOf("def forward(self, x):\n    return x.flatten(1)[:, :3]\n"),
            "no parameter influences the output of forward");
        row("no forward", moduleOf("def backward(self, x):\n    return x\n"), "has no method \"forward\"");
        row("forward writes a file",
            moduleOf("def forward(self, x):\n    torch.save(x, '/tmp/trainyard-evil')\n    return x\n"),
            "calls aten::save, which touches files");
        row("forward reads a file",
            moduleOf("def forward(self, x):\n    secret = torch.from_file('/etc/hostname', False, 1)\n"
                     "    return torch.matmul(x.flatten(1), self.weight.t()) + secret\n"),
            "calls aten::from_file, which touches files");
    }
    void refusesBadFiles() {
        QFETCH(QByteArray, file);
        QFETCH(QString, says);
        const QString path = write("bad.pt", file.toStdString());
        const auto archive = script::readArchive(path.toStdString());
        Error error = archive ? Error{} : archive.error();
        if (archive)
            if (const auto report = script::probe(*archive, kUse, kLimits); !report) error = report.error();
        const QString text = QString::fromStdString(error.text());
        QVERIFY2(text.startsWith(path) && text.contains(says), qPrintable(text));
        QVERIFY2(!error.remedy.empty(), qPrintable(text));
    }

    void aLoopIsToldFromABusyComputer_data() {
        QTest::addColumn<double>("wallSeconds");
        QTest::addColumn<double>("cpuSeconds");
        QTest::addColumn<QString>("says");
        QTest::addColumn<ErrorKind>("kind");
        QTest::newRow("it had its time") << 60.0 << 2.0 << "forward did not end within 2 s of processor time"
                                         << ErrorKind::Input;
        QTest::newRow("it did not get its time")
            << 2.0 << 60.0 << "did not end within 2 s, in which it had less than 60 s of processor time"
            << ErrorKind::Environment;
    }
    void aLoopIsToldFromABusyComputer() {
        QFETCH(double, wallSeconds);
        QFETCH(double, cpuSeconds);
        QFETCH(QString, says);
        QFETCH(ErrorKind, kind);
        const QString path = write(
            "loop.pt",
            moduleOf(
                "def forward(self, x):\n    while bool(x.sum() > -1000000.0):\n        x = x + 1\n    return x\n"));
        const auto archive = script::readArchive(path.toStdString());
        QVERIFY(archive.ok());
        const auto report = script::probe(*archive, kUse, {.wallSeconds = wallSeconds, .cpuSeconds = cpuSeconds});
        QVERIFY(!report.ok());
        const QString text = QString::fromStdString(report.error().text());
        QVERIFY2(text.contains(says), qPrintable(text));
        QVERIFY2(report.error().kind == kind, qPrintable(text));
        QCOMPARE(text.contains("endless loops"), kind == ErrorKind::Input);
    }

    // Loading runs __setstate__, before anything else can look at the code.
    // Feature: TorchScript modules from Python: checked, tried in a sandbox, trained, exported, read back by Python.
    // Also in model_files_test, script_runs_test.
    void codeThatWritesWhileLoadingIsStopped() {
        const QString target = m_folder.filePath("written-by-the-module");
        const std::string file =
            moduleOf("def __getstate__(self):\n    return self.weight\n"
                     "def __setstate__(self, state: Tensor):\n    torch.save(state, '" +
                     target.toStdString() +
                     "')\n"
                     "    self.weight = state\n    self.training = True\n"
                     "def forward(self, x):\n    return torch.matmul(x.flatten(1), self.weight.t())\n");
        QFile::remove(target);
        const auto archive = script::readArchive(write("evil.pt", file).toStdString());
        QVERIFY2(archive.ok(), archive ? "" : archive.error().text().c_str());
        const auto report = script::probe(*archive, kUse, kLimits);
        QVERIFY(!report.ok());
        const QString text = QString::fromStdString(report.error().text());
        QVERIFY2(text.contains("its code tried to open a file for writing, which was stopped"), qPrintable(text));
        QVERIFY(!QFile::exists(target));
        // The rank's own way of loading stops it too; without either, it would be written.
        const auto loaded = script::loadModuleRestricted(archive->bytes, "evil.pt");
        QVERIFY(!loaded.ok());
        QVERIFY(!QFile::exists(target));
        (void)script::loadModule(archive->bytes, "evil.pt").ok();
        QVERIFY(QFile::exists(target));
    }

    void reportsWhatAModuleIs() {
        const auto archive = script::readArchive(write("good.pt", moduleOf(kLinear)).toStdString());
        QVERIFY2(archive.ok(), archive ? "" : archive.error().text().c_str());
        const auto report = script::probe(*archive, kUse);
        QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
        QCOMPARE(report->parameters, 48);
        QCOMPARE(report->trainable, 48);
        QCOMPARE(report->parameterTensors, 1);
        QCOMPARE(report->buffers, 0);
        QCOMPARE(report->outputShape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(report->outputType, "Float");
        QCOMPARE(report->methods, std::vector<std::string>{"forward"});
        const std::vector<std::string> operations{"aten::flatten", "aten::matmul", "aten::t"};
        QVERIFY(report->operations == operations);
        QCOMPARE(report->sha256.size(), std::size_t{64});
        QVERIFY(script::probe(*archive, std::nullopt).ok());
    }

    void trainsLikeAnyModel() {
        const QString path = write("train.pt", moduleOf(kLinear));
        const spec::Choice choice{"torchscript", {{"path", path.toStdString()}}};
        const models::ModelContext context{{1, 4, 4}, 3};
        auto made = models::makeModel(choice, context);
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        const auto model = *made;
        const auto parameters = optim::namedParameters(*model);
        QCOMPARE(parameters.size(), std::size_t{1});
        QCOMPARE(parameters[0].first, "weight");
        torch::optim::SGD sgd(model->parameters(), 0.5);
        torch::manual_seed(1);
        const auto input = torch::randn({30, 1, 4, 4}), target = torch::arange(30) % 3;
        const auto loss = [&] { return torch::nn::functional::cross_entropy(model->forward(input), target); };
        const double before = loss().item<double>();
        for (int step = 0; step < 60; ++step) {
            sgd.zero_grad();
            loss().backward();
            sgd.step();
        }
        QVERIFY(loss().item<double>() < 0.8 * before);
        const auto layers = models::summarize(*model, context);
        QVERIFY(layers.ok());
        QCOMPARE(layers->size(), std::size_t{1});

        // Another file under the same name is not taken for it.
        spec::Choice pinned = choice;
        pinned.params["sha256"] = script::readArchive(path.toStdString())->sha256;
        QVERIFY(models::makeModel(pinned, context).ok());
        write("train.pt",
              moduleOf("def forward(self, x):\n    return torch.matmul(x.flatten(1), self.weight.t()) * 2\n"));
        const auto other = models::makeModel(pinned, context);
        QVERIFY(!other.ok());
        QVERIFY2(other.error().text().find("is not the file that the run began with") != std::string::npos,
                 other.error().text().c_str());
    }

    void everyModelBecomesTorchScript_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : models::modelEntries())
            if (entry.info.name != "torchscript" && entry.info.name != "plugin" && entry.info.name != "resnet34")
                QTest::newRow(entry.info.name.c_str()) << QString::fromStdString(entry.info.name);
    }
    void everyModelBecomesTorchScript() {
        QFETCH(QString, name);
        train::TrainedModel trained;
        trained.context = {{1, 28, 28}, 10};
        if (name == "gpt") trained.context = {{16}, 20, train::TaskKind::Language};
        torch::manual_seed(2);
        auto model = models::makeModel({name.toStdString(), {}}, trained.context);
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        trained.model = *model;
        const torch::NoGradGuard noGradients;
        for (torch::Tensor parameter : trained.model->parameters()) // a zero would hide what comes before it
            if (parameter.abs().sum().item<float>() == 0) parameter.normal_(0.0, 0.1);
        trained.state.modelInfo.sampleShape = trained.context.sampleShape;
        trained.state.modelInfo.classes = trained.context.outputs;
        const auto bytes = train::torchScriptOf(trained); // which compares both on other batches
        QVERIFY2(bytes.ok(), bytes ? "" : bytes.error().text().c_str());
        std::istringstream stream(*bytes);
        const torch::jit::Module again = torch::jit::load(stream);
        std::vector<std::string> expected, found;
        for (const auto& item : trained.model->named_parameters()) expected.push_back(item.key());
        for (const auto& item : again.named_parameters()) found.push_back(item.name);
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        QVERIFY(found == expected); // the names are kept, so that a state dictionary fits it too
    }

private:
    QString write(const char* name, const std::string& bytes) {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(bytes)) < 0)
            qFatal("cannot write");
        return path;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TorchScriptTest)
#include "torch_script_test.moc"
