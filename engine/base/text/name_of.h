// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that name different kinds of things and stand side by side in calls: two of them do not change places.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <utility>

namespace trainyard {

// A text that names one kind of thing. It is made of a text only where that is written down, and read as a text
// anywhere: what takes a text takes a name, and what takes a name takes no text and no name of another kind.
template <class Kind>
class NameOf {
public:
    NameOf() = default; // empty
    explicit NameOf(std::string text) : m_text(std::move(text)) {}

    const std::string& text() const { return m_text; }
    operator const std::string&() const { return m_text; }
    bool empty() const { return m_text.empty(); }

    bool operator==(const NameOf&) const = default;
    std::strong_ordering operator<=>(const NameOf&) const = default;
    bool operator==(std::string_view text) const { return m_text == text; }

private:
    std::string m_text;
};

// A host as run files name it: an alias of the host book, user@host[:port], "slurm:n1"; empty: this computer.
using HostName = NameOf<struct HostKind>;
// A run, by the id that newId() gave it (ids.h).
using RunId = NameOf<struct RunKind>;

} // namespace trainyard
