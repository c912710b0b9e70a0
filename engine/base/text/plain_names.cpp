// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/plain_names.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace trainyard {

bool isPlainId(const std::string& id) {
    return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
        return std::isdigit(c) != 0 || (c >= 'a' && c <= 'z') || c == '-';
    });
}

bool isPlainPath(const std::string& path) {
    std::istringstream parts(path);
    int count = 0;
    for (std::string part; std::getline(parts, part, '/'); ++count)
        if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos) return false;
    return count > 0 && !path.ends_with('/');
}

} // namespace trainyard
