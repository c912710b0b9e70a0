// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// A Python, with what is installed for it.
struct PythonFacts {
    std::string file{}, version{};
    std::map<std::string, std::string> packages{}; // name -> version, of *.dist-info and *.egg-info
    std::map<std::string, std::string> conda{};    // name -> version and build, where it is one of conda
};

// Asks the interpreter for its version and its path, and reads the names of the folders there; pip is not asked. Some
// 30 ms; Environment: it cannot be run, or says nothing within 5 s.
Result<PythonFacts> pythonFacts(const std::string& interpreter);

// The name and version that a folder or file of metadata has in its name: "torch-2.1.0.dist-info"; nothing: it is none.
std::optional<std::pair<std::string, std::string>> packageOf(std::string_view name);

// Rule: what of two environments of Python is told as different.
// "Python 3.11.2, now 3.12.1", "torch 2.1.0, now 2.2.0", "tqdm 4.66, now missing"; a package that came is none.
std::vector<std::string> differences(const PythonFacts& then, const PythonFacts& now);

} // namespace trainyard::run
