// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/own_program.h"

#include "engine/base/files/file_reader.h"
#include "engine/program/command/command_line.h"

#include <unistd.h>

#include <array>
#include <sstream>

namespace trainyard::program {

std::vector<std::string> ownProgram(const std::filesystem::path& file) {
    std::error_code gone;
    if (isPythonScript(file.string()) || !std::filesystem::is_regular_file(file, gone)) return {};
    auto content = FileReader::open(file);
    std::array<char, 256> block{};
    const auto got = content ? content->readSome(block.data(), std::ssize(block)) : Result<std::int64_t>(0);
    const std::string_view begin(block.data(), got ? static_cast<std::size_t>(*got) : 0);
    const bool mayRun = ::access(file.c_str(), X_OK) == 0;
    if (begin.starts_with("\x7f"
                          "ELF"))
        return mayRun ? std::vector{file.string()} : std::vector<std::string>();
    if (!begin.starts_with("#!")) return {};
    const std::string line(begin.substr(2, begin.find('\n') - 2));
    if (line.find("python") != line.npos) return {};
    if (mayRun) return {file.string()};
    std::vector<std::string> words;
    std::istringstream rest(line);
    for (std::string word; rest >> word;) words.push_back(word);
    if (!words.empty()) words.push_back(file.string());
    return words;
}

} // namespace trainyard::program
