// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_text.h"
#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::serve {

// The control socket of a service: a JSON object a line in, one out, in any order of lines from different clients.
class ControlDesk {
public:
    // Answers one request: calls `done` with an object or an error, at once or later.
    using Done = std::function<void(Result<Json>)>;
    using Act = std::function<void(const Json& question, Done done)>;

    // Environment: the socket cannot be made.
    static Result<ControlDesk> open(const std::filesystem::path& socket, Act act);
    std::vector<int> descriptors() const;
    // Takes what has come, without waiting.
    void turn();

private:
    struct Client {
        UniqueFd fd;
        std::string line;
    };
    ControlDesk(UniqueFd listening, Act act) : m_listening(std::move(listening)), m_act(std::move(act)) {}
    void accept();
    bool read(std::uint64_t number); // false: it is gone
    void answer(std::uint64_t number, const Result<Json>& result);

    UniqueFd m_listening;
    Act m_act;
    std::map<std::uint64_t, Client> m_clients;
    std::uint64_t m_next = 1;
};

} // namespace trainyard::serve
