// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/group_tuning.h"

#include "engine/torch/kernels/onednn.h"

#include <algorithm>
#include <utility>

namespace trainyard::train {
namespace {

// Of rank 0: as other runs of the workspace are computed, so that results do not depend on the host; else as is fastest
// here. Of runs that start together one is the first.
Tuned findTuning(const TuningTask& task, RunReport& report) {
    if (!hasOpenChoice(task)) return tune(task);
    const std::string key = choiceKey(task);
    if (auto kept = Tuned::fromText(report.keepKernelChoice(key, {}))) return withStated(std::move(*kept), task.spec);
    auto found = tune(task);
    auto kept = Tuned::fromText(report.keepKernelChoice(key, found.text()));
    return kept ? withStated(std::move(*kept), task.spec) : found;
}

} // namespace

Result<void> GroupTuning::agree(const TuningTask& task, const std::map<std::string, double>& restored,
                                const ProcessGroup& group, RunReport& report, Progress& progress) {
    if (task.spec.tuning.kernels == "onednn" && task.device.is_cpu() && !kernels::onednn::available())
        return environmentError("this build of the worker has no oneDNN", "tuning.kernels",
                                "choose \"auto\" or \"stock\", or build with libdnnl-dev installed");
    progress.setDoing(Engine::tr("choose kernels and layout"));
    if (!m_tuned) m_tuned = Tuned::restored(restored);
    spec::RunSpec spec = task.spec;
    if (std::exchange(m_chooseAnew, false) && m_tuned && !spec.scaling.syncBatchNorm) {
        spec.tuning.layout = m_tuned->layout; // this and the precision stay: the optimizer's state has them
        spec.precision = m_tuned->precision;
        m_tuned.reset();
    }
    std::string proposal = m_tuned ? "known " + m_tuned->text() : std::string();
    if (group.rank() == 0 && !m_tuned) {
        const TuningTask open{.spec = spec,
                              .model = task.model,
                              .device = task.device,
                              .threads = task.threads,
                              .samples = task.samples,
                              .loss = task.loss};
        proposal = "found " + findTuning(open, report).text();
    }
    progress.setCollective(Engine::tr("share the choice of kernels and layout"));
    const auto proposals = group.gatherText(proposal);
    const auto known = std::find_if(proposals.begin(), proposals.end(),
                                    [](const std::string& text) { return text.starts_with("known "); });
    const std::string& taken = known == proposals.end() ? proposals.front() : *known;
    m_tuned = withStated(Tuned::fromText(taken.substr(taken.find(' ') + 1)).value_or(Tuned{}), spec);
    applyTuning(*m_tuned, task.model);
    return {};
}

void GroupTuning::save(std::map<std::string, double>& progress) const {
    if (m_tuned) m_tuned->save(progress);
}

} // namespace trainyard::train
