// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/loss.h"

#include "engine/torch/base/arguments.h"

namespace trainyard::optim {

using spec::ParamInfo;
using spec::ParamType;
using train::TaskKind;

// One row for each loss. `of` compares outputs [N, V] with wanted values of that shape, element by element; null where
// classes are taken as they are, with their weights: cross-entropy, and focal.
struct LossRow {
    spec::Entry info;
    std::vector<TaskKind> tasks;
    torch::Tensor (*of)(const torch::Tensor& outputs, const torch::Tensor& wanted, std::int64_t reduction,
                        const LossNumbers& numbers) = nullptr;
    torch::Tensor (*answers)(const torch::Tensor& outputs) = nullptr; // null: the outputs
    bool targetsAreShares = false;                                    // they must lie between 0 and 1
    bool takesShares = false;                                         // of classes, in place of a class
};

namespace {

constexpr const char* kBalanced = "balanced";

ParamInfo classWeightsInfo() {
    return {.name = "classWeights",
            .title = Engine::tr("Class weights"),
            .type = ParamType::NumberList,
            .defaultValue = std::vector<double>{},
            .min = 0.0,
            .max = 1e6,
            .options = {kBalanced},
            .help = Engine::tr("One weight for each class, in their order, or “balanced”: rare classes weigh more; "
                               "empty: all equal.")};
}

ParamInfo posWeightInfo() {
    return {.name = "posWeight",
            .title = Engine::tr("Weight of yes"),
            .type = ParamType::NumberList,
            .defaultValue = std::vector<double>{},
            .min = 0.0,
            .max = 1e6,
            .options = {kBalanced},
            .help = Engine::tr("How much more a yes weighs than a no: one number, one for each output, or “balanced”; "
                               "empty: the same.")};
}

ParamInfo labelSmoothingInfo() {
    return {.name = "labelSmoothing",
            .title = Engine::tr("Label smoothing"),
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 0.99,
            .help = Engine::tr("Share of the target spread over all classes, while training.")};
}

// Few numbers: the step need not wait until the device has them.
torch::Tensor onDevice(const torch::Tensor& weights, const torch::Tensor& other) {
    return weights.to(other.device(), weights.scalar_type(), /*non_blocking=*/true);
}

torch::Tensor binaryCrossEntropy(const torch::Tensor& outputs, const torch::Tensor& wanted, std::int64_t reduction,
                                 const LossNumbers& numbers) {
    const bool weighs = numbers.posWeight.defined() && reduction == at::Reduction::Mean;
    return at::binary_cross_entropy_with_logits(
        outputs, wanted, {}, weighs ? onDevice(numbers.posWeight, outputs) : torch::Tensor(), reduction);
}

torch::Tensor squaredError(const torch::Tensor& outputs, const torch::Tensor& wanted, std::int64_t reduction,
                           const LossNumbers&) {
    return at::mse_loss(outputs, wanted, reduction);
}

torch::Tensor absoluteError(const torch::Tensor& outputs, const torch::Tensor& wanted, std::int64_t reduction,
                            const LossNumbers&) {
    return at::l1_loss(outputs, wanted, reduction);
}

torch::Tensor huber(const torch::Tensor& outputs, const torch::Tensor& wanted, std::int64_t reduction,
                    const LossNumbers& numbers) {
    return at::huber_loss(outputs, wanted, reduction, numbers.delta);
}

// The logarithm is finite where a class is sure, and so is the slope of a power below 1 there.
torch::Tensor focal(const torch::Tensor& outputs, const torch::Tensor& classes, std::int64_t reduction,
                    const torch::Tensor& weights, double gamma) {
    constexpr double kLeastDoubt = 1e-6;
    const torch::Tensor own = torch::log_softmax(outputs, 1).gather(1, classes.unsqueeze(1)).squeeze(1);
    torch::Tensor each = (1 - own.exp()).clamp_min(kLeastDoubt).pow(gamma) * -own;
    torch::Tensor count;
    if (weights.defined()) {
        const torch::Tensor ofEach = weights.index_select(0, classes);
        each = each * ofEach;
        count = ofEach.sum();
    }
    if (reduction == at::Reduction::None) return each;
    if (reduction == at::Reduction::Sum) return each.sum();
    return count.defined() ? each.sum() / count : each.mean();
}

// Shares of classes, in place of a class for each unit.
bool areShares(const torch::Tensor& targets) { return targets.is_floating_point(); }

torch::Tensor sigmoidOf(const torch::Tensor& outputs) { return torch::sigmoid(outputs.to(torch::kFloat32)); }

const std::vector<LossRow>& lossTable() {
    static const std::vector<LossRow> rows = {
        {.info = {.name = "cross-entropy",
                  .title = Engine::tr("Cross-entropy"),
                  .help = Engine::tr("The usual loss of classification and of language."),
                  .params = {labelSmoothingInfo(), classWeightsInfo()}},
         .tasks = {TaskKind::Classification, TaskKind::Language},
         .takesShares = true},
        {.info = {.name = "bce",
                  .title = Engine::tr("Binary cross-entropy"),
                  .help = Engine::tr("Each output is an independent yes or no; targets between 0 and 1."),
                  .params = {posWeightInfo()}},
         .tasks = {TaskKind::Classification, TaskKind::Regression, TaskKind::MultiLabel},
         .of = binaryCrossEntropy,
         .answers = sigmoidOf,
         .targetsAreShares = true,
         .takesShares = true},
        {.info = {.name = "mse",
                  .title = Engine::tr("Mean squared error"),
                  .help = Engine::tr("The usual loss of regression.")},
         .tasks = {TaskKind::Regression},
         .of = squaredError},
        {.info = {.name = "l1",
                  .title = Engine::tr("Mean absolute error"),
                  .help = Engine::tr("Regression that is robust to outliers.")},
         .tasks = {TaskKind::Regression},
         .of = absoluteError},
        {.info = {.name = "huber",
                  .title = Engine::tr("Huber"),
                  .help = Engine::tr("Squared for small errors, absolute for large ones."),
                  .params = {{.name = "delta",
                              .title = Engine::tr("Delta"),
                              .defaultValue = 1.0,
                              .min = 0.0,
                              .max = 1e6,
                              .minExclusive = true,
                              .help = Engine::tr("Where small errors end, in the units that the model learns.")}}},
         .tasks = {TaskKind::Regression},
         .of = huber},
        {.info = {.name = "focal",
                  .title = Engine::tr("Focal"),
                  .help = Engine::tr("Cross-entropy that counts samples less the surer the model is of them."),
                  .params = {{.name = "gamma",
                              .title = Engine::tr("Gamma"),
                              .defaultValue = 2.0,
                              .min = 0.0,
                              .max = 10.0,
                              .help = Engine::tr("How much less; 0: cross-entropy.")},
                             classWeightsInfo()}},
         .tasks = {TaskKind::Classification}}};
    return rows;
}

// Each weight as often as it is there makes the number of samples: n / (classes · samples of the class), as in
// scikit-learn. Classes without samples weigh 1.
torch::Tensor balancedWeights(const torch::Tensor& targets, std::int64_t classes) {
    const torch::Tensor counts = torch::bincount(targets, {}, classes).to(torch::kFloat64);
    const double mean = static_cast<double>(targets.size(0)) / static_cast<double>(classes);
    return torch::where(counts > 0, mean / counts.clamp_min(1), torch::ones_like(counts)).to(torch::kFloat32);
}

// As many noes as there are for each yes. 1 for outputs that have no yes.
torch::Tensor balancedYes(const torch::Tensor& targets, std::int64_t outputs) {
    const torch::Tensor yes = targets.is_floating_point() ? targets.reshape({-1, outputs}).to(torch::kFloat64).sum(0)
                                                          : torch::bincount(targets, {}, outputs).to(torch::kFloat64);
    const torch::Tensor no = static_cast<double>(targets.size(0)) - yes;
    return torch::where(yes > 0, no / yes.clamp_min(1e-12), torch::ones_like(yes)).to(torch::kFloat32);
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

Result<Loss> Loss::make(const spec::Choice& choice, TaskKind task, std::int64_t outputs, const torch::Tensor& targets) {
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
    LossNumbers& numbers = loss.m_numbers;
    numbers.labelSmoothing = arguments.number("labelSmoothing");
    numbers.gamma = arguments.number("gamma");
    numbers.delta = arguments.number("delta");
    const auto weightsOf = [&](const char* name, const char* units, bool oneForAll,
                               auto* balanced) -> Result<torch::Tensor> {
        const std::vector<double> weights = arguments.numbers(name);
        if (arguments.text(name) == kBalanced) {
            if (task == TaskKind::Language || !targets.defined() || targets.size(0) == 0)
                return inputError("is balanced by the samples of each class, and there are none", arguments.path(name),
                                  "give the weights themselves, or none");
            return balanced(targets.cpu(), outputs);
        }
        if (weights.empty()) return torch::Tensor();
        if (static_cast<std::int64_t>(weights.size()) != outputs && !(oneForAll && weights.size() == 1))
            return inputError(std::to_string(weights.size()) + " weights do not fit " + std::to_string(outputs) + units,
                              arguments.path(name),
                              oneForAll ? "give one for all, one for each, or none"
                                        : "give one for each class, or none");
        return torch::tensor(weights, torch::kFloat32);
    };
    if (row.info.find("classWeights")) {
        TY_ASSIGN(numbers.classWeights, weightsOf("classWeights", " classes", false, balancedWeights));
    }
    if (row.info.find("posWeight")) {
        TY_ASSIGN(numbers.posWeight, weightsOf("posWeight", " outputs", true, balancedYes));
    }
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

bool Loss::takesShares() const { return m_row->takesShares && m_task != TaskKind::Language; }

torch::Tensor Loss::reduced(const torch::Tensor& outputs, const torch::Tensor& targets, std::int64_t reduction) const {
    const bool mean = reduction == at::Reduction::Mean;
    const torch::Tensor values = rowsOf(outputs.to(torch::kFloat32));
    if (!m_row->of) {
        const torch::Tensor weights =
            mean && m_numbers.classWeights.defined() ? onDevice(m_numbers.classWeights, values) : torch::Tensor();
        if (!m_row->takesShares) return focal(values, targets, reduction, weights, m_numbers.gamma);
        return at::cross_entropy_loss(values, areShares(targets) ? targets : targets.reshape({-1}), weights, reduction,
                                      -100, mean ? m_numbers.labelSmoothing : 0.0);
    }
    torch::Tensor wanted = targets;
    if (m_task == TaskKind::Classification && !areShares(targets)) wanted = torch::one_hot(targets, values.size(1));
    wanted = wanted.to(torch::kFloat32).reshape(values.sizes());
    const torch::Tensor loss = m_row->of(values, wanted, reduction, m_numbers);
    if (mean) return loss;
    // Of a unit: the mean of its outputs.
    return reduction == at::Reduction::None ? loss.mean(1) : loss / static_cast<double>(values.size(1));
}

torch::Tensor Loss::mean(const torch::Tensor& outputs, const torch::Tensor& targets) const {
    return reduced(outputs, targets, at::Reduction::Mean);
}

torch::Tensor Loss::weight(const torch::Tensor& targets) const {
    if (!areShares(targets) && m_numbers.classWeights.defined())
        return onDevice(m_numbers.classWeights, targets)
            .index_select(0, targets.reshape({-1}))
            .sum()
            .to(torch::kFloat64);
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
