// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/task_news.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/mutex.h"
#include "engine/run/launch/capture.h"
#include "engine/run/launch/programs.h"
#include "engine/run/slurm/slurm_launcher.h"
#include "engine/run/slurm/slurm_programs.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

constexpr double kLeastSeconds = 4, kSecondsOfTask = 0.5; // between two looks
// For the step of a task. None begins in one that is ending, and on a busy computer one takes several seconds to.
constexpr double kLookSeconds = 15;
constexpr std::size_t kSideBySide = 8;

// A step whose output was cut short told what was before that; the rest is told the next time.
std::vector<MirrorNews> newsOf(const SlurmJob& job, int task, const TaskQuestion& question) {
    std::vector<MirrorNews> all;
    const auto number = numberInFolder(workspaceOfTask(job, task).root);
    if (number.empty()) return all; // it is only beginning
    auto words = slurmStepArguments(number, question.node, "trainyard-look");
    words.insert(words.begin(), "srun");
    for (const auto& word : {(programFolder() / "trainyardctl").string(), std::string("feed"),
                             "--workspace=" + workspaceOfTask(job, task).root.string(), toLine(question.known)})
        words.push_back(word);
    const auto told = capture("/usr/bin/env", words, kLookSeconds);
    if (!told) return all;
    std::string_view text = told->output;
    for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
        auto news = mirrorNewsFrom(text.substr(0, end));
        if (!news) break;
        all.push_back(std::move(*news));
        text.remove_prefix(end + 1);
    }
    return all;
}

} // namespace

bool mayAskTasks(const SlurmJob& job, std::size_t tasks) {
    if (tasks == 0) return false;
    const fs::path note = job.folder / "looked";
    std::error_code failure;
    const auto now = fs::file_time_type::clock::now();
    const std::chrono::duration<double> since = now - fs::last_write_time(note, failure);
    const bool isNew = bool(failure) || since.count() < 0; // a clock that was set back
    if (!isNew && since.count() < std::max(kLeastSeconds, kSecondsOfTask * static_cast<double>(tasks))) return false;
    (void)writeFileAtomic(note, std::string_view(), Outlives::Process); // else it is asked more often
    return true;
}

std::map<int, std::vector<MirrorNews>> askTasks(const SlurmJob& job, const std::map<int, TaskQuestion>& questions) {
    std::map<int, std::vector<MirrorNews>> news;
    Mutex mutex;
    auto next = questions.begin();
    const auto work = [&] {
        for (;;) {
            MutexLock lock(mutex);
            if (next == questions.end()) return;
            const auto& [task, question] = *next++;
            lock.unlock();
            auto told = newsOf(job, task, question);
            lock.lock();
            news[task] = std::move(told);
        }
    };
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min(kSideBySide, questions.size()); ++i) workers.emplace_back(work);
    workers.clear(); // waits for them
    return news;
}

} // namespace trainyard::run
