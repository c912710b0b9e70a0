// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/hosts/host_probe.h"

#include "engine/base/clock.h"
#include "engine/run/launch/host_rooms.h"
#include "engine/run/launch/programs.h"
#include "remote/files/deploy.h"
#include "remote/hosts/connect.h"
#include "remote/hosts/port_probe.h"
#include "remote/hosts/remote_host.h"
#include "remote/ssh/tcp_connection.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gnu/libc-version.h>

namespace trainyard::remote {
namespace {

constexpr double kSlowLink = 12.5e6; // bytes a second: what is less is worth telling

std::string number(double value, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

void failCheck(HostCheck& check, const Error& error) {
    check.ok = false;
    check.detail = error.message;
    check.fix = error.remedy;
    check.code = error.code;
}

class Probe {
public:
    Probe(const HostEntry& host, const ProbeOptions& options) : m_host(host), m_options(options) {
        m_report.alias = host.alias;
    }
    HostReport run();

private:
    using Check = void (Probe::*)(HostCheck&);
    void reach(HostCheck& check);
    void signIn(HostCheck& check);
    void version(HostCheck& check);
    void missing(HostCheck& check) const;
    void devices(HostCheck& check);
    void ports(HostCheck& check);
    void disk(HostCheck& check);
    Result<void> gather();

    const HostEntry& m_host;
    const ProbeOptions& m_options;
    HostReport m_report;
    std::shared_ptr<SshSession> m_session;
    HostBasics m_basics;
    bool m_indirect = false; // not reached by a TCP connection from here
    std::vector<std::string> m_lacking;
    std::string m_readOnlyFolder;
};

void Probe::reach(HostCheck& check) {
    const ChannelFacts channel = channelFacts(m_host);
    if (isIndirect(channel.configured) && chooseChannel(channel) != ChannelReason::None) {
        m_indirect = check.ok = true;
        check.detail = channelText(channel.configured);
        return;
    }
    const auto made = connectTcp(m_host, m_options.connect.timeoutSeconds);
    if (!made) return failCheck(check, made.error());
    check.ok = true;
    check.detail =
        number(made->seconds * 1000, "%.1f ms to ") + made->peerAddress + " port " + std::to_string(m_host.port);
}

void Probe::signIn(HostCheck& check) {
    ConnectOptions options = m_options.connect;
    if (!options.askHostKey)
        options.askHostKey = [this](const HostKeyQuestion& question) {
            m_report.question = question;
            return false;
        };
    auto session = connectToHost(m_host, options);
    if (!session) {
        failCheck(check, session.error());
        if (m_report.question) {
            check.detail =
                "the host is new: its " + m_report.question->type + " key is " + m_report.question->fingerprint;
            check.fix = "compare the fingerprint and accept the key";
        }
        return;
    }
    m_session = std::move(session).value();
    if (auto gathered = gather(); !gathered) {
        m_session.reset();
        return failCheck(check, gathered.error());
    }
    check.ok = true;
    const SshFacts& facts = m_session->facts();
    m_report.over = facts.overSystem;
    check.detail = facts.authMethod == "none" ? "no key needed" : facts.authMethod;
    if (!facts.hostKeyType.empty()) check.detail += ", host key " + facts.hostKeyType + " is known";
}

Result<void> Probe::gather() {
    TY_ASSIGN(m_basics, askBasics(*m_session));
    std::vector<std::string> libraries;
    if (!m_options.workerProgram.empty())
        for (auto& library : neededLibraries(m_options.workerProgram)) libraries.push_back(std::move(library.name));
    TY_ASSIGN(FactsAnswer answer, askFacts(*m_session, m_basics, libraries));
    m_report.facts = std::move(answer.facts);
    m_lacking = std::move(answer.lacking);
    m_readOnlyFolder = std::move(answer.readOnlyFolder);
    return {};
}

// True when the first version, like "2.31", is older than the second.
bool isOlder(const std::string& first, const std::string& second) {
    int a = 0, b = 0, c = 0, d = 0;
    if (std::sscanf(first.c_str(), "%d.%d", &a, &b) != 2 || std::sscanf(second.c_str(), "%d.%d", &c, &d) != 2)
        return false;
    return a != c ? a < c : b < d;
}

void Probe::version(HostCheck& check) {
    const HostFacts& facts = m_report.facts;
    check.detail = facts.system + ", " + facts.architecture + ", glibc " + (facts.glibc.empty() ? "none" : facts.glibc);
    const std::string own = ::gnu_get_libc_version();
    if (facts.architecture != localArchitecture()) {
        check.detail += ": this computer is " + localArchitecture();
        check.fix = "use hosts of the same architecture";
    } else if (facts.glibc.empty() || isOlder(facts.glibc, own)) {
        check.detail += ": trainyard-worker needs glibc " + own;
        check.fix = "use a host with the same system release as this computer";
    } else if (!m_lacking.empty()) {
        missing(check);
    } else {
        check.ok = true;
        if (!m_options.workerProgram.empty())
            check.detail += "; has every library of trainyard-worker " TRAINYARD_VERSION;
    }
}

// What is missing is copied from here at the first run, unless it is missing here, too.
void Probe::missing(HostCheck& check) const {
    check.detail += "; missing:";
    for (const auto& name : m_lacking) check.detail += " " + name;
    if (const auto bytes = copiedBytes({m_options.workerProgram})) {
        check.ok = true;
        check.detail += "; copied from here at the first run (" + sizeText(*bytes) + ")";
        const auto isLacking = [this](const NeededLibrary& library) {
            return std::ranges::find(m_lacking, library.name) != m_lacking.end();
        };
        if (std::ranges::none_of(neededLibraries(run::relayProgram()), isLacking))
            check.detail += ", but a run of a program needs none of it";
    } else {
        check.fix = "on the host: " + installHint(m_lacking);
    }
}

void Probe::devices(HostCheck& check) {
    const HostFacts& facts = m_report.facts;
    check.ok = facts.cores > 0;
    check.detail = std::to_string(facts.cores) + (facts.cores == 1 ? " core" : " cores") +
                   (facts.processor.empty() ? "" : " (" + facts.processor + ")") + ", " +
                   sizeText(facts.freeMemoryBytes) + " of " + sizeText(facts.memoryBytes) + " memory free, " +
                   (facts.gpus.empty() ? "no GPU" : std::to_string(facts.gpus.size()) + " GPU");
    for (const auto& gpu : facts.gpus) check.detail += " " + gpu.name + " (" + sizeText(gpu.memoryBytes) + ")";
}

std::string detailOf(const ReachedPort& reached) {
    const bool isSlow = reached.bytesPerSecond && *reached.bytesPerSecond < kSlowLink;
    return reached.text + (isSlow ? ", at about " + speedText(*reached.bytesPerSecond) : "");
}

void Probe::ports(HostCheck& check) {
    auto address = clusterAddress(*m_session, m_basics);
    if (!address) return failCheck(check, address.error());
    m_report.facts.address = *address;
    if (m_indirect && !m_options.peer) {
        check.ok = true;
        check.detail = "not checked: this computer is not on the network of " + *address;
        return;
    }
    const auto reached = m_options.peer ? probePortFrom(*m_session, *address, *m_options.peer, m_options.connect)
                                        : probePort(*m_session, *address);
    if (!reached) return failCheck(check, reached.error());
    check.ok = true;
    check.detail = detailOf(*reached);
}

void Probe::disk(HostCheck& check) {
    const std::int64_t free = m_report.facts.freeDiskBytes;
    check.detail = sizeText(free) + " free for " + m_basics.cache;
    if (!m_readOnlyFolder.empty()) {
        check.detail = m_readOnlyFolder + " cannot be written";
        check.fix = "correct its permissions on the host";
    } else if (free < m_options.neededDiskBytes) {
        check.detail += ", " + sizeText(m_options.neededDiskBytes) + " should be";
        check.fix = "free space on the host, or set XDG_CACHE_HOME to a larger disk for the account";
    } else {
        check.ok = true;
    }
}

HostReport Probe::run() {
    const std::pair<const char*, Check> checks[] = {{"reach", &Probe::reach},     {"sign in", &Probe::signIn},
                                                    {"version", &Probe::version}, {"devices", &Probe::devices},
                                                    {"ports", &Probe::ports},     {"disk", &Probe::disk}};
    bool possible = true;
    for (const auto& [name, check] : checks) {
        HostCheck result;
        result.name = name;
        result.detail = "not checked";
        const double start = monotonicSeconds();
        result.made = possible;
        if (possible) (this->*check)(result);
        result.seconds = monotonicSeconds() - start;
        if (name == checks[0].first) possible = result.ok;
        if (name == checks[1].first) possible = m_session != nullptr;
        m_report.checks.push_back(result);
        if (m_options.onCheck) m_options.onCheck(result);
    }
    if (m_session && m_report.facts.cores > 0) // what the queue may count on
        run::noteHost(m_report.alias, {m_report.facts.cores, m_basics.devices, m_report.facts.memoryBytes});
    return std::move(m_report);
}

} // namespace

bool HostReport::ok() const { return !checks.empty() && std::ranges::all_of(checks, &HostCheck::ok); }

HostReport probeHost(const HostEntry& host, const ProbeOptions& options) { return Probe(host, options).run(); }

HostCheck probeWay(const HostEntry& from, const HostEntry& to, const ConnectOptions& options) {
    const auto reached = [&]() -> Result<ReachedPort> {
        TY_ASSIGN(const auto session, connectToHost(to, options));
        TY_ASSIGN(const auto basics, askBasics(*session));
        TY_ASSIGN(const auto address, clusterAddress(*session, basics));
        return probePortFrom(*session, address, from, options);
    };
    HostCheck check;
    check.name = "from " + from.alias;
    const double start = monotonicSeconds();
    const auto found = reached();
    check.seconds = monotonicSeconds() - start;
    check.ok = found.ok();
    if (found) check.detail = detailOf(*found);
    else failCheck(check, found.error());
    return check;
}

} // namespace trainyard::remote
