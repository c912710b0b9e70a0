// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>

namespace trainyard::test {

// While it lives, numbers are written as in English. The C locale groups no digits since Qt 6.11.
class EnglishNumbers {
public:
    EnglishNumbers() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    ~EnglishNumbers() { QLocale::setDefault(m_before); }
    EnglishNumbers(const EnglishNumbers&) = delete;
    EnglishNumbers& operator=(const EnglishNumbers&) = delete;

private:
    const QLocale m_before;
};

} // namespace trainyard::test
