// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <algorithm>
#include <string>
#include <vector>

namespace trainyard::train {

// What a run learns: the run file's `task`. It decides the form of targets and outputs, which losses and data sets
// serve, and the metrics:
//   Classification: targets int64 [B], outputs (logits) float [B, classes]
//   Regression:     targets float32 [B, columns], outputs float [B, columns]
//   Language:       inputs int64 [B, T], targets int64 [B, T] (the next token of each place), outputs (logits) float
//                   [B, T, vocabulary]
enum class TaskKind { Classification, Regression, Language };

inline const char* toString(TaskKind task) {
    switch (task) {
    case TaskKind::Classification: return "classification";
    case TaskKind::Regression: return "regression";
    case TaskKind::Language: return "language";
    }
    return "";
}

inline std::vector<std::string> wordsOf(const std::vector<TaskKind>& tasks) {
    std::vector<std::string> words;
    for (const TaskKind task : tasks) words.emplace_back(toString(task));
    return words;
}

// Kind Input: none of the three words.
inline Result<TaskKind> taskFromString(const std::string& word) {
    for (const TaskKind task : {TaskKind::Classification, TaskKind::Regression, TaskKind::Language})
        if (word == toString(task)) return task;
    return inputError("\"" + word + "\" is not a task", "task", "one of: classification, regression, language");
}

// Kind Input when `who` ("dataset spirals") serves other tasks only.
inline Result<void> checkServes(const std::string& who, const std::vector<TaskKind>& tasks, TaskKind task) {
    if (std::find(tasks.begin(), tasks.end(), task) != tasks.end()) return {};
    std::string words;
    for (const TaskKind each : tasks) words += (words.empty() ? "" : " or ") + std::string(toString(each));
    return inputError(who + " serves " + words + ", and the run's task is " + toString(task), "task",
                      "set task to " + words + ", or choose another one");
}

} // namespace trainyard::train
