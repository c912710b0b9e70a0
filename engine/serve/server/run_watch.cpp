// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/run_watch.h"

#include "engine/run/record/place/saved_place.h"
#include "engine/store/run_query.h"

namespace trainyard::serve {
namespace {

constexpr double kEverySeconds = 2;

} // namespace

std::optional<ServedModel> RunWatch::look(double now) {
    if (now < m_lookedAt + kEverySeconds) return std::nullopt;
    m_lookedAt = now;
    const auto query = store::RunQuery::open(store::Workspace{m_workspace});
    if (!query) return std::nullopt;
    const auto best = (*query)->checkpoint(m_run);
    const auto run = (*query)->run(m_run);
    if (!best || !run) return std::nullopt;
    const auto file = run::savedHere(run->folder, best->path, run->name, best->step);
    if (!file || file->string() == m_told) return std::nullopt;
    m_told = file->string();
    return ServedModel{{}, file->string(), run->name, best->step};
}

} // namespace trainyard::serve
