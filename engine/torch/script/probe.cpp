// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/script/probe.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/programs.h"
#include "engine/store/files/zip_archive.h"
#include "engine/torch/script/probe_child.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

extern char** environ;

namespace trainyard::script {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxArchive = std::size_t{16} << 30, kMaxReport = 4u << 20;

std::string seconds(double value) { return std::to_string(static_cast<long>(value + 0.5)) + " s"; }

std::string gibibytes(std::int64_t bytes) {
    const auto tenths = bytes * 10 / (std::int64_t{1} << 30);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

// This program when it is the worker, which another program with our library is not.
fs::path workerProgram() {
    std::error_code ignored;
    const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
    if (self.filename().string().starts_with("trainyard-worker")) return self;
    return run::workerProgram();
}

// The bytes as an anonymous file, so that the child reads exactly what was checked.
Result<UniqueFd> asFile(const std::string& bytes) {
    UniqueFd file(::memfd_create("module", MFD_CLOEXEC));
    if (!file) return systemError("cannot make room for the module");
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t wrote = ::write(file.get(), bytes.data() + done, bytes.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return systemError("cannot make room for the module");
        done += static_cast<std::size_t>(wrote);
    }
    if (::lseek(file.get(), 0, SEEK_SET) != 0) return systemError("cannot make room for the module");
    return file;
}

struct Outcome {
    std::string output;
    int status = 0;
    bool late = false;
};

Result<UniqueFd> startChild(const std::vector<std::string>& arguments, int input, pid_t& pid) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return systemError("cannot start the check of the module");
    UniqueFd output(fds[0]), end(fds[1]);
    const std::string program = workerProgram().string();
    std::vector<std::string> words{program, "probe"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    // One thread: a pool started by the loader would be outside of what may be unshared.
    std::vector<std::string> settings{"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"};
    std::vector<char*> environment;
    for (auto& setting : settings) environment.push_back(setting.data());
    for (char** entry = environ; *entry; ++entry)
        if (!std::string_view(*entry).starts_with("OMP_NUM_THREADS=") &&
            !std::string_view(*entry).starts_with("OPENBLAS_NUM_THREADS="))
            environment.push_back(*entry);
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input, 0);
    ::posix_spawn_file_actions_adddup2(&actions, end.get(), 1);
    ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const int code = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, pointers.data(), environment.data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (code == 0) return output;
    errno = code;
    return systemError("cannot start the check of the module", program);
}

Result<Outcome> runChild(const std::vector<std::string>& arguments, const std::string& bytes, double wallSeconds) {
    TY_ASSIGN(const UniqueFd input, asFile(bytes));
    pid_t pid = 0;
    TY_ASSIGN(const UniqueFd output, startChild(arguments, input.get(), pid));
    Outcome outcome;
    const double deadline = monotonicSeconds() + wallSeconds;
    for (;;) {
        const double left = deadline - monotonicSeconds();
        pollfd entry{output.get(), POLLIN, 0};
        const int ready = left > 0 ? ::poll(&entry, 1, static_cast<int>(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR) continue;
        outcome.late = ready <= 0;
        if (outcome.late) break;
        std::array<char, 4096> piece;
        const ssize_t got = ::read(output.get(), piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || outcome.output.size() > kMaxReport) break;
        outcome.output.append(piece.data(), static_cast<std::size_t>(got));
    }
    if (outcome.late || outcome.output.size() > kMaxReport) ::kill(pid, SIGKILL);
    while (::waitpid(pid, &outcome.status, 0) < 0 && errno == EINTR) {}
    return outcome;
}

// The child says on a line of its own what it begins with, so that its end can be told from where it was.
std::string lastStage(const std::string& output) {
    const auto at = output.rfind(kStageMark);
    if (at == std::string::npos) return "the check";
    const auto begin = at + std::string_view(kStageMark).size();
    return output.substr(begin, output.find('\n', begin) - begin);
}

Error brokenOff(const Outcome& outcome, const std::string& where, const Limits& limits) {
    const std::string stage = lastStage(outcome.output);
    const int signal = WIFSIGNALED(outcome.status) ? WTERMSIG(outcome.status) : 0;
    if (signal == SIGXCPU)
        return inputError(stage + " did not end within " + seconds(limits.cpuSeconds) +
                              " of processor time and was stopped",
                          where, "check the module for endless loops");
    // It got less of the processor than that, in a long time.
    if (outcome.late)
        return environmentError(stage + " did not end within " + seconds(limits.wallSeconds) +
                                    ", in which it had less than " + seconds(limits.cpuSeconds) + " of processor time",
                                where, "try again when the computer is less busy; check what the module waits for");
    if (signal == SIGKILL)
        return inputError(stage + " was killed, probably for lack of memory", where, "use a smaller module");
    // Signals were blocked, as the C library blocks them to start a program, so that the child could not note the call.
    if (signal == SIGSYS)
        return inputError("its code tried to start another program, or something else that is not allowed while "
                          "signals are blocked, and was stopped: do not trust this module",
                          where, "take that out of the module");
    return inputError(
        stage + " crashed (" +
            (signal ? "signal " + std::to_string(signal) : "exit code " + std::to_string(WEXITSTATUS(outcome.status))) +
            ")",
        where, "check the module in Python");
}

// What the child says of the bytes when it found nothing wrong with them.
Result<json> askChild(std::vector<std::string> words, const std::string& bytes, const std::string& path,
                      const Limits& limits) {
    words.insert(words.end(), {"--memory", std::to_string(limits.memoryBytes), "--cpu",
                               std::to_string(static_cast<long>(limits.cpuSeconds + 0.5))});
    TY_ASSIGN(const Outcome outcome, runChild(words, bytes, limits.wallSeconds));
    const auto begin = outcome.output.rfind("\n{");
    json found =
        outcome.late || begin == std::string::npos ? json() : parseSortedJson(outcome.output.substr(begin + 1));
    if (!found.is_object()) return brokenOff(outcome, path, limits);
    if (found.value("ok", false)) return found;
    std::string message = found.value("message", std::string("failed"));
    std::string remedy = found.value("remedy", std::string());
    const ErrorCode code = errorCodeFromString(found.value("code", std::string()));
    if (code == ErrorCode::OutOfMemory) {
        message = lastStage(outcome.output) + " asks for more memory than the " + gibibytes(limits.memoryBytes) +
                  " that a check may take";
        remedy = "use a smaller module, or smaller samples";
    }
    return Error{errorKindFromString(found.value("kind", std::string("input"))), message, path, remedy, code};
}

Report reportFrom(const json& found) {
    Report report;
    report.parameters = found.value("parameters", std::int64_t{0});
    report.trainable = found.value("trainable", std::int64_t{0});
    report.parameterTensors = found.value("parameterTensors", std::int64_t{0});
    report.buffers = found.value("buffers", std::int64_t{0});
    report.methods = found.value("methods", std::vector<std::string>());
    report.operations = found.value("operations", std::vector<std::string>());
    report.inputShape = found.value("inputShape", std::vector<std::int64_t>());
    report.outputShape = found.value("outputShape", std::vector<std::int64_t>());
    report.outputType = found.value("outputType", std::string());
    report.batches = {found.value("leastTraining", std::int64_t{1}), found.value("leastEvaluating", std::int64_t{1}),
                      found.value("whyNotOne", std::string())};
    report.notices = found.value("notices", std::vector<std::string>());
    return report;
}

} // namespace

std::string toJson(const PluginReport& report, const std::string& path) {
    json settings = json::array();
    for (const spec::ParamInfo& each : report.settings)
        settings.push_back({{"name", each.name},
                            {"default", std::get<double>(each.defaultValue)},
                            {"min", *each.min},
                            {"max", *each.max},
                            {"help", each.help}});
    return jsonText(json{{"plugin", report.name}, {"path", path}, {"settings", std::move(settings)}}, 2);
}

std::string toJson(const Report& report) {
    return jsonText(json{{"sha256", report.sha256},
                         {"bytes", report.bytes},
                         {"records", report.records},
                         {"parameters", report.parameters},
                         {"trainable", report.trainable},
                         {"parameterTensors", report.parameterTensors},
                         {"buffers", report.buffers},
                         {"methods", report.methods},
                         {"operations", report.operations},
                         {"inputShape", report.inputShape},
                         {"outputShape", report.outputShape},
                         {"outputType", report.outputType},
                         {"leastTraining", report.batches.leastTraining},
                         {"leastEvaluating", report.batches.leastEvaluating},
                         {"notices", report.notices}},
                    2);
}

Result<Archive> readArchive(const std::string& path) {
    Archive archive;
    archive.path = path;
    TY_ASSIGN(archive.bytes, readFile(path, kMaxArchive));
    const auto bytes = std::as_bytes(std::span(archive.bytes));
    TY_ASSIGN(const auto records, store::checkZip(bytes, path));
    archive.records = static_cast<std::int64_t>(records.size());
    bool constants = false, code = false, data = false;
    for (const store::ZipRecord& record : records) {
        constants = constants || record.name.ends_with("/constants.pkl");
        code = code || record.name.find("/code/") != std::string::npos;
        data = data || record.name.ends_with("/data.pkl");
    }
    if (data && !constants && !code)
        return inputError("was made by torch.save and holds no code, so it cannot be run from here", path,
                          "save torch.jit.script(model) with torch.jit.save");
    if (!data || !constants)
        return inputError("is a zip archive, but not a saved module", path, "name a file of torch.jit.save");
    archive.sha256 = sha256Hex(bytes);
    return archive;
}

Result<Report> probe(const Archive& archive, const std::optional<Use>& use, const Limits& limits) {
    std::vector<std::string> words;
    if (use) {
        std::string shape;
        for (const std::int64_t side : use->sampleShape)
            shape.append(shape.empty() ? "" : ",").append(std::to_string(side));
        words = {"--shape", shape, "--task", train::toString(use->task), "--outputs", std::to_string(use->outputs)};
    }
    TY_ASSIGN(const json found, askChild(std::move(words), archive.bytes, archive.path, limits));
    Report report = reportFrom(found);
    report.sha256 = archive.sha256;
    report.bytes = static_cast<std::int64_t>(archive.bytes.size());
    report.records = archive.records;
    return report;
}

bool isLibrary(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 4> begin{};
    return file.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) == "\x7f"
                                                                                                    "ELF";
}

Result<PluginReport> probePlugin(const std::string& path, const Limits& limits) {
    TY_ASSIGN(const std::string bytes, readFile(path, kMaxArchive));
    TY_ASSIGN(const json found, askChild({"--plugin", "yes"}, bytes, path, limits));
    PluginReport report{found.value("name", std::string()), {}};
    for (const json& each : found.value("settings", json::array()))
        report.settings.push_back({.name = each.value("name", std::string()),
                                   .title = {},
                                   .defaultValue = each.value("default", 0.0),
                                   .min = each.value("min", 0.0),
                                   .max = each.value("max", 0.0),
                                   .help = each.value("help", std::string())});
    return report;
}

} // namespace trainyard::script
