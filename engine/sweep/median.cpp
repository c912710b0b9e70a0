// SPDX-License-Identifier: GPL-3.0-or-later
// The median stopping rule (Golovin and others 2017, Google Vizier): a trial whose best loss is worse than the median
// of the others' running means is stopped.
#include "engine/sweep/loss_set.h"
#include "engine/sweep/schedulers.h"
#include "engine/sweep/waiting_trials.h"

#include <nlohmann/json.hpp>

#include <map>

namespace trainyard::sweep {
namespace {

class Median final : public Scheduler {
public:
    Median(double grace, double interval, int minTrials)
        : m_grace(grace), m_interval(interval), m_minTrials(minTrials) {}

    std::vector<Order> take(const Event& event) override {
        m_waiting.take(event);
        switch (event.kind) {
        case Event::Kind::Started: m_live[event.trial] = {.next = firstMark(m_grace)}; return {};
        case Event::Kind::Report: return judge(event);
        case Event::Kind::Ended:
        case Event::Kind::Failed:
        case Event::Kind::Stopped: m_live.erase(event.trial); return {};
        case Event::Kind::SlotFree: return m_waiting.start();
        default: return {};
        }
    }
    bool startsInOrder() const override { return true; }
    double nextReport(int trial) const override {
        const auto live = m_live.find(trial);
        return live == m_live.end() ? kNever : static_cast<double>(live->second.next) * m_interval;
    }
    std::string state() const override {
        nlohmann::json live = nlohmann::json::array(), marks = nlohmann::json::array();
        for (const auto& [trial, course] : m_live)
            live.push_back({trial, course.best, course.sum, course.count, course.next});
        for (const auto& [mark, means] : m_means) marks.push_back({mark, means.size(), means.quantile(0.5)});
        return nlohmann::json{{"waiting", m_waiting.trials()}, {"live", live}, {"marks", marks}}.dump();
    }

private:
    struct Course {
        double best = kNever, sum = 0;
        int count = 0;
        long next = 0; // the mark at which it is judged next; marks are multiples of the interval
    };

    long firstMark(double t) const { return static_cast<long>(std::ceil(t / m_interval - 1e-9)); }

    std::vector<Order> judge(const Event& report) {
        const auto live = m_live.find(report.trial);
        const auto mark = static_cast<long>(std::floor(report.t / m_interval + 1e-9));
        if (live == m_live.end() || mark < live->second.next) return {};
        const double t = static_cast<double>(mark) * m_interval;
        if (!std::isfinite(report.loss)) return {{Order::Kind::Stop, report.trial, {"median", t}}};
        Course& course = live->second;
        course.next = mark + 1;
        course.best = std::min(course.best, report.loss);
        course.sum += report.loss;
        ++course.count;
        LossSet& means = m_means[mark];
        std::vector<Order> orders;
        if (means.size() >= m_minTrials && course.best > means.quantile(0.5))
            orders.push_back(
                {Order::Kind::Stop,
                 report.trial,
                 {"median", t, course.best, means.quantile(0.5), means.placeOf(course.best), means.size() + 1}});
        means.add(course.sum / course.count);
        return orders;
    }

    double m_grace, m_interval;
    int m_minTrials;
    std::map<int, Course> m_live;
    std::map<long, LossSet> m_means; // at each mark, the running means of those that came there
    WaitingTrials m_waiting;
};

Result<std::unique_ptr<Scheduler>> makeMedian(const spec::Choice& options, const SchedulerFrame& frame) {
    TY_TRY(checkGrace(options, frame));
    return std::unique_ptr<Scheduler>(std::make_unique<Median>(
        options.number("grace", 1), options.number("interval", 1), static_cast<int>(options.integer("minTrials", 3))));
}

} // namespace

SchedulerEntry medianScheduler() {
    return {{"median",
             "Median rule",
             "Stops a trial whose best loss is worse than the median of the others' running means.",
             {graceInfo(),
              {.name = "interval",
               .title = "Interval",
               .defaultValue = 1.0,
               .min = 0.0,
               .minExclusive = true,
               .help = "How often a trial is judged, in the epochs or steps its run counts in."},
              {.name = "minTrials",
               .title = "Trials",
               .type = spec::ParamType::Integer,
               .defaultValue = std::int64_t{3},
               .min = 1.0,
               .max = 100000.0,
               .help = "Trials that must have got this far before one can be stopped."}}},
            makeMedian};
}

} // namespace trainyard::sweep
