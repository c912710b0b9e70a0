// SPDX-License-Identifier: GPL-3.0-or-later
// The line between the program that drives a run and each of its ranks: one JSON text a line over a Unix socket.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::train {

inline constexpr const char* kDriverSocket = "TRAINYARD_DRIVER"; // environment variable: where the driver listens

class DriverLine {
public:
    explicit DriverLine(UniqueFd fd) : m_fd(std::move(fd)) {}
    static trainyard::Result<DriverLine> connect(const std::filesystem::path& socket);

    int fd() const { return m_fd.get(); }
    bool closed() const { return m_closed; }
    // False when the other side is gone. Blocks while it does not read.
    bool send(const std::string& line);
    // The next whole line, or nothing so far. Waits at most so long.
    std::optional<std::string> receive(int milliseconds);

private:
    UniqueFd m_fd;
    std::string m_received;
    bool m_closed = false;
};

// Listens at the path, for this user alone.
trainyard::Result<UniqueFd> listenForRanks(const std::filesystem::path& socket);

} // namespace trainyard::train
