// SPDX-License-Identifier: GPL-3.0-or-later
// The libraries that Trainyard uses, with names and licences.
#pragma once

#include <QStringList>

#include <vector>

namespace trainyard::ui {

struct Library {
    const char* name;
    const char* licence;  // as an SPDX expression, where there is one
    const char* use;      // a few words, to be translated
    QStringList packages; // as CMake finds them
    QStringList files;    // prefixes of its shared libraries' names; none: headers only
};
// In display order.
const std::vector<Library>& libraries();
// The words of `use`, translated.
QString libraryUse(const Library& library);

} // namespace trainyard::ui
