// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/rate_field.h"

#include "ui/forms/param_field.h"
#include "ui/theme/paint.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch.h"
#include "ui/widgets/unit_field.h"

#include <QPainter>
#include <QRegularExpression>

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

constexpr int kMostTrials = 64;

} // namespace

RateField::RateField(QWidget* parent) : QWidget(parent) {
    auto* layout = column(this, 4);
    auto* top = row(nullptr, 8);
    m_rate = new UnitField;
    m_rate->edit()->setAccessibleName(tr("Learning rate"));
    m_rate->edit()->setToolTip(tr("Size of each step"));
    m_switch = new Switch(tr("Sweep"));
    m_switch->setToolTip(tr("Try several learning rates, one trial each"));
    top->addWidget(m_rate, 1);
    top->addWidget(m_switch, 0, Qt::AlignVCenter);
    m_panel = new RatePanel;
    makeControls();
    layOutPanel();
    layout->addLayout(top);
    layout->addWidget(m_panel);

    connect(m_rate, &UnitField::textEdited, this, &RateField::changed);
    for (auto* edit : {m_list, m_from, m_to, m_count}) connect(edit, &QLineEdit::textEdited, this, &RateField::changed);
    const auto changeMode = [this] {
        showMode();
        Q_EMIT changed();
    };
    for (auto* control : {m_kind, m_scale}) connect(control, &SegmentedControl::currentIndexChanged, this, changeMode);
    connect(m_switch, &QAbstractButton::toggled, this, changeMode);
    showMode();
}

// Of the panel that the switch opens.
void RateField::makeControls() {
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

void RateField::layOutPanel() {
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

void RateField::showMode() {
    const bool on = m_switch->isChecked();
    m_panel->setVisible(on);
    m_rate->edit()->setReadOnly(on);
    m_rate->edit()->setFocusPolicy(on ? Qt::NoFocus : Qt::StrongFocus);
    m_listRow->setVisible(m_kind->currentIndex() == 0);
    m_rangeRow->setVisible(m_kind->currentIndex() != 0);
    m_scaleRow->setVisible(m_kind->currentIndex() != 0);
    if (!on) {
        m_rate->setText(QString::number(m_single, 'g', 10));
        m_rate->setError({});
    }
}

void RateField::setRate(double rate) {
    m_single = rate;
    if (!sweeping()) m_rate->setText(QString::number(rate, 'g', 10));
}

Result<double> RateField::rate() const { return sweeping() ? Result<double>(m_single) : readNumber(m_rate->text()); }

bool RateField::sweeping() const { return m_switch->isChecked(); }

void RateField::setSweeping(bool on) {
    if (on && !sweeping()) {
        if (auto single = readNumber(m_rate->text())) m_single = *single;
    }
    m_switch->setChecked(on);
}

bool RateField::random() const { return m_kind->currentIndex() == 2; }
int RateField::count() const { return m_count->text().toInt(); }
void RateField::swapEnds() {
    const QString from = m_from->text();
    m_from->setText(m_to->text());
    m_to->setText(from);
    Q_EMIT changed();
}

void RateField::setAxis(const spec::Axis& axis, const std::string& search, int trials) {
    m_switch->setChecked(true);
    if (!axis.values.empty()) {
        m_kind->setCurrentIndex(0);
        QStringList parts;
        for (const auto& value : axis.values) parts << QString::fromStdString(spec::toText(value));
        m_list->setText(parts.join(QStringLiteral(", ")));
    } else {
        m_kind->setCurrentIndex(search == "random" ? 2 : 1);
        m_from->setText(QString::number(axis.from, 'g', 10));
        m_to->setText(QString::number(axis.to, 'g', 10));
        m_scale->setCurrentIndex(axis.logScale ? 0 : 1);
        m_count->setText(QString::number(search == "random" ? trials : axis.count));
    }
    showMode();
}

Result<spec::Axis> RateField::axis() const {
    spec::Axis axis;
    axis.path = "optimizer.lr";
    if (m_kind->currentIndex() == 0) {
        for (const QString& part :
             m_list->text().split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts)) {
            TY_ASSIGN(const double value, readNumber(part));
            axis.values.emplace_back(value);
        }
        if (axis.values.empty()) return inputError(tr("The list is empty; write 0.01, 0.1").toStdString());
        return axis;
    }
    TY_ASSIGN(axis.from, readNumber(m_from->text()));
    TY_ASSIGN(axis.to, readNumber(m_to->text()));
    TY_ASSIGN(const std::int64_t count, readInteger(m_count->text()));
    axis.logScale = m_scale->currentIndex() == 0;
    if (count < 1 || count > kMostTrials)
        return inputError(tr("%1 trials are not between 1 and %2").arg(count).arg(kMostTrials).toStdString());
    if (axis.logScale && (axis.from <= 0 || axis.to <= 0))
        return inputError(tr("A log range must be above 0; 0.001 is a good start").toStdString());
    if (axis.from > axis.to) return inputError(tr("End is below start").toStdString());
    axis.count = static_cast<int>(count);
    return axis;
}

void RateField::setError(const QString& message) {
    if (!sweeping()) {
        m_rate->setError(message);
        return;
    }
    m_rate->setError({});
    m_note->setRole(message.isEmpty() ? TextRole::SmallSecondary : TextRole::SmallError);
    if (!message.isEmpty()) {
        m_note->setText(message);
        m_rate->setText(tr("No values"));
    }
    const bool ends = m_kind->currentIndex() != 0 && !message.isEmpty();
    setKind(m_to, ends ? "error" : "");
    setKind(m_list, m_kind->currentIndex() == 0 && !message.isEmpty() ? "error" : "");
}

void RateField::setValues(const QList<double>& values) {
    if (!sweeping()) return;
    QStringList parts;
    for (qsizetype i = 0; i < values.size() && i < 8; ++i) parts << QString::number(values[i], 'g', 3);
    if (values.size() > 8) parts << QStringLiteral("…");
    m_note->setText(parts.join(QStringLiteral(", ")));
    m_rate->setText(tr("%n values, one trial each", nullptr, static_cast<int>(values.size())));
}

} // namespace trainyard::ui
