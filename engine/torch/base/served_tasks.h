// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/task_kind.h"

#include <algorithm>
#include <string>
#include <vector>

namespace trainyard::train {

// It decides the form of targets and outputs, which losses and datasets serve, and the metrics:
//   Classification: targets int64 [B], outputs (logits) float [B, classes]
//   Regression:     targets float32 [B, columns], outputs float [B, columns]
//   MultiLabel:     targets float32 [B, labels], 1 or 0, outputs (logits) float [B, labels]
//   Language:       inputs int64 [B, T], targets int64 [B, T] (the next token of each place), outputs (logits) float
//                   [B, T, vocabulary]
using spec::taskFromString;
using spec::TaskKind;
using spec::toString;

inline std::vector<std::string> wordsOf(const std::vector<TaskKind>& tasks) {
    std::vector<std::string> words;
    for (const TaskKind task : tasks) words.emplace_back(toString(task));
    return words;
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
