// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <new>
#include <string>
#include <vector>

namespace trainyard::train {

// Bytes that this process may still take: the least of what is free on this computer, what its control groups (of
// versions 1 and 2, and those around them) leave and what its limit of address space (ulimit -v) leaves. Infinity when
// nothing is known.
double availableMemory();
// What the control groups leave to the process whose /proc/PID/cgroup is `listing`; `root`: /sys/fs/cgroup.
double leftOfControlGroups(const std::string& listing, const std::filesystem::path& root);

// The ranks of a run on this host that load the same data now, and what was available before any of them did.
struct RanksOfHost {
    int count = 1;
    double available = 0;  // bytes; of several ranks
    double leastOfRun = 0; // the same, of the host that has least: what all ranks decide by alike
};
// What a rank tells the others of its host, and what follows from what all told. Ranks that are told to be on hosts of
// their own (TRAINYARD_HOST) are. `texts` by rank, `mine` among them.
std::string memoryText();
RanksOfHost ranksBeside(const std::vector<std::string>& texts, const std::string& mine);
// Of this process; one alone unless it was told otherwise. By the training thread.
RanksOfHost ranksOfHost();
void setRanksOfHost(const RanksOfHost& ranks);

// The system gives no memory for a tensor or a kernel. `need` is how much, or for what; the text says the rest too,
// what is left among it, as TorchScript's interpreter hands on nothing but that.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(const std::string& need);
    const char* what() const noexcept override { return m_text.c_str(); }

private:
    std::string m_text;
};

} // namespace trainyard::train
