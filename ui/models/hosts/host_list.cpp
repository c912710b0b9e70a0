// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/hosts/host_list.h"

#ifdef TRAINYARD_REMOTE
#include "remote/book/host_book.h"
#endif

namespace trainyard::ui {

QStringList hostAliases() {
    QStringList aliases;
#ifdef TRAINYARD_REMOTE
    if (const auto book = remote::HostBook::load())
        for (const auto& host : book->hosts()) aliases << QString::fromStdString(host.alias);
#endif
    return aliases;
}

} // namespace trainyard::ui
