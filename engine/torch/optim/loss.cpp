// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/loss.h"

#include "engine/torch/base/arguments.h"

namespace trainyard::optim {

using spec::ParamInfo;
using spec::ParamType;
using train::TaskKind;

// One row for each loss. `of` compares outputs [N, V] with wanted values of that shape, element by element; null for
// cross-entropy, which takes classes as they are, and their weights.
struct LossRow {
    spec::Entry info;
    std::vector<TaskKind> tasks;
    torch::Tensor (*of)(const torch::Tensor& outputs, const torch::Tensor& wanted, std::int64_t reduction) = nullptr;
    torch::Tensor (*answers)(const torch::Tensor& outputs) = nullptr; // null: the outputs
    bool targetsAreShares = false;                                    // they must lie between 0 and 1
};

namespace {

ParamInfo classWeightsInfo() {
    return {.name = "classWeights",
            .title = Engine::tr("Class weights"),
            .type = ParamType::NumberList,
            .defaultValue = std::vector<double>{},
            .min = 0.0,
            .max = 1e6,
            .help = Engine::tr("One weight for each class, in their order; empty: all equal.")};
}

ParamInfo labelSmoothingInfo() {
    return {.name = "labelSmoothing",
            .title = Engine::tr("Label smoothing"),
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 0.99,
            .help = Engine::tr("Share of the target spread over all classes, while training.")};
}

torch::Tensor binaryCrossEntropy(const torch::Tensor& outputs, const torch::Tensor& wanted, std::int64_t reduction) {
    return at::binary_cross_entropy_with_logits(outputs, wanted, {}, {}, reduction);
}

torch::Tensor sigmoidOf(const torch::Tensor& outputs) { return torch::sigmoid(outputs.to(torch::kFloat32)); }

const std::vector<LossRow>& lossTable() {
    static const std::vector<LossRow> rows = {
        {.info = {.name = "cross-entropy",
                  .title = Engine::tr("Cross-entropy"),
                  .help = Engine::tr("The usual loss of classification and of language."),
                  .params = {labelSmoothingInfo(), classWeightsInfo()}},
         .tasks = {TaskKind::Classification, TaskKind::Language}},
        {.info = {.name = "bce",
                  .title = Engine::tr("Binary cross-entropy"),
                  .help = Engine::tr("Each output is an independent yes or no; targets between 0 and 1.")},
         .tasks = {TaskKind::Classification, TaskKind::Regression},
         .of = binaryCrossEntropy,
         .answers = sigmoidOf,
         .targetsAreShares = true},
        {.info = {.name = "mse",
                  .title = Engine::tr("Mean squared error"),
                  .help = Engine::tr("The usual loss of regression.")},
         .tasks = {TaskKind::Regression},
         .of = at::mse_loss},
        {.info = {.name = "l1",
                  .title = Engine::tr("Mean absolute error"),
                  .help = Engine::tr("Regression that is robust to outliers.")},
         .tasks = {TaskKind::Regression},
         .of = at::l1_loss}};
    return rows;
}

// Few numbers: the step need not wait until the device has them.
torch::Tensor onDevice(const torch::Tensor& weights, const torch::Tensor& other) {
    return weights.to(other.device(), weights.scalar_type(), /*non_blocking=*/true);
}

// Units in rows: [B, T, V] becomes [B * T, V].
torch::Tensor rowsOf(const torch::Tensor& outputs) {
    return outputs.dim() == 3 ? outputs.reshape({-1, outputs.size(2)}) : outputs;
}

} // namespace

std::vector<spec::Entry> lossEntries() {
    std::vector<spec::Entry> entries;
    for (const LossRow& row : lossTable()) {
        entries.push_back(row.info);
        entries.back().tasks = train::wordsOf(row.tasks);
    }
    return entries;
}

Result<Loss> Loss::make(const spec::Choice& choice, TaskKind task, std::int64_t outputs) {
    std::vector<std::string> names;
    for (const LossRow& row : lossTable()) names.push_back(row.info.name);
    TY_ASSIGN(const std::size_t index, train::findName(names, choice.name, "loss"));
    const LossRow& row = lossTable()[index];
    const train::Arguments arguments(choice, row.info, "loss");
    TY_TRY(arguments.check());
    TY_TRY(train::checkServes("loss " + choice.name, row.tasks, task));
    Loss loss;
    loss.m_row = &row;
    loss.m_task = task;
    if (row.of) return loss;
    loss.m_labelSmoothing = arguments.number("labelSmoothing");
    const std::vector<double> weights = arguments.numbers("classWeights");
    if (weights.empty()) return loss;
    if (static_cast<std::int64_t>(weights.size()) != outputs)
        return inputError(std::to_string(weights.size()) + " weights do not fit " + std::to_string(outputs) +
                              " classes",
                          arguments.path("classWeights"), "give one for each class, or none");
    loss.m_classWeights = torch::tensor(weights, torch::kFloat32);
    return loss;
}

Result<void> Loss::checkTargets(const torch::Tensor& targets, bool standardised) const {
    if (!m_row->targetsAreShares || m_task != TaskKind::Regression || targets.numel() == 0) return {};
    if (standardised)
        return inputError("bce needs targets between 0 and 1, and the dataset standardises them", "loss.name",
                          "set dataset.params.standardise to false, or use mse or l1");
    const double least = targets.min().item<double>(), most = targets.max().item<double>();
    if (least >= 0 && most <= 1) return {};
    return inputError("bce needs targets between 0 and 1, and they range from " + spec::toText(least) + " to " +
                          spec::toText(most),
                      "loss.name", "use mse or l1");
}

torch::Tensor Loss::reduced(const torch::Tensor& outputs, const torch::Tensor& targets, std::int64_t reduction) const {
    const bool mean = reduction == at::Reduction::Mean;
    const torch::Tensor values = rowsOf(outputs.to(torch::kFloat32));
    if (!m_row->of) {
        const torch::Tensor weights =
            mean && m_classWeights.defined() ? onDevice(m_classWeights, values) : torch::Tensor();
        return at::cross_entropy_loss(values, targets.reshape({-1}), weights, reduction, -100,
                                      mean ? m_labelSmoothing : 0.0);
    }
    torch::Tensor wanted = targets;
    if (m_task == TaskKind::Classification) wanted = torch::one_hot(targets, values.size(1));
    wanted = wanted.to(torch::kFloat32).reshape(values.sizes());
    const torch::Tensor loss = m_row->of(values, wanted, reduction);
    if (mean) return loss;
    // Of a unit: the mean of its outputs.
    return reduction == at::Reduction::None ? loss.mean(1) : loss / static_cast<double>(values.size(1));
}

torch::Tensor Loss::mean(const torch::Tensor& outputs, const torch::Tensor& targets) const {
    return reduced(outputs, targets, at::Reduction::Mean);
}

torch::Tensor Loss::weight(const torch::Tensor& targets) const {
    if (m_classWeights.defined())
        return onDevice(m_classWeights, targets).index_select(0, targets.reshape({-1})).sum().to(torch::kFloat64);
    const std::int64_t units = m_task == TaskKind::Language ? targets.numel() : targets.size(0);
    return torch::full({}, static_cast<double>(units), torch::TensorOptions(torch::kFloat64).device(targets.device()));
}

torch::Tensor Loss::validationSum(const torch::Tensor& outputs, const torch::Tensor& targets) const {
    return reduced(outputs, targets, at::Reduction::Sum);
}

torch::Tensor Loss::ofEach(const torch::Tensor& outputs, const torch::Tensor& targets) const {
    const torch::Tensor each = reduced(outputs, targets, at::Reduction::None);
    return m_task == TaskKind::Language ? each.reshape(targets.sizes()) : each;
}

torch::Tensor Loss::probabilities(const torch::Tensor& outputs) const {
    return m_row->answers ? m_row->answers(outputs) : torch::softmax(outputs.to(torch::kFloat32), -1);
}

torch::Tensor Loss::answers(const torch::Tensor& outputs) const {
    return m_row->answers ? m_row->answers(outputs) : outputs;
}

} // namespace trainyard::optim
