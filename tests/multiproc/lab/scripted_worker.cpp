// SPDX-License-Identifier: GPL-3.0-or-later
// A worker for fault tests: a real process that speaks the real protocol, but instead of training it follows the plan
// in the run file's model.params.plan. The ranks meet at every step through the rendezvous store, so that a lost rank
// leaves the others waiting, as a collective would.
//
//   perEpoch=20 ms=2         steps per epoch, and milliseconds per step
//   rejoins                  says that it goes on in another group when a rank is lost, and never hears of that group
//   ACTION@RANK:STEP[#GEN]   what rank RANK does when it reaches STEP, in generation GEN (default 0, * = every one):
//     kill abort exit0 hang garbage wrongtype fail failinput deaf(ignores stop frames) slow(2 s) print digest nan
//     stuck(gives signs of life, and does not go on) cut(the same, in the others' collective) astray(in another)
//     lag(claims to compute most of each step)
#include "engine/base/clock.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/files/safetensors.h"
#include "engine/wire/messages.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

using namespace trainyard;

namespace {

spec::Entry entry(const std::string& name) {
    return {.name = name, .title = name, .help = {}, .params = {}, .unavailable = {}, .facts = {}};
}

int describe() {
    spec::Catalog catalog;
    catalog.version = TRAINYARD_VERSION;
    catalog.libtorchVersion = "none";
    catalog.blas = "none";
    auto scripted = entry("scripted");
    scripted.params = {{.name = "plan",
                        .title = "Plan",
                        .type = spec::ParamType::Text,
                        .defaultValue = std::string(),
                        .min = {},
                        .max = {},
                        .options = {},
                        .unit = {},
                        .help = {}}};
    auto sgd = entry("sgd");
    sgd.params = {{.name = "lr",
                   .title = "Learning rate",
                   .type = spec::ParamType::Number,
                   .defaultValue = 0.1,
                   .min = 0,
                   .max = 1000,
                   .minExclusive = true,
                   .logScale = true,
                   .options = {},
                   .unit = {},
                   .help = {}}};
    catalog.models = {scripted};
    catalog.datasets = {entry("nothing")};
    catalog.optimizers = {sgd};
    catalog.schedules = {entry("constant")};
    catalog.losses = {entry("cross-entropy")};
    catalog.precisions = {"fp32"};
    catalog.backends = {"auto", "gloo"};
    catalog.devices = {{"cpu", "CPU", 1 << 30}};
    const char* const cards = std::getenv("SCRIPTED_DEVICES");
    for (int card = 0; cards && card < std::atoi(cards); ++card)
        catalog.devices.push_back({"cuda:" + std::to_string(card), "none", 1 << 30});
    std::fputs(spec::toJson(catalog).c_str(), stdout);
    return 0;
}

// The version to say: what the file in SCRIPTED_VERSION_FILE holds, or this program's. "once VERSION" is said by the
// first process that reads it.
std::string toldVersion() {
    const char* path = std::getenv("SCRIPTED_VERSION_FILE");
    std::string word, version;
    if (!path || !(std::ifstream(path) >> word)) return TRAINYARD_VERSION;
    if (word != "once") return word;
    std::ifstream(path) >> word >> version;
    return ::unlink(path) == 0 ? version : TRAINYARD_VERSION;
}

struct Action {
    std::string what;
    int rank = 0;
    std::int64_t step = 0;
    int generation = 0; // -1: every one
};

struct Plan {
    std::int64_t perEpoch = 20;
    int ms = 2;
    bool rejoins = false;
    std::vector<Action> actions;

    explicit Plan(const std::string& text) {
        std::istringstream words(text);
        for (std::string word; words >> word;)
            if (word.starts_with("perEpoch=")) perEpoch = std::stoll(word.substr(9));
            else if (word.starts_with("ms=")) ms = std::stoi(word.substr(3));
            else if (word == "rejoins") rejoins = true;
            else parseAction(word);
    }

private:
    void parseAction(const std::string& word) {
        const auto at = word.find('@'), colon = word.find(':'), hash = word.find('#');
        Action action{word.substr(0, at), std::stoi(word.substr(at + 1)), std::stoll(word.substr(colon + 1)), 0};
        if (hash != std::string::npos)
            action.generation = word.substr(hash + 1) == "*" ? -1 : std::stoi(word.substr(hash + 1));
        actions.push_back(action);
    }
};

class ScriptedRank {
public:
    explicit ScriptedRank(int fd) : m_fd(fd), m_begin(monotonicSeconds()) {} // to write to; it reads from 0

    int run() {
        send(wire::Hello{wire::kProtocolVersion, ::getpid(), "here", toldVersion(), "none"});
        while (!m_start) readFrames(1000);
        const auto spec = spec::parseRunSpec(m_start->runJson);
        if (!spec) return fail(ErrorKind::Input, spec.error().text());
        m_spec = *spec;
        m_plan.emplace(m_spec.model.text("plan", ""));
        m_total = m_spec.steps.value_or(m_spec.epochs.value_or(1) * m_plan->perEpoch);
        std::thread([this] { beat(); }).detach();
        send(wire::Ready{"CPU", 1, {}, m_plan->rejoins});
        enter(wire::Phase::Rendezvous);
        if (m_start->joining) setDoing("rendezvous", wire::Activity::Rendezvous);
        while (m_start->joining) readFrames(1000); // no peer joins
        meet("begin");
        enter(wire::Phase::LoadData);
        if (!m_start->resumeFrom.empty() && !restore()) return fail(ErrorKind::Input, "the checkpoint cannot be read");
        enter(wire::Phase::FirstStep);
        return train();
    }

private:
    int train() {
        while (m_step < m_total) {
            ++m_step;
            if (!act()) return 0;
            meet("step" + std::to_string(m_step));
            std::this_thread::sleep_for(std::chrono::milliseconds(m_plan->ms));
            if (m_step == m_firstStep) enter(wire::Phase::Train);
            report();
            const bool epochEnd = m_step % m_plan->perEpoch == 0;
            if (epochEnd) validateAndSave();
            readFrames(0);
            applyCommands();
            if (!stopsHere()) continue;
            if (m_stop == wire::StopMode::SaveAndStop && !epochEnd) validateAndSave();
            return finish(true);
        }
        return finish(false);
    }

    // Rank 0 alone is asked; while it pauses, the others wait for it at the next step.
    void applyCommands() {
        for (bool paused = false; (paused || !m_commands.empty()) && !m_stop;) {
            for (const auto& command : std::exchange(m_commands, {})) {
                if (command.kind == wire::CommandKind::Pause) paused = true;
                if (command.kind == wire::CommandKind::Unpause) paused = false;
                if (command.kind == wire::CommandKind::SetLearningRate) m_rate = command.value;
                if (command.kind == wire::CommandKind::Checkpoint) validateAndSave();
                send(wire::CommandDone{command.id, command.kind, command.value, m_step, {}});
            }
            if (paused) readFrames(20);
        }
    }

    // The ranks stop at the same step, as rank 0 says: it asks for the step after the next.
    bool stopsHere() {
        if (m_stop && m_start->rank == 0 && m_stopStep == 0 && !m_deaf) m_stopStep = m_step + 2;
        if (m_start->rank == 0 && m_stopStep > 0 && !m_told) {
            m_told = true;
            send(wire::StoreSet{"stop", std::to_string(m_stopStep)});
        }
        if (m_start->rank != 0 && m_stop && m_stopStep == 0 && !m_deaf && has("stop"))
            m_stopStep = std::strtoll(get("stop").c_str(), nullptr, 10);
        return m_stopStep > 0 && m_step >= m_stopStep;
    }

    bool act() { // false: the process is to exit with 0
        for (const auto& action : m_plan->actions) {
            if (action.rank != m_start->rank || action.step != m_step) continue;
            if (action.generation >= 0 && action.generation != m_start->generation) continue;
            if (action.what == "exit0") return false;
            perform(action.what);
        }
        return true;
    }

    void perform(const std::string& what) {
        if (what == "kill") ::raise(SIGKILL);
        if (what == "abort") {
            std::fprintf(stderr, "terminate called after a \x1b[31mbad\x1b[0m thing\n");
            std::abort();
        }
        if (what == "hang") {
            sendBeat(); // so that it is known what was last heard of it
            ::raise(SIGSTOP);
        }
        if (what == "garbage") writeBytes("this is not a frame, whatever its length claims to be", 53);
        if (what == "wrongtype") send(wire::RunState{});
        if (what == "fail") ::_exit(fail(ErrorKind::Run, "the loss became NaN"));
        if (what == "failnan") ::_exit(fail(ErrorKind::Run, "the loss became NaN", ErrorCode::LossNotFinite));
        if (what == "losepeer") ::_exit(fail(ErrorKind::Run, "nobody is there any more", ErrorCode::PeerLost));
        if (what == "failinput") ::_exit(fail(ErrorKind::Input, "label 12 is out of range"));
        if (what == "deaf") {
            m_deaf = true;
            ::signal(SIGTERM, SIG_IGN);
        }
        if (what == "stuck") std::this_thread::sleep_for(std::chrono::hours(1));
        if (what == "cut" || what == "astray") { // in the collective of the others, or in another, and nothing comes
            setDoing(what == "cut" ? "all-reduce of bucket 0" : "reduce the metrics", wire::Activity::Collective);
            std::this_thread::sleep_for(std::chrono::hours(1));
        }
        if (what == "lag") m_computeShare = 0.9;
        if (what == "slow") std::this_thread::sleep_for(std::chrono::seconds(2));
        if (what == "print") std::fprintf(stderr, "a line of rank %d\n", m_start->rank);
        if (what == "digest") m_digest = "other";
        if (what == "nan") m_nan = true;
    }

    void report() {
        if (m_start->rank != 0) return;
        wire::Metrics metrics;
        const double loss = m_nan ? std::nan("") : 2.0 / static_cast<double>(m_step + 1);
        metrics.series.push_back({"train/loss", 0, {pointOf(loss)}});
        if (m_rate > 0) metrics.series.push_back({"lr", 0, {pointOf(m_rate)}});
        send(metrics);
    }

    wire::Point pointOf(double value) const {
        return {m_step, static_cast<double>(m_step) / static_cast<double>(m_plan->perEpoch),
                m_start->secondsBefore + monotonicSeconds() - m_begin, value};
    }

    // Best near a learning rate of 0.1, so that a sweep has something to find.
    double accuracy() const {
        if (m_nan) return std::nan("");
        const double distance = std::abs(std::log10(m_spec.optimizer.number("lr", 0.1)) + 1);
        return 1 - 0.1 * distance - 1 / static_cast<double>(m_step + 2);
    }

    void validateAndSave() {
        if (m_start->rank != 0) return;
        wire::Metrics metrics;
        metrics.series.push_back({"val/accuracy", 0, {pointOf(accuracy())}});
        send(metrics);
        char name[48];
        std::snprintf(name, sizeof name, "/step-%010lld.safetensors", static_cast<long long>(m_step));
        const std::string path = m_start->checkpointFolder + name;
        const float weight = static_cast<float>(m_step);
        const std::vector<store::TensorBytes> tensors{
            {"model.weight", "F32", {1}, std::as_bytes(std::span(&weight, 1))},
            {"optimizer.0.momentum", "F32", {1}, std::as_bytes(std::span(&weight, 1))}};
        const nlohmann::json points{{"train/loss", m_step.load()}, {"val/accuracy", m_step.load()}};
        const auto saved = store::writeSafetensors(path, tensors,
                                                   {{"format", "trainyard-checkpoint"},
                                                    {"version", "1"},
                                                    {"step", std::to_string(m_step)},
                                                    {"epoch", "0"},
                                                    {"run", m_start->runJson},
                                                    {"metrics", nlohmann::json{{"val/accuracy", accuracy()}}.dump()},
                                                    {"points", points.dump()},
                                                    {"modelInfo", "{}"}});
        if (!saved) return send(wire::CheckpointSkipped{m_step, saved.error()});
        send(wire::CheckpointSaved{path, m_step, pointOf(0).epoch, 200, {{"val/accuracy", accuracy()}}});
    }

    bool restore() {
        const auto file = store::SafetensorsFile::open(m_start->resumeFrom);
        if (!file) return false;
        m_step = std::strtoll(file->metadata().at("step").c_str(), nullptr, 10);
        m_firstStep = m_step + 1;
        return true;
    }

    int finish(bool stopped) {
        enter(wire::Phase::Done);
        send(wire::Finished{m_step, pointOf(0).epoch, pointOf(0).seconds, stopped, m_digest});
        return stopped ? 130 : 0;
    }

    int fail(ErrorKind kind, const std::string& message, ErrorCode code = ErrorCode::General) {
        send(wire::Failed{{kind, message, "layer 3", "lower the learning rate", code}, m_step});
        return 1;
    }

    // Returns when every rank has come here.
    void meet(const std::string& key) {
        const int world = m_start->worldSize;
        if (world == 1) return;
        setDoing("all-reduce of bucket 0", wire::Activity::Collective);
        const auto request = ++m_requests;
        send(wire::StoreAdd{request, key, 1});
        if (reply(request).number == world) send(wire::StoreSet{key + "/all", "1"});
        get(key + "/all");
        setDoing("step", wire::Activity::Work);
    }

    std::string get(const std::string& key) {
        const auto request = ++m_requests;
        send(wire::StoreGet{request, key});
        return reply(request).value;
    }

    bool has(const std::string& key) {
        const auto request = ++m_requests;
        send(wire::StoreCheck{request, {key}});
        return reply(request).number == 1;
    }

    wire::StoreReply reply(std::int64_t request) {
        while (!m_replies.contains(request)) readFrames(1000);
        return m_replies[request];
    }

    void enter(wire::Phase phase) { send(wire::PhaseChange{phase, monotonicSeconds() - m_begin, {}}); }

    void setDoing(const char* what, wire::Activity activity) {
        m_doing = what;
        m_activity = activity;
    }

    void beat() {
        for (;;) {
            sendBeat();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }

    void sendBeat() {
        wire::Heartbeat beat;
        beat.step = m_step;
        beat.totalSteps = m_total;
        beat.epoch = static_cast<double>(m_step) / static_cast<double>(m_plan->perEpoch);
        beat.totalEpochs = m_spec.epochs.value_or(0);
        beat.samplesPerSecond = 1000;
        beat.doing = m_doing.load();
        beat.activity = m_activity.load();
        beat.computeShare = m_computeShare;
        send(beat);
    }

    void send(const wire::Message& message) {
        const auto bytes = wire::encodeMessage(message);
        writeBytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    void writeBytes(const char* bytes, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        while (size > 0) {
            const ssize_t put = ::write(m_fd, bytes, size);
            if (put <= 0) ::_exit(3);
            bytes += put;
            size -= static_cast<std::size_t>(put);
        }
    }

    void readFrames(int timeoutMs) {
        pollfd wait{STDIN_FILENO, POLLIN, 0};
        if (::poll(&wait, 1, timeoutMs) <= 0) return;
        std::byte buffer[4096];
        const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (got <= 0) ::_exit(3); // the supervisor is gone
        m_decoder.feed(std::span(buffer, static_cast<std::size_t>(got)));
        for (;;) {
            auto frame = m_decoder.next();
            if (!frame || !frame->has_value()) return;
            const auto message = wire::decodeMessage(**frame);
            if (!message) ::_exit(3);
            if (const auto* start = std::get_if<wire::Start>(&*message)) m_start = *start;
            if (const auto* stop = std::get_if<wire::Stop>(&*message)) m_stop = stop->mode;
            if (const auto* command = std::get_if<wire::Command>(&*message)) m_commands.push_back(*command);
            if (const auto* answer = std::get_if<wire::StoreReply>(&*message)) m_replies[answer->request] = *answer;
        }
    }

    int m_fd;
    double m_begin;
    std::mutex m_mutex;
    wire::Decoder m_decoder;
    std::optional<wire::Start> m_start;
    std::optional<wire::StopMode> m_stop;
    std::vector<wire::Command> m_commands;
    double m_rate = 0; // as it was set while training
    std::map<std::int64_t, wire::StoreReply> m_replies;
    std::int64_t m_requests = 0;
    spec::RunSpec m_spec;
    std::optional<Plan> m_plan;
    std::atomic<std::int64_t> m_step{0}, m_total{0};
    std::atomic<const char*> m_doing{"step"};
    std::atomic<wire::Activity> m_activity{wire::Activity::Work};
    std::atomic<double> m_computeShare{0.3};
    std::int64_t m_firstStep = 1, m_stopStep = 0;
    bool m_told = false, m_deaf = false, m_nan = false;
    std::string m_digest = "same";
};

} // namespace

int main(int argc, char** argv) {
    const std::string command = argc > 1 ? argv[1] : "";
    if (command == "describe") return describe();
    if (command != "rank") return 2;
    const int fd = ::dup(1);
    ::dup2(2, 1);
    ::_exit(ScriptedRank(fd).run());
}
