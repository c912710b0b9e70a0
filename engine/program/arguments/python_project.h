// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/arguments/argument.h"
#include "engine/program/arguments/python_file.h"

#include <set>

namespace trainyard::program {

// A definition in one of the files.
struct Found {
    const PythonFile* file = nullptr;
    const Definition* definition = nullptr;

    explicit operator bool() const { return definition != nullptr; }
    const Statement& head() const { return file->statements()[definition->statement]; }
};

// The files of the project that a script belongs to, read when they are asked for. Modules outside it are unknown.
// At most 1,000 files with 16 MiB are read; what is beyond that is unknown, and unread() says so.
class PythonProject {
public:
    // The project is the nearest folder above with .git, pyproject.toml or setup.py, else the script's own.
    explicit PythonProject(const std::filesystem::path& script);

    // The errors of readFile() and PythonFile::parse().
    Result<const PythonFile*> readScript();

    // The file of a module as `from` names it; nullptr: it is not of the project, or cannot be read.
    const PythonFile* module(const PythonFile& from, const std::string& name);
    // The module that a name in `from` means.
    const PythonFile* importedModule(const PythonFile& from, const std::string& dotted);
    // What "a.b.c" means in `from`: a function, a class, or a method of one.
    Found find(const PythonFile& from, const std::string& dotted);
    // A class or function of that name, in the file or in what it imports.
    Found findName(const PythonFile& from, std::string_view name);
    // What a constant of that name is set to, in the file or in one that it imports from.
    struct Constant {
        const PythonFile* file = nullptr;
        Span span{};
    };
    Constant constant(const PythonFile& from, std::string_view name);

    // Relative to the script's folder where it lies below it.
    std::string shown(const std::filesystem::path& path) const;
    Place place(const PythonFile& file, std::size_t token) const;
    const std::filesystem::path& script() const { return m_script; }
    std::int64_t files() const { return m_count; }
    std::int64_t bytes() const { return m_bytes; }
    const std::vector<Unread>& unread() const { return m_unread; }

private:
    void note(const std::filesystem::path& path, std::string what);
    const PythonFile* load(const std::filesystem::path& path);
    using Seen = std::set<const PythonFile*>; // files that import one another in a circle
    Found findName(const PythonFile& from, std::string_view name, Seen& seen);
    Constant constant(const PythonFile& from, std::string_view name, Seen& seen);
    Found attribute(const PythonFile& file, const std::vector<std::string>& names, std::size_t at);

    std::filesystem::path m_script, m_folder, m_root;
    std::map<std::string, std::unique_ptr<PythonFile>> m_loaded{}; // nullptr: cannot be read
    std::map<std::string, std::string> m_resolved{};               // by folder and module; empty: not of the project
    std::map<std::pair<const PythonFile*, std::string>, Found> m_found{};
    std::vector<Unread> m_unread{};
    std::int64_t m_count = 0, m_bytes = 0, m_tokens = 0;
    bool m_full = false;
};

} // namespace trainyard::program
