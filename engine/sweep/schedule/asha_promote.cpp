// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/schedule/asha_promote.h"

#include "engine/base/json_text.h"
#include "engine/sweep/schedule/scheduler.h"
#include "engine/sweep/values/loss_set.h"
#include "engine/sweep/values/pareto.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace trainyard::sweep {
namespace {

struct Pausing {
    LossSet::Key key;
    int trial = -1;
    auto operator<=>(const Pausing&) const = default;
};

struct PromotionRung {
    double t = 0;
    LossSet losses{};              // of all that came here
    std::set<Pausing> pausing{};   // those that have not been promoted
    std::vector<LossPair> pairs{}; // of all that came here, in their order, where trials are compared by two series
};

class AshaPromote final : public Scheduler {
public:
    AshaPromote(const std::vector<double>& rungs, double factor, bool paired) : m_factor(factor), m_paired(paired) {
        for (const double t : rungs) m_rungs.push_back({.t = t});
    }

    std::vector<Order> take(const Event& event) override {
        m_waiting.take(event);
        switch (event.kind) {
        case Event::Kind::Started: m_trials[event.trial] = {}; return {};
        case Event::Kind::Report: return arrive(event);
        case Event::Kind::Ended: m_anyAtEnd = true; return leave(event.trial);
        case Event::Kind::Failed:
        case Event::Kind::Stopped: return leave(event.trial);
        case Event::Kind::SlotFree: return fill();
        default: return {};
        }
    }

    double nextReport(int trial) const override {
        const auto place = m_trials.find(trial);
        if (place == m_trials.end() || place->second.pauses || place->second.next >= m_rungs.size()) return kNever;
        return m_rungs[place->second.next].t;
    }

    std::vector<double> rungs() const override {
        std::vector<double> list;
        for (const PromotionRung& rung : m_rungs) list.push_back(rung.t);
        return list;
    }

    std::string state() const override {
        nlohmann::json trials = nlohmann::json::array(), rungs = nlohmann::json::array();
        for (const auto& [trial, place] : m_trials)
            trials.push_back({trial, place.next, place.pauses, place.key.first, place.key.second});
        for (const PromotionRung& rung : m_rungs)
            rungs.push_back({rung.t, rung.losses.size(), rung.losses.worst(), rung.pausing.size()});
        return jsonText(nlohmann::json{
            {"waiting", m_waiting.trials()}, {"trials", trials}, {"rungs", rungs}, {"ended", m_anyAtEnd}});
    }

private:
    struct Place {
        std::size_t next = 0; // the rung it trains to, or pauses below
        bool pauses = false;
        LossSet::Key key{}; // while it pauses, in the rung before `next`
    };

    std::vector<Order> arrive(const Event& report) {
        const auto found = m_trials.find(report.trial);
        if (found == m_trials.end() || found->second.pauses) return {};
        Place& place = found->second;
        std::size_t reached = place.next;
        while (reached < m_rungs.size() && m_rungs[reached].t <= report.t) ++reached;
        if (reached == place.next) return {};
        PromotionRung& rung = m_rungs[reached - 1];
        const LossPair losses{report.loss, m_paired ? report.second : 0};
        if (!losses.isFinite()) return {{Order::Kind::Stop, report.trial, {"asha", rung.t}}};
        if (m_paired) rung.pairs.push_back(losses);
        place = {reached, true, rung.losses.add(report.loss)};
        rung.pausing.insert({place.key, report.trial});
        ++m_pausing;
        return {{Order::Kind::Pause, report.trial, whyOf(rung, place.key)}};
    }

    Why whyOf(const PromotionRung& rung, const LossSet::Key& key) const {
        if (m_paired) {
            const int place = placesOf(rung.pairs)[static_cast<std::size_t>(key.second)];
            return {"asha", rung.t, key.first, kNoCut, place, rung.losses.size()};
        }
        const double cut = rung.losses.quantile(1 / m_factor);
        return {"asha", rung.t, key.first, cut, rung.losses.before(key) + 1, rung.losses.size()};
    }

    std::vector<Order> leave(int trial) {
        const auto found = m_trials.find(trial);
        if (found == m_trials.end()) return {};
        const Place& place = found->second;
        if (place.pauses) m_pausing -= m_rungs[place.next - 1].pausing.erase({place.key, trial});
        m_trials.erase(found);
        return {};
    }

    // The one of those that pause there that comes first, and how many of all do before it. There must be one.
    std::pair<std::set<Pausing>::const_iterator, int> bestOf(const PromotionRung& rung) const {
        auto best = rung.pausing.begin();
        if (!m_paired) return {best, rung.losses.before(best->key)};
        std::map<std::size_t, std::set<Pausing>::const_iterator> pausing; // by which they came as
        for (auto each = best; each != rung.pausing.end(); ++each)
            pausing.emplace(static_cast<std::size_t>(each->key.second), each);
        const auto order = bestFirst(rung.pairs);
        const auto found =
            std::find_if(order.begin(), order.end(), [&](std::size_t index) { return pausing.contains(index); });
        return {pausing.at(*found), static_cast<int>(found - order.begin())};
    }

    std::vector<Order> resume(PromotionRung& rung, std::set<Pausing>::const_iterator pausing) {
        const int trial = pausing->trial;
        rung.pausing.erase(pausing);
        m_trials[trial].pauses = false;
        --m_pausing;
        return {{Order::Kind::Resume, trial}};
    }

    std::vector<Order> fill() {
        for (auto rung = m_rungs.rbegin(); rung != m_rungs.rend(); ++rung) {
            if (rung->pausing.empty()) continue;
            const auto best = static_cast<int>(rung->losses.size() / m_factor);
            if (const auto [first, before] = bestOf(*rung); before < best) return resume(*rung, first);
        }
        if (!m_waiting.empty()) return m_waiting.start();
        // Few trials make a rung without a best share: one is trained to the end all the same.
        for (auto rung = m_rungs.rbegin(); !m_anyAtEnd && rung != m_rungs.rend(); ++rung)
            if (!rung->pausing.empty()) return resume(*rung, bestOf(*rung).first);
        return endOfSweep();
    }

    // Once nothing trains any more, nothing will promote those that are left.
    std::vector<Order> endOfSweep() {
        if (m_pausing < m_trials.size()) return {};
        std::vector<Order> orders;
        for (const auto& [trial, place] : m_trials)
            orders.push_back({Order::Kind::Stop, trial, whyOf(m_rungs[place.next - 1], place.key)});
        return orders;
    }

    double m_factor;
    bool m_paired;
    std::vector<PromotionRung> m_rungs;
    std::map<int, Place> m_trials; // started, and neither ended nor stopped
    WaitingTrials m_waiting;
    std::size_t m_pausing = 0;
    bool m_anyAtEnd = false;
};

} // namespace

Result<std::unique_ptr<Scheduler>> makeAshaPromote(std::vector<double> rungs, double factor, bool paired) {
    return std::unique_ptr<Scheduler>(std::make_unique<AshaPromote>(rungs, factor, paired));
}

} // namespace trainyard::sweep
