// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep/axis_editor.h"

#include "engine/spec/sweep/sweep_spec.h"
#include "ui/forms/fields/axis_defaults.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/forms/fields/param_field.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/theme/paint.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/layout.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kShownValues = 8;

// The frame around the values, indented to the field column.
class AxisPanel : public QWidget {
protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintFrame(painter, rect(), 4, {}, Theme::current().border);
    }
};

QLineEdit* lineEdit(const QString& name, const QString& placeholder = {}) {
    auto* line = new QLineEdit;
    line->setAccessibleName(name);
    line->setPlaceholderText(placeholder);
    line->setMinimumWidth(0);
    return line;
}

// A list of numbers, or a text: there is no range between two of them.
bool isOnlyListed(spec::ParamType type) { return type != spec::ParamType::Integer && type != spec::ParamType::Number; }

} // namespace

AxisEditor::AxisEditor(const spec::ParamInfo& field, QWidget* parent)
    : QWidget(parent), m_field(field), m_panel(new AxisPanel), m_choices(choicesOf(field)),
      m_title(new Label(QString(), TextRole::SmallSecondary)), m_note(new Label(QString(), TextRole::SmallSecondary)) {
    m_note->setWordWrap(true);
    m_axis.path = field.name;
    m_title->setFixedWidth(FormGrid::fieldStart());
    m_title->setContentsMargins(0, Theme::current().px(8), 0, 0); // beside the first line of the frame
    m_title->setMinimumHeight(Theme::current().px(36));
    m_title->setWordWrap(true);
    auto* line = row(this);
    setMargins(line, 0, 0, VaryToggle::kWidth, 4);
    line->addWidget(m_title, 0, Qt::AlignTop);
    line->addWidget(m_panel, 1);
    makeRange();
    layOut();
    showMode();
}

void AxisEditor::showTitle() { m_title->setText(engineText(m_field.title)); }

bool AxisEditor::isRange() const {
    return m_choices.empty() && !isOnlyListed(m_field.type) && m_kind->currentIndex() == 1;
}

void AxisEditor::makeRange() {
    const QString title = engineText(m_field.title);
    m_kind = new SegmentedControl({tr("List"), tr("Range")});
    m_kind->setAccessibleName(tr("%1: list or range").arg(title));
    m_list = lineEdit(tr("%1: values, separated by commas").arg(title));
    m_from = lineEdit(tr("%1: from").arg(title));
    m_to = lineEdit(tr("%1: to").arg(title));
    m_count = lineEdit(tr("%1: how many values").arg(title), tr("any"));
    m_step = lineEdit(tr("%1: step").arg(title), tr("any"));
    m_scale = new SegmentedControl({tr("Log"), tr("Linear")});
    m_scale->setAccessibleName(tr("%1: spacing").arg(title));
    m_count->setToolTip(tr("Number of values from end to end, for a grid. Empty: any value in the range."));
    m_step->setToolTip(tr("From, from + step, and so on to the end. Empty: any value in the range."));
    for (auto* each : {m_list, m_from, m_to, m_count, m_step})
        connect(each, &QLineEdit::textEdited, this, &AxisEditor::edited);
    for (auto* each : {m_kind, m_scale})
        connect(each, &SegmentedControl::currentIndexChanged, this, &AxisEditor::edited);
}

QWidget* AxisEditor::makeChecks() {
    auto* holder = new QWidget;
    auto* grid = new QGridLayout(holder);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(Theme::current().px(4));
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const bool flag = std::holds_alternative<bool>(m_choices[i]);
        const QString word = flag ? (std::get<bool>(m_choices[i]) ? tr("on") : tr("off"))
                                  : QString::fromStdString(spec::toText(m_choices[i]));
        auto* box = new QCheckBox(word);
        box->setAccessibleName(tr("%1: %2").arg(engineText(m_field.title), word));
        connect(box, &QCheckBox::toggled, this, &AxisEditor::edited);
        m_boxes << box;
        grid->addWidget(box, static_cast<int>(i) / 2, static_cast<int>(i) % 2);
    }
    return holder;
}

void AxisEditor::layOut() {
    const Theme& theme = Theme::current();
    auto* inner = column(m_panel, 8);
    setMargins(inner, 8, 8, 8, 8);
    auto* first = row(nullptr, 8);
    m_ends = new QWidget;
    auto* ends = row(m_ends, 8);
    ends->addWidget(m_from, 1);
    ends->addWidget(new Label(tr("to"), TextRole::SmallSecondary));
    ends->addWidget(m_to, 1);
    first->addWidget(m_kind);
    first->addWidget(m_list, 1);
    first->addWidget(m_ends, 1);
    m_spacing = new QWidget;
    auto* spacing = row(m_spacing, 6);
    for (auto* each : {m_count, m_step}) each->setFixedWidth(theme.px(44));
    spacing->addWidget(m_scale);
    spacing->addWidget(m_count);
    spacing->addWidget(new Label(tr("values"), TextRole::SmallSecondary));
    spacing->addStretch();
    spacing->addWidget(new Label(tr("Step"), TextRole::SmallSecondary));
    spacing->addWidget(m_step);
    inner->addLayout(first);
    m_checks = new QWidget;
    column(m_checks);
    inner->addWidget(m_checks);
    inner->addWidget(m_spacing);
    inner->addWidget(m_note);
}

void AxisEditor::setAxis(const spec::Axis& axis) {
    const QSignalBlocker quiet(this);
    m_axis = axis;
    for (const auto& value : axis.values) // including values that the field does not offer; a trial reports them
        if (!m_choices.empty() && std::find(m_choices.begin(), m_choices.end(), value) == m_choices.end())
            m_choices.push_back(value);
    if (!m_choices.empty()) {
        qDeleteAll(m_checks->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
        m_boxes.clear();
        m_checks->layout()->addWidget(makeChecks());
        for (qsizetype i = 0; i < m_boxes.size(); ++i)
            m_boxes[i]->setChecked(std::find(axis.values.begin(), axis.values.end(),
                                             m_choices[static_cast<std::size_t>(i)]) != axis.values.end());
    }
    m_kind->setCurrentIndex(axis.isList() ? 0 : 1);
    if (axis.isList()) {
        m_list->setText(joinValues(axis.values));
        // The initial range.
        const spec::Axis around = defaultAxis(m_field, axis.values.front());
        if (!around.isList()) {
            m_from->setText(numberText(around.from));
            m_to->setText(numberText(around.to));
            m_count->setText(QString::number(around.count));
            m_scale->setCurrentIndex(around.logScale ? 0 : 1);
        }
    } else {
        m_from->setText(numberText(axis.from));
        m_to->setText(numberText(axis.to));
        m_count->setText(axis.count > 0 ? QString::number(axis.count) : QString());
        m_step->setText(axis.step > 0 ? numberText(axis.step) : QString());
        m_scale->setCurrentIndex(axis.logScale ? 0 : 1);
        auto values = axis.count > 0 ? spec::gridValues(axis) : std::vector<spec::Value>{};
        for (auto& value : values)
            if (auto* number = std::get_if<double>(&value)) *number = QString::number(*number, 'g', 3).toDouble();
        m_list->setText(joinValues(values));
    }
    m_edited = false;
    m_trialFault.clear();
    showMode();
}

void AxisEditor::edited() {
    m_edited = true;
    m_trialFault.clear();
    showMode();
    Q_EMIT changed();
}

void AxisEditor::showMode() {
    const bool words = !m_choices.empty(), normal = m_axis.sd > 0 && isRange();
    m_checks->setVisible(words);
    m_kind->setVisible(!words && !isOnlyListed(m_field.type));
    m_list->setVisible(!words && !isRange());
    m_ends->setVisible(isRange());
    m_spacing->setVisible(isRange() && !normal); // a normal distribution has its own spacing
    refresh();
}

Result<spec::Axis> AxisEditor::axis() const {
    if (!m_edited) return m_axis;
    spec::Axis axis = m_axis;
    if (const auto fault = read(axis)) return inputError(fault->message.toStdString());
    return axis;
}

std::optional<AxisEditor::Fault> AxisEditor::read(spec::Axis& axis) const {
    if (isRange()) return readRange(axis);
    axis.from = axis.to = axis.step = axis.mean = axis.sd = 0;
    axis.count = 0;
    axis.logScale = false;
    axis.values.clear();
    if (m_choices.empty()) return readList(axis);
    for (qsizetype i = 0; i < m_boxes.size(); ++i)
        if (m_boxes[i]->isChecked()) axis.values.push_back(m_choices[static_cast<std::size_t>(i)]);
    if (axis.values.empty()) return Fault{Whole, tr("Tick at least one value")};
    return {};
}

std::optional<AxisEditor::Fault> AxisEditor::readList(spec::Axis& axis) const {
    for (const QString& part : splitValues(m_list->text(), m_field.type)) {
        const auto value = readValue(part, m_field.type);
        if (!value) return Fault{List, QString::fromStdString(value.error().message)};
        if (const QString fault = valueFault(m_field, *value); !fault.isEmpty())
            return Fault{List, tr("%1 %2").arg(part, fault)};
        axis.values.push_back(*value);
    }
    if (axis.values.empty()) return Fault{List, tr("The list is empty; enter values separated by commas")};
    return {};
}

std::optional<AxisEditor::Fault> AxisEditor::readRange(spec::Axis& axis) const {
    axis.values.clear();
    axis.everyValue = false; // only for lists
    if (const auto fault = readEnds(axis)) return fault;
    if (axis.sd == 0)
        if (const auto fault = readSpacing(axis)) return fault;
    axis.whole = axis.whole || m_field.type == spec::ParamType::Integer;
    axis.when.clear(); // axis_editors checks conditions together with the other axes
    const auto checked = spec::checkSpace({&axis, 1});
    axis.when = m_axis.when;
    if (checked) return {};
    const QString message = QString::fromStdString(checked.error().message);
    const QString remedy = QString::fromStdString(checked.error().remedy);
    const bool step = checked.error().where.ends_with(".step");
    return Fault{step ? Step : To, (step ? tr("Step %1; %2") : tr("Range %1; %2")).arg(message, remedy)};
}

std::optional<AxisEditor::Fault> AxisEditor::readEnds(spec::Axis& axis) const {
    struct End {
        Part part;
        QLineEdit* edit;
        double* into;
        QString name;
    };
    const bool log = axis.sd == 0 && m_scale->currentIndex() == 0;
    for (const End& end : {End{From, m_from, &axis.from, tr("From")}, End{To, m_to, &axis.to, tr("To")}}) {
        const auto number = readNumber(end.edit->text());
        if (!number) return Fault{end.part, tr("%1: %2").arg(end.name, QString::fromStdString(number.error().message))};
        if (log && *number <= 0)
            return Fault{end.part, tr("%1 must be greater than 0 on a log scale; 0.001 is a good start").arg(end.name)};
        const QString fault = valueFault(m_field, m_field.type == spec::ParamType::Integer
                                                      ? spec::Value(static_cast<std::int64_t>(std::llround(*number)))
                                                      : spec::Value(*number));
        if (!fault.isEmpty()) return Fault{end.part, tr("%1 %2").arg(end.name, fault)};
        *end.into = *number;
    }
    axis.logScale = log;
    if (axis.from > axis.to) return Fault{To, tr("End is below start")};
    if (axis.from == axis.to) return Fault{To, tr("Both ends are the same; list the one value instead")};
    return {};
}

std::optional<AxisEditor::Fault> AxisEditor::readSpacing(spec::Axis& axis) const {
    axis.count = 0;
    axis.step = 0;
    if (!m_count->text().trimmed().isEmpty()) {
        const auto count = readInteger(m_count->text());
        if (!count) return Fault{Count, QString::fromStdString(count.error().message)};
        if (*count < 1 || *count > spec::kMaxTrials)
            return Fault{Count, tr("%1 values are not between 1 and %2").arg(*count).arg(spec::kMaxTrials)};
        axis.count = static_cast<int>(*count);
    }
    if (!m_step->text().trimmed().isEmpty()) {
        const auto step = readNumber(m_step->text());
        if (!step) return Fault{Step, tr("Step: %1").arg(QString::fromStdString(step.error().message))};
        if (*step <= 0) return Fault{Step, tr("Step must be greater than 0; leave it empty for any value")};
        axis.step = *step;
    }
    return {};
}

bool AxisEditor::endsAreSwapped() const {
    const auto from = readNumber(m_from->text()), to = readNumber(m_to->text());
    return isRange() && from && to && *from > *to;
}

void AxisEditor::swapEnds() {
    const QString from = m_from->text();
    m_from->setText(m_to->text());
    m_to->setText(from);
    edited();
}

void AxisEditor::setTrialFault(const QString& message) {
    if (message == m_trialFault) return;
    m_trialFault = message;
    refresh();
}

// The values that a range will try.
QString AxisEditor::exampleOf(const spec::Axis& axis) const {
    QStringList said;
    if (axis.sd > 0)
        said << tr("normal distribution, mean %1, deviation %2").arg(numberText(axis.mean), numberText(axis.sd));
    if (axis.everyValue) said << tr("a complete search for each value");
    for (const auto& condition : axis.when)
        said << tr("only where %1 is %2").arg(QString::fromStdString(condition.path), joinValues(condition.values));
    if (!axis.isList() && axis.isListed()) {
        const auto values = spec::gridValues(axis);
        QStringList parts;
        for (std::size_t i = 0; i < values.size() && i < kShownValues; ++i) {
            const auto* number = std::get_if<double>(&values[i]);
            parts << (number ? digitsText(*number, 3) : localText(QString::fromStdString(spec::toText(values[i]))));
        }
        if (values.size() > kShownValues) parts << QStringLiteral("…");
        const QString listed = parts.join(QStringLiteral(", "));
        said.prepend(axis.step > 0 ? listed : tr("in a grid: %1").arg(listed)); // other searchers draw between them
    } else if (!axis.isList() && axis.sd == 0) {
        said.prepend(axis.whole ? tr("any whole number between") : tr("any number between"));
    }
    return said.join(QStringLiteral("; "));
}

void AxisEditor::refresh() {
    spec::Axis axis = m_axis;
    std::optional<Fault> fault;
    if (m_edited) fault = read(axis);
    if (!fault && !m_trialFault.isEmpty()) fault = Fault{isRange() ? Whole : List, m_trialFault};
    for (const auto& [part, line] : std::initializer_list<std::pair<Part, QLineEdit*>>{
             {List, m_list}, {From, m_from}, {To, m_to}, {Count, m_count}, {Step, m_step}})
        setKind(line, fault && fault->part == part ? "error" : "");
    m_note->setRole(fault ? TextRole::SmallError : TextRole::SmallSecondary);
    const QString note = fault ? fault->message : exampleOf(axis);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

} // namespace trainyard::ui
