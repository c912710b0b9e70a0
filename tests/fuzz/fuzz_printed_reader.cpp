// SPDX-License-Identifier: GPL-3.0-or-later
// The first line as a pattern, the others as what a program prints: in one piece and in several the same.
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/printed_reader.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <bit>

using namespace trainyard::program;

namespace {

std::uint64_t readPrinted(std::string_view bytes, const std::vector<std::string>& patterns, std::size_t piece) {
    auto compiled = ValuePatterns::compile(patterns);
    if (!compiled) {
        require(!compiled.error().remedy.empty(), "a bad pattern is explained");
        compiled = ValuePatterns::compile({});
    }
    std::uint64_t hash = 0;
    PrintedReader reader(std::move(*compiled), [&](const std::string& series, const trainyard::imports::Point& point) {
        require(series.size() <= 210, "a name is bounded");
        for (const char c : series) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
        hash = (hash ^ std::bit_cast<std::uint64_t>(point.value) ^ static_cast<std::uint64_t>(point.step)) * 31;
    });
    LineSplitter splitter(4096);
    const auto told = [&](const GrownLine& line) { reader.add(line.text); };
    for (std::size_t at = 0; at < bytes.size(); at += piece) splitter.add(bytes.substr(at, piece), told);
    splitter.end(told);
    reader.end();
    for (const auto& fault : reader.takeFaults()) require(!fault.remedy.empty(), "a fault is explained");
    return hash;
}

} // namespace

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto end = std::min(bytes.find('\n'), bytes.size());
    const std::vector<std::string> patterns{std::string(bytes.substr(0, end))};
    const auto rest = bytes.substr(std::min(end + 1, bytes.size()));
    require(readPrinted(rest, patterns, 11) == readPrinted(rest, patterns, rest.size() + 1),
            "pieces make no difference");
    return 0;
}
