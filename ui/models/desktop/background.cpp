// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/background.h"

namespace trainyard::ui {

void BackgroundJob::setShare(double share) {
    m_share = share;
    Q_EMIT progressed();
}

void BackgroundJob::end(const Result<void>& result) {
    Q_EMIT ended(result);
    deleteLater();
}

} // namespace trainyard::ui
