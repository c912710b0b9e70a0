// SPDX-License-Identifier: GPL-3.0-or-later
// What a run begins with that is fine-tuned: the weights of a file, which of them are trained from when on, and what a
// frozen body puts out.
#include "engine/torch/data/split.h"
#include "engine/torch/trainer/trainer.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace trainyard::train {

Result<void> Trainer::takeWeights() {
    if (m_spec.weights.file.empty()) return {};
    m_progress.setDoing(Engine::tr("read the weights"));
    TY_ASSIGN(const auto report, m_learner->loadWeights(m_data.modelContext(), m_data.set().classNames));
    m_data.noteWeights(report);
    if (m_group.rank() == 0) m_report.notify(m_data.description());
    return {};
}

// Collective, between two epochs: all weights are trained from here on, and their gradients averaged.
Result<void> Trainer::thaw() {
    m_averaging.end();
    m_averaging.carry({});
    TY_TRY(beginAveraging());
    if (const std::string text = m_learner->trainedText(); !text.empty()) say(text);
    return {};
}

// A body that is frozen puts out the same in every epoch, so it computes each sample once.
Result<void> Trainer::cacheFeatures(bool together) {
    if (m_spec.finetune.features != "cache" || m_data.areFeatures()) return {};
    auto* const model = dynamic_cast<models::HeadedModel*>(&m_learner->model());
    if (!model || model->headName().empty())
        return inputError(m_spec.model.name + " has no head apart from its body", "finetune.features",
                          "set it to \"off\"")
            .withCode(ErrorCode::FieldInvalid);
    std::array<torch::Tensor, 3> features;
    const std::array splits{&m_data.set().train, &m_data.set().validation, &m_data.set().test};
    model->eval();
    for (std::size_t i = 0; i < splits.size(); ++i)
        if (splits[i]->size() > 0) { TY_ASSIGN(features[i], featuresOf(*model, *splits[i], together)); }
    model->train();
    m_data.useFeatures(features);
    return {};
}

Result<torch::Tensor> Trainer::featuresOf(models::HeadedModel& model, const data::Split& split, bool together) {
    constexpr std::int64_t kBatch = 32;
    const torch::NoGradGuard noGrad;
    const auto part = together ? data::Part{.number = m_group.rank(), .of = m_group.worldSize()} : data::Part{};
    const auto share = data::shareOf(split.size(), part);
    torch::Tensor all;
    int batchNumber = 0;
    for (std::int64_t at = share.begin; at < share.end; at += kBatch) {
        m_progress.setDoing(Engine::tr("compute the features, batch"), ++batchNumber);
        const auto indices = torch::arange(at, std::min(at + kBatch, share.end), torch::kInt64).to(split.device());
        const auto batch = data::gather(m_data.set(), split, indices);
        torch::Tensor some;
        {
            const auto autocast = m_learner->precision().scope();
            some = model.features(batch.inputs).to(torch::kFloat32);
        }
        if (!all.defined()) {
            std::vector<std::int64_t> shape = some.sizes().vec();
            shape[0] = split.size();
            const double bytes = 4.0 * static_cast<double>(some[0].numel()) * static_cast<double>(shape[0]);
            TY_TRY(data::checkMemoryFor(bytes, "finetune.features"));
            all = torch::zeros(shape, some.options());
        }
        all.narrow(0, at, some.size(0)).copy_(some);
    }
    if (!together || m_group.worldSize() == 1) return all;
    // A rank without a sample learns the shape from the others.
    m_progress.setCollective(Engine::tr("share the features"));
    std::string shape;
    if (all.defined())
        for (const std::int64_t side : all.sizes()) shape += std::to_string(side) + " ";
    for (const std::string& text : m_group.gatherText(shape)) {
        if (all.defined() || text.empty()) continue;
        std::vector<std::int64_t> sides;
        std::istringstream words(text);
        for (std::int64_t side = 0; words >> side;) sides.push_back(side);
        all = torch::zeros(sides, torch::TensorOptions(torch::kFloat32).device(m_input.device.device));
    }
    m_group.sum(all); // each sample is of one rank, and zero on the others
    return all;
}

torch::Tensor Trainer::outputsOf(models::Model& model, const torch::Tensor& inputs) const {
    return m_data.areFeatures() ? dynamic_cast<models::HeadedModel&>(model).head(inputs) : model.forward(inputs);
}

} // namespace trainyard::train
