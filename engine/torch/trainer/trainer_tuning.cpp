// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/onednn.h"
#include "engine/torch/trainer/trainer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace trainyard::train {

// Of rank 0: as other runs of the workspace are computed, so that results do not depend on the host; else as is fastest
// here. Of runs that start together one is the first.
Tuned Trainer::findTuning(const spec::RunSpec& spec) {
    const auto all = torch::arange(m_plan.perRank, torch::TensorOptions(torch::kInt64).device(m_input.device.device));
    const auto loss = [&](std::int64_t samples, const std::string& precision) {
        const auto batch = data::gather(m_data, m_data.train, all.narrow(0, 0, samples));
        const auto way = Precision::make(precision, m_input.device.device);
        if (!way) throw std::runtime_error(way.error().text());
        const auto autocast = way->scope();
        return m_task->loss(m_model->forward(batch.inputs), batch.targets);
    };
    const TuningTask task{.spec = spec,
                          .model = *m_model,
                          .device = m_input.device.device,
                          .threads = at::get_num_threads(),
                          .samples = m_plan.perRank,
                          .loss = loss};
    if (!hasOpenChoice(task)) return tune(task);
    const std::string key = choiceKey(task);
    if (auto kept = Tuned::fromText(m_report.keepKernelChoice(key, {}))) return withStated(std::move(*kept), spec);
    auto found = tune(task);
    auto kept = Tuned::fromText(m_report.keepKernelChoice(key, found.text()));
    return kept ? withStated(std::move(*kept), spec) : found;
}

// Collective. All ranks compute alike: as a checkpoint or a rank that has trained already says, else as rank 0 finds.
Result<void> Trainer::agreeTuning() {
    if (m_spec.tuning.kernels == "onednn" && m_input.device.device.is_cpu() && !kernels::onednn::available())
        return environmentError("this build of the worker has no oneDNN", "tuning.kernels",
                                "choose \"auto\" or \"stock\", or build with libdnnl-dev installed");
    m_progress.setDoing(Engine::tr("choose kernels and layout"));
    if (!m_tuning) m_tuning = Tuned::restored(m_restored);
    spec::RunSpec spec = m_spec;
    if (std::exchange(m_chooseAnew, false) && m_tuning && !spec.scaling.syncBatchNorm) {
        spec.tuning.layout = m_tuning->layout; // this and the precision stay: the optimizer's state has them
        spec.precision = m_tuning->precision;
        m_tuning.reset();
    }
    std::string proposal = m_tuning ? "known " + m_tuning->text() : std::string();
    if (m_group.rank() == 0 && !m_tuning) proposal = "found " + findTuning(spec).text();
    m_progress.setCollective(Engine::tr("share the choice of kernels and layout"));
    const auto proposals = m_group.gatherText(proposal);
    const auto known = std::find_if(proposals.begin(), proposals.end(),
                                    [](const std::string& text) { return text.starts_with("known "); });
    const std::string& taken = known == proposals.end() ? proposals.front() : *known;
    m_tuning = withStated(Tuned::fromText(taken.substr(taken.find(' ') + 1)).value_or(Tuned{}), spec);
    applyTuning(*m_tuning, *m_model);
    if (m_spec.precision == "auto") {
        TY_ASSIGN(m_precision, Precision::make(m_tuning->precision, m_input.device.device));
    }
    return {};
}

} // namespace trainyard::train
