// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/slurm/partitions.h"

#include "engine/base/text/printable.h"
#include "engine/run/slurm/slurm_programs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace trainyard::run {
namespace {

Error noPartition(std::string_view line) {
    return environmentError("Slurm's answer is not understood: \"" + printable(line, 80) + "\"", "slurm",
                            "check what this prints: sinfo");
}

std::optional<int> countIn(std::string_view text) {
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

// "gpu:a100:4(S:0-1),shard:8" has 4. What is not understood has none.
int gpusIn(std::string_view resources) {
    const auto first = resources.starts_with("gpu:") ? 0 : resources.find(",gpu:");
    if (first == resources.npos) return 0;
    auto entry = resources.substr(first == 0 ? 0 : first + 1);
    entry = entry.substr(0, entry.find_first_of("(,"));
    return countIn(entry.substr(entry.rfind(':') + 1)).value_or(0);
}

} // namespace

Result<std::vector<SlurmPartition>> parseSinfo(std::string_view text) {
    std::vector<SlurmPartition> partitions;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text = line.size() == text.size() ? std::string_view() : text.substr(line.size() + 1);
        if (line.empty()) continue;
        std::array<std::string_view, 4> cells; // name, nodes, resources, time
        auto rest = line;
        for (auto& cell : cells) {
            const auto end = rest.find('|');
            if ((end == rest.npos) != (&cell == &cells.back())) return noPartition(line);
            cell = rest.substr(0, end);
            if (end != rest.npos) rest.remove_prefix(end + 1);
        }
        const bool isDefault = cells[0].ends_with('*');
        const std::string name = printable(isDefault ? cells[0].substr(0, cells[0].size() - 1) : cells[0], 80);
        const auto nodes = countIn(cells[1]);
        if (name.empty() || name.front() == '-' || !nodes) return noPartition(line);
        auto known = std::ranges::find(partitions, name, &SlurmPartition::name);
        if (known == partitions.end())
            known = partitions.insert(known, {name, isDefault, 0, 0, printable(cells[3], 40)});
        known->nodes += *nodes;
        known->gpusPerNode = std::max(known->gpusPerNode, gpusIn(cells[2]));
    }
    return partitions;
}

Result<std::vector<SlurmPartition>> askPartitions() {
    TY_ASSIGN(const auto captured, askSlurmProgram({"sinfo", "--noheader", "--format=%P|%D|%G|%l"}));
    if (captured.exitCode == 0) return parseSinfo(captured.output);
    return environmentError("Slurm does not answer: " + complaintOf(captured), "sinfo", kSilentRemedy);
}

} // namespace trainyard::run
