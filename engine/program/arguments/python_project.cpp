// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/python_project.h"

#include "engine/base/files/atomic_file.h"

#include <algorithm>
#include <array>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostFiles = 1000, kMostBytes = 16 << 20, kMostTokens = 6'000'000; // of 40 bytes each

bool isThere(const fs::path& path) {
    std::error_code unknown;
    return fs::exists(path, unknown);
}

bool isFile(const fs::path& path) {
    std::error_code unknown;
    return fs::is_regular_file(path, unknown);
}

fs::path rootOf(const fs::path& folder) {
    static constexpr std::array kMarks{".git", "pyproject.toml", "setup.py"};
    for (fs::path each = folder; each.has_relative_path(); each = each.parent_path())
        if (std::any_of(kMarks.begin(), kMarks.end(), [&](const char* mark) { return isThere(each / mark); }))
            return each;
    return folder;
}

std::vector<std::string> partsOf(std::string_view dotted) {
    std::vector<std::string> parts;
    while (!dotted.empty()) {
        const auto dot = std::min(dotted.find('.'), dotted.size());
        parts.emplace_back(dotted.substr(0, dot));
        dotted.remove_prefix(std::min(dot + 1, dotted.size()));
    }
    return parts;
}

std::string joinedModule(const std::string& module, const std::string& name) {
    return name.empty() ? module : module + (module.ends_with('.') ? "" : ".") + name;
}

// "from . import x" begins in the folder of the file, each further dot is one above.
fs::path moduleFolder(const PythonFile& from, std::string_view& module) {
    fs::path folder = from.path().parent_path();
    for (module.remove_prefix(1); module.starts_with('.'); module.remove_prefix(1)) folder = folder.parent_path();
    return folder;
}

fs::path moduleFile(const fs::path& folder, const std::string& relative) {
    if (const auto file = folder / (relative + ".py"); isFile(file)) return file;
    if (const auto package = folder / relative / "__init__.py"; isFile(package)) return package;
    return {};
}

} // namespace

PythonProject::PythonProject(const fs::path& script) : m_script(fs::absolute(script).lexically_normal()) {
    m_folder = m_script.parent_path();
    m_root = rootOf(m_folder);
}

Result<const PythonFile*> PythonProject::readScript() {
    TY_ASSIGN(std::string source, readFile(m_script, kMostSourceBytes));
    TY_ASSIGN(auto file, PythonFile::parse(m_script, std::move(source)));
    ++m_count;
    m_bytes += std::int64_t(file.bytes());
    m_tokens += std::int64_t(file.tokenCount());
    auto& kept = m_loaded[m_script.string()] = std::make_unique<PythonFile>(std::move(file));
    return static_cast<const PythonFile*>(kept.get());
}

void PythonProject::note(const fs::path& path, std::string what) {
    auto& unread = m_unread.emplace_back();
    unread.place = {shown(path), 1};
    unread.what = std::move(what);
}

const PythonFile* PythonProject::load(const fs::path& path) {
    const auto [found, isNew] = m_loaded.try_emplace(path.string());
    if (!isNew) return found->second.get();
    if (m_count >= kMostFiles || m_bytes >= kMostBytes || m_tokens >= kMostTokens) {
        if (!m_full) note(path, "the project is too large to read further files of it");
        m_full = true;
        return nullptr;
    }
    auto source = readFile(path, kMostSourceBytes);
    auto file = source ? PythonFile::parse(path, std::move(*source)) : Result<PythonFile>(std::move(source).error());
    if (!file) {
        note(path, file.error().text());
        return nullptr;
    }
    ++m_count;
    m_bytes += std::int64_t(file->bytes());
    m_tokens += std::int64_t(file->tokenCount());
    found->second = std::make_unique<PythonFile>(*std::move(file));
    return found->second.get();
}

const PythonFile* PythonProject::module(const PythonFile& from, const std::string& name) {
    if (name.empty()) return nullptr;
    const bool relative = name.starts_with('.');
    std::string key = (relative ? from.path().parent_path().string() : std::string()) + '\n' + name;
    const auto [found, isNew] = m_resolved.try_emplace(std::move(key));
    if (isNew) {
        std::string_view rest = name;
        std::vector<fs::path> folders{m_folder, m_root, m_root / "src"};
        if (relative) folders = {moduleFolder(from, rest)};
        std::string path(rest);
        std::replace(path.begin(), path.end(), '.', '/');
        for (const auto& folder : folders)
            if (found->second.empty()) found->second = moduleFile(folder, path).lexically_normal().string();
    }
    return found->second.empty() ? nullptr : load(found->second);
}

const PythonFile* PythonProject::importedModule(const PythonFile& from, const std::string& dotted) {
    const auto names = partsOf(dotted);
    const auto import = names.empty() ? from.imports().end() : from.imports().find(names[0]);
    if (import == from.imports().end()) return nullptr;
    std::string module = joinedModule(import->second.module, import->second.name);
    for (std::size_t at = 1; at < names.size(); ++at) module = joinedModule(module, names[at]);
    return this->module(from, module);
}

Found PythonProject::find(const PythonFile& from, const std::string& dotted) {
    const auto names = partsOf(dotted);
    if (names.empty()) return {};
    if (names.size() == 1) return findName(from, names[0]);
    if (const Found found = attribute(from, names, 0)) return found;
    for (std::size_t last = names.size() - 1; last > 0; --last) { // "a.b.C.f": as far as it names modules
        std::string module = names[0];
        for (std::size_t at = 1; at < last; ++at) module += "." + names[at];
        if (const auto* file = importedModule(from, module)) return attribute(*file, names, last);
    }
    return {};
}

// A name of the file, or a class and its method.
Found PythonProject::attribute(const PythonFile& file, const std::vector<std::string>& names, std::size_t at) {
    Found found = findName(file, names[at]);
    if (!found || at + 1 == names.size()) return found;
    if (!found.definition->isClass || at + 2 != names.size()) return {};
    found.definition = found.file->method(*found.definition, names[at + 1]);
    return found;
}

Found PythonProject::findName(const PythonFile& from, std::string_view name) {
    if (const auto* definition = from.definition(name)) return {&from, definition};
    if (from.starImports().empty() && !from.imports().contains(name)) return {};
    const auto [known, isNew] = m_found.try_emplace({&from, std::string(name)});
    if (!isNew) return known->second;
    Seen seen;
    return known->second = findName(from, name, seen);
}

Found PythonProject::findName(const PythonFile& from, std::string_view name, Seen& seen) {
    if (!seen.insert(&from).second) return {};
    if (const auto* definition = from.definition(name)) return {&from, definition};
    if (const auto import = from.imports().find(name); import != from.imports().end()) {
        const auto* file = import->second.name.empty() ? nullptr : module(from, import->second.module);
        return file ? findName(*file, import->second.name, seen) : Found{};
    }
    for (const auto& star : from.starImports())
        if (const auto* file = module(from, star))
            if (const Found found = findName(*file, name, seen)) return found;
    return {};
}

PythonProject::Constant PythonProject::constant(const PythonFile& from, std::string_view name) {
    Seen seen;
    return constant(from, name, seen);
}

PythonProject::Constant PythonProject::constant(const PythonFile& from, std::string_view name, Seen& seen) {
    if (!seen.insert(&from).second) return {};
    if (const auto span = from.constant(name)) return {&from, *span};
    if (const auto import = from.imports().find(name); import != from.imports().end()) {
        const auto* file = import->second.name.empty() ? nullptr : module(from, import->second.module);
        return file ? constant(*file, import->second.name, seen) : Constant{};
    }
    for (const auto& star : from.starImports())
        if (const auto* file = module(from, star))
            if (const auto found = constant(*file, name, seen); found.file) return found;
    return {};
}

std::string PythonProject::shown(const fs::path& path) const {
    const auto relative = path.lexically_relative(m_folder);
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

Place PythonProject::place(const PythonFile& file, std::size_t token) const {
    return {shown(file.path()), file.token(std::min(token, file.tokenCount() - 1)).line};
}

} // namespace trainyard::program
