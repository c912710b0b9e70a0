// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/filter/filter.h"
#include "ui/models/runs/run_item.h"

#include <QSet>

namespace trainyard::ui {

// A filter over a list of runs, in the language of engine/run/filter/filter.h.
class RunFilter {
public:
    RunFilter() = default;
    explicit RunFilter(const QString& text) : m_filter(text.toStdString()) {}

    bool empty() const { return m_filter.empty(); }
    // The error in the text, with a remedy; empty if it is valid.
    QString error() const;
    // The error in its names, if the runs have only `names`.
    QString unknownName(const run::FilterNames& names) const;
    bool matches(const RunItem& run) const;

private:
    run::Filter m_filter;
};

// The values that runs have in the settings of a name: numbers by size, then words; no more than fit in a list.
std::vector<std::string> settingValues(const QHash<QString, RunItemPtr>& runs, const run::FilterName& name);

// The names of all runs of a list. Adding a run whose settings are known is cheap.
class RunNames {
public:
    void add(const RunItem& run);
    const run::FilterNames& names() const { return m_names; }

private:
    run::FilterNames m_names;
    QSet<const void*> m_seen; // texts that runs share, by address
};

} // namespace trainyard::ui
