// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/loss.h"

#include "engine/torch/arguments.h"

namespace trainyard::optim {

using spec::ParamInfo;
using spec::ParamType;

std::vector<spec::Entry> lossEntries() {
    spec::Entry entry;
    entry.name = "cross-entropy";
    entry.title = "Cross-entropy";
    entry.help = "The usual loss of classification.";
    entry.params = {{.name = "labelSmoothing", .title = "Label smoothing", .defaultValue = 0.0, .min = 0.0,
                     .max = 0.99, .help = "Share of the target spread over all classes, while training."}};
    return {entry};
}

Result<Loss> Loss::make(const spec::Choice& choice) {
    const std::vector<spec::Entry> entries = lossEntries();
    TY_TRY(train::findName({entries.front().name}, choice.name, "loss"));
    const train::Arguments arguments(choice, entries.front(), "loss");
    TY_TRY(arguments.check());
    Loss loss;
    loss.m_labelSmoothing = arguments.number("labelSmoothing");
    return loss;
}

torch::Tensor Loss::mean(const torch::Tensor& logits, const torch::Tensor& targets) const {
    return at::cross_entropy_loss(logits.to(torch::kFloat32), targets, {}, at::Reduction::Mean, -100,
                                  m_labelSmoothing);
}

torch::Tensor Loss::validationSum(const torch::Tensor& logits, const torch::Tensor& targets) const {
    return at::cross_entropy_loss(logits.to(torch::kFloat32), targets, {}, at::Reduction::Sum);
}

torch::Tensor correctCount(const torch::Tensor& logits, const torch::Tensor& targets) {
    return logits.argmax(1).eq(targets).sum();
}

} // namespace trainyard::optim
