// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/better.h"
#include "engine/torch/optim/schedule_shape.h"

#include <algorithm>

namespace trainyard::optim {
namespace {

// As PyTorch's ReduceLROnPlateau: the learning rate falls whenever the metric has not become better for more than
// `patience` validations.
class PlateauShape final : public CopyableShape<PlateauShape> {
public:
    struct Options {
        std::string metric;
        spec::Better better = spec::Better::Smaller;
        double factor = 0.1, threshold = 1e-4; // threshold: of the best value, what counts as better
        std::int64_t patience = 10, cooldown = 0;
        double minLr = 0;
    };
    explicit PlateauShape(Options options) : m_options(std::move(options)) {}

    double at(std::int64_t, const SchedulePlan& plan) const override {
        return std::max(m_options.minLr, plan.baseLr * m_lowered);
    }

    bool observe(const std::map<std::string, double>& metrics, const SchedulePlan& plan) override {
        const auto found = metrics.find(m_options.metric);
        if (found == metrics.end()) return false;
        if (isBetter(found->second)) {
            m_best = found->second;
            m_hasBest = true;
            m_badCount = 0;
        } else {
            ++m_badCount;
        }
        if (m_coolLeft > 0) {
            --m_coolLeft;
            m_badCount = 0;
        }
        if (m_badCount <= m_options.patience) return false;
        m_coolLeft = m_options.cooldown;
        m_badCount = 0;
        const double before = at(plan.totalSteps, plan);
        m_lowered *= m_options.factor;
        return at(plan.totalSteps, plan) < before;
    }

    std::map<std::string, double> state() const override {
        std::map<std::string, double> state{{"plateau.lowered", m_lowered},
                                            {"plateau.bad", static_cast<double>(m_badCount)},
                                            {"plateau.cool", static_cast<double>(m_coolLeft)}};
        if (m_hasBest) state["plateau.best"] = m_best;
        return state;
    }

    void restore(const std::map<std::string, double>& state) override {
        const auto value = [&state](const char* name, double fallback) {
            const auto found = state.find(name);
            return found == state.end() ? fallback : found->second;
        };
        m_lowered = value("plateau.lowered", m_lowered);
        m_badCount = static_cast<std::int64_t>(value("plateau.bad", static_cast<double>(m_badCount)));
        m_coolLeft = static_cast<std::int64_t>(value("plateau.cool", static_cast<double>(m_coolLeft)));
        m_hasBest = state.contains("plateau.best");
        m_best = value("plateau.best", m_best);
    }

private:
    bool isBetter(double value) const {
        if (!m_hasBest) return true;
        return m_options.better == spec::Better::Larger ? value > m_best * (1 + m_options.threshold)
                                                        : value < m_best * (1 - m_options.threshold);
    }

    Options m_options;
    double m_lowered = 1; // the product of the factors so far
    double m_best = 0;
    bool m_hasBest = false;
    std::int64_t m_badCount = 0, m_coolLeft = 0;
};

Result<std::unique_ptr<ScheduleShape>> makePlateauSchedule(const train::Arguments& arguments,
                                                           const SchedulePlan& plan) {
    TY_ASSIGN(const double minLr, lowestLr(arguments, plan));
    return std::unique_ptr<ScheduleShape>(std::make_unique<PlateauShape>(
        PlateauShape::Options{.metric = arguments.text("metric"),
                              .better = spec::betterOf(arguments.text("metric"), arguments.text("mode")),
                              .factor = arguments.number("factor"),
                              .threshold = arguments.number("threshold"),
                              .patience = arguments.integer("patience"),
                              .cooldown = arguments.integer("cooldown"),
                              .minLr = minLr}));
}

} // namespace

ScheduleEntry plateauSchedule() {
    return {{.name = "plateau",
             .title = Engine::tr("Reduce on plateau"),
             .help = Engine::tr("Lowered whenever the validation metric stops improving."),
             .params = {{.name = "metric",
                         .title = Engine::tr("Metric"),
                         .type = spec::ParamType::Text,
                         .defaultValue = std::string("val/loss"),
                         .help = Engine::tr("The validation series to watch.")},
                        {.name = "mode",
                         .title = Engine::tr("Goal"),
                         .type = spec::ParamType::Option,
                         .defaultValue = std::string("auto"),
                         .options = {"auto", "min", "max"},
                         .help = Engine::tr(
                             "Whether a smaller or a larger value is better; auto decides by the metric's name.")},
                        {.name = "factor",
                         .title = Engine::tr("Factor"),
                         .defaultValue = 0.1,
                         .min = 0.0,
                         .max = 1.0,
                         .minExclusive = true,
                         .help = Engine::tr("The learning rate is multiplied by this each time.")},
                        {.name = "patience",
                         .title = Engine::tr("Patience"),
                         .type = spec::ParamType::Integer,
                         .defaultValue = std::int64_t{10},
                         .min = 0.0,
                         .max = 1e6,
                         .unit = Engine::tr("validations"),
                         .help = Engine::tr("Validations without improvement to wait for.")},
                        {.name = "threshold",
                         .title = Engine::tr("Threshold"),
                         .defaultValue = 1e-4,
                         .min = 0.0,
                         .max = 1.0,
                         .help = Engine::tr("Relative improvement over the best value that counts.")},
                        {.name = "cooldown",
                         .title = Engine::tr("Cool-down"),
                         .type = spec::ParamType::Integer,
                         .defaultValue = std::int64_t{0},
                         .min = 0.0,
                         .max = 1e6,
                         .unit = Engine::tr("validations"),
                         .help = Engine::tr("Validations to ignore after each reduction.")},
                        minLrInfo(Engine::tr("The learning rate does not go below this.")),
                        warmupInfo()}},
            makePlateauSchedule};
}

} // namespace trainyard::optim
