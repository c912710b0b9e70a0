// SPDX-License-Identifier: GPL-3.0-or-later
// A job of Slurm as a value, from what Slurm's own programs print. Pure: no process, no clock.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trainyard::run {

// Rule: how a job of Slurm ended.
// Why a job is over.
enum class EndReason { Exited, Signalled, NodeLost, Preempted, TimeLimit, OutOfMemory, Cancelled };

// The word of it in JSON: "exited", "signalled", "node-lost", "preempted", "time-limit", "out-of-memory", "cancelled".
const char* toString(EndReason reason);
std::optional<EndReason> endReasonFromString(std::string_view word); // nothing: no such word

// It waits for its turn; why, in Slurm's word: "Resources", "Priority", "BeginTime".
struct Pending {
    std::string reason;
};

// It has its nodes; it may be starting or ending on them.
struct Granted {
    std::vector<std::string> nodes;
};

// It is over.
struct Ended {
    EndReason reason = EndReason::Exited;
    int code = 0; // exit code, or the signal's number where it was signalled
};

// Rule: what Slurm says of a job.
using Allocation = std::variant<Pending, Granted, Ended>;

// "is pending (Resources)", "runs on n1, n2", "was ended at its time limit": for people.
std::string toText(const Allocation& allocation);

// A run that Slurm asks to end before its limit saves and exits by itself; so long before, in seconds, Slurm asks.
inline constexpr std::int64_t kNoticeSeconds = 120;
inline constexpr std::int64_t kNoticeEarlier = 70; // by which Slurm may be early, and the run take to save

// From the output of `scontrol show job ID`. A job that stopped this long before its limit was ended by the limit.
// Environment if it is not such output.
Result<Allocation> parseScontrolJob(std::string_view text);

// Whether such a record is of a job that runs, and neither ends nor waits.
bool isJobRunning(std::string_view text);

// "1-00:30", "4:00:00", "90", as sbatch and Slurm's records have a time limit, in seconds. Nothing where it is none:
// "UNLIMITED".
std::optional<std::int64_t> slurmSeconds(std::string_view text);
// Of a record of a job that may be queued again: how many seconds it has left; nothing: it may not, does not run, or
// has no limit.
std::optional<std::int64_t> secondsToRequeue(std::string_view text);

// What `sacct --noheader --parsable2 --allocations --format=State,ExitCode,Reason,NodeList` printed of one job, which
// may have begun more than once: the last line counts. Nothing where there is no line. Environment when it is not that.
Result<std::optional<Allocation>> parseSacct(std::string_view text);

// By the number of a task of an array job.
using TaskAllocations = std::map<int, Allocation>;

// What `scontrol show job ID` printed of an array: a record for each task that has begun, and one for those that wait.
// A task that is not in it was cancelled before it began, or is forgotten. Environment when it is not that.
Result<TaskAllocations> parseScontrolTasks(std::string_view text);

// As parseSacct(), with JobID as the first of the columns: "12_3" or "12_[4-7%2]". Environment when it is not that.
Result<TaskAllocations> parseSacctTasks(std::string_view text);

// "0,2,5-9:2%3" as single numbers: 0, 2, 5, 7, 9. At most 65536. Input when it is not such a list.
Result<std::vector<int>> expandTaskList(std::string_view list);

// "n[1-3,07],gpu1" as single names: n1, n2, n3, n07, gpu1. At most 65536. Input when it is not such a list.
Result<std::vector<std::string>> expandNodeList(std::string_view list);

} // namespace trainyard::run
