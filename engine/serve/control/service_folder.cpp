// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/control/service_folder.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/spawn.h"
#include "engine/serve/control/service_client.h"
#include "engine/store/store.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

namespace trainyard::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTokenBytes = 32;
constexpr double kViewSeconds = 1;
constexpr std::size_t kMaxState = 4u << 20;

std::vector<std::string> namesIn(const store::Workspace& workspace) {
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator at(workspace.root / "services", failure), end; !failure && at != end;
         at.increment(failure)) {
        const std::string name = at->path().filename().string();
        std::error_code ignored;
        if (isServiceName(name) && fs::exists(ServiceFolder{at->path()}.spec(), ignored)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

// As its server left it.
ServiceStatus statusLeft(const ServiceFolder& folder) {
    ServiceStatus status;
    std::error_code ignored;
    if (!fs::exists(folder.state(), ignored)) {
        status.state = ServiceState::Failed;
        status.reason = "it was never started";
        return status;
    }
    const auto text = readFile(folder.state(), kMaxState);
    auto left = text ? statusFromJson(*text, folder.state().string()) : Result<ServiceStatus>(text.error());
    if (!left) {
        status.state = ServiceState::Failed;
        status.reason = left.error().text();
        return status;
    }
    status = std::move(*left);
    for (auto& each : status.replicas) each.state = ReplicaState::Ended;
    if (status.state != ServiceState::Stopped && status.state != ServiceState::Failed) {
        const std::string resume = "trainyardctl serve resume " + folder.root.filename().string();
        status.state = status.on.empty() ? ServiceState::Failed : ServiceState::Unreachable;
        status.reason = status.on.empty() ? "its server was ended from outside; " + resume
                                          : "it goes on there without a link; " + resume;
    }
    return status;
}

ServiceView viewOf(const ServiceFolder& folder) {
    ServiceView view{.folder = folder, .spec = {}, .status = {}, .isServed = folder.isServed()};
    const std::string name = folder.root.filename().string();
    const auto text = readFile(folder.spec());
    auto spec = text ? parseServiceSpec(*text, folder.spec().string()) : Result<ServiceSpec>(text.error());
    if (spec) view.spec = std::move(*spec);
    else view.spec.name = name;
    auto told = view.isServed ? ServiceClient(folder).status(kViewSeconds)
                              : Result<ServiceStatus>(environmentError("is not served"));
    if (told) view.status = std::move(*told);
    else {
        view.status = statusLeft(folder);
        if (view.isServed) { // it is about to listen, or it is stopped
            view.status.state = ServiceState::Starting;
            view.status.reason = told.error().text();
        } else if (!spec) {
            view.status.state = ServiceState::Failed;
            view.status.reason = spec.error().text();
        }
    }
    view.status.name = name;
    return view;
}

// Made with its mode: nobody else may read it for a moment either.
Result<void> writeToken(const fs::path& file, const std::string& token) {
    const fs::path fresh = file.string() + ".new";
    ::unlink(fresh.c_str());
    const UniqueFd out(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    const std::string line = token + "\n";
    if (!out || ::write(out.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
        ::rename(fresh.c_str(), file.c_str()) != 0)
        return systemError("the token cannot be written", file.string());
    return {};
}

Result<std::string> newToken(const fs::path& file) {
    std::array<unsigned char, kTokenBytes> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return systemError("no random numbers can be had for a token", file.string());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string token;
    for (const unsigned char byte : bytes) {
        token += kDigits[byte >> 4];
        token += kDigits[byte & 15];
    }
    TY_TRY(writeToken(file, token));
    return token;
}

Result<ServiceFolder> launchServer(const ServiceFolder& folder, const ServiceSpec& spec, const store::RunLock& lock) {
    // What it left the last time is not how it fares now.
    ServiceStatus status;
    status.name = folder.root.filename().string();
    status.on = spec.on;
    TY_TRY(writeState(folder, status));
    TY_TRY(tokenOf(folder));
    TY_ASSIGN([[maybe_unused]] const auto pid,
              run::spawnSupervisor(commandOf(spec), folder.root, run::Detachment::Full, &lock));
    return folder;
}

Result<store::RunLock> lockFor(const ServiceFolder& folder) {
    auto lock = store::RunLock::acquire(folder.root);
    if (lock || lock.error().code != ErrorCode::AlreadyRunning) return lock;
    const std::string name = folder.root.filename().string();
    return environmentError("is running already", "service " + name,
                            "stop it (trainyardctl serve stop " + name + "), or give this one another name (--name)")
        .withCode(ErrorCode::AlreadyRunning);
}

} // namespace

ServiceFolder ServiceFolder::of(const store::Workspace& workspace, const std::string& name) {
    return {workspace.root / "services" / name};
}

bool ServiceFolder::isServed() const { return store::RunLock::isHeld(root); }

Result<ServiceSpec> readService(const store::Workspace& workspace, const std::string& name) {
    const auto folder = ServiceFolder::of(workspace, name);
    std::error_code ignored;
    if (!isServiceName(name) || !fs::exists(folder.spec(), ignored)) {
        const std::string near = nearestWord(name, namesIn(workspace));
        return inputError("there is no service \"" + printable(name, 60) + "\"", {},
                          near.empty() ? "see: trainyardctl services" : "did you mean " + near + "?")
            .withCode(ErrorCode::RunUnknown);
    }
    TY_ASSIGN(const std::string text, readFile(folder.spec()));
    return parseServiceSpec(text, folder.spec().string());
}

Result<ServiceView> viewService(const store::Workspace& workspace, const std::string& name) {
    TY_TRY(readService(workspace, name));
    return viewOf(ServiceFolder::of(workspace, name));
}

std::vector<ServiceView> listServices(const store::Workspace& workspace) {
    std::vector<ServiceView> views;
    for (const auto& name : namesIn(workspace)) views.push_back(viewOf(ServiceFolder::of(workspace, name)));
    return views;
}

Result<std::string> tokenOf(const ServiceFolder& folder) {
    std::error_code ignored;
    if (!fs::exists(folder.token(), ignored)) return newToken(folder.token());
    TY_ASSIGN(std::string token, readFile(folder.token(), 4096));
    while (!token.empty() && (token.back() == '\n' || token.back() == ' ')) token.pop_back();
    if (token.empty()) return newToken(folder.token());
    return token;
}

Result<std::string> renewToken(const ServiceFolder& folder) { return newToken(folder.token()); }

Result<void> keepToken(const ServiceFolder& folder, const std::string& token) {
    return writeToken(folder.token(), token);
}

const char* commandOf(const ServiceSpec& spec) { return spec.on.empty() ? "supervise-service" : "link-service"; }

Result<ServiceFolder> startService(const store::Workspace& workspace, ServiceSpec spec) {
    TY_TRY(checkService(spec));
    const auto folder = ServiceFolder::of(workspace, spec.name);
    TY_ASSIGN(const auto lock, lockFor(folder));
    if (spec.port == 0 && spec.socket.empty())
        if (const auto former = readService(workspace, spec.name); former && former->socket.empty())
            spec.port = former->port;
    TY_TRY(writeFileAtomic(folder.spec(), serviceJson(spec)));
    return launchServer(folder, spec, lock);
}

Result<ServiceFolder> resumeService(const store::Workspace& workspace, const std::string& name) {
    TY_ASSIGN(const ServiceSpec spec, readService(workspace, name));
    const auto folder = ServiceFolder::of(workspace, name);
    TY_ASSIGN(const auto lock, lockFor(folder));
    return launchServer(folder, spec, lock);
}

Result<ServiceStatus> waitUntilServed(const ServiceFolder& folder, double seconds) {
    const double deadline = monotonicSeconds() + seconds;
    for (auto pause = std::chrono::milliseconds(2);; pause = std::min(pause * 2, std::chrono::milliseconds(20))) {
        const bool isServed = folder.isServed();
        const auto view = viewOf(folder);
        if (view.status.state == ServiceState::Ready) return view.status;
        if (!isServed || view.status.state == ServiceState::Stopped)
            return runError(view.status.reason.empty() ? "has ended" : view.status.reason, "service " + view.spec.name,
                            "its log: " + folder.serverLog().string());
        if (monotonicSeconds() > deadline)
            return environmentError("does not answer requests after " + std::to_string(static_cast<int>(seconds)) +
                                        " s",
                                    "service " + view.spec.name, "its log: " + folder.serverLog().string());
        std::this_thread::sleep_for(pause);
    }
}

Result<void> writeState(const ServiceFolder& folder, const ServiceStatus& status) {
    return writeFileAtomic(folder.state(), jsonFile(statusToJson(status)), Outlives::Process);
}

} // namespace trainyard::serve
