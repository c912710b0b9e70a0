// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that tests compare and print.
#pragma once

#include <QString>
#include <QTest>

#include <string>

namespace trainyard::test {

inline QString text(const std::string& words) { return QString::fromStdString(words); }
// Of a Result: what is wrong with it.
std::string text(const auto& result)
    requires requires { result.error().text(); }
{
    return result.ok() ? "no error" : result.error().text();
}

inline bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
// Fails the test, with the text, if it does not hold what it has to say.
inline void compareText(const QString& text, const QString& says) {
    QVERIFY2(text.contains(says), qPrintable("\"" + text + "\""));
}

} // namespace trainyard::test
