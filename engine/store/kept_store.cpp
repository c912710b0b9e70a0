// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/kept_store.h"

namespace trainyard::store {

Result<Store*> KeptStore::writer() {
    if (!m_writer) {
        TY_ASSIGN(m_writer, Store::open(m_workspace, m_options.check));
        m_writer->setSyncInterval(m_options.syncSeconds);
        if (m_options.busyTimeoutMs > 0) m_writer->setBusyTimeout(m_options.busyTimeoutMs);
    }
    return m_writer.get();
}

Result<RunQuery*> KeptStore::reader() {
    if (!m_reader) { TY_ASSIGN(m_reader, RunQuery::open(m_workspace)); }
    return m_reader.get();
}

} // namespace trainyard::store
