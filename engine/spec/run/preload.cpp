// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/preload.h"

#include "engine/base/text/printable.h"

#include <algorithm>

namespace trainyard::spec {

bool isModuleName(std::string_view text) {
    if (text.empty() || text.size() > 100) return false;
    bool isFirst = true; // of a name between two dots
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = c >= '0' && c <= '9';
        if (isFirst ? !letter : !letter && !digit && c != '.') return false;
        isFirst = c == '.';
    }
    return !isFirst;
}

Result<Preload> parsePreload(std::string_view text) {
    static constexpr const char* kRemedy = "write off, auto, or modules: \"torch,numpy\"";
    if (text == "off") return Preload{.mode = Preload::Mode::Off};
    if (text == "auto") return Preload{.mode = Preload::Mode::Auto};
    Preload preload{.mode = Preload::Mode::Named};
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        auto name = text.substr(at, end - at);
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        if (!isModuleName(name))
            return inputError("\"" + printable(name, 100) + "\" is no module", "program.preload", kRemedy);
        if (std::find(preload.modules.begin(), preload.modules.end(), name) != preload.modules.end())
            return inputError("\"" + std::string(name) + "\" stands there twice", "program.preload", kRemedy);
        preload.modules.emplace_back(name);
        if (preload.modules.size() > kMostPreloaded)
            return inputError("has more than " + std::to_string(kMostPreloaded) + " modules", "program.preload",
                              "name those that take long to import");
        at = end + 1;
    }
    return preload;
}

} // namespace trainyard::spec
