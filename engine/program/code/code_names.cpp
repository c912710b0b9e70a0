// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/code/code_names.h"

#include <algorithm>
#include <array>
#include <string>

namespace trainyard::program {
namespace {

template <std::size_t N>
bool endsInOne(std::string_view name, const std::array<std::string_view, N>& endings) {
    const auto dot = name.rfind('.');
    if (dot == name.npos || dot == 0) return false;
    std::string ending(name.substr(dot));
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return std::ranges::find(endings, std::string_view(ending)) != endings.end();
}

template <std::size_t N>
bool isOneOfThese(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::ranges::find(names, name) != names.end();
}

} // namespace

bool isDataName(std::string_view name) {
    static constexpr std::array<std::string_view, 44> kEndings{
        ".pt",      ".pth",   ".ckpt", ".safetensors", ".npz",    ".npy",  ".h5",       ".hdf5", ".keras",
        ".onnx",    ".pb",    ".bin",  ".pkl",         ".jpg",    ".jpeg", ".png",      ".gif",  ".bmp",
        ".tif",     ".tiff",  ".webp", ".wav",         ".flac",   ".mp3",  ".mp4",      ".avi",  ".mkv",
        ".parquet", ".arrow", ".zip",  ".tar",         ".gz",     ".bz2",  ".xz",       ".zst",  ".7z",
        ".tgz",     ".log",   ".out",  ".db",          ".sqlite", ".lmdb", ".tfrecord", ".pyc"};
    return endsInOne(name, kEndings) || name.starts_with("events.out.tfevents.");
}

bool isCodeName(std::string_view name) {
    static constexpr std::array<std::string_view, 28> kEndings{
        ".py",  ".pyi", ".pyx",  ".pxd", ".sh", ".bash", ".yaml", ".yml", ".json", ".toml",
        ".ini", ".cfg", ".conf", ".c",   ".cc", ".cpp",  ".cxx",  ".cu",  ".cuh",  ".h",
        ".hpp", ".jl",  ".lua",  ".r",   ".rs", ".go",   ".js",   ".pl"};
    return endsInOne(name, kEndings);
}

bool isSecretFile(std::string_view name) {
    static constexpr std::array<std::string_view, 4> kNames{".env", ".netrc", "id_rsa", "id_ed25519"};
    static constexpr std::array<std::string_view, 4> kEndings{".pem", ".key", ".p12", ".env"};
    return isOneOfThese(name, kNames) || name.starts_with(".env.") || endsInOne(name, kEndings);
}

bool isCacheFolder(std::string_view name) {
    static constexpr std::array<std::string_view, 8> kNames{
        "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache",
        ".tox",        ".nox",        ".hypothesis",   ".ipynb_checkpoints"};
    return isOneOfThese(name, kNames);
}

bool isRecordFolder(std::string_view name) {
    static constexpr std::array<std::string_view, 8> kNames{".git",           ".hg",          ".svn", "wandb", "mlruns",
                                                            "lightning_logs", "node_modules", ".dvc"};
    return isOneOfThese(name, kNames);
}

} // namespace trainyard::program
