// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the marks of the tests: comments from which the tables of features, faults and bad inputs are made.
#pragma once

#include <QList>
#include <QPair>
#include <QString>

namespace trainyard::layers {

// A comment directly above a test function or its rows, or between these: it begins with "Feature: ", "Fault: "
// or "Bad inputs: " and goes on to the end of the comment.
struct Mark {
    QString kind;     // "Feature"
    QString text;     // its lines joined by blanks
    QString function; // "refusesBadTables"; empty within a function
    QString code;     // from the comment to the end of the function
    int lines = 0;    // of the comment
};

QList<Mark> marksOf(const QString& source);

// The names of the rows of `code`, newRow("…") or row("…"), each with the last literal of its statement: the answer
// that the test expects. Without rows whose answer is empty: the test expects no error there.
QList<QPair<QString, QString>> badRowsOf(const QString& code);

} // namespace trainyard::layers
