// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep/stop_rules.h"

#include "engine/spec/run/known_series.h"
#include "ui/forms/fields/param_field.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <QApplication>
#include <QComboBox>

namespace trainyard::ui {

namespace {

constexpr int kSide = 92, kAfter = 88; // widths, in design pixels

// The number, from 0, in a path such as stop.0.series, and the field after it.
int numberIn(const QString& path) { return path.section(QLatin1Char('.'), 1, 1).toInt(); }
QString fieldIn(const QString& path) { return path.section(QLatin1Char('.'), 2); }

UnitEdit* numberEdit(const QString& text, const QString& placeholder, const QString& tip) {
    auto* edit = new UnitEdit;
    edit->setText(text);
    edit->setPlaceholderText(placeholder);
    edit->setToolTip(tip);
    edit->setMinimumWidth(0);
    return edit;
}

} // namespace

StopRules::StopRules(QWidget* parent)
    : QWidget(parent), m_unit(tr("epochs")), m_rows(column(nullptr, 8)),
      m_add(button(tr("Add a stop rule"), QStringLiteral("plus"), "flat")),
      m_error(new Label(QString(), TextRole::SmallError)) {
    auto* layout = column(this);
    m_error->setWordWrap(true);
    m_error->hide();
    m_add->setToolTip(tr("A trial saves and ends once a series passes a limit"));
    layout->addLayout(m_rows);
    layout->addWidget(m_error);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QPushButton::clicked, this, [this] {
        add(nullptr);
        m_lines.last().series->setFocus();
        Q_EMIT changed();
    });
}

void StopRules::setRules(const std::vector<spec::StopRule>& rules) {
    while (!m_lines.isEmpty()) remove(m_lines.last().holder);
    for (const spec::StopRule& rule : rules) add(&rule);
}

void StopRules::add(const spec::StopRule* rule) {
    Line line;
    line.holder = new QWidget;
    auto* rows = column(line.holder, 4);
    rows->addLayout(upperRow(line, rule));
    rows->addLayout(lowerRow(line, rule));
    m_rows->addWidget(line.holder);
    m_lines << line;
    connect(line.series, &QComboBox::currentTextChanged, this, &StopRules::changed);
    connect(line.side, &QComboBox::currentIndexChanged, this, &StopRules::changed);
    for (auto* edit : {line.limit, line.after}) connect(edit, &QLineEdit::textEdited, this, &StopRules::changed);
    renumber();
}

QLayout* StopRules::upperRow(Line& line, const spec::StopRule* rule) {
    line.series = new QComboBox;
    line.series->setEditable(true);
    line.series->setInsertPolicy(QComboBox::NoInsert);
    line.series->setCompleter(nullptr); // a program's own series may begin like one in the list
    for (const auto& name : spec::knownSeries()) line.series->addItem(QString::fromStdString(name));
    line.series->setCurrentText(rule ? QString::fromStdString(rule->series) : QStringLiteral("val/loss"));
    line.series->setToolTip(tr("The series that ends a trial: one from the list, or one that a program reports"));
    line.series->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* drop = iconButton(QStringLiteral("close"), QString());
    connect(drop, &QToolButton::clicked, this, [this, holder = line.holder] {
        remove(holder);
        m_add->setFocus();
        Q_EMIT changed();
    });
    auto* upper = row(nullptr, 8);
    upper->addWidget(line.series, 1);
    upper->addWidget(drop);
    return upper;
}

QLayout* StopRules::lowerRow(Line& line, const spec::StopRule* rule) {
    const Theme& theme = Theme::current();
    line.side = new QComboBox;
    line.side->addItems({tr("is below"), tr("is above")});
    line.side->setCurrentIndex(rule && rule->above ? 1 : 0);
    line.side->setFixedWidth(theme.px(kSide));
    line.limit = numberEdit(rule ? numberText(rule->limit) : QString(), tr("limit"),
                            tr("The trial saves and ends once a value passes this"));
    line.after = numberEdit(rule && rule->after != 0 ? numberText(rule->after) : QString(), tr("0"),
                            tr("Earlier values do not count"));
    line.after->setUnit(m_unit);
    line.after->setFixedWidth(theme.px(kAfter));
    auto* lower = row(nullptr, 8);
    lower->addWidget(line.side);
    lower->addWidget(line.limit, 1);
    lower->addWidget(new Label(tr("after"), TextRole::Secondary));
    lower->addWidget(line.after);
    return lower;
}

void StopRules::remove(QWidget* holder) {
    m_lines.removeIf([holder](const Line& line) { return line.holder == holder; });
    m_rows->removeWidget(holder);
    holder->hide();
    holder->setParent(nullptr); // so that searches for children skip it
    holder->deleteLater();
    renumber();
}

void StopRules::renumber() {
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        line.series->setAccessibleName(tr("Stop rule %1: series").arg(i + 1));
        line.series->lineEdit()->setAccessibleName(line.series->accessibleName());
        line.side->setAccessibleName(tr("Stop rule %1: above or below").arg(i + 1));
        line.limit->setAccessibleName(tr("Stop rule %1: limit").arg(i + 1));
        line.after->setAccessibleName(tr("Stop rule %1: after").arg(i + 1));
        auto* drop = line.holder->findChild<QToolButton*>();
        drop->setAccessibleName(tr("Remove stop rule %1").arg(i + 1));
        drop->setToolTip(drop->accessibleName());
    }
}

void StopRules::setUnit(const QString& unit) {
    if (unit == m_unit) return;
    m_unit = unit;
    for (const Line& line : std::as_const(m_lines)) line.after->setUnit(unit);
}

std::vector<spec::StopRule> StopRules::rules(std::vector<spec::FieldError>& errors) const {
    std::vector<spec::StopRule> rules;
    for (const Line& line : m_lines) {
        const auto number = [&](const QLineEdit* edit, const char* field) {
            const QString text = edit->text().trimmed();
            const auto read = readNumber(text);
            const QString why = text.isEmpty() ? tr("is missing") : tr("is not a number, found “%1”").arg(text);
            if (!read) errors.push_back({"stop." + std::to_string(rules.size()) + field, "", why.toStdString(), ""});
            return read.valueOr(0);
        };
        spec::StopRule rule;
        rule.series = line.series->currentText().trimmed().toStdString();
        rule.above = line.side->currentIndex() == 1;
        rule.limit = number(line.limit, ".limit");
        if (!line.after->text().trimmed().isEmpty()) rule.after = number(line.after, ".after");
        rules.push_back(std::move(rule));
    }
    return rules;
}

void StopRules::clearErrors() {
    m_error->hide();
    m_error->setText({});
    for (const Line& line : std::as_const(m_lines))
        for (QWidget* each : {static_cast<QWidget*>(line.series), static_cast<QWidget*>(line.limit),
                              static_cast<QWidget*>(line.after)}) {
            setKind(each, "");
            each->setAccessibleDescription({});
        }
}

void StopRules::setError(const QString& path, const QString& message) {
    const int number = numberIn(path);
    if (number >= 0 && number < m_lines.size()) {
        const Line& line = m_lines[number];
        const QString field = fieldIn(path);
        QWidget* wrong = line.limit;
        if (field == QLatin1String("series")) wrong = line.series;
        if (field == QLatin1String("after")) wrong = line.after;
        setKind(wrong, "error");
        wrong->setAccessibleDescription(message);
    }
    if (m_error->text().isEmpty()) m_error->setText(tr("%1 %2").arg(titleOf(path), message));
    m_error->show();
}

QString StopRules::titleOf(const QString& path) {
    const QString rule = tr("Stop rule %1").arg(numberIn(path) + 1);
    const QString field = fieldIn(path);
    return field.isEmpty() ? rule : tr("%1, %2").arg(rule, field);
}

} // namespace trainyard::ui
