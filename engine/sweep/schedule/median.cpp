// SPDX-License-Identifier: GPL-3.0-or-later
// The median stopping rule (Golovin and others 2017, Google Vizier): a trial whose best loss is worse than the median
// of the others' running means is stopped. Of two series by places, as there is no median of pairs: a trial is stopped
// that more than half of the others' means stand before, where it stands with the best of each series.
#include "engine/base/json_text.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/values/loss_set.h"
#include "engine/sweep/values/pareto.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

namespace trainyard::sweep {
namespace {

class Median final : public Scheduler {
public:
    Median(double grace, double interval, int minTrials, bool paired)
        : m_grace(grace), m_interval(interval), m_minTrials(minTrials), m_paired(paired) {}

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
    bool remembers(const Event& report) const override {
        const auto live = m_live.find(report.trial);
        const LossPair losses{report.loss, m_paired ? report.second : 0};
        if (live == m_live.end() || !losses.isFinite()) return false;
        const LossPair& best = live->second.best;
        return losses.first < best.first || (m_paired && losses.second < best.second);
    }
    std::string state() const override {
        nlohmann::json live = nlohmann::json::array(), marks = nlohmann::json::array();
        for (const auto& [trial, course] : m_live)
            live.push_back({trial, course.best.first, course.best.second, course.sum.first, course.sum.second,
                            course.count, course.next});
        for (const auto& [mark, means] : m_means) marks.push_back({mark, means.size(), means.quantile(0.5)});
        for (const auto& [mark, means] : m_pairs) {
            nlohmann::json pairs = nlohmann::json::array();
            for (const LossPair& each : means) pairs.push_back({each.first, each.second});
            marks.push_back({mark, std::move(pairs)});
        }
        return jsonText(nlohmann::json{{"waiting", m_waiting.trials()}, {"live", live}, {"marks", marks}});
    }

private:
    struct Course {
        LossPair best{kNever, kNever}, sum{}; // of one series the second ones say nothing
        int count = 0;
        long next = 0; // the mark at which it is judged next; marks are multiples of the interval
    };

    long firstMark(double t) const { return static_cast<long>(std::ceil(t / m_interval - 1e-9)); }

    std::vector<Order> judge(const Event& report) {
        const auto live = m_live.find(report.trial);
        const auto mark = static_cast<long>(std::floor(report.t / m_interval + 1e-9));
        if (live == m_live.end()) return {};
        Course& course = live->second;
        const double t = timeOf(mark);
        const LossPair losses{report.loss, m_paired ? report.second : 0};
        if (losses.isFinite()) // as Vizier has it, whenever it was measured
            course.best = {std::min(course.best.first, losses.first), std::min(course.best.second, losses.second)};
        if (mark < course.next) return {};
        if (!losses.isFinite()) return {{Order::Kind::Stop, report.trial, {"median", t}}};
        course.next = mark + 1;
        course.sum = {course.sum.first + losses.first, course.sum.second + losses.second};
        ++course.count;
        const auto why = m_paired ? judgePair(mark, course) : judgeOne(mark, course);
        if (!why) return {};
        return {{Order::Kind::Stop, report.trial, *why}};
    }

    // Why it is stopped, if it is. Its mean counts for those that come there later.
    std::optional<Why> judgeOne(long mark, const Course& course) {
        LossSet& means = m_means[mark];
        std::optional<Why> why;
        const double best = course.best.first;
        if (means.size() >= m_minTrials && best > means.quantile(0.5))
            why = Why{"median", timeOf(mark), best, means.quantile(0.5), means.placeOf(best), means.size() + 1};
        means.add(course.sum.first / course.count);
        return why;
    }
    std::optional<Why> judgePair(long mark, const Course& course) {
        std::vector<LossPair>& means = m_pairs[mark];
        const auto others = static_cast<int>(means.size());
        means.push_back(course.best);
        const int place = placesOf(means).back();
        means.back() = {course.sum.first / course.count, course.sum.second / course.count};
        if (others < m_minTrials || 2 * (place - 1) <= others) return std::nullopt;
        return Why{"median", timeOf(mark), course.best.first, kNoCut, place, others + 1};
    }
    double timeOf(long mark) const { return static_cast<double>(mark) * m_interval; }

    double m_grace, m_interval;
    int m_minTrials;
    bool m_paired; // trials are compared by two series
    std::map<int, Course> m_live;
    std::map<long, LossSet> m_means;               // at each mark, the running means of those that came there
    std::map<long, std::vector<LossPair>> m_pairs; // the same, of two series
    WaitingTrials m_waiting;
};

Result<std::unique_ptr<Scheduler>> makeMedian(const spec::Choice& options, const SchedulerFrame& frame) {
    TY_TRY(checkGrace(options, frame));
    return std::unique_ptr<Scheduler>(
        std::make_unique<Median>(options.number("grace", 1), options.number("interval", 1),
                                 static_cast<int>(options.integer("minTrials", 3)), frame.paired));
}

} // namespace

SchedulerEntry medianScheduler() {
    return {{"median",
             Engine::tr("Median rule"),
             Engine::tr("Stops a trial whose best loss is worse than the median of the others' running means."),
             {graceInfo(),
              {.name = "interval",
               .title = Engine::tr("Interval"),
               .defaultValue = 1.0,
               .min = 0.0,
               .minExclusive = true,
               .help = Engine::tr("How often trials are compared, in epochs or steps as the run counts.")},
              {.name = "minTrials",
               .title = Engine::tr("Trials"),
               .type = spec::ParamType::Integer,
               .defaultValue = std::int64_t{3},
               .min = 1.0,
               .max = 100000.0,
               .help = Engine::tr("How many trials must have come this far before one can be stopped.")}}},
            makeMedian};
}

} // namespace trainyard::sweep
