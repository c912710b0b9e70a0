// SPDX-License-Identifier: GPL-3.0-or-later
// feed: what `mirror` and `fetch` of another computer start here. It reads from stdin which runs and sweeps are wanted
// and tells on stdout what is new of them (engine/run/mirror/mirror_line.h), until its input ends. What had not been
// told by then is told before it ends, so an input that ends at once asks for everything once. A request as its word is
// answered once, too: so are the tasks of Slurm asked.
#include "app/ctl/session.h"
#include "engine/run/mirror/mirror_source.h"

#include <CLI/CLI.hpp>

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

constexpr int kPaceMs = 250; // between two looks: a chart needs no more over a link

// Takes what has arrived of stdin and asks for the runs in it; false at its end.
Result<bool> takeRequests(std::string& text, run::MirrorSource& source) {
    std::array<char, 64u << 10> buffer;
    const auto count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count <= 0) return false;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
        TY_ASSIGN(auto request, run::mirrorRequestFrom(std::string_view(text).substr(0, end)));
        text.erase(0, end + 1);
        source.want(std::move(request));
    }
    return true;
}

Result<int> feed(const Session& session, const std::string& request) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    run::MirrorSource source(open.workspace);
    if (!request.empty()) {
        TY_ASSIGN(auto asked, run::mirrorRequestFrom(request));
        source.want(std::move(asked));
    }
    std::string text;
    for (bool more = true; more;) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (!request.empty()) more = false;
        else if (::poll(&input, 1, kPaceMs) > 0) { TY_ASSIGN(more, takeRequests(text, source)); }
        TY_ASSIGN(const auto news, source.poll());
        for (const auto& each : news)
            if (std::printf("%s\n", run::toLine(each).c_str()) < 0) return 3;
        std::fflush(stdout);
    }
    return 0;
}

} // namespace

void addFeedCommand(CLI::App& app, Session& session) {
    const auto request = std::make_shared<std::string>();
    auto* command = app.add_subcommand("feed", "tell another computer what its runs do (by mirror)");
    command->group("");
    command->add_option("REQUEST", *request, "what to tell once, instead of what stdin asks for");
    addCommonOptions(*command, session);
    command->callback([&session, request] {
        session.action = [&session, request] {
            const auto code = feed(session, *request);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
