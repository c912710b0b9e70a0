// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/judge/replayed_curves.h"

#include "engine/sweep/values/space.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace trainyard::sweep {
namespace {

class CurveReplay {
public:
    CurveReplay(const spec::SweepSpec& spec, Judge judge, std::span<const RecordedCurve> curves, double max)
        : m_space(spec), m_judge(std::move(judge)), m_curves(curves), m_max(max),
          m_byLast(spec.rules.score == spec::ScoreAt::Last) {
        for (const auto& curve : curves) m_points.push_back(m_space.pointOf(curve.params));
    }

    Simulated run(int slots) {
        for (;;) {
            while (static_cast<int>(m_running.size()) < slots && tell({.kind = Event::Kind::SlotFree})) {}
            if (m_running.empty()) break;
            advance();
        }
        m_found.fifo = m_max * m_found.started;
        return m_found;
    }

private:
    struct Course {
        const RecordedCurve* curve = nullptr;
        std::size_t next = 0;
        double t = 0, loss = std::numeric_limits<double>::quiet_NaN();
        double best = kNever; // of its losses so far
        void take(const std::pair<double, double>& point) {
            std::tie(t, loss) = point;
            if (std::isfinite(loss)) best = std::min(best, loss);
        }
    };

    bool tell(const Event& event) {
        const auto orders = m_judge.take(event);
        (void)m_judge.takeRecord();
        for (const Order& order : orders) obey(order);
        while (!m_adopting.empty()) adopt();
        return !orders.empty();
    }

    void obey(const Order& order) {
        switch (order.kind) {
        case Order::Kind::Start:
            ++m_found.started;
            m_courses[order.trial].curve = &nearest(order.params);
            [[fallthrough]];
        case Order::Kind::Resume: m_running.push_back(order.trial); return;
        case Order::Kind::Stop: ++m_found.stoppedAt[order.why.rung]; [[fallthrough]];
        case Order::Kind::Pause:
        case Order::Kind::End: std::erase(m_running, order.trial); return;
        case Order::Kind::Adopt:
            std::erase(m_running, order.trial);
            m_adopting.push_back(order);
            return;
        }
    }

    // It goes on from where its donor was, on the curve nearest to its new parameters.
    void adopt() {
        const Order order = std::move(m_adopting.front());
        m_adopting.pop_front();
        Course& course = m_courses[order.trial];
        course.curve = &nearest(order.params);
        course.next = 0;
        course.best = kNever;
        while (course.next < course.curve->losses.size() && course.curve->losses[course.next].first <= order.t)
            course.take(course.curve->losses[course.next++]);
        course.t = order.t;
        tell({.kind = Event::Kind::Adopted,
              .trial = order.trial,
              .t = order.t,
              .params = order.params,
              .donor = order.donor});
    }

    // A choice that differs is as far away as the two ends of a range.
    const RecordedCurve& nearest(const spec::Params& params) const {
        const Point point = m_space.pointOf(params);
        std::size_t best = 0;
        double least = kNever;
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            double distance = 0;
            for (std::size_t axis = 0; axis < point.size(); ++axis) {
                const double apart = std::abs(point[axis] - m_points[i][axis]);
                distance += m_space.isChoice(axis) ? (apart > 0 ? 1 : 0) : apart * apart;
            }
            if (distance >= least) continue;
            least = distance;
            best = i;
        }
        return m_curves[best];
    }

    // The trial that is furthest behind comes to its next loss: all train at one speed.
    void advance() {
        const auto behind = std::min_element(m_running.begin(), m_running.end(), [&](int a, int b) {
            return std::pair(m_clock[a], a) < std::pair(m_clock[b], b);
        });
        const int trial = *behind;
        Course& course = m_courses[trial];
        const auto& losses = course.curve->losses;
        const double before = course.t;
        if (course.next < losses.size() && losses[course.next].first <= m_max) {
            course.take(losses[course.next++]);
        } else {
            course.t = std::min(m_max, std::max(course.t, m_judge.nextReport(trial)));
        }
        m_found.used += course.t - before;
        m_clock[trial] += std::max(course.t - before, 1e-9);
        tell({.kind = Event::Kind::Report, .trial = trial, .t = course.t, .loss = course.loss});
        if (course.t < m_max || std::find(m_running.begin(), m_running.end(), trial) == m_running.end()) return;
        end(trial, course);
    }

    void end(int trial, const Course& course) {
        std::erase(m_running, trial);
        ++m_found.ended;
        const double score =
            m_byLast || !std::isfinite(course.best) ? course.loss : course.best; // as trials are ranked
        if (score < m_found.bestLoss) {
            m_found.bestLoss = score;
            m_found.best = course.curve->trial;
        }
        tell({.kind = Event::Kind::Ended, .trial = trial, .t = course.t, .loss = score});
    }

    Space m_space;
    Judge m_judge;
    std::span<const RecordedCurve> m_curves;
    double m_max;
    bool m_byLast; // trials are compared by their last losses, else by their best ones
    std::vector<Point> m_points;
    std::map<int, Course> m_courses;
    std::map<int, double> m_clock; // how long each has trained
    std::vector<int> m_running;
    std::deque<Order> m_adopting;
    Simulated m_found;
};

} // namespace

Result<Simulated> simulate(const spec::SweepSpec& spec, std::span<const RecordedCurve> curves, int slots) {
    if (spec.second)
        return inputError("names two series, and a simulation follows the curves of one", "scoreBy", "name one series");
    const bool any = std::any_of(curves.begin(), curves.end(), [](const auto& curve) { return !curve.losses.empty(); });
    if (!any)
        return inputError("no trial has measured it, found " + spec.scoreBy, "curves",
                          "take a sweep that measures the same scoreBy");
    std::vector<RecordedCurve> measured;
    std::copy_if(curves.begin(), curves.end(), std::back_inserter(measured),
                 [](const auto& curve) { return !curve.losses.empty(); });
    TY_ASSIGN(const auto length, lengthOf(spec));
    TY_ASSIGN(auto judge, Judge::make(spec));
    return CurveReplay(spec, std::move(judge), measured, length.max).run(slots);
}

} // namespace trainyard::sweep
