// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/serve/replica.h"

#include "engine/base/error_json.h"
#include "engine/base/json_text.h"
#include "engine/base/machine/sandbox.h"
#include "engine/base/unique_fd.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/serve/exchange/replica_rings.h"
#include "engine/torch/base/device.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/kernels/kept_linear.h"
#include "engine/torch/serve/served_model.h"
#include "engine/torch/serve/slot_desk.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>

namespace trainyard::train {
namespace {

using nlohmann::json;

constexpr int kChannel = 0;                              // to the server, both ways
constexpr std::int64_t kMemory = std::int64_t{64} << 30; // on top of what is mapped
constexpr double kNoLimit = 1e9;                         // seconds
constexpr std::size_t kArguments = 5;
constexpr int kNiceBehind = 10; // a tenth of a core, where others want it too

bool say(const json& line) {
    const std::string text = jsonText(line) + "\n";
    std::string_view left = text;
    while (!left.empty()) {
        const ssize_t wrote = ::write(kChannel, left.data(), left.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        left.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return true;
}

int sayError(const Error& error) {
    std::fprintf(stderr, "trainyard-worker: %s\n", error.text().c_str());
    say(json{{"error", parseSortedJson(errorToJson(error))}});
    return exitCode(error.kind);
}

// What the server gives a replica that has told its signature.
struct Orders {
    serve::ExchangeLayout layout;
    std::uint32_t replica = 0;
    int batchMax = 1;
    bool deterministic = false;
    UniqueFd memory, bell, lifeline;
};

Result<Orders> receiveOrders() {
    std::array<char, 4096> bytes{};
    std::vector<int> fds;
    std::ptrdiff_t got = 0;
    do got = run::receiveWithFds(kChannel, bytes.data(), bytes.size(), fds);
    while (got < 0 && errno == EINTR);
    std::vector<UniqueFd> owned;
    for (const int fd : fds) owned.emplace_back(fd);
    if (got <= 0) return environmentError("the server is gone", "replica");
    const json line = parseSortedJson(std::string_view(bytes.data(), static_cast<std::size_t>(got)));
    if (!line.is_object() || owned.size() != 3)
        return environmentError("the server's orders cannot be read", "replica");
    Orders orders;
    orders.layout = {line.value("slots", 0u), line.value("replicas", 0u), line.value("inputBytes", std::uint64_t{0}),
                     line.value("outputBytes", std::uint64_t{0})};
    orders.replica = line.value("replica", 0u);
    orders.batchMax = line.value("batchMax", 1);
    orders.deterministic = line.value("deterministic", false);
    orders.memory = std::move(owned[0]);
    orders.bell = std::move(owned[1]);
    orders.lifeline = std::move(owned[2]);
    return orders;
}

// From now on the kernel kills this process when the server is gone, whatever it is doing then. False: it is.
bool endsWithServer(int lifeline) {
    if (::fcntl(lifeline, F_SETOWN, ::getpid()) != 0 || ::fcntl(lifeline, F_SETSIG, SIGKILL) != 0 ||
        ::fcntl(lifeline, F_SETFL, O_ASYNC) != 0)
        return false;
    pollfd entry{lifeline, POLLIN, 0};
    return ::poll(&entry, 1, 0) == 0;
}

// No other file can be opened, for reading either: all numbers below the limit are in use.
Result<void> openNoMore() {
    const int lowest = ::dup(kChannel);
    if (lowest < 0) return systemError("cannot count its files", "replica");
    ::close(lowest);
    const rlimit none{static_cast<rlim_t>(lowest), static_cast<rlim_t>(lowest)};
    if (::setrlimit(RLIMIT_NOFILE, &none) != 0) return systemError("cannot be kept from opening files", "replica");
    return {};
}

// A replica before it answers: the model is loaded and warm.
struct Prepared {
    std::optional<TrainedModel> trained;
    std::optional<serve::ExchangeMemory> memory;
    Orders orders;
    serve::BatchTable table;
    int fixedRows = 0; // of every batch; 0: as many as come
};

Result<Prepared> prepare(const std::vector<std::string>& arguments, int threads) {
    applyThreads(threads);
    Prepared made;
    TY_ASSIGN(made.trained, loadServed(arguments[0], arguments[4]));
    say(json{{"signature", serve::signatureToJson(signatureOf(*made.trained, arguments[1], arguments[2]))}});
    TY_ASSIGN(made.orders, receiveOrders());
    const Orders& orders = made.orders;
    if (!endsWithServer(orders.lifeline.get())) return environmentError("the server is gone", "replica");
    TY_ASSIGN(made.memory, serve::ExchangeMemory::map(std::move(made.orders.memory), orders.layout));
    if (orders.replica >= orders.layout.replicas) return environmentError("its orders cannot be", "replica");
    kernels::keepLinears(*made.trained->model, orders.batchMax);
    made.table = warmUpServed(*made.trained, orders.batchMax);
    if (!orders.deterministic) return made;
    made.fixedRows = fixedBatch(*made.trained, made.table);
    made.table = serve::BatchTable({{made.fixedRows, made.table.expectedUs(made.fixedRows)}});
    return made;
}

// The same in a thread that gives way to all who answer requests; priorities are of threads, and nobody may raise one.
Result<Prepared> prepareBehind(const std::vector<std::string>& arguments, int threads) {
    Result<Prepared> made = environmentError("was not prepared", "replica");
    std::thread([&] {
        const auto own = static_cast<id_t>(::syscall(SYS_gettid));
        ::setpriority(PRIO_PROCESS, own, ::getpriority(PRIO_PROCESS, own) + kNiceBehind);
        made = guarded("replica", [&] { return prepare(arguments, threads); });
    }).join();
    applyThreads(threads); // which are of each thread
    return made;
}

Result<void> serve(const std::vector<std::string>& arguments) {
    int threads = 1;
    std::from_chars(arguments[3].data(), arguments[3].data() + arguments[3].size(), threads);
    threads = std::max(1, threads);
    TY_ASSIGN(Prepared prepared,
              arguments.size() > kArguments ? prepareBehind(arguments, threads) : prepare(arguments, threads));
    const Orders& orders = prepared.orders;
    const serve::ExchangeMemory& memory = *prepared.memory;
    SlotDesk desk(*prepared.trained, memory, prepared.fixedRows);
    TY_TRY(enterSandbox({.wallSeconds = kNoLimit, .cpuSeconds = kNoLimit, .memoryBytes = kMemory}));
    TY_TRY(openNoMore());
    json rows = json::array();
    for (const auto& row : prepared.table.rows()) rows.push_back(json::array({row.rows, row.us}));
    say(json{{"ready", std::move(rows)}});
    serve::RingsOfReplica rings(memory.rings(orders.replica), memory.serverSleeps(), orders.bell.get());
    for (;;) {
        const auto slots = rings.take();
        desk.answer(slots);
        rings.finish(slots);
    }
}

} // namespace

int serveCommand(const std::vector<std::string>& arguments) {
    std::signal(SIGPIPE, SIG_IGN);
    ::dup2(2, 1); // no stray print can reach the channel
    const bool behind = arguments.size() == kArguments + 1 && arguments.back() == "behind";
    if (arguments.size() != kArguments && !behind)
        return sayError(
            inputError("is started by a service's server: FILE NAME VERSION THREADS INFO [behind]", "serve"));
    const auto served = guarded("replica", [&] { return serve(arguments); });
    return served ? 0 : sayError(served.error());
}

} // namespace trainyard::train
