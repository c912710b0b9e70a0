// SPDX-License-Identifier: GPL-3.0-or-later
// A file of settings with some of them changed.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/program_spec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::program {

// What a file is written in.
enum class ConfigFormat { Yaml, Json, Toml };
// By the end of its name; nothing for another one.
std::optional<ConfigFormat> configFormatOf(std::string_view name);

// Rule: how the values of a user's file of settings are changed.
// Each is replaced where it stands; comments, order and all other bytes stay. Names are paths with dots ("train.lr",
// "layers.0.width"), also through names that have dots. Total. Input, with file, line and remedy: there is no such
// value, it is there twice, it is written over several lines or has an anchor, or the file is not understood.
Result<std::string> withSettings(std::string_view text, ConfigFormat format, const spec::ArgumentValues& set,
                                 const std::string& file);

// The same of a file, at most 1 MiB. Input: it is missing, too large, or its name does not say what it is.
Result<std::string> withSettings(const std::filesystem::path& file, const spec::ArgumentValues& set);

} // namespace trainyard::program
