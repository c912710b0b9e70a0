// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/lr_field.h"

#include "ui/forms/param_field.h"
#include "ui/theme/paint.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch.h"
#include "ui/widgets/unit_field.h"

#include <QPainter>
#include <QRegularExpression>
#include <QSignalBlocker>

#include <utility>

namespace trainyard::ui {

namespace {

// The frame around list and range, indented to the field column.
class RatePanel : public QWidget {
protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintFrame(painter, rect(), 4, {}, Theme::current().border);
    }
};

// "0.05": the shortest text that is read as the same number.
} // namespace

LrField::LrField(QWidget* parent) : QWidget(parent) {
    auto* layout = column(this, 4);
    auto* top = row(nullptr, 8);
    m_lr = new UnitField;
    m_lr->edit()->setAccessibleName(tr("Learning rate"));
    m_lr->edit()->setToolTip(tr("Size of each step"));
    m_switch = new Switch(tr("Sweep"));
    m_switch->setToolTip(tr("Try several learning rates, one trial each"));
    top->addWidget(m_lr, 1);
    top->addWidget(m_switch, 0, Qt::AlignVCenter);
    m_panel = new RatePanel;
    makeControls();
    layOutPanel();
    layout->addLayout(top);
    layout->addWidget(m_panel);

    connect(m_lr, &UnitField::textEdited, this, &LrField::changed);
    for (auto* edit : {m_list, m_from, m_to, m_count}) connect(edit, &QLineEdit::textEdited, this, &LrField::edited);
    for (auto* control : {m_kind, m_scale})
        connect(control, &SegmentedControl::currentIndexChanged, this, &LrField::edited);
    connect(m_switch, &QAbstractButton::toggled, this, [this] {
        showMode();
        Q_EMIT changed();
    });
    showMode();
}

void LrField::edited() {
    m_given.reset();
    showMode();
    Q_EMIT changed();
}

// Of the panel that the switch opens.
void LrField::makeControls() {
    m_kind = new SegmentedControl({tr("List"), tr("Range"), tr("Random")});
    m_kind->setAccessibleName(tr("How the learning rates are given"));
    m_kind->setCurrentIndex(1);
    m_list = new QLineEdit(QStringLiteral("0.01, 0.03, 0.1, 0.3"));
    m_list->setAccessibleName(tr("Learning rates, separated by commas"));
    m_from = new QLineEdit(QStringLiteral("0.01"));
    m_from->setAccessibleName(tr("Smallest learning rate"));
    m_to = new QLineEdit(QStringLiteral("0.3"));
    m_to->setAccessibleName(tr("Largest learning rate"));
    m_count = new QLineEdit(QStringLiteral("4"));
    m_count->setAccessibleName(tr("Number of trials"));
    m_count->setFixedWidth(Theme::current().px(44));
    m_scale = new SegmentedControl({tr("Log"), tr("Linear")});
    m_scale->setAccessibleName(tr("Spacing of the values"));
    m_note = new Label(QString(), TextRole::SmallSecondary);
    m_note->setWordWrap(true);
}

void LrField::layOutPanel() {
    auto* inner = column(m_panel, 8);
    setMargins(inner, 8, 8, 8, 8);
    auto* first = row(nullptr, 8);
    first->addWidget(m_kind);
    m_rangeRow = new QWidget;
    auto* range = row(m_rangeRow, 8);
    range->addWidget(m_from, 1);
    range->addWidget(new Label(tr("to"), TextRole::SmallSecondary));
    range->addWidget(m_to, 1);
    first->addWidget(m_rangeRow, 1);
    m_listRow = m_list;
    first->addWidget(m_list, 1);
    m_scaleRow = new QWidget;
    auto* scale = row(m_scaleRow, 8);
    scale->addWidget(m_scale);
    scale->addWidget(m_count);
    scale->addWidget(new Label(tr("trials"), TextRole::SmallSecondary));
    scale->addStretch();
    inner->addLayout(first);
    inner->addWidget(m_scaleRow);
    inner->addWidget(m_note);
}

void LrField::showMode() {
    const bool on = m_switch->isChecked();
    m_panel->setVisible(on);
    m_lr->edit()->setReadOnly(on);
    m_lr->edit()->setFocusPolicy(on ? Qt::NoFocus : Qt::StrongFocus);
    m_listRow->setVisible(m_kind->currentIndex() == 0);
    m_rangeRow->setVisible(m_kind->currentIndex() != 0);
    m_scaleRow->setVisible(m_kind->currentIndex() != 0);
    if (!on) {
        m_lr->setText(numberText(m_single));
        m_lr->setError({});
    }
}

void LrField::setLr(double lr) {
    m_single = lr;
    if (!sweeping()) m_lr->setText(numberText(lr));
}

Result<double> LrField::lr() const { return sweeping() ? Result<double>(m_single) : readNumber(m_lr->text()); }

bool LrField::sweeping() const { return m_switch->isChecked(); }

void LrField::setSweeping(bool on) {
    if (!on) m_given.reset();
    if (on && !sweeping()) {
        if (auto single = readNumber(m_lr->text())) m_single = *single;
    }
    m_switch->setChecked(on);
}

bool LrField::endsAreSwapped() const {
    const auto from = readNumber(m_from->text()), to = readNumber(m_to->text());
    return m_kind->currentIndex() != 0 && from && to && *from > *to;
}

void LrField::swapEnds() {
    const QString from = m_from->text();
    m_from->setText(m_to->text());
    m_to->setText(from);
    edited();
}

void LrField::setSearch(const std::string& search, int trials) {
    const QSignalBlocker quiet(this);
    m_kind->setCurrentIndex(search == "random" ? 2 : 1);
    if (search == "random") m_count->setText(QString::number(trials));
}

void LrField::setAxis(const spec::Axis& axis, const std::string& search, int trials) {
    const QSignalBlocker quiet(this);
    m_switch->setChecked(true);
    if (!axis.values.empty()) {
        m_kind->setCurrentIndex(0);
        QStringList parts;
        for (const auto& value : axis.values) parts << QString::fromStdString(spec::toText(value));
        m_list->setText(parts.join(QStringLiteral(", ")));
    } else {
        m_kind->setCurrentIndex(search == "random" ? 2 : 1);
        m_from->setText(numberText(axis.from));
        m_to->setText(numberText(axis.to));
        m_scale->setCurrentIndex(axis.logScale ? 0 : 1);
        m_count->setText(QString::number(search == "random" ? trials : axis.count));
    }
    showMode();
    m_given = axis;
}

Result<LrAxis> LrField::axis() const {
    if (m_given) return LrAxis{m_given, std::nullopt, 0};
    if (m_kind->currentIndex() == 0) { // a list is searched either way
        TY_ASSIGN(const spec::Axis axis, listed());
        return LrAxis{axis, std::nullopt, 0};
    }
    TY_ASSIGN(spec::Axis axis, range());
    if (m_kind->currentIndex() == 1) return LrAxis{axis, "grid", 0};
    const int trials = std::exchange(axis.count, 0);
    return LrAxis{axis, "random", trials};
}

Result<spec::Axis> LrField::listed() const {
    spec::Axis axis;
    axis.path = kLrPath;
    for (const QString& part :
         m_list->text().split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts)) {
        TY_ASSIGN(const double value, readNumber(part));
        axis.values.emplace_back(value);
    }
    if (axis.values.empty()) return inputError(tr("The list is empty; write 0.01, 0.1").toStdString());
    return axis;
}

Result<spec::Axis> LrField::range() const {
    spec::Axis axis;
    axis.path = kLrPath;
    TY_ASSIGN(axis.from, readNumber(m_from->text()));
    TY_ASSIGN(axis.to, readNumber(m_to->text()));
    TY_ASSIGN(const std::int64_t count, readInteger(m_count->text()));
    axis.logScale = m_scale->currentIndex() == 0;
    if (count < 1 || count > spec::kMaxTrials)
        return inputError(tr("%1 trials are not between 1 and %2").arg(count).arg(spec::kMaxTrials).toStdString());
    if (axis.logScale && (axis.from <= 0 || axis.to <= 0))
        return inputError(tr("A log range must be above 0; 0.001 is a good start").toStdString());
    if (axis.from > axis.to) return inputError(tr("End is below start").toStdString());
    axis.count = static_cast<int>(count);
    return axis;
}

void LrField::setError(const QString& message) {
    if (!sweeping()) {
        m_lr->setError(message);
        return;
    }
    m_lr->setError({});
    m_note->setRole(message.isEmpty() ? TextRole::SmallSecondary : TextRole::SmallError);
    if (!message.isEmpty()) {
        m_note->setText(message);
        m_lr->setText(tr("No values"));
    }
    const bool ends = m_kind->currentIndex() != 0 && !message.isEmpty();
    setKind(m_to, ends ? "error" : "");
    setKind(m_list, m_kind->currentIndex() == 0 && !message.isEmpty() ? "error" : "");
}

void LrField::setValues(const QList<double>& values, bool alone) {
    if (!sweeping()) return;
    QStringList parts;
    for (qsizetype i = 0; i < values.size() && i < 8; ++i) parts << QString::number(values[i], 'g', 3);
    if (values.size() > 8) parts << QStringLiteral("…");
    m_note->setText(parts.join(QStringLiteral(", ")));
    const int count = static_cast<int>(values.size());
    m_lr->setText(alone ? tr("%n values, one trial each", nullptr, count) : tr("%n values", nullptr, count));
}

} // namespace trainyard::ui
