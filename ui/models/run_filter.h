// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/run_item.h"

#include <QRegularExpression>

namespace trainyard::ui {

// The runs table's filter: terms joined by "and" (or just spaces).
//   lr<0.1   batch>=64   val/accuracy>0.9   lr in 0.01..0.1   model=mlp   tag:x   status:failed   otter
// A key is a setting of the run file (its last word is enough), a series (its best value), or one of
// name, status, tag, epoch, step, workers. A bare word is looked for in name, status, model, dataset, tags.
class RunFilter {
public:
    RunFilter() = default;
    explicit RunFilter(const QString& text);

    bool empty() const { return m_terms.isEmpty(); }
    // What is wrong with the text and how to write it; empty when it is understood.
    QString error() const { return m_error; }
    bool matches(const RunItem& run) const;

private:
    enum class Op { Word, Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, Between };
    struct Term {
        Op op = Op::Word;
        QString key;        // in lower case
        std::string series; // as written: the names of series are told apart by case
        QString text;
        double low = 0, high = 0; // the number compared with; Between: both ends
        bool number = false;
    };
    void parseTerm(const QString& text);
    static bool matches(const Term& term, const RunItem& run);

    QList<Term> m_terms;
    QString m_error;
};

} // namespace trainyard::ui
