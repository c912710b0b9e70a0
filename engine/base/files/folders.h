// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

// Where the user's downloaded datasets are: $XDG_DATA_HOME/trainyard/datasets, else
// ~/.local/share/trainyard/datasets. Empty when neither variable is set.
std::filesystem::path datasetHome();

// Where plug-ins are looked for by name: the folders of $TRAINYARD_PLUGINS (with ":" between them), then
// $XDG_DATA_HOME/trainyard/plugins, else ~/.local/share/trainyard/plugins.
std::vector<std::filesystem::path> pluginFolders();
// The library NAME, NAME.so or libNAME.so in the first of the folders that has one; empty when none has, or when the
// name is none but a path. Nothing is loaded.
std::filesystem::path findPlugin(const std::string& name);
// The libraries (*.so) in these folders, by name; of those with the same name the one that findPlugin() gives.
std::vector<std::filesystem::path> installedPlugins();

// $XDG_CACHE_HOME/trainyard, or ~/.cache/trainyard: what can be made anew. Empty when neither is known. It need not
// exist.
std::filesystem::path cacheFolder();

} // namespace trainyard
