// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/run_filter.h"
#include "ui/models/sweeps/trial_list.h"

namespace trainyard::ui {

// A part of an axis, both ends of it included.
struct Span {
    double low = 0, high = 0;
    bool operator==(const Span&) const = default;
};

// The trials that pass the text (RunFilter) and the brushes. An axis with spans passes the values inside one of them;
// without spans, all. GUI thread.
class TrialFilter : public QObject {
    Q_OBJECT
public:
    explicit TrialFilter(const TrialList& trials, QObject* parent = nullptr);

    void setText(const QString& text);
    QString text() const { return m_text; }
    QString error() const { return m_filter.error(); } // of the text; an invalid text passes everything
    // For a parameter, spans of places (spec::placeOf); for the score, whose path is empty, spans of values.
    void setBrush(const std::string& path, const QList<Span>& spans);
    QList<Span> brush(const std::string& path) const;
    QStringList brushed() const; // paths
    void clearBrushes();

    bool isOn() const { return !m_filter.empty() || !m_brushes.empty(); }
    bool keeps(std::size_t trial) const {
        return trial >= m_kept.size() || m_kept[trial];
    } // whether the list's trial passes
    std::size_t kept() const { return m_count; }

Q_SIGNALS:
    void changed(); // the passing trials, through the filter or the list

private:
    bool accepts(const Trial& trial) const;
    void refresh();

    const TrialList& m_trials;
    QString m_text;
    RunFilter m_filter;
    std::map<std::string, QList<Span>> m_brushes;
    std::vector<char> m_kept;
    std::size_t m_count = 0;
};

} // namespace trainyard::ui
