// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/param_field.h"

#include "engine/spec/sweep/paths.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <QComboBox>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard::ui {

namespace {

Error unreadable(const QString& text, const QString& wanted) {
    const QString shown =
        text.trimmed().isEmpty() ? ParamField::tr("Nothing") : QStringLiteral("“%1”").arg(text.trimmed());
    return inputError(ParamField::tr("%1 is not %2").arg(shown, wanted).toStdString());
}

Result<double> asReal(const Result<std::int64_t>& number) {
    if (!number) return number.error();
    return static_cast<double>(*number);
}

Result<spec::Value> readList(const QString& text, bool whole) {
    QString inner = text.trimmed();
    if (inner.startsWith(QLatin1Char('[')) && inner.endsWith(QLatin1Char(']'))) inner = inner.mid(1, inner.size() - 2);
    std::vector<double> list;
    for (const QString& part : splitNumbers(inner, whole)) {
        const auto number = whole ? asReal(readInteger(part)) : readNumber(part);
        if (!number) return unreadable(part, whole ? ParamField::tr("a whole number") : ParamField::tr("a number"));
        list.push_back(*number);
    }
    return spec::Value(list);
}

bool takesList(spec::ParamType type) {
    return type == spec::ParamType::IntegerList || type == spec::ParamType::NumberList;
}

bool isNumber(spec::ParamType type) { return type == spec::ParamType::Number || takesList(type); }

// Some lists may be a word instead.
Result<spec::Value> readFor(const spec::ParamInfo& info, const QString& text) {
    const std::string word = text.trimmed().toStdString();
    if (takesList(info.type) && std::find(info.options.begin(), info.options.end(), word) != info.options.end())
        return spec::Value(word);
    return readValue(text, info.type);
}

// The meaning of an empty list.
QString emptyListWords(const spec::ParamInfo& info) {
    return info.name == "classWeights" ? ParamField::tr("all classes weigh the same") : ParamField::tr("none");
}

} // namespace

QStringList splitNumbers(const QString& text, bool whole) {
    static const QRegularExpression between(QStringLiteral("[;\\s]+|,\\s+|,$"));
    const bool hasDecimalComma =
        !whole && (text.contains(QLatin1Char(';')) || QLocale().decimalPoint() == QLatin1String(","));
    QStringList numbers;
    for (const QString& part : text.split(between, Qt::SkipEmptyParts)) {
        if (hasDecimalComma && !part.contains(QLatin1Char('.'))) numbers << part;
        else numbers << part.split(QLatin1Char(','), Qt::SkipEmptyParts);
    }
    return numbers;
}

QString numberText(double value) { return localText(QString::fromStdString(spec::toText(value))); }

Result<double> readNumber(const QString& text) {
    bool ok = false;
    const QString plain = plainNumber(text);
    const double value = plain.toDouble(&ok);
    if (ok && std::isfinite(value)) return value;
    if (plain.count(QLatin1Char(',')) == 1) { // of thousands, or a decimal sign
        const QString whole = QString(plain).remove(QLatin1Char(','));
        whole.toDouble(&ok);
        if (ok)
            return inputError(ParamField::tr("“%1” can mean %2 or %3; type one of them")
                                  .arg(plain, QString(plain).replace(QLatin1Char(','), QLatin1Char('.')), whole)
                                  .toStdString());
    }
    return unreadable(text, ParamField::tr("a number"));
}

Result<std::int64_t> readInteger(const QString& text) {
    bool ok = false;
    const qlonglong value = plainWhole(text).toLongLong(&ok);
    if (!ok) return unreadable(text, ParamField::tr("a whole number"));
    return static_cast<std::int64_t>(value);
}

Result<spec::Value> readValue(const QString& text, spec::ParamType type) {
    switch (type) {
    case spec::ParamType::Number: {
        TY_ASSIGN(const double number, readNumber(text));
        return spec::Value(number);
    }
    case spec::ParamType::Integer: {
        TY_ASSIGN(const std::int64_t number, readInteger(text));
        return spec::Value(number);
    }
    case spec::ParamType::IntegerList: return readList(text, true);
    case spec::ParamType::NumberList: return readList(text, false);
    default: return spec::Value(text.trimmed().toStdString());
    }
}

ParamField::ParamField(const spec::ParamInfo& info, Look look, QWidget* parent) : QWidget(parent), m_info(info) {
    auto* layout = row(this);
    const QString title = engineText(info.title);
    const QString help = engineText(info.help);
    QWidget* editor = nullptr;
    if (info.type == spec::ParamType::Flag) {
        m_switch = new Switch;
        connect(m_switch, &QAbstractButton::toggled, this, &ParamField::changed);
        layout->addWidget(m_switch, 0, Qt::AlignVCenter);
        layout->addStretch();
        editor = m_switch;
        setMinimumHeight(Theme::current().px(28));
    } else if (look == Segments) {
        QStringList words;
        for (const auto& option : info.options) words << QString::fromStdString(option);
        m_segments = new SegmentedControl(words);
        connect(m_segments, &SegmentedControl::currentIndexChanged, this, &ParamField::changed);
        layout->addWidget(m_segments);
        layout->addStretch();
        editor = m_segments;
    } else if (info.type == spec::ParamType::Option) {
        m_choice = new QComboBox;
        for (const auto& option : info.options) m_choice->addItem(QString::fromStdString(option));
        connect(m_choice, &QComboBox::activated, this, &ParamField::changed);
        layout->addWidget(m_choice);
        editor = m_choice;
    } else {
        if (info.type == spec::ParamType::Path)
            m_text = m_path = new PathField(spec::namesFolder(info.name) ? PathField::Folder : PathField::File);
        else m_text = new UnitField(engineText(info.unit));
        if (info.type == spec::ParamType::Path || info.type == spec::ParamType::Text)
            m_text->edit()->setPlaceholderText(tr("automatic"));
        else if (takesList(info.type)) m_text->edit()->setPlaceholderText(emptyListWords(info));
        connect(m_text, &UnitField::textEdited, this, &ParamField::changed);
        layout->addWidget(m_text);
        editor = m_text->edit();
    }
    if (m_path) m_path->setTitle(title);
    editor->setAccessibleName(title);
    editor->setAccessibleDescription(help);
    editor->setToolTip(help);
    setFocusProxy(editor);
    setValue(info.defaultValue);
}

bool ParamField::isShort() const {
    if (m_segments) return false;
    return m_info.type == spec::ParamType::Flag || m_info.type == spec::ParamType::Number ||
           m_info.type == spec::ParamType::Integer || m_info.type == spec::ParamType::Option;
}

void ParamField::setValue(const spec::Value& value) {
    QString text = QString::fromStdString(spec::toText(value));
    const bool emptyList = takesList(m_info.type) && text == QLatin1String("[]");
    if (emptyList || (m_mayBeEmpty && text == QString::fromStdString(spec::toText(m_info.defaultValue)))) text.clear();
    if (m_switch) m_switch->setChecked(text == QLatin1String("true"));
    else if (m_choice) m_choice->setCurrentText(text);
    else if (m_segments)
        m_segments->setCurrentIndex(static_cast<int>(std::max<qsizetype>(0, m_segments->items().indexOf(text))));
    else m_text->setText(isNumber(m_info.type) ? localText(text) : text);
}

void ParamField::setEmptyWords(const QString& words) {
    if (!m_text) return;
    m_text->edit()->setPlaceholderText(words);
    if (std::exchange(m_mayBeEmpty, true)) return;
    if (const auto now = readFor(m_info, m_text->text())) setValue(*now);
}

Result<spec::Value> ParamField::value() const {
    if (m_switch) return spec::Value(m_switch->isChecked());
    if (m_choice) return spec::Value(m_choice->currentText().toStdString());
    if (m_segments) return spec::Value(m_segments->items().value(m_segments->currentIndex()).toStdString());
    if (m_mayBeEmpty && m_text->text().trimmed().isEmpty()) return m_info.defaultValue;
    if (m_path) return spec::Value(m_path->path().toStdString());
    return readFor(m_info, m_text->text());
}

void ParamField::setError(const QString& message) {
    if (m_text) {
        m_text->setError(message);
    } else if (m_choice) {
        setKind(m_choice, message.isEmpty() ? "" : "error");
        m_choice->setToolTip(message.isEmpty() ? engineText(m_info.help) : message);
    }
}

void ParamField::setFixes(const QList<FieldFix>& fixes) {
    if (m_text) m_text->setFixes(fixes);
}

bool ParamField::hasError() const { return m_text && !m_text->error().isEmpty(); }

void ParamField::takeAsUsual() {
    if (const auto now = value()) m_usual = spec::toText(*now);
}

bool ParamField::isUsual() const {
    const auto now = value();
    return now && (spec::toText(*now) == spec::toText(m_info.defaultValue) || spec::toText(*now) == m_usual);
}

} // namespace trainyard::ui
