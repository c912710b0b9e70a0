// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a Sobol' sequence (Joe and Kuo's direction numbers, Boost.Random), which fill the space more evenly than
// independent draws; a digital shift that follows from the seed makes each sweep's points its own.
#include "engine/base/math/hash_draw.h"
#include "engine/sweep/search/searchers.h"
#include "engine/sweep/values/space.h"

#include <boost/random/sobol.hpp>

namespace trainyard::sweep {
namespace {

constexpr std::size_t kMaxAxes = 3667; // of the table of direction numbers

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
    return {{"sobol", Engine::tr("Sobol"), Engine::tr("Draws that fill the space evenly (a quasi-random sequence).")},
            makeSobol};
}

} // namespace trainyard::sweep
