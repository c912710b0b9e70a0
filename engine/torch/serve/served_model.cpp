// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/serve/served_model.h"

#include "engine/base/clock.h"
#include "engine/base/text/printable.h"
#include "engine/torch/base/guard.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/torch.h>

#include <algorithm>
#include <ctime>
#include <fstream>

namespace trainyard::train {
namespace {

constexpr const char* kInfoRecord = "extra/modelInfo.json";
constexpr const char* kHowToSave = "torch.jit.save(torch.jit.script(model), path, _extra_files={'modelInfo.json': "
                                   "'{\"sampleShape\": [3, 224, 224], \"classes\": 10}'})";
constexpr double kMostSeconds = 2, kEnoughSeconds = 0.01;
constexpr int kMostRuns = 5;
constexpr std::int64_t kMostColumns = 4096; // of a row that people send
constexpr std::int64_t kMostOfSide = 1 << 24;
constexpr double kMostElements = 1 << 28; // of a sample: a gigabyte

double elementsOf(const std::vector<std::int64_t>& shape) {
    double elements = 1;
    for (const std::int64_t side : shape) elements *= static_cast<double>(side);
    return elements;
}

// TorchScript files and those of torch.save are zip archives.
bool isZip(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    char head[4] = {};
    return in.read(head, sizeof head) && std::string_view(head, 2) == "PK";
}

// What the file says, or else what was given. Reads a record and runs no code of the file.
Result<std::string> infoIn(const std::string& file, const std::string& given) {
    return guarded(file, [&]() -> Result<std::string> {
        caffe2::serialize::PyTorchStreamReader reader(file);
        if (!reader.hasRecord("constants.pkl"))
            return inputError("is a file of torch.save: weights without the model that they belong to", file,
                              std::string("save the whole model with ") + kHowToSave);
        if (!reader.hasRecord(kInfoRecord) && !given.empty()) return given;
        if (!reader.hasRecord(kInfoRecord))
            return inputError("does not say what it takes: it has no modelInfo.json", file,
                              "say it: trainyardctl serve " + file +
                                  " --sample-shape 3,224,224 --outputs 10; or save it with " + kHowToSave);
        const auto [bytes, size] = reader.getRecord(kInfoRecord);
        return std::string(static_cast<const char*>(bytes.get()), size);
    });
}

Result<TrainedModel> loadScript(const std::string& file, const std::string& given) {
    TY_ASSIGN(const std::string text, infoIn(file, given));
    TrainedModel trained;
    TY_ASSIGN(trained.state.modelInfo, modelInfoFrom(text, file + ", modelInfo.json"));
    const ModelInfo& info = trained.state.modelInfo;
    if (info.classes < 1)
        return inputError("its number of classes, or of outputs, is missing", file + ", modelInfo.json",
                          "add \"classes\", the width of what it gives");
    if (info.sampleShape.empty() || info.sampleShape.size() > 6 ||
        std::any_of(info.sampleShape.begin(), info.sampleShape.end(),
                    [](auto side) { return side < 1 || side > kMostOfSide; }) ||
        elementsOf(info.sampleShape) > kMostElements)
        return inputError("its sampleShape is not a list of one to six positive sizes", file + ", modelInfo.json",
                          "[3, 224, 224] is a picture of three channels");
    if (info.task == TaskKind::MultiLabel) trained.spec.loss.name = "bce"; // which labels are trained with
    trained.context = {info.sampleShape, info.classes, info.task};
    trained.spec.model.name = "torchscript";
    trained.spec.model.params["path"] = file;
    TY_ASSIGN(trained.model, models::makeModel(trained.spec.model, trained.context));
    trained.model->eval();
    return trained;
}

torch::Tensor madeUp(const TrainedModel& trained, int rows) {
    std::vector<std::int64_t> shape = trained.context.sampleShape;
    shape.insert(shape.begin(), rows);
    return trained.context.task == TaskKind::Language
               ? torch::randint(std::max<std::int64_t>(1, trained.context.outputs), shape, torch::kInt64)
               : torch::randn(shape);
}

// Of this thread's processor time where it computes alone, as others may have its core meanwhile.
double secondsOfWork() {
    timespec time{};
    if (at::get_num_threads() > 1 || ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return monotonicSeconds();
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Whether each row of a batch of that size gets its bits whatever stands beside it and wherever it stands.
bool keepsBits(const TrainedModel& trained, int rows) {
    const torch::Tensor input = madeUp(trained, rows);
    const torch::Tensor output = trained.model->forward(input.clone());
    if (output.dim() < 1 || output.size(0) != rows) return false;
    for (const std::int64_t shift : {1, rows / 2})
        if (!torch::equal(trained.model->forward(input.roll(shift, 0)), output.roll(shift, 0))) return false;
    torch::Tensor other = torch::zeros_like(input);
    for (const std::int64_t row : {std::int64_t{0}, std::int64_t{rows / 2}, std::int64_t{rows - 1}}) {
        other.zero_();
        other[row].copy_(input[row]);
        if (!torch::equal(trained.model->forward(other.clone())[row], output[row])) return false;
    }
    return true;
}

} // namespace

Result<TrainedModel> loadServed(const std::string& file, const std::string& given) {
    if (isZip(file)) return loadScript(file, given);
    TY_ASSIGN(TrainedModel trained, loadTrained(file));
    if (trained.model->leastBatch() > 1)
        return inputError("the model takes " + std::to_string(trained.model->leastBatch()) +
                              " samples at least, and requests are of one",
                          file, "train a module that takes a single sample in evaluation mode");
    // The weights are in the model now.
    trained.state.model.clear();
    trained.state.average.clear();
    trained.state.optimizer = {};
    trained.state.carried.clear();
    return trained;
}

serve::ModelSignature signatureOf(const TrainedModel& trained, const std::string& name, const std::string& version) {
    using serve::InputKind;
    using serve::TensorType;
    const ModelInfo& info = trained.state.modelInfo;
    const bool language = info.task == TaskKind::Language;
    serve::ModelSignature made;
    made.name = name;
    made.version = version;
    made.task = toString(info.task);
    const bool numbers = info.sampleShape.size() == 1 && info.sampleShape.front() <= kMostColumns;
    made.kind = language                          ? InputKind::Text
                : info.sampleShape.size() == 3    ? InputKind::Image
                : info.table.isTable() || numbers ? InputKind::Row
                                                  : InputKind::Tensor;
    std::vector<std::int64_t> shape{-1};
    if (language) shape.push_back(-1);
    else shape.insert(shape.end(), info.sampleShape.begin(), info.sampleShape.end());
    made.inputs.push_back({"input", language ? TensorType::Int64 : TensorType::Fp32, shape});
    std::vector<std::int64_t> outputs{-1, info.classes};
    if (language) outputs.insert(outputs.begin() + 1, -1);
    made.outputs.push_back({"output", TensorType::Fp32, outputs});
    if (info.task == TaskKind::Regression) made.targets = info.classNames;
    else if (!language) made.classes = info.classNames;
    if (made.kind == InputKind::Row)
        for (const auto& feature : info.table.features) made.columns.push_back({feature.name, feature.words});
    if (made.kind == InputKind::Row && !info.table.isTable()) // numbers without names: x1, x2, …
        for (std::int64_t i = 1; i <= info.sampleShape.front(); ++i)
            made.columns.push_back({"x" + std::to_string(i), {}});
    return made;
}

serve::BatchTable warmUpServed(const TrainedModel& trained, int most) {
    const c10::InferenceMode inference;
    std::vector<serve::BatchTable::Row> rows;
    for (int size = 1;; size = std::min(size * 2, most)) {
        const torch::Tensor input = madeUp(trained, size);
        double quickest = 1e9, spent = 0;
        (void)trained.model->forward(input); // makes its kernels
        for (int run = 0; run < kMostRuns && spent < kEnoughSeconds; ++run) {
            const double begun = secondsOfWork();
            (void)trained.model->forward(input);
            const double seconds = secondsOfWork() - begun;
            quickest = std::min(quickest, seconds);
            spent += seconds;
        }
        if (quickest > kMostSeconds && !rows.empty()) break;
        rows.push_back({size, quickest * 1e6});
        if (size >= most) break;
    }
    return serve::BatchTable(rows);
}

int fixedBatch(const TrainedModel& trained, const serve::BatchTable& table) {
    constexpr double kWorth = 1.5;
    if (trained.context.task == TaskKind::Language) return 1; // texts of several lengths are no batch
    const c10::InferenceMode inference;
    for (const auto& row : table.rows()) {
        const bool cheap = row.us / row.rows <= kWorth * 1e6 / table.rowsPerSecond();
        if (cheap && row.rows > 1 && keepsBits(trained, row.rows)) return row.rows;
    }
    return 1;
}

} // namespace trainyard::train
