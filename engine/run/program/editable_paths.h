// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace trainyard::run {

// Rule: where an environment finds the packages of a project that `pip install -e` has installed from its own folder.
// The folders of the project that *.pth files in `lib/python*/site-packages` name, and of the packages that pip's own
// finders there name. Nothing is run; at most 20,000 names and 1 MiB of each file are read.
std::vector<std::filesystem::path> editablePaths(const std::filesystem::path& prefix,
                                                 const std::filesystem::path& project);

// Absolute paths in a .pth file, a line each; lines that Python would run are passed over.
std::vector<std::filesystem::path> pathsOfPth(std::string_view text);
// The folders that hold the packages of `MAPPING = {'pkg': '/home/ada/project/src/pkg'}` in a finder.
std::vector<std::filesystem::path> pathsOfFinder(std::string_view text);

} // namespace trainyard::run
