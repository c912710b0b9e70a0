// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/layers/test_marks.h"

#include <QRegularExpression>
#include <QStringList>

namespace trainyard::layers {

namespace {

const QRegularExpression& markStart() {
    static const QRegularExpression pattern("^( *)// (Feature|Fault|Bad inputs): *(.*)$");
    return pattern;
}

bool isComment(const QString& line) { return line.trimmed().startsWith("//"); }

// From line `from` to the brace that ends the function which stands at `indent`, or holds the line.
QString toTheEndOfTheFunction(const QStringList& lines, qsizetype from, qsizetype indent) {
    static const QRegularExpression whole(R"(^ *(?:static )?void .*\}$)");
    static const QRegularExpression brace(R"(^( *)\}$)");
    qsizetype end = from;
    for (; end < lines.size(); ++end) {
        if (end == from && whole.match(lines[end]).hasMatch()) break;
        const auto match = brace.match(lines[end]);
        if (match.hasMatch() && match.capturedLength(1) <= indent) break;
    }
    return lines.mid(from, end - from + 1).join('\n');
}

} // namespace

QList<Mark> marksOf(const QString& source) {
    static const QRegularExpression definition(R"(^ *(?:static )?void (?:\w+::)?(\w+?)(?:_data)?\(\) ?\{)");
    const QStringList lines = source.split('\n');
    QList<Mark> marks;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto start = markStart().match(lines[i]);
        if (!start.hasMatch()) continue;
        Mark mark{start.captured(2), start.captured(3), {}, {}, 1};
        qsizetype next = i + 1;
        for (; next < lines.size() && isComment(lines[next]) && !markStart().match(lines[next]).hasMatch(); ++next) {
            mark.text += ' ' + lines[next].trimmed().mid(2).trimmed();
            ++mark.lines;
        }
        while (next < lines.size() && isComment(lines[next])) ++next; // another mark of the same function
        mark.function = definition.match(lines.value(next)).captured(1);
        mark.code = toTheEndOfTheFunction(lines, next, start.capturedLength(1));
        marks << mark;
    }
    return marks;
}

QList<QPair<QString, QString>> badRowsOf(const QString& code) {
    static const QRegularExpression row(R"re(\b(?:newRow|row)\(\s*(?="))re");
    static const QRegularExpression token(R"re(R"\((.*?)\)"|"((?:[^"\\]|\\.)*)"|;)re",
                                          QRegularExpression::DotMatchesEverythingOption);
    QList<QPair<QString, QString>> rows;
    for (auto starts = row.globalMatch(code); starts.hasNext();) {
        QStringList literals;
        qsizetype end = -1; // of the literal before
        for (auto tokens = token.globalMatch(code, starts.next().capturedEnd()); tokens.hasNext();) {
            const auto match = tokens.next();
            if (match.captured() == ";") break;
            const QString text =
                match.captured(1).isEmpty() ? match.captured(2).replace("\\\"", "\"") : match.captured(1);
            const bool goesOn = end >= 0 && code.mid(end, match.capturedStart() - end).trimmed().isEmpty();
            if (goesOn) literals.last() += text;
            else literals << text;
            end = match.capturedEnd();
        }
        if (literals.size() > 1 && !literals.last().isEmpty()) rows << qMakePair(literals.first(), literals.last());
    }
    return rows;
}

} // namespace trainyard::layers
