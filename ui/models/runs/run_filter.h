// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/filter/filter.h"
#include "ui/models/runs/run_item.h"

#include <QSet>

namespace trainyard::ui {

// The filter of a list of runs: engine/run/filter/filter.h has the language.
class RunFilter {
public:
    RunFilter() = default;
    explicit RunFilter(const QString& text) : m_filter(text.toStdString()) {}

    bool empty() const { return m_filter.empty(); }
    // What is wrong with the text and how to write it; empty when it is understood.
    QString error() const;
    // The same of its names, where the list's runs have these.
    QString unknownName(const run::FilterNames& names) const;
    bool matches(const RunItem& run) const;

private:
    run::Filter m_filter;
};

// The names of all runs of a list. Adding a run whose settings are known is cheap.
class RunNames {
public:
    void add(const RunItem& run);
    const run::FilterNames& names() const { return m_names; }

private:
    run::FilterNames m_names;
    QSet<const void*> m_seen; // texts that runs share, by their place in memory
};

} // namespace trainyard::ui
