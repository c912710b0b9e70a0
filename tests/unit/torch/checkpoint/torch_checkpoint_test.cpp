// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints as files: what they hold, what is refused, who waits for one.
// Long because: all of it looks at checkpoints of the same small models.
#include "engine/store/files/safetensors.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/loss.h"
#include "engine/torch/trainer/checkpoint_writer.h"
#include "engine/torch/worker/export.h"
#include "tests/unit/torch/torch_python.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <torch/script.h>
#include <torch/version.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#include <sched.h>

using namespace trainyard;
namespace fs = std::filesystem;

namespace {

const models::ModelContext kImages{{1, 28, 28}, 10};

std::shared_ptr<models::Model> made(const std::string& name) { return models::makeModel({name, {}}, kImages).value(); }

// A model with an optimizer and one sample batch: enough to take real steps.
struct Training {
    explicit Training(const std::string& name, std::uint64_t seed) {
        torch::manual_seed(seed);
        model = made(name);
        parameters = optim::namedParameters(*model);
        optimizer = std::move(optim::makeOptimizer({"adamw", {{"lr", 0.003}}}, parameters)).value();
    }
    // Draws its batch and what dropout drops, each step from a stream of its own, as training does.
    void step() {
        torch::manual_seed(static_cast<std::uint64_t>(100 + steps++));
        const auto loss = optim::Loss::make({"cross-entropy", {}}, train::TaskKind::Classification, 10).value();
        optim::zeroGradients(parameters);
        loss.mean(model->forward(torch::randn({8, 1, 28, 28})), torch::randint(0, 10, {8}, torch::kInt64)).backward();
        optimizer->step();
    }
    train::TrainState state() const {
        train::TrainState state;
        state.step = 12345678901;
        state.epoch = 3;
        state.batchInEpoch = 17;
        state.runJson = "{\"version\": 1, \"name\": \"brave-otter\"}";
        state.metrics = {{"train/loss", 0.1 + 0.2},
                         {"val/loss", std::nan("")},
                         {"grad_norm", std::numeric_limits<double>::infinity()}};
        state.points = {{"train/loss", 12345678901}};
        state.progress = {{"lossSum", 1.0 / 3.0}, {"samples", 1088}};
        state.modelInfo = {{1, 28, 28}, 10,      {"T-shirt/top", "Ünïcode \"quoted\""},
                           {0.286},     {0.353}, train::TaskKind::Classification,
                           {},          {}};
        state.model = train::modelTensors(*model);
        state.optimizer = optimizer->state();
        return state;
    }
    std::shared_ptr<models::Model> model;
    optim::NamedTensors parameters;
    std::unique_ptr<optim::Optimizer> optimizer;
    int steps = 0;
};

bool sameTensors(const optim::NamedTensors& a, const optim::NamedTensors& b) {
    std::map<std::string, torch::Tensor> other(b.begin(), b.end());
    for (const auto& [name, tensor] : a)
        if (!other.contains(name) || !other[name].equal(tensor)) return false;
    return a.size() == b.size() && other.size() == b.size();
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

void overwrite(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(bytes), bytes.size());
}

// The lines that the scripts print, from the tensors themselves.
QString listing(const optim::NamedTensors& tensors) {
    std::map<std::string, torch::Tensor> sorted(tensors.begin(), tensors.end());
    QString lines;
    for (const auto& [name, tensor] : sorted) {
        QStringList shape;
        for (const std::int64_t side : tensor.sizes()) shape << QString::number(side);
        QCryptographicHash hash(QCryptographicHash::Sha256);
        const auto bytes = tensor.contiguous();
        hash.addData(QByteArray(static_cast<const char*>(bytes.data_ptr()), static_cast<qsizetype>(bytes.nbytes())));
        lines += QString("%1 %2 %3 %4\n")
                     .arg(QString::fromStdString(name), tensor.scalar_type() == torch::kInt64 ? "int64" : "float32",
                          shape.isEmpty() ? "scalar" : shape.join('x'), QString(hash.result().toHex()));
    }
    return lines;
}

// Counts the checkpoints that were saved.
class SavedCount : public train::RunReport {
public:
    void enter(wire::Phase, const std::string&) override {}
    void point(const std::string&, const wire::Point&) override {}
    std::uint64_t pointsStored() override { return 0; }
    void notify(wire::Message message) override {
        if (std::holds_alternative<wire::CheckpointSaved>(message)) ++m_count;
    }
    std::optional<wire::StopMode> stopRequested() override { return {}; }
    int count() const { return m_count; }

private:
    std::atomic<int> m_count{0};
};

} // namespace

class TorchCheckpointTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void roundTripIsBitEqual();
    void trainingGoesOnAsIfNeverStopped();
    void snapshotSharesNoMemory();
    void layoutInMemoryDoesNotMatter();
    void whatSomebodyWaitsForIsWrittenAtOnce();
    void refusesDamagedFiles_data();
    void refusesDamagedFiles();
    void refusesForeignFiles();
    void refusesNotFiniteWeights();
    void otherArchitectureIsListed();
    void fullDiskKeepsTheOlderFile();
    void exportsReadByPython_data();
    void exportsReadByPython();
    void exportsReadByAnIndependentReader();
    void exportsGiveTheAverage_data();
    void exportsGiveTheAverage();
    void exportRefusesToOverwrite();

private:
    QTemporaryDir m_folder;
    QString m_good; // a checkpoint of a trained convnet
};

void TorchCheckpointTest::initTestCase() {
    QVERIFY(m_folder.isValid());
    m_good = m_folder.filePath("good.safetensors");
    Training training("convnet", 1);
    for (int i = 0; i < 3; ++i) training.step();
    const auto saved = train::saveCheckpoint(m_good.toStdString(), training.state());
    QVERIFY2(saved.ok(), saved ? "" : saved.error().text().c_str());
}

void TorchCheckpointTest::roundTripIsBitEqual() {
    Training training("resnet18", 2);
    training.step();
    const train::TrainState state = training.state();
    const std::string path = m_folder.filePath("resnet").toStdString();
    QVERIFY(train::saveCheckpoint(path, state).ok());
    const auto loaded = train::loadCheckpoint(path);
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
    QCOMPARE(loaded->step, state.step);
    QCOMPARE(loaded->epoch, state.epoch);
    QCOMPARE(loaded->batchInEpoch, state.batchInEpoch);
    QCOMPARE(loaded->runJson, state.runJson);
    const auto file = store::SafetensorsFile::open(path);
    QVERIFY(file.ok());
    QCOMPARE(file->metadata().at("points"), std::string(R"({"train/loss":12345678901})"));
    QCOMPARE(file->metadata().at("trainyard"), std::string(TRAINYARD_VERSION));
    QCOMPARE(file->metadata().at("libtorch"), std::string(TORCH_VERSION));
    QVERIFY(loaded->progress == state.progress);
    QVERIFY(loaded->optimizer.scalars == state.optimizer.scalars);
    QCOMPARE(loaded->optimizer.kind, "adamw");
    QCOMPARE(loaded->metrics.at("train/loss"), 0.1 + 0.2);
    QVERIFY(std::isnan(loaded->metrics.at("val/loss")));
    QVERIFY(std::isinf(loaded->metrics.at("grad_norm")));
    QVERIFY(loaded->modelInfo.classNames == state.modelInfo.classNames);
    QVERIFY(loaded->modelInfo.sampleShape == state.modelInfo.sampleShape);
    QVERIFY(loaded->modelInfo.mean == state.modelInfo.mean && loaded->modelInfo.stddev == state.modelInfo.stddev);
    QVERIFY(sameTensors(loaded->model, state.model));
    QVERIFY(sameTensors(loaded->optimizer.tensors, state.optimizer.tensors));
}

void TorchCheckpointTest::trainingGoesOnAsIfNeverStopped() {
    for (const char* name : {"convnet", "resnet18"}) {
        Training through(name, 3);
        for (int i = 0; i < 2; ++i) through.step();
        const std::string path = m_folder.filePath("through").toStdString();
        QVERIFY(train::saveCheckpoint(path, through.state()).ok());
        for (int i = 0; i < 2; ++i) through.step();

        Training again(name, 99); // other weights
        again.steps = 2;
        const auto state = train::loadCheckpoint(path);
        QVERIFY(state.ok());
        QVERIFY(train::restoreModel(*again.model, state->model, path).ok());
        QVERIFY(again.optimizer->restore(state->optimizer).ok());
        for (int i = 0; i < 2; ++i) again.step();
        QVERIFY(sameTensors(train::modelTensors(*again.model), train::modelTensors(*through.model)));
        QVERIFY(sameTensors(again.optimizer->state().tensors, through.optimizer->state().tensors));
    }
}

void TorchCheckpointTest::snapshotSharesNoMemory() {
    Training training("convnet", 5);
    training.step();
    const train::TrainState copy = train::snapshot(training.state());
    const torch::Tensor before = copy.model.front().second.clone();
    training.step();
    QVERIFY(copy.model.front().second.equal(before));
    QVERIFY(!training.state().model.front().second.equal(before));
}

// Channels last, transposed, every other element: the file is the same to the byte.
void TorchCheckpointTest::layoutInMemoryDoesNotMatter() {
    torch::manual_seed(3);
    train::TrainState plain, other;
    for (const auto& shape : std::vector<std::vector<std::int64_t>>{{300, 70, 3, 3}, {5, 70, 1, 7}, {64, 3, 7, 7}}) {
        const auto tensor = torch::randn(shape);
        const std::string name = "w" + std::to_string(plain.model.size());
        plain.model.emplace_back(name, tensor);
        other.model.emplace_back(name, tensor.contiguous(torch::MemoryFormat::ChannelsLast));
    }
    const auto matrix = torch::randn({700, 300}), deep = torch::randn({2, 3, 4, 5, 6}, torch::kDouble);
    const auto scattered = deep.permute({4, 2, 0, 1, 3}).contiguous().permute({2, 3, 1, 4, 0});
    plain.model.insert(plain.model.end(), {{"matrix", matrix}, {"deep", deep}, {"number", torch::tensor(7)}});
    other.model.insert(
        other.model.end(),
        {{"matrix", matrix.t().contiguous().t()}, {"deep", scattered}, {"number", torch::tensor({7, 8}).select(0, 0)}});
    for (const auto& [name, tensor] : other.model) QVERIFY2(!tensor.is_contiguous() || tensor.dim() == 0, name.c_str());
    const auto path = m_folder.filePath("plain"), same = m_folder.filePath("other");
    QVERIFY(train::saveCheckpoint(path.toStdString(), plain).ok());
    QVERIFY(train::saveCheckpoint(same.toStdString(), other).ok());
    QVERIFY(contentOf(path) == contentOf(same));
    IdleGate gate; // the same also when it is written in the background
    QVERIFY(train::saveCheckpoint(same.toStdString(), other, &gate).ok());
    QVERIFY(contentOf(path) == contentOf(same));
    const auto loaded = train::loadCheckpoint(same.toStdString());
    QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
    QVERIFY(sameTensors(loaded->model, plain.model));

    for (const auto type : {torch::kFloat16, torch::kBFloat16, torch::kFloat32, torch::kFloat64})
        for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -HUGE_VAL, 60000.0}) {
            train::TrainState state;
            state.model.emplace_back("w", torch::full({1000}, 0.5, type));
            state.model.front().second[613] = bad;
            QCOMPARE(train::saveCheckpoint(same.toStdString(), state).ok(), std::isfinite(bad));
        }
}

namespace {

int threadsThatIdle() {
    const auto all = QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return static_cast<int>(std::count_if(all.begin(), all.end(), [](const QString& thread) {
        return ::sched_getscheduler(static_cast<pid_t>(thread.toInt())) == SCHED_IDLE;
    }));
}

} // namespace

// Such as another trial of the sweep, to have its state.
void TorchCheckpointTest::whatSomebodyWaitsForIsWrittenAtOnce() {
    SavedCount report;
    train::TrainState state;
    state.model.emplace_back("w", torch::ones({1'000'000}));
    const auto folder = m_folder.filePath("hurried").toStdString();
    train::CheckpointWriter writer(folder, report);
    const auto write = [&](bool inBackground) {
        ++state.step;
        writer.write(state, 0, inBackground, Outlives::Process);
    };
    write(false);
    QVERIFY(writer.wait().ok() && writer.gate() == nullptr);
    write(true);
    QTRY_COMPARE_WITH_TIMEOUT(report.count(), 2, 60'000); // wait() would hurry it
    QVERIFY(writer.wait().ok());
    const auto waits = writer.gate()->waits();
    if (waits == 0) QSKIP("this computer does not tell when it is idle");
    write(false);
    QVERIFY(writer.wait().ok());
    QCOMPARE(writer.gate()->waits(), waits);
    write(true);
    QVERIFY(!writer.gate()->isHurried());
    writer.hurry();
    QVERIFY(writer.gate()->isHurried());
    QVERIFY(writer.wait().ok());
    QCOMPARE(report.count(), 4);
    // What asked for a free core is gone: on a busy computer the process could not end before it.
    QTRY_COMPARE_WITH_TIMEOUT(threadsThatIdle(), 0, 60'000);
}

// Bad inputs: damaged checkpoints.
void TorchCheckpointTest::refusesDamagedFiles_data() {
    QTest::addColumn<qint64>("keep");   // bytes kept; -1: all
    QTest::addColumn<double>("flipAt"); // share of the file where one bit is flipped; negative: nowhere
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << qint64{0} << -1.0 << "the file is empty";
    QTest::newRow("four bytes") << qint64{4} << -1.0 << "a file of 4 bytes is not a safetensors file";
    QTest::newRow("random bytes") << qint64{-3} << -1.0 << "this is not a safetensors file";
    QTest::newRow("header only") << qint64{200} << -1.0 << "bytes";
    QTest::newRow("last byte missing") << qint64{-2} << -1.0 << "cut short: tensor";
    QTest::newRow("bit in the length") << qint64{-1} << 0.0 << "";
    for (const double share : {0.1, 0.5, 0.75, 0.9, 0.9999}) // what the bit was part of decides on the words
        QTest::addRow("bit at %g", share) << qint64{-1} << share << "";
}

void TorchCheckpointTest::refusesDamagedFiles() {
    QFETCH(qint64, keep);
    QFETCH(double, flipAt);
    QFETCH(QString, says);
    QByteArray bytes = contentOf(m_good);
    if (keep == -3)
        for (qsizetype i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>((i * 7919 + 13) >> 3);
    if (keep >= 0) bytes.truncate(keep);
    if (keep == -2) bytes.chop(1);
    if (flipAt >= 0) {
        const auto at = static_cast<qsizetype>(flipAt * static_cast<double>(bytes.size()));
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    }
    const QString path = m_folder.filePath("damaged");
    overwrite(path, bytes);
    const auto loaded = train::loadCheckpoint(path.toStdString());
    QVERIFY(!loaded.ok());
    QVERIFY2(loaded.error().text().find(path.toStdString()) != std::string::npos, loaded.error().text().c_str());
    QVERIFY(loaded.error().kind == ErrorKind::Input);
    QVERIFY2(loaded.error().text().find(says.toStdString()) != std::string::npos, loaded.error().text().c_str());
}

// Bad inputs: checkpoints of other programs and newer versions.
void TorchCheckpointTest::refusesForeignFiles() {
    const fs::path path = m_folder.filePath("foreign").toStdString();
    const auto refused = [&](const store::Metadata& metadata, const char* says) {
        const float weight = 1;
        const std::vector<store::TensorBytes> tensors{{"model.w", "F32", {1}, std::as_bytes(std::span(&weight, 1))}};
        if (!store::writeSafetensors(path, tensors, metadata).ok()) return false;
        const auto loaded = train::loadCheckpoint(path);
        if (loaded.ok()) return false;
        const std::string text = loaded.error().text();
        if (text.find(says) == std::string::npos) qWarning("%s", text.c_str());
        return text.find(says) != std::string::npos && loaded.error().kind == ErrorKind::Input;
    };
    QVERIFY(refused({}, "not a checkpoint of Trainyard"));
    QVERIFY(refused({{"format", "pt"}}, "not a checkpoint of Trainyard"));
    QVERIFY(refused({{"format", "trainyard-checkpoint"}, {"version", "3"}}, "written by a newer Trainyard"));
    QVERIFY(refused({{"format", "trainyard-checkpoint"}, {"version", "one"}}, "\"version\" is not a whole number"));
    store::Metadata metadata{{"format", "trainyard-checkpoint"}, {"version", "1"}, {"step", "4"}, {"epoch", "-1"}};
    QVERIFY(refused(metadata, "\"epoch\" is not a whole number"));
    metadata["epoch"] = "0";
    metadata["state"] = "[[[[";
    QVERIFY(refused(metadata, "metadata \"state\": is not a JSON object"));
    const auto missing = train::loadCheckpoint(m_folder.filePath("none").toStdString());
    QVERIFY(!missing.ok() && missing.error().kind == ErrorKind::Input);
}

// Bad inputs: checkpoints with weights that are not finite.
void TorchCheckpointTest::refusesNotFiniteWeights() {
    Training training("convnet", 6);
    train::TrainState state = train::snapshot(training.state());
    state.model.back().second.view(-1)[0] = std::numeric_limits<float>::quiet_NaN();
    const QString path = m_folder.filePath("nan");
    const auto saved = train::saveCheckpoint(path.toStdString(), state);
    QVERIFY(!saved.ok());
    QVERIFY(saved.error().text().find("\"" + state.model.back().first + "\" are not finite") != std::string::npos);
    QVERIFY(!QFile::exists(path));

    // One that came about elsewhere, with matching checksums.
    const auto file = store::SafetensorsFile::open(m_good.toStdString());
    QVERIFY(file.ok());
    const float bad = std::numeric_limits<float>::infinity();
    QVERIFY(store::writeSafetensors(path.toStdString(), {{"model.w", "F32", {1}, std::as_bytes(std::span(&bad, 1))}},
                                    file->metadata())
                .ok());
    const auto loaded = train::loadCheckpoint(path.toStdString());
    QVERIFY(!loaded.ok());
    QVERIFY2(loaded.error().text().find("NaN or infinite") != std::string::npos, loaded.error().text().c_str());
}

// Bad inputs: checkpoints of another model. The error names each missing, unexpected and differently shaped tensor.
void TorchCheckpointTest::otherArchitectureIsListed() {
    const auto state = train::loadCheckpoint(m_good.toStdString());
    QVERIFY(state.ok());
    const auto wider = models::makeModel({"convnet", {{"width", std::int64_t{4}}}}, kImages).value();
    const auto before = train::modelTensors(*wider).front().second.clone();
    auto result = train::restoreModel(*wider, state->model, "the-file");
    QVERIFY(!result.ok());
    QVERIFY2(result.error().text().find("the-file: holds the weights of another model (of another shape: conv1.weight "
                                        "[3, 1, 3, 3] Float instead of [4, 1, 3, 3] Float") == 0,
             result.error().text().c_str());
    QVERIFY(train::modelTensors(*wider).front().second.equal(before));
    result = train::restoreModel(*made("softmax"), state->model, "the-file");
    QVERIFY2(result.error().text().find("unexpected: conv1.weight, conv1.bias; of another shape: fc.weight") !=
                 std::string::npos,
             result.error().text().c_str());
    result = train::restoreModel(*made("resnet18"), state->model, "the-file");
    QVERIFY2(result.error().text().find("missing: ") != std::string::npos &&
                 result.error().text().find(" more; unexpected: conv1.bias;") != std::string::npos,
             result.error().text().c_str());
}

void TorchCheckpointTest::fullDiskKeepsTheOlderFile() {
    QTemporaryDir folder;
    const QString path = folder.filePath("checkpoint");
    Training training("convnet", 7);
    QVERIFY(train::saveCheckpoint(path.toStdString(), training.state()).ok());
    const QByteArray before = contentOf(path);
    training.step();
    const train::TrainState state = training.state();
    // A child that may write 4 KiB at most: every write past that fails as on a full disk. It forks before LibTorch's
    // pool matters: saving needs no pool.
    std::signal(SIGXFSZ, SIG_IGN);
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        torch::set_num_threads(1);
        const auto saved = train::saveCheckpoint(path.toStdString(), state);
        ::_exit(saved.ok() ? 1 : saved.error().kind == ErrorKind::Environment ? 0 : 2);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    QCOMPARE(contentOf(path), before);
    QCOMPARE(std::distance(fs::directory_iterator(folder.path().toStdString()), fs::directory_iterator{}), 1);
    QVERIFY(train::saveCheckpoint(path.toStdString(), state).ok()); // and with room again it is replaced
    QVERIFY(contentOf(path) != before);
}

// Feature: export: safetensors, state dictionary, TorchScript, snippets. Also in model_files_test, torch_script_test.
void TorchCheckpointTest::exportsReadByPython_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("convnet") << "convnet";
    QTest::newRow("resnet18") << "resnet18";
}

void TorchCheckpointTest::exportsReadByPython() {
    if (test::pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to read the export");
    QFETCH(QString, name);
    Training training(name.toStdString(), 8);
    for (int i = 0; i < 2; ++i) training.step(); // so that running means and counts have moved
    const QString checkpoint = m_folder.filePath(name + ".checkpoint"), out = m_folder.filePath(name + ".pt");
    QVERIFY(train::saveCheckpoint(checkpoint.toStdString(), training.state()).ok());
    const auto exported = train::exportModel(checkpoint.toStdString(), out.toStdString(), {.format = "state-dict"});
    QVERIFY2(exported.ok(), exported ? "" : exported.error().text().c_str());

    const torch::NoGradGuard noGradients;
    training.model->eval();
    c10::Dict<std::string, at::Tensor> probe;
    probe.insert("input", torch::randn({5, 1, 28, 28}));
    probe.insert("logits", training.model->forward(probe.at("input")));
    const std::vector<char> archive = torch::pickle_save(c10::IValue(probe));
    const QString probeFile = m_folder.filePath("probe");
    overwrite(probeFile, QByteArray(archive.data(), static_cast<qsizetype>(archive.size())));
    const auto run = test::runScript("read_state_dict.py", {out, name, probeFile});
    QVERIFY2(run.code == 0, qPrintable(run.err));
    QCOMPARE(run.out, listing(train::modelTensors(*training.model)));
}

void TorchCheckpointTest::exportsReadByAnIndependentReader() {
    if (test::pythonWithTorch().isEmpty()) QSKIP("no Python with numpy here to read the export");
    Training training("resnet18", 9);
    training.step();
    const QString checkpoint = m_folder.filePath("r.checkpoint"), out = m_folder.filePath("r.safetensors");
    QVERIFY(train::saveCheckpoint(checkpoint.toStdString(), training.state()).ok());
    QVERIFY(train::exportModel(checkpoint.toStdString(), out.toStdString(), {}).ok());
    const auto run = test::runScript("read_safetensors.py", {out});
    QVERIFY2(run.code == 0, qPrintable(run.err));
    QCOMPARE(run.out, listing(train::modelTensors(*training.model)));
}

void TorchCheckpointTest::exportsGiveTheAverage_data() {
    QTest::addColumn<QString>("format");
    for (const char* format : {"safetensors", "state-dict", "torchscript"}) QTest::newRow(format) << format;
}

// Where a run keeps an average of its weights (ema), that is what is given away.
void TorchCheckpointTest::exportsGiveTheAverage() {
    QFETCH(QString, format);
    Training training("convnet", 4);
    training.step();
    train::TrainState state = training.state();
    state.runJson = R"({"version": 1, "model": "convnet"})";
    for (const auto& [name, tensor] : training.parameters) state.average.emplace_back(name, tensor.detach() + 1);
    const QString checkpoint = m_folder.filePath("averaged.checkpoint"), out = m_folder.filePath("averaged." + format);
    QVERIFY(train::saveCheckpoint(checkpoint.toStdString(), state).ok());
    const auto done = train::exportModel(checkpoint.toStdString(), out.toStdString(), {.format = format.toStdString()});
    QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
    optim::NamedTensors found;
    if (format == "safetensors") {
        const auto file = store::SafetensorsFile::open(out.toStdString());
        QVERIFY(file.ok());
        for (const auto& info : file->tensors()) {
            found.emplace_back(info.name, torch::empty(info.shape));
            const auto bytes = file->bytes(info);
            QCOMPARE(bytes.size(), found.back().second.nbytes());
            std::memcpy(found.back().second.data_ptr(), bytes.data(), bytes.size());
        }
    } else if (format == "state-dict") {
        const QByteArray content = contentOf(out);
        for (const auto& item : torch::pickle_load({content.begin(), content.end()}).toGenericDict())
            found.emplace_back(item.key().toStringRef(), item.value().toTensor());
    } else {
        for (const auto& item : torch::jit::load(out.toStdString()).named_parameters())
            found.emplace_back(item.name, item.value);
    }
    QVERIFY(sameTensors(found, state.average));
}

void TorchCheckpointTest::exportRefusesToOverwrite() {
    const fs::path out = m_folder.filePath("kept").toStdString(), checkpoint = m_good.toStdString();
    overwrite(m_folder.filePath("kept"), "mine");
    const auto refused = train::exportModel(checkpoint, out, {});
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().text().find("exists already (name another file, or use --force") != std::string::npos);
    QCOMPARE(contentOf(m_folder.filePath("kept")), QByteArray("mine"));
    QVERIFY(train::exportModel(checkpoint, out, {.format = "state-dict", .overwrite = true}).ok());
    QVERIFY(!train::exportModel(checkpoint, m_folder.filePath("x").toStdString(), {.format = "onnx"}).ok());
    QVERIFY(!train::exportModel(checkpoint, m_folder.path().toStdString(), {.overwrite = true}).ok());
    QVERIFY(!train::exportModel(checkpoint, m_folder.filePath("no/such/x").toStdString(), {}).ok());
    QVERIFY(
        !train::exportModel(m_folder.filePath("none").toStdString(), m_folder.filePath("y").toStdString(), {}).ok());
    QVERIFY(!QFile::exists(m_folder.filePath("y")));
}

QTEST_GUILESS_MAIN(TorchCheckpointTest)
#include "torch_checkpoint_test.moc"
