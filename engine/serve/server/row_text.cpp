// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/row_text.h"

namespace trainyard::serve {

std::string rowText(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        const std::string& cell = cells[i];
        if (cell.find_first_of(",\"\n\r;\t|") == cell.npos) {
            line += cell;
            continue;
        }
        line += '"';
        for (const char c : cell) {
            line += c;
            if (c == '"') line += c;
        }
        line += '"';
    }
    return line;
}

} // namespace trainyard::serve
