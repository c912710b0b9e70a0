// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/model_sync.h"

#include "engine/base/text/printable.h"
#include "engine/torch/api/raise.h"
#include "engine/torch/api/rank_session.h"
#include "engine/torch/kernels/gradient_slot.h"
#include "engine/torch/optim/update_rule.h"
#include "trainyard/context.h"

#include <torch/csrc/autograd/engine.h>

#include <algorithm>
#include <array>

namespace trainyard::train {
namespace {

// Runs before autograd accumulates a parameter's gradient.
class BeforeGradient : public torch::autograd::FunctionPreHook {
public:
    explicit BeforeGradient(std::function<void()> run) : m_run(std::move(run)) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override {
        m_run();
        return gradients;
    }

private:
    std::function<void()> m_run;
};

// An averager updates the weights as well: here that is left to the program's own optimizer.
class NoUpdate : public optim::UpdateRule {
public:
    std::vector<std::string> slots() const override { return {}; }
    void update(const optim::UpdateBlock&, const optim::UpdateSettings&) const override {}
    void update(torch::Tensor&, const torch::Tensor&, std::vector<torch::Tensor>&,
                const optim::UpdateSettings&) const override {}
};

// Autograd runs callbacks in the order in which they were queued. c10d's reducer queues one when its last gradient is
// ready, which may be in a callback that its averager has queued in turn: what comes after `others` such generations
// comes after them all.
void atEndOfPass(int others, std::function<void()> run) {
    torch::autograd::Engine::get_default_engine().queue_callback([others, run = std::move(run)] {
        if (others > 0) atEndOfPass(others - 1, run);
        else run();
    });
}

} // namespace

ModelSync::ModelSync(std::shared_ptr<torch::nn::Module> module, const std::string& kind, RankSession& session,
                     bool compare)
    : m_module(std::move(module)), m_parameters(optim::namedParameters(*m_module)), m_session(session),
      m_compare(compare), m_old(m_parameters.size()) {
    constexpr std::array kKinds{"auto", "shared", "buckets", "reducer"};
    if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end())
        throw InputError("prepareModel(): \"" + printable(kind) +
                         "\" is not a way to average gradients (choose auto, shared, buckets or reducer)");
    if (session.group().worldSize() > 1) {
        m_noUpdate = std::make_unique<optim::Optimizer>("none", std::make_unique<NoUpdate>(), m_parameters, 0.0,
                                                        std::vector<double>(m_parameters.size(), 0.0));
        AveragerOptions options;
        options.kind = kind;
        const auto& scaling = session.spec().scaling;
        options.compression = {.kind = scaling.compression, .rank = scaling.compressionRank};
        options.step = session.progress().step;
        options.gradientsOnly = true;
        options.waitSeconds = std::chrono::duration<double>(kCollectiveLimit).count();
        auto made = valueOrRaise(makeAverager(session.group(), *m_noUpdate, options, session.progress()));
        m_description = std::move(made.description);
        m_averager = std::move(made.averager);
        // A layer that writes into a slot does so before the hook in front of its gradient opens the step.
        for (const auto& [name, parameter] : m_parameters) kernels::withdrawSlot(parameter);
    }
    for (const auto& [name, parameter] : m_parameters) hook(parameter);
}

// The accumulators may outlive this: their hooks must not reach it then.
ModelSync::~ModelSync() { *m_alive = false; }

void ModelSync::hook(const torch::Tensor& parameter) {
    auto accumulator = torch::autograd::impl::grad_accumulator(parameter);
    accumulator->add_pre_hook(std::make_unique<BeforeGradient>([this, alive = m_alive] {
        if (*alive && m_pass.expired()) begin();
    }));
    m_accumulators.push_back(std::move(accumulator));
}

void ModelSync::begin() {
    if (m_session.mustStopNow()) throw StopRequested();
    const torch::NoGradGuard noGrad;
    const bool averages = !m_session.noSync();
    const auto pass = std::make_shared<int>(0);
    m_pass = pass;
    m_session.progress().setStep(StepPart::Compute, Engine::tr("backward"));
    if (m_averager) {
        if (m_fresh) keepOldGradients(); // else they are those that add up
        m_fresh = averages;
        m_averager->prepareForward(averages);
        m_averager->prepareBackward();
    }
    atEndOfPass(2, [this, alive = m_alive, pass, averages] {
        if (*alive) end(averages);
    });
}

// A gradient unchanged since the last pass is one to accumulate into. One that was changed since is mostly zeroed,
// which is found out with one look at all of them.
void ModelSync::keepOldGradients() {
    std::vector<torch::Tensor> counts;
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        const auto& gradient = m_parameters[i].second.grad();
        if (!gradient.defined()) continue;
        if (static_cast<std::int64_t>(gradient._version()) == m_old[i].version) {
            m_old[i].kept = gradient.clone();
            continue;
        }
        counts.push_back(torch::count_nonzero(gradient));
        changed.push_back(i);
    }
    if (counts.empty()) return;
    const auto known = torch::stack(counts).cpu();
    for (std::size_t i = 0; i < changed.size(); ++i)
        if (known[static_cast<std::int64_t>(i)].item<std::int64_t>() > 0)
            m_old[changed[i]].kept = m_parameters[changed[i]].second.grad().clone();
}

void ModelSync::end(bool averages) {
    const torch::NoGradGuard noGrad;
    m_pass.reset();
    if (!averages) return;
    double waited = 0;
    if (m_averager) {
        waited = m_averager->finishStep({}).waitSeconds;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            auto& gradient = m_parameters[i].second.mutable_grad();
            // The same memory, but no view of a bucket: an optimizer of 1.13 could not zero that.
            gradient = gradient.variable_data();
            if (m_old[i].kept.defined()) gradient.add_(m_old[i].kept);
            m_old[i] = {static_cast<std::int64_t>(gradient._version()), {}};
        }
    }
    m_session.endBackward(waited);
}

} // namespace trainyard::train
