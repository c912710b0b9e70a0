// SPDX-License-Identifier: GPL-3.0-or-later
// Searchers and schedulers by themselves: sweep_bench [seeds] [trials] [searcher], either number 0 to leave it out.
// Prints the regret of each searcher, or of that one (what is missing to the least value after so many trials, one at a
// time) on functions whose least value is known, with the time of a suggestion. Where there is noise on what is told,
// it is the true regret of what seems best. Fashion-MNIST is the table of trainings of searcher_table.py; its
// regret in points of accuracy. peers/optuna_regret.py prints the same of Optuna. Then simulated sweeps of many
// trials, with the time they take, that of making them known again from what was recorded, and the memory of the
// process.
#include "engine/spec/values/params.h"
#include "tests/unit/sweep/sweep_simulation.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <malloc.h>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// The most memory since the last call of forgetPeak().
double peakMegabytes() {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line))
        if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
    return 0;
}

void forgetPeak() {
    ::malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
}

// What a judge has recorded, in a file: a supervisor keeps it in the store, not in memory.
class Record {
public:
    void append(const std::vector<Event>& events) {
        for (const Event& event : events) {
            const std::string params = event.params.empty() ? std::string() : spec::paramsToText(event.params);
            const Row row{event.kind, event.trial, event.t, event.loss, event.donor, params.size(), event.memo.size()};
            std::fwrite(&row, sizeof row, 1, m_file.get());
            std::fwrite(params.data(), 1, params.size(), m_file.get());
            std::fwrite(event.memo.data(), sizeof(double), event.memo.size(), m_file.get());
        }
        m_size += events.size();
    }
    void tell(Judge& judge) {
        std::rewind(m_file.get());
        for (Row row; std::fread(&row, sizeof row, 1, m_file.get()) == 1;) {
            Event event{.kind = row.kind, .trial = row.trial, .t = row.t, .loss = row.loss, .donor = row.donor};
            std::string params(row.params, ' ');
            event.memo.resize(row.memo);
            if (std::fread(params.data(), 1, params.size(), m_file.get()) != params.size() ||
                std::fread(event.memo.data(), sizeof(double), row.memo, m_file.get()) != row.memo)
                return;
            if (!params.empty()) event.params = spec::paramsFromText(params);
            judge.replay(event);
        }
    }
    std::size_t size() const { return m_size; }

private:
    struct Row {
        Event::Kind kind = Event::Kind::Added;
        int trial = -1;
        double t = 0, loss = 0;
        int donor = -1;
        std::size_t params = 0, memo = 0;
    };
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file{std::tmpfile(), std::fclose};
    std::size_t m_size = 0;
};

using Coordinates = std::vector<double>; // in the unit cube, or the numbers of levels

double branin(const Coordinates& u) {
    const double x = -5 + 15 * u[0], y = 15 * u[1];
    const double a = y - 5.1 / (4 * M_PI * M_PI) * x * x + 5 / M_PI * x - 6;
    return a * a + 10 * (1 - 1 / (8 * M_PI)) * std::cos(x) + 10 - 0.397887;
}

double hartmann6(const Coordinates& u) {
    static const double scale[4][6] = {
        {10, 3, 17, 3.5, 1.7, 8}, {.05, 10, 17, .1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, .05, 10, .1, 14}};
    static const double at[4][6] = {{.1312, .1696, .5569, .0124, .8283, .5886},
                                    {.2329, .4135, .8307, .3736, .1004, .9991},
                                    {.2348, .1451, .3522, .2883, .3047, .6650},
                                    {.4047, .8828, .8732, .5743, .1091, .0381}};
    static const double height[4] = {1, 1.2, 3, 3.2};
    double sum = 3.32237;
    for (int i = 0; i < 4; ++i) {
        double away = 0;
        for (std::size_t j = 0; j < 6; ++j) away += scale[i][j] * (u[j] - at[i][j]) * (u[j] - at[i][j]);
        sum -= height[i] * std::exp(-away);
    }
    return sum;
}

double rosenbrock4(const Coordinates& u) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < 4; ++i) {
        const double x = -5 + 15 * u[i], next = -5 + 15 * u[i + 1];
        sum += 100 * (next - x * x) * (next - x * x) + (1 - x) * (1 - x);
    }
    return sum;
}

// A grid of trainings, in its order: the last axis changes fastest. A file that is no whole grid ends the program.
class Table {
public:
    explicit Table(const std::string& file) {
        std::ifstream in(file);
        std::string line;
        std::vector<std::set<std::string>> levels;
        for (bool header = true; std::getline(in, line); header = false) {
            if (header) continue;
            std::istringstream cells(line);
            std::vector<std::string> row;
            for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
            levels.resize(row.size() - 1);
            for (std::size_t axis = 0; axis < levels.size(); ++axis) levels[axis].insert(row[axis]);
            m_accuracies.push_back(std::stod(row.back()));
        }
        std::size_t points = levels.empty() ? 0 : 1;
        for (const auto& each : levels) points *= each.size();
        if (points == 0 || points != m_accuracies.size()) {
            std::fprintf(stderr, "%s is no grid\n", file.c_str());
            std::exit(1);
        }
        for (const auto& each : levels) m_levels.push_back(static_cast<int>(each.size()));
        m_best = *std::max_element(m_accuracies.begin(), m_accuracies.end());
    }
    const std::vector<int>& levels() const { return m_levels; }
    double regret(const Coordinates& at) const { // points of accuracy
        std::size_t row = 0;
        for (std::size_t axis = 0; axis < at.size(); ++axis)
            row = row * static_cast<std::size_t>(m_levels[axis]) + static_cast<std::size_t>(std::lround(at[axis]));
        return 100 * (m_best - m_accuracies[row]);
    }

private:
    std::vector<int> m_levels;
    std::vector<double> m_accuracies;
    double m_best = 0;
};

struct Problem {
    const char* name;
    std::vector<int> levels; // of each axis; 0: all between 0 and 1
    int trials;
    std::function<double(const Coordinates&)> value;
    double noise = 0; // its standard deviation
};

std::vector<Problem> problems() {
    const auto table = std::make_shared<Table>(TRAINYARD_SOURCE_DIR "/tests/bench/fashion_mnist_table.csv");
    return {{"Branin", {0, 0}, 100, branin},
            {"Hartmann-6", std::vector<int>(6), 100, hartmann6},
            {"Rosenbrock-4", std::vector<int>(4), 200, rosenbrock4},
            {"Hartmann-6 n", std::vector<int>(6), 100, hartmann6, 0.1},
            {"Fashion-MNIST", table->levels(), 50, [table](const Coordinates& at) { return table->regret(at); }}};
}

spec::SweepSpec sweepOf(const Problem& problem, const char* searcher, int seed) {
    std::string space;
    for (std::size_t axis = 0; axis < problem.levels.size(); ++axis) {
        const int levels = problem.levels[axis];
        const std::string range =
            levels == 0 ? R"({"from":0,"to":1})" : R"({"from":0,"step":1,"to":)" + std::to_string(levels - 1) + "}";
        space += (axis == 0 ? "{" : ",") + ("\"model.params.x" + std::to_string(axis)) + "\":" + range;
    }
    return *test::sweepOf(space + "}", "\"searcher\":\"" + std::string(searcher) + "\",\"trials\":" +
                                           std::to_string(problem.trials) + ",\"seed\":" + std::to_string(seed));
}

void printRegret(const Problem& problem, const char* searcher, int seeds) {
    if (seeds < 1) return;
    std::vector<double> bests;
    const double begin = now();
    for (int seed = 1; seed <= seeds; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed));
        std::normal_distribution<double> noise;
        Judge judge = *Judge::make(sweepOf(problem, searcher, seed));
        double best = kNever, regret = kNever;
        for (int trial = 0; trial < problem.trials; ++trial) {
            const auto order = judge.take({.kind = Event::Kind::SlotFree}).front();
            Coordinates at;
            for (const auto& [path, value] : order.params) at.push_back(std::get<double>(value));
            const double value = problem.value(at);
            const double loss = value + (problem.noise > 0 ? problem.noise * noise(random) : 0);
            if (loss < best) regret = value;
            best = std::min(best, loss);
            judge.take({.kind = Event::Kind::Ended, .trial = trial, .t = 1, .loss = loss});
        }
        bests.push_back(regret);
    }
    const double each = (now() - begin) / seeds / problem.trials * 1e3;
    std::sort(bests.begin(), bests.end());
    const std::size_t n = bests.size();
    std::printf("%-13s %-7s %3d trials  median %-9.3g quartiles %-9.3g %-9.3g %7.2f ms a trial\n", problem.name,
                searcher, problem.trials, bests[n / 2], bests[n / 4], bests[3 * n / 4], each);
    std::fflush(stdout);
}

void printSimulation(const char* searcher, const std::string& scheduler, int trials) {
    if (trials < 1) return;
    const auto spec =
        test::sweepOf(R"({"optimizer.lr":{"from":0.0001,"to":1,"scale":"log"},"batch.perRank":[16,32,64,128]})",
                      "\"searcher\":\"" + std::string(searcher) + "\",\"scheduler\":" + scheduler +
                          ",\"trials\":" + std::to_string(trials));
    if (!spec) {
        std::printf("%s\n", spec.error().text().c_str());
        return;
    }
    forgetPeak();
    double begin = now();
    auto judge = std::make_optional(*Judge::make(*spec));
    test::Simulation simulation(*judge, {.slots = 32, .loss = test::trainingLoss});
    Record record;
    simulation.heard = [&](const Event&, const std::vector<Order>&) { record.append(judge->takeRecord()); };
    const auto problem = simulation.run();
    const double seconds = now() - begin, peak = peakMegabytes();
    const auto state = std::hash<std::string>()(judge->state());
    judge.reset();
    forgetPeak();
    begin = now();
    Judge again = *Judge::make(*spec);
    record.tell(again);
    const double known = now() - begin;
    std::printf(
        "%-7s %-38s %6d trials %8ld reports %8zu events  %6.2f s %4.0f MB  known again in %5.2f s %4.0f MB  %s\n",
        searcher, scheduler.c_str(), trials, simulation.reports(), record.size(), seconds, peak, known, peakMegabytes(),
        !problem.empty()                                   ? problem.c_str()
        : std::hash<std::string>()(again.state()) == state ? ""
                                                           : "NOT THE SAME");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    const int seeds = argc > 1 ? std::atoi(argv[1]) : 30, trials = argc > 2 ? std::atoi(argv[2]) : 100'000;
    const std::string only = argc > 3 ? argv[3] : "";
    for (const Problem& problem : problems())
        for (const char* searcher : {"random", "sobol", "tpe", "gp"})
            if (only.empty() || only == searcher) printRegret(problem, searcher, seeds);
    for (const char* scheduler :
         {R"("fifo")", R"("asha")", R"({"name":"asha","mode":"promote"})", R"("halving")", R"("hyperband")",
          R"("median")", R"({"name":"pbt","mutate":"optimizer.lr","interval":9})",
          R"({"name":"pbt","mutate":"optimizer.lr","interval":9,"synchronous":true})"})
        printSimulation("random", scheduler, trials);
    printSimulation("tpe", R"("asha")", trials / 10);
    return 0;
}
