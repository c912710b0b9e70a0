// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a .gitignore with a path in the last line, and the lists of a store of code.
#include "engine/program/code/code_list.h"
#include "engine/program/code/ignore_rules.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <filesystem>

using namespace trainyard::program;

TRAINYARD_FUZZ_TARGET(data, size) {
    if (size > 8192) return 0;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto last = text.rfind('\n');
    const auto path = last == text.npos ? text : text.substr(last + 1);
    IgnoreRules rules;
    rules.add(text.substr(0, last == text.npos ? 0 : last), "");
    const auto verdict = rules.verdict(path, false);
    if (rules.size() == 0) require(verdict == IgnoreRules::Verdict::None, "no rule, no verdict");
    (void)rules.verdict(path, true);
    require(fitsPattern(path, "*") || path.find('/') != path.npos, "a star fits any name");
    if (const auto list = codeListOf(text)) {
        for (const auto& code : list->files)
            for (const auto& part : std::filesystem::path(code.file.path)) require(part != "..", "no way out");
        const auto again = codeListOf(textOf(*list));
        require(again && digestOf(*again) == digestOf(*list), "a list is read as it was written");
    }
    return 0;
}
