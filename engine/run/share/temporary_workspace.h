// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <string>
#include <utility>

namespace trainyard::run {

// A workspace for a run that is measured and thrown away: its folder goes with the object.
class TemporaryWorkspace {
public:
    // `name` begins the folder's name; it is made in `place`, or else among the system's temporary files. Environment
    // when it cannot be made.
    static Result<TemporaryWorkspace> make(const std::string& name, const std::filesystem::path& place = {});
    TemporaryWorkspace(TemporaryWorkspace&& other) noexcept : m_workspace(std::exchange(other.m_workspace, {})) {}
    TemporaryWorkspace& operator=(TemporaryWorkspace&&) = delete;
    ~TemporaryWorkspace();
    const store::Workspace& operator*() const { return m_workspace; }

private:
    explicit TemporaryWorkspace(store::Workspace workspace) : m_workspace(std::move(workspace)) {}
    store::Workspace m_workspace;
};

} // namespace trainyard::run
