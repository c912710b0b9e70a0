// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps from a program, with the names of Ray Tune: a run file, a space, and what to search it by.
#pragma once

#include "trainyard/run.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::tune {

using train::Config;
using train::Value;

// The values that one field may have. A plain value is a constant.
class Domain {
public:
    template <class T>
        requires std::constructible_from<Value, T>
    Domain(T&& value) : Domain(constant(Value(std::forward<T>(value)))) {} // NOLINT(*-explicit-constructor)

    // The field exists only where another one has one of these values: momentum under sgd.
    Domain when(const std::string& path, const std::vector<Value>& values) const;
    const std::string& json() const { return m_json; } // as in the "space" of a sweep file

    static Domain ofJson(std::string json);

private:
    Domain() = default;
    static Domain constant(Value value);

    std::string m_json;
};

Domain uniform(double from, double to);
Domain quniform(double from, double to, double step); // multiples of `step`
Domain loguniform(double from, double to);
Domain qloguniform(double from, double to, double step);
Domain randint(std::int64_t from, std::int64_t to);                         // `to` is left out, as in Ray Tune
Domain qrandint(std::int64_t from, std::int64_t to, std::int64_t step = 1); // with `to`
Domain lograndint(std::int64_t from, std::int64_t to);                      // without `to`
Domain qlograndint(std::int64_t from, std::int64_t to, std::int64_t step = 1);
Domain randn(double mean = 0, double sd = 1); // cut at four standard deviations
Domain qrandn(double mean, double sd, double step);
Domain choice(std::vector<Value> values);
Domain gridSearch(std::vector<Value> values); // every one of them, with every configuration of the other fields

// Fields of the run file by path: {{"optimizer.lr", loguniform(1e-4, 1e-1)}, {"batch.perRank", choice({32, 64})}}.
using ParamSpace = std::vector<std::pair<std::string, Domain>>;

// A searcher or a scheduler by its name, with options: {"asha", {{"grace", 2}}}.
struct Algorithm {
    std::string name;
    Config options{};

    Algorithm(const char* algorithm) : name(algorithm) {} // NOLINT(*-explicit-constructor)
    Algorithm(std::string algorithm, Config with = {}) : name(std::move(algorithm)), options(std::move(with)) {}
};

// How the space is searched, as in Ray Tune.
struct TuneConfig {
    std::string metric{};         // a series; empty: the one that the run's checkpoints are compared by
    std::string mode{};           // min, max; empty: follows from the metric
    int numSamples = 0;           // configurations, for each point of gridSearch(); 0: all of a grid, or as many
                                  // as the time allows
    int maxConcurrentTrials = 0;  // 0: as many as the cores allow
    Algorithm searchAlg = "auto"; // grid, random, sobol, tpe, gp
    Algorithm scheduler = "fifo"; // asha, halving, hyperband, median, pbt
    double timeBudgetSeconds = 0; // 0: no limit
    std::int64_t seed = 1;        // of the search
    int seeds = 1;                // runs of each configuration, which is ranked by their mean
    bool reuseActors = true;      // rank processes stay from one trial to the next where they can
};

// What a Tuner is made from.
struct TunerOptions {
    ParamSpace paramSpace{};
    TuneConfig tuneConfig{};
    std::string name{};                // as the window shows it; empty: the run file's
    std::filesystem::path workspace{}; // whose database records it; empty: as for trainyardctl
    bool verbose = true;               // fit() names the sweep on stderr where that is a terminal
};

// One trial, which is a run like any other.
struct Trial {
    int number = 0;
    std::string runId;
    std::string status; // as Run::status()
    Config config;      // the fields that the space gave it
    std::optional<double> score{};
    std::string reason{}; // why it did not train to its end, in words; empty: no scheduler ended it
    std::optional<train::RunError> error{};
};

// What came of a sweep.
class ResultGrid {
public:
    ResultGrid(std::string sweepId, std::filesystem::path workspace, std::vector<Trial> trials, std::vector<int> ranked,
               bool hasBest);

    const std::string& sweepId() const { return m_sweepId; }
    std::size_t size() const { return m_trials.size(); }
    const Trial& operator[](std::size_t number) const { return m_trials.at(number); }
    auto begin() const { return m_trials.begin(); }
    auto end() const { return m_trials.end(); }
    std::size_t numErrors() const;     // trials that failed
    std::size_t numTerminated() const; // that trained to their end, or were ended by the scheduler
    // Best first, as the window and trainyardctl rank them; failed ones and those without a score last.
    std::vector<Trial> ranked() const;
    // Throws std::runtime_error where no trial has a finite score.
    const Trial& getBestResult() const;
    train::Result result(const Trial& trial) const; // with metrics, curves and checkpoints
    train::Run run(const Trial& trial) const;       // to export, fork or train it further

private:
    std::string m_sweepId;
    std::filesystem::path m_workspace;
    std::vector<Trial> m_trials;
    std::vector<int> m_ranked; // numbers, best first
    bool m_hasBest = false;
};

// A sweep over the fields of a run file, or over the configuration of a training function. It belongs to its
// supervisor, as a Run does: it continues when this program ends, and window and trainyardctl show and steer it.
// Functions throw InputError, naming the field and the remedy, when what is asked cannot be; std::runtime_error when
// the system fails.
class Tuner {
public:
    Tuner(const train::RunFile& base, TunerOptions options);
    // The space names keys of `trainer.loopConfig`, and adds those that are missing. fit() starts this very program for
    // each rank of each trial, under the rules of TorchTrainer. What trials are compared by is a metric that the
    // function reports. A scheduler counts in epochs: the configuration's `epochs` is the length, report() a rung. One
    // that ends a trial makes its next report() throw StopRequested. `trainer.run` says where trials are recorded.
    Tuner(train::TrainFunction trainFunction, train::TrainerOptions trainer, TunerOptions options);
    // A sweep file, which has all that TuneConfig leaves out: when trials stop, first configurations, what is kept.
    static Tuner read(const std::filesystem::path& sweepFile, const std::filesystem::path& workspace = {});
    // A sweep that was stopped or interrupted, by id, unique prefix or name: fit() trains what is missing.
    static Tuner restore(const std::string& sweep, const std::filesystem::path& workspace = {});

    // Blocks until the sweep is over. Trials that fail do not throw.
    ResultGrid fit();
    ResultGrid getResults() const; // of a restored sweep, or after fit(): what is recorded up to now
    const std::string& json() const { return m_json; } // the sweep file

private:
    Tuner() = default;

    struct Program { // that trains the trials, where it is no run file
        train::TrainFunction function;
        train::TrainerOptions trainer;
        TunerOptions options;
    };
    void start();
    void startProgram();

    std::string m_json, m_sweepId;
    std::filesystem::path m_workspace;
    bool m_verbose = true;
    std::optional<Program> m_program{};
};

} // namespace trainyard::tune
