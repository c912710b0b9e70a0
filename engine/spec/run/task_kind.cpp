// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/task_kind.h"

#include "engine/spec/run/check.h"

#include <algorithm>

namespace trainyard::spec {

const std::vector<std::string>& taskWords() {
    static const std::vector<std::string> words{Engine::tr("classification"), Engine::tr("regression"),
                                                Engine::tr("language"), Engine::tr("multi-label")};
    return words;
}

const char* toString(TaskKind task) {
    const auto index = static_cast<std::size_t>(task);
    return index < taskWords().size() ? taskWords()[index].c_str() : "";
}

Result<TaskKind> taskFromString(const std::string& word) {
    const auto& words = taskWords();
    const auto found = std::find(words.begin(), words.end(), word);
    if (found != words.end()) return static_cast<TaskKind>(found - words.begin());
    return inputError(inQuotes(word) + " is not a task", "task", "one of: " + joined(words));
}

} // namespace trainyard::spec
