// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/seeded_searcher.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <map>

namespace trainyard::sweep {
namespace {

class SeededSearcher final : public Searcher {
public:
    SeededSearcher(std::unique_ptr<Searcher> searcher, int seeds) : m_searcher(std::move(searcher)), m_seeds(seeds) {}

    Suggestion suggest(int trial) const override {
        const auto known = m_configurations.find(trial / m_seeds);
        if (known != m_configurations.end()) return {known->second.params};
        return m_searcher->suggest(trial / m_seeds);
    }

    void take(const Event& event) override {
        Event passed = event;
        if (event.trial >= 0) passed.trial = event.trial / m_seeds;
        const auto known = m_configurations.find(passed.trial);
        if (known == m_configurations.end()) {
            if (event.kind == Event::Kind::Started)
                m_configurations[passed.trial] = {.params = event.params, .leader = event.trial};
            return m_searcher->take(passed);
        }
        Configuration& configuration = known->second;
        if (!configuration.closed) pass(configuration, std::move(passed), event.trial == configuration.leader);
    }

    bool learns() const override { return m_searcher->learns(); }
    void setSpace(const std::vector<spec::Axis>& space) override { m_searcher->setSpace(space); }

    std::string state() const override {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& [number, each] : m_configurations)
            list.push_back({number, each.leader, each.over, each.ended, each.losses, each.seconds, each.closed});
        return jsonText(nlohmann::json{{"searcher", m_searcher->state()}, {"configurations", std::move(list)}});
    }

private:
    struct Configuration {
        spec::Params params{};
        int leader = -1;         // the trial whose reports stand for all
        int over = 0, ended = 0; // of its trials: over, and those of them that came to their ends
        double losses = 0;       // of these, added up
        double seconds = 0;      // the same of the second series
        bool closed = false;     // the searcher knows its end
    };

    // `leads`: the event is one of the trial that stands for all.
    void pass(Configuration& configuration, Event event, bool leads) {
        switch (event.kind) {
        case Event::Kind::Started: return;
        case Event::Kind::Ended:
        case Event::Kind::Failed: return count(configuration, std::move(event));
        case Event::Kind::Stopped:
            if (!leads) return count(configuration, std::move(event));
            configuration.closed = true;
            break;
        default: break;
        }
        if (leads) m_searcher->take(event);
    }

    void count(Configuration& configuration, Event event) {
        ++configuration.over;
        if (event.kind == Event::Kind::Ended) {
            ++configuration.ended;
            configuration.losses += event.loss;
            configuration.seconds += event.second;
        }
        if (configuration.over < m_seeds) return;
        configuration.closed = true;
        event.kind = configuration.ended > 0 ? Event::Kind::Ended : Event::Kind::Failed;
        if (configuration.ended > 0) {
            event.loss = configuration.losses / configuration.ended;
            event.second = configuration.seconds / configuration.ended;
        }
        m_searcher->take(event);
    }

    std::unique_ptr<Searcher> m_searcher;
    int m_seeds;
    std::map<int, Configuration> m_configurations;
};

} // namespace

std::unique_ptr<Searcher> withSeeds(std::unique_ptr<Searcher> searcher, int seeds) {
    return std::make_unique<SeededSearcher>(std::move(searcher), seeds);
}

} // namespace trainyard::sweep
