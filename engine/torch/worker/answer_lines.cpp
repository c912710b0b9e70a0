// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the answering process: stdin in, stdout out.
#include "engine/base/unique_fd.h"
#include "engine/torch/worker/answer.h"
#include "engine/torch/worker/commands.h"

#include <torch/torch.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace trainyard::train {
namespace {

constexpr int kNiceness = 10; // training goes first

bool writeAll(int out, std::string_view text) {
    while (!text.empty()) {
        const ssize_t wrote = ::write(out, text.data(), text.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return true;
}

// Cuts what comes in into lines; one that grows too long is dropped to its end.
class LineCutter {
public:
    // Calls onLine(line) or onLong() for each line that ended in `bytes`, until one of them returns false.
    template <class OnLine, class OnLong>
    bool feed(std::string_view bytes, OnLine onLine, OnLong onLong) {
        for (const char byte : bytes) {
            if (byte != '\n') {
                if (m_line.size() < AnswerDesk::kMaxLine) m_line += byte;
                else m_long = true;
                continue;
            }
            const bool goesOn = m_long ? onLong() : m_line.empty() || onLine(m_line);
            m_line.clear();
            m_long = false;
            if (!goesOn) return false;
        }
        return true;
    }

private:
    std::string m_line;
    bool m_long = false;
};

} // namespace

int answerCommand(const std::vector<std::string>& arguments) {
    const bool atOnce = arguments == std::vector<std::string>{"--at-once"};
    if (!arguments.empty() && !atOnce)
        return failCommand(inputError("\"" + arguments.front() + "\" is one argument too many", "answer"));
    const UniqueFd out(::dup(1));
    if (!out || ::dup2(2, 1) < 0) return failCommand(systemError("cannot set the output aside"));
    std::signal(SIGPIPE, SIG_IGN); // who asked is gone: the write fails, and the process ends
    errno = 0;
    if (!atOnce && ::nice(kNiceness) == -1 && errno != 0) errno = 0;
    AnswerDesk desk;
    LineCutter lines;
    std::array<char, 1 << 16> bytes;
    for (;;) {
        const ssize_t got = ::read(0, bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failCommand(systemError("cannot be read", "standard input"));
        if (got == 0) return 0;
        const bool goesOn = lines.feed(
            {bytes.data(), static_cast<std::size_t>(got)},
            [&](const std::string& line) { return writeAll(out.get(), desk.answer(line) + "\n"); },
            [&] { return writeAll(out.get(), AnswerDesk::refuseLong() + "\n"); });
        if (!goesOn) return 0;
    }
}

} // namespace trainyard::train
