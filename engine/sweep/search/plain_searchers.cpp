// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/base/math/hash_draw.h"
#include "engine/sweep/search/searchers.h"
#include "engine/sweep/values/space.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <set>

namespace trainyard::sweep {

namespace {

// Above these a Gaussian process costs more than it gives.
constexpr std::size_t kMaxGpAxes = 20;
constexpr int kMaxGpTrials = 500;

Result<std::unique_ptr<Searcher>> makeChosen(const SearcherFrame& frame) {
    const auto chosen = chooseSearcher(frame.spec);
    const auto& all = searchers();
    const auto entry =
        std::find_if(all.begin(), all.end(), [&](const SearcherEntry& each) { return each.info.name == chosen.name; });
    return entry->make(frame);
}

} // namespace

AutoChoice chooseSearcher(const spec::SweepSpec& spec) {
    if (spec::isGrid(spec))
        return {"grid", Engine::tr("every axis lists its values, and no number of trials is given")};
    const auto conditional =
        std::find_if(spec.space.begin(), spec.space.end(), [](const spec::Axis& axis) { return !axis.when.empty(); });
    if (conditional != spec.space.end()) return {"tpe", {Engine::tr("%1 is conditional"), {conditional->path}}};
    if (spec.space.size() > kMaxGpAxes)
        return {"tpe", {Engine::tr("%1 axes, more than 20"), {std::to_string(spec.space.size())}}};
    const int trials = spec::countConfigurations(spec).valueOr(spec.trials);
    if (trials > kMaxGpTrials) return {"tpe", {Engine::tr("%1 trials, more than 500"), {std::to_string(trials)}}};
    return {"gp", Engine::tr("no more than 20 axes and 500 trials")};
}

SearcherEntry autoSearcher() {
    return {{"auto", Engine::tr("Automatic"),
             Engine::tr("Chooses grid, gp or tpe from the space and the number of trials.")},
            makeChosen};
}

namespace {

// Every combination, the last axis changing fastest.
class Grid final : public Searcher {
public:
    explicit Grid(std::vector<spec::Params> points) : m_points(std::move(points)) {}
    Suggestion suggest(int trial) const override {
        return {m_points[static_cast<std::size_t>(trial) % m_points.size()]};
    }
    void take(const Event&) override {}
    bool learns() const override { return false; }
    std::string state() const override { return "{}"; }

private:
    std::vector<spec::Params> m_points;
};

Result<std::unique_ptr<Searcher>> makeGrid(const SearcherFrame& frame) {
    TY_ASSIGN(auto points, spec::foreseenConfigurations(frame.spec));
    return std::unique_ptr<Searcher>(std::make_unique<Grid>(std::move(points)));
}

} // namespace

SearcherEntry gridSearcher() {
    return {{"grid", Engine::tr("Grid"), Engine::tr("Every combination of the values.")}, makeGrid};
}

namespace {

class Random final : public Searcher {
public:
    explicit Random(spec::SweepSpec spec) : m_spec(std::move(spec)) {}
    Suggestion suggest(int trial) const override { return {spec::freshParams(m_spec, trial, m_taken)}; }
    void take(const Event& event) override {
        if (event.kind == Event::Kind::Started) m_taken.insert(event.params);
    }
    bool learns() const override { return false; }
    void setSpace(const std::vector<spec::Axis>& space) override { m_spec.space = space; }
    std::string state() const override { return jsonText(nlohmann::json{{"taken", m_taken.size()}}); }

private:
    spec::SweepSpec m_spec;
    std::set<spec::Params> m_taken; // by trials that have begun, in the order of their numbers
};

Result<std::unique_ptr<Searcher>> makeRandom(const SearcherFrame& frame) {
    return std::unique_ptr<Searcher>(std::make_unique<Random>(frame.spec));
}

} // namespace

SearcherEntry randomSearcher() {
    return {{"random", Engine::tr("Random"), Engine::tr("Independent random samples.")}, makeRandom};
}

namespace {

constexpr std::size_t kMaxAxes = 3667; // of the table of direction numbers

// Points of a Sobol' sequence (Joe and Kuo's direction numbers, Boost.Random), which fill the space more evenly than
// independent draws; a digital shift that follows from the seed makes each sweep's points its own.
class Sobol final : public Searcher {
public:
    explicit Sobol(const spec::SweepSpec& spec) : m_space(spec), m_seed(static_cast<std::uint64_t>(spec.seed)) {}
    Suggestion suggest(int trial) const override {
        boost::random::sobol sequence(m_space.size());
        if (trial > 0) sequence.seed(static_cast<std::uint64_t>(trial) - 1); // Boost leaves out the first point, 0
        Point point;
        for (std::size_t axis = 0; axis < m_space.size(); ++axis) {
            const std::uint64_t shifted = (trial > 0 ? sequence() : 0) ^ hashDraw(m_seed, Draw::Shift, axis, 0);
            point.push_back(static_cast<double>(shifted >> 11) * 0x1p-53);
        }
        return {m_space.paramsOf(m_space.settled(std::move(point), trial))};
    }
    void take(const Event&) override {}
    bool learns() const override { return false; }
    void setSpace(const std::vector<spec::Axis>& space) override { m_space = m_space.with(space); }
    std::string state() const override { return "{}"; }

private:
    Space m_space;
    std::uint64_t m_seed;
};

Result<std::unique_ptr<Searcher>> makeSobol(const SearcherFrame& frame) {
    if (frame.spec.space.size() > kMaxAxes)
        return inputError("takes at most 3667 axes, found " + std::to_string(frame.spec.space.size()), "searcher.name",
                          "search at random");
    return std::unique_ptr<Searcher>(std::make_unique<Sobol>(frame.spec));
}

} // namespace

SearcherEntry sobolSearcher() {
    return {{"sobol", Engine::tr("Sobol"), Engine::tr("Quasi-random samples that fill the space evenly.")}, makeSobol};
}

} // namespace trainyard::sweep
