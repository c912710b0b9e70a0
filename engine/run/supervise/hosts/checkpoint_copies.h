// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/wire/messages.h"

#include <deque>
#include <filesystem>
#include <future>
#include <optional>

namespace trainyard::run {

// Makes `to`, which is replaced, a copy of a file or folder: reflinks where the disk has them. Links and what is no
// file are left out of a folder. False: it was changed meanwhile, or is gone. Environment: it cannot be read, or there
// is no room. Leaves nothing half done at `to`.
Result<bool> copyCheckpoint(const std::filesystem::path& from, const std::filesystem::path& to);

// Copies of the checkpoints that a program saves, in the run's own folder (program.checkpoints.copy): they outlast what
// the program does with its own. One at a time, on a thread that the supervisor does not wait for.
class CheckpointCopies {
public:
    struct Copy {
        wire::CheckpointSaved saved;  // by the program
        std::filesystem::path path{}; // "checkpoints/500-model.pt"
        Result<bool> isWhole = false; // false: the program has changed it meanwhile
    };
    explicit CheckpointCopies(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    void add(wire::CheckpointSaved saved); // a newer one of the same path takes the place of one that waits
    std::optional<Copy> take();            // one that is done; begins the next
    bool isCopying() const { return m_now || !m_waiting.empty(); }

private:
    void begin();

    struct Begun {
        Copy copy;
        std::future<Result<bool>> done;
    };
    std::filesystem::path m_folder;
    std::deque<wire::CheckpointSaved> m_waiting{};
    std::optional<Begun> m_now{};
};

} // namespace trainyard::run
