// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/parameter_globs.h"

namespace trainyard::spec {
namespace {

// The usual matching with one place to go back to.
bool globMatches(std::string_view glob, std::string_view text) {
    std::size_t g = 0, t = 0, star = glob.npos, from = 0;
    while (t < text.size()) {
        if (g < glob.size() && glob[g] == '*') star = g++, from = t;
        else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) ++g, ++t;
        else if (star != glob.npos) g = star + 1, t = ++from;
        else return false;
    }
    while (g < glob.size() && glob[g] == '*') ++g;
    return g == glob.size();
}

} // namespace

bool meansParameter(std::string_view glob, std::string_view parameter) {
    for (std::size_t end = parameter.size(); end != parameter.npos && end > 0; end = parameter.rfind('.', end - 1))
        if (globMatches(glob, parameter.substr(0, end))) return true;
    return false;
}

} // namespace trainyard::spec
