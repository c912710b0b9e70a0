// SPDX-License-Identifier: GPL-3.0-or-later
// Population based training (Jaderberg and others 2017, arXiv 1711.09846): at every interval the worst trials take the
// state of some of the best and go on with parameters near theirs.
#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/schedule/mutation.h"
#include "engine/sweep/schedule/scheduler.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/values/packed_params.h"
#include "engine/sweep/values/pareto.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>
#include <map>
#include <set>
#include <tuple>

namespace trainyard::sweep {
namespace {

constexpr std::uint64_t kDonorDraws = 16; // for one that can give its state

struct PbtOptions {
    double interval = 1, burnIn = 0, quantile = 0.25;
    bool synchronous = false;
    std::vector<std::string> mutate{};
    // Marks are multiples of the interval; trials are judged from this one on.
    long firstMark() const { return std::max(1L, static_cast<long>(std::ceil(burnIn / interval - 1e-9))); }
};

class Pbt final : public Scheduler {
public:
    Pbt(PbtOptions options, const SchedulerFrame& frame)
        : m_options(std::move(options)), m_space(frame.space), m_paired(frame.paired), m_seed(frame.seed),
          m_max(frame.max) {}

    std::vector<Order> take(const Event& event) override {
        const bool waited = m_waiting.contains(event.trial);
        m_waiting.take(event);
        switch (event.kind) {
        case Event::Kind::Added: ++m_unranked; return {};
        case Event::Kind::Started:
            m_members[event.trial] = {.next = m_options.firstMark(), .params = event.params};
            return {};
        case Event::Kind::Report: return arrive(event);
        case Event::Kind::Adopted: return goOn(event);
        case Event::Kind::Ended:
        case Event::Kind::Failed:
        case Event::Kind::Stopped: return waited ? withdraw() : leave(event.trial);
        case Event::Kind::SlotFree: return fill();
        default: return {};
        }
    }

    double nextReport(int trial) const override {
        const auto found = m_members.find(trial);
        if (found == m_members.end() || found->second.state != State::Running) return kNever;
        const double t = timeOf(found->second.next);
        return t < m_max * (1 - 1e-9) ? t : kNever;
    }

    void setSpace(const std::vector<spec::Axis>& space) override { m_space = space; }

    std::string state() const override {
        nlohmann::json members = nlohmann::json::array();
        for (const auto& [trial, member] : m_members)
            members.push_back({trial, static_cast<int>(member.state), member.next, member.t, member.losses.first,
                               member.losses.second, member.turn, member.adopted, spec::paramsToText(member.params)});
        return jsonText(nlohmann::json{{"waiting", m_waiting.trials()}, {"members", members}, {"turn", m_turn}});
    }

private:
    enum class State {
        Running,
        Arrived, // waits for the others
        Held,    // waits until those that adopt have their states, which may be its own
        Ready,   // pauses, and goes on once there is a slot
        Adopting,
    };
    struct Member {
        State state = State::Running;
        long next = 1;        // the mark it is judged at next
        double t = 0;         // of the last report that counted, as are the next two
        LossPair losses{};    // the second is 0 where there is one series; kNever: not finite
        double standing = 0;  // what it is ranked by: the loss or, of two series, its place
        int turn = -1;        // -1: there was none
        bool adopted = false; // since then: the losses are its donor's, and nobody's model
        PackedParams params;
    };
    using Key = std::tuple<double, int, int>; // standing, turn, trial
    using Ranks = __gnu_pbds::tree<Key, __gnu_pbds::null_type, std::less<Key>, __gnu_pbds::rb_tree_tag,
                                   __gnu_pbds::tree_order_statistics_node_update>;

    double timeOf(long mark) const { return static_cast<double>(mark) * m_options.interval; }
    long markAt(double t) const { return static_cast<long>(std::floor(t / m_options.interval + 1e-9)); }
    Key keyOf(int trial, const Member& member) const { return {member.standing, member.turn, trial}; }

    void rank(int trial, Member& member, LossPair losses) {
        if (member.turn < 0) --m_unranked;
        else m_ranks.erase(keyOf(trial, member));
        member.losses = losses.isFinite() ? losses : LossPair{kNever, kNever};
        member.standing = member.losses.first;
        member.turn = m_turn++;
        m_ranks.insert(keyOf(trial, member));
        if (m_paired) placeAll();
    }

    // Each may have another place once one of them is measured, or leaves. O(n log n).
    void placeAll() {
        std::vector<std::pair<int, Member*>> measured;
        std::vector<LossPair> losses;
        for (auto& [trial, member] : m_members) {
            if (member.turn < 0) continue;
            measured.emplace_back(trial, &member);
            losses.push_back(member.losses);
        }
        const auto places = placesOf(losses);
        m_ranks.clear();
        for (std::size_t i = 0; i < measured.size(); ++i) {
            auto& [trial, member] = measured[i];
            member->standing = places[i] > 0 ? places[i] : kNever;
            m_ranks.insert(keyOf(trial, *member));
        }
    }

    // How many are the worst, and how many the best.
    std::size_t share() const {
        const auto count = static_cast<double>(m_ranks.size());
        return std::min(static_cast<std::size_t>(std::ceil(count * m_options.quantile - 1e-9)), m_ranks.size() / 2);
    }

    std::vector<Order> arrive(const Event& report) {
        if (report.t < nextReport(report.trial)) return {};
        Member& member = m_members.at(report.trial);
        rank(report.trial, member, {report.loss, m_paired ? report.second : 0});
        member.adopted = false;
        member.t = report.t;
        member.next = markAt(report.t) + 1;
        if (m_options.synchronous) {
            member.state = State::Arrived;
            ++m_arrived;
            auto orders = exploitWhenComplete(report.trial);
            if (member.state == State::Arrived || member.state == State::Held)
                orders.push_back(pauseOf(report.trial, member));
            return orders;
        }
        if (auto order = exploit(report.trial)) {
            adopt(*order);
            return {std::move(*order)};
        }
        return giveWay(report.trial, member);
    }

    Order pauseOf(int trial, const Member& member) const {
        return {Order::Kind::Pause, trial, {"pbt", timeOf(member.next - 1), member.losses.first}};
    }

    // There are fewer slots than trials: those that are furthest behind come first.
    std::vector<Order> giveWay(int trial, Member& member) {
        if (m_waiting.empty() && (m_ready.empty() || m_ready.begin()->first >= member.next)) return {};
        makeReady(trial, member);
        return {pauseOf(trial, member)};
    }

    void makeReady(int trial, Member& member) {
        member.state = State::Ready;
        m_ready.insert({member.next, trial});
    }

    // What one of the worst is to adopt. Nothing is compared before each trial has been measured once, and no trial
    // goes back: its donor has trained at least as long. What has just adopted is no donor before it is measured.
    std::optional<Order> exploit(int trial) const {
        const Member& member = m_members.at(trial);
        const auto place = m_ranks.order_of_key(keyOf(trial, member)), kept = m_ranks.size() - share();
        if (m_unranked > 0 || place < kept) return std::nullopt;
        const auto mark = static_cast<std::uint64_t>(member.next);
        for (std::uint64_t draw = 0; draw < kDonorDraws; ++draw) {
            const double at =
                unitDraw(m_seed, Draw::Donor, static_cast<std::uint64_t>(trial), mark * kDonorDraws + draw);
            const int donor =
                std::get<2>(*m_ranks.find_by_order(static_cast<std::size_t>(at * static_cast<double>(share()))));
            const Member& from = m_members.at(donor);
            const bool unmeasured = from.state == State::Adopting || from.adopted;
            if (unmeasured || from.standing >= member.standing || from.next < member.next) continue;
            Order order{Order::Kind::Adopt, trial};
            order.why = {"pbt",
                         timeOf(member.next - 1),
                         member.losses.first,
                         m_paired ? kNoCut : std::get<0>(*m_ranks.find_by_order(kept - 1)),
                         static_cast<int>(place) + 1,
                         static_cast<int>(m_ranks.size())};
            order.params = mutated(m_space, m_options.mutate, from.params,
                                   {m_seed, Draw::Mutation, static_cast<std::uint64_t>(trial), mark << 16});
            order.donor = donor;
            order.t = from.t;
            return order;
        }
        return std::nullopt;
    }

    void adopt(const Order& order) {
        Member& member = m_members.at(order.trial);
        member.state = State::Adopting;
        rank(order.trial, member, m_members.at(order.donor).losses); // until it is measured
        member.adopted = true;
    }

    // `last` has just arrived and still trains. Where none adopts it continues without an order; else all wait, so that
    // a donor is taken as it was measured.
    std::vector<Order> exploitWhenComplete(int last) {
        if (m_arrived == 0 || m_unranked > 0 || m_arrived < m_ranks.size()) return {};
        std::vector<Order> orders;
        for (std::size_t place = m_ranks.size() - share(); place < m_ranks.size(); ++place)
            if (auto order = exploit(std::get<2>(*m_ranks.find_by_order(place)))) orders.push_back(std::move(*order));
        for (const Order& order : orders) adopt(order);
        for (auto& [trial, member] : m_members) {
            if (member.state != State::Arrived) continue;
            if (!orders.empty()) member.state = State::Held;
            else if (trial == last) member.state = State::Running;
            else makeReady(trial, member);
        }
        m_arrived = 0;
        return orders;
    }

    void releaseHeld() {
        if (!m_options.synchronous) return;
        for (const auto& [trial, member] : m_members)
            if (member.state == State::Adopting) return;
        for (auto& [trial, member] : m_members)
            if (member.state == State::Held) makeReady(trial, member);
    }

    std::vector<Order> goOn(const Event& adopted) {
        const auto found = m_members.find(adopted.trial);
        if (found == m_members.end() || found->second.state != State::Adopting) return {};
        Member& member = found->second;
        if (adopted.donor >= 0) {
            member.params = adopted.params;
            member.t = adopted.t;
            member.next = std::max(member.next, markAt(adopted.t) + 1);
        }
        makeReady(adopted.trial, member);
        releaseHeld();
        return {};
    }

    std::vector<Order> leave(int trial) {
        const auto found = m_members.find(trial);
        if (found == m_members.end()) return {};
        const Member& member = found->second;
        if (member.turn < 0) --m_unranked;
        else m_ranks.erase(keyOf(trial, member));
        m_ready.erase({member.next, trial});
        if (member.state == State::Arrived) --m_arrived;
        m_members.erase(found);
        if (m_paired) placeAll();
        releaseHeld();
        return exploitWhenComplete(-1);
    }

    // Drops those that have not started: they are no longer needed.
    std::vector<Order> withdraw() {
        --m_unranked;
        return exploitWhenComplete(-1);
    }

    std::vector<Order> fill() {
        if (m_ready.empty() || !m_waiting.empty()) return m_waiting.start();
        const int trial = m_ready.begin()->second;
        m_ready.erase(m_ready.begin());
        m_members.at(trial).state = State::Running;
        return {{Order::Kind::Resume, trial}};
    }

    PbtOptions m_options;
    std::vector<spec::Axis> m_space;
    bool m_paired; // trials are compared by two series
    std::uint64_t m_seed;
    double m_max;
    WaitingTrials m_waiting;
    std::map<int, Member> m_members; // started, and not over
    Ranks m_ranks;                   // of those that have been measured
    std::set<std::pair<long, int>> m_ready;
    std::size_t m_unranked = 0, m_arrived = 0;
    int m_turn = 0;
};

std::vector<std::string> fieldsIn(const std::string& text) {
    std::vector<std::string> fields;
    std::string field;
    for (const char letter : text + ",") {
        if (letter == ' ') continue;
        if (letter != ',') {
            field += letter;
            continue;
        }
        if (!field.empty()) fields.push_back(std::exchange(field, {}));
    }
    return fields;
}

// A state fits those weights only that it was made with, and a run's length, seed and place are settled as it begins.
Result<void> checkMutable(const std::string& field, const std::vector<spec::Axis>& space) {
    const std::string found = ", found \"" + field + "\"", path = "scheduler.mutate";
    if (std::none_of(space.begin(), space.end(), [&](const auto& axis) { return axis.path == field; })) {
        std::vector<std::string> paths;
        for (const auto& axis : space) paths.push_back(axis.path);
        const auto near = nearestWord(field, paths);
        return inputError("is not a field of the space" + found, path,
                          near.empty() ? "give it values in space" : "did you mean \"" + near + "\"?");
    }
    const std::string section = field.substr(0, field.find('.'));
    const auto isOneOf = [&](std::initializer_list<const char*> words) {
        return std::any_of(words.begin(), words.end(), [&](const char* word) { return section == word; });
    };
    if (isOneOf({"model", "dataset", "task"}) || field == "optimizer" || field == "optimizer.name")
        return inputError("shapes the weights or the optimizer's state, which are taken from another trial" + found,
                          path, "leave it out");
    // Which of its arguments shape its weights, a program alone knows.
    if (isOneOf({"optimizer", "schedule", "loss", "batch", "augment", "finetune", "gradient", "program"})) return {};
    return inputError("cannot change while a trial trains" + found, path, "leave it out");
}

Result<void> checkTimes(const PbtOptions& options, const SchedulerFrame& frame) {
    const double first = static_cast<double>(options.firstMark()) * options.interval;
    if (first < frame.max * (1 - 1e-9)) return {};
    const bool early = options.burnIn <= options.interval;
    const double last = (std::ceil(frame.max / options.interval - 1e-9) - 1) * options.interval; // mark of the run
    return inputError("lets no trial adopt before the run ends, which is at " + spec::toText(frame.max) + ", found " +
                          spec::toText(early ? options.interval : options.burnIn),
                      early ? "scheduler.interval" : "scheduler.burnIn",
                      early ? "take less than " + spec::toText(frame.max) : "take at most " + spec::toText(last));
}

Result<std::unique_ptr<Scheduler>> makePbt(const spec::Choice& given, const SchedulerFrame& frame) {
    const PbtOptions options{given.number("interval", 1), given.number("burnIn", 0), given.number("quantile", 0.25),
                             given.flag("synchronous", false), fieldsIn(given.text("mutate", ""))};
    TY_TRY(checkTimes(options, frame));
    if (options.mutate.empty())
        return inputError("is empty, found \"\"", "scheduler.mutate",
                          "name fields of the space, for example \"optimizer.lr\"");
    for (const auto& field : options.mutate) TY_TRY(checkMutable(field, frame.space));
    if (frame.openEnded)
        return inputError("is missing: pbt needs the size of its population", "trials", "say how many to make");
    if (frame.seeds > 1)
        return inputError("cannot be given together with pbt, under which trials of one configuration part, found " +
                              std::to_string(frame.seeds),
                          "seeds.count", "leave one of the two out");
    return std::unique_ptr<Scheduler>(std::make_unique<Pbt>(options, frame));
}

} // namespace

SchedulerEntry pbtScheduler() {
    return {
        .info = {"pbt",
                 Engine::tr("Population based training"),
                 Engine::tr(
                     "At every interval the worst trials copy the state of some of the best and vary the parameters."),
                 {{.name = "interval",
                   .title = Engine::tr("Interval"),
                   .defaultValue = 1.0,
                   .min = 0.0,
                   .minExclusive = true,
                   .help = Engine::tr("How often trials are compared, in epochs or steps as the run counts.")},
                  {.name = "burnIn",
                   .title = Engine::tr("Burn-in"),
                   .defaultValue = 0.0,
                   .min = 0.0,
                   .help = Engine::tr("How long a trial trains before the first comparison.")},
                  {.name = "mutate",
                   .title = Engine::tr("Mutate"),
                   .type = spec::ParamType::Text,
                   .defaultValue = std::string(),
                   .help = Engine::tr("The fields of the space to vary when a trial adopts, separated by commas.")},
                  {.name = "quantile",
                   .title = Engine::tr("Quantile"),
                   .defaultValue = 0.25,
                   .min = 0.0,
                   .max = 0.5,
                   .minExclusive = true,
                   .help = Engine::tr("The share of the trials that adopt, and of those that are adopted.")},
                  {.name = "synchronous",
                   .title = Engine::tr("Synchronous"),
                   .type = spec::ParamType::Flag,
                   .defaultValue = false,
                   .help = Engine::tr("All trials wait for one another before they are compared.")}}},
        .make = makePbt,
        .adopts = true};
}

} // namespace trainyard::sweep
