// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/form_grid.h"

#include "engine/spec/sweep/paths.h"
#include "ui/forms/fields/axis_defaults.h"
#include "ui/forms/fields/axis_spot.h"
#include "ui/models/new_run/training_source.h"
#include "ui/models/text/engine_text.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QStandardItemModel>

namespace trainyard::ui {

namespace {

constexpr int kLabel = 108;     // of the first column, in design pixels
constexpr int kShortLabel = 84; // of the second one
constexpr int kGap = 4;         // between what varies the first field and the second label

Label* formLabel(const QString& text, QWidget* buddy, int width) {
    auto* label = new Label(text, TextRole::Secondary);
    label->setFixedWidth(width);
    label->setMinimumHeight(Theme::current().px(28));
    label->setWordWrap(QFontMetrics(label->font()).horizontalAdvance(text) > width);
    label->setBuddy(buddy);
    label->setToolTip(buddy ? buddy->toolTip() : QString());
    return label;
}

// Errors of the fields in `field` use the full width of the row.
void widenErrors(QWidget* field, bool shared) {
    auto fields = field->findChildren<UnitField*>();
    if (auto* itself = qobject_cast<UnitField*>(field)) fields << itself;
    for (auto* each : std::as_const(fields))
        each->showErrorsIn(FormGrid::below(field), FormGrid::fieldStart(), shared || fields.size() > 1);
}

} // namespace

FormGrid::FormGrid(Kind kind, QWidget* parent) : QWidget(parent), m_kind(kind), m_rows(column(this, 4)) {}

void FormGrid::addTail(QHBoxLayout* line, QWidget* tail) {
    const int room = Theme::current().px(VaryToggle::kWidth);
    if (m_kind == Plain && tail) line->addSpacing(Theme::current().px(8));
    if (tail) line->addWidget(tail, 0, Qt::AlignTop);
    else if (m_kind == Varied) line->addSpacing(room);
}

Label* FormGrid::addRow(const QString& text, QWidget* field, QWidget* tail) {
    const Theme& theme = Theme::current();
    m_open = nullptr;
    auto* holder = new QWidget;
    auto* stack = column(holder, 4);
    auto* line = row();
    stack->addLayout(line);
    auto* label = formLabel(text, field, theme.px(kLabel));
    line->addWidget(label, 0, Qt::AlignTop);
    line->addSpacing(theme.px(8));
    line->addWidget(field, 1);
    if (field->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed || qobject_cast<QAbstractButton*>(field)) {
        line->setStretchFactor(field, 0); // a switch is left-aligned in its column
        line->addStretch(1);
    }
    addTail(line, tail);
    m_rows->addWidget(holder);
    widenErrors(field, false);
    return label;
}

Label* FormGrid::addShort(const QString& text, QWidget* field, QWidget* tail) {
    const Theme& theme = Theme::current();
    // Both fields of a row share one width whatever they hold.
    field->setMinimumWidth(theme.px(60));
    field->setSizePolicy(QSizePolicy::Ignored, field->sizePolicy().verticalPolicy());
    const int room = theme.px(m_kind == Varied ? VaryToggle::kWidth + kGap : 8);
    const bool fits = QFontMetrics(theme.body).horizontalAdvance(text) <= theme.px(kShortLabel);
    if (!m_open || !fits) {
        auto* label = addRow(text, field, tail);
        widenErrors(field, true);
        m_open = static_cast<QHBoxLayout*>(below(field)->itemAt(0)->layout());
        m_open->addSpacing(theme.px(kShortLabel + 8) + room);
        m_open->addStretch(1);
        return label;
    }
    auto* line = std::exchange(m_open, nullptr);
    for (int placeholder = 0; placeholder < 2; ++placeholder) delete line->takeAt(line->count() - 1);
    line->addSpacing(m_kind == Varied ? theme.px(kGap) : room);
    auto* label = formLabel(text, field, theme.px(kShortLabel));
    line->addWidget(label, 0, Qt::AlignTop);
    line->addSpacing(theme.px(8));
    line->addWidget(field, 1);
    addTail(line, tail);
    widenErrors(field, true);
    return label;
}

void FormGrid::addParam(ParamField* field, const QStringList& paths, bool alone) {
    const QString title = engineText(field->info().title);
    auto* toggle = paths.isEmpty() ? nullptr : toggleOf(*field, paths);
    field->isShort() && !alone ? addShort(title, field, toggle) : addRow(title, field, toggle);
    if (toggle) place(*toggle, *field);
}

VaryToggle* FormGrid::toggleOf(ParamField& field, const QStringList& paths) {
    spec::ParamInfo named = field.info();
    if (!canVary(named.type)) return nullptr;
    named.name = paths.front().toStdString();
    auto* toggle = new VaryToggle(engineText(named.title));
    new AxisSpot({.info = [named] { return named; },
                  .paths = paths,
                  .value = [&field] { return field.value().valueOr(field.info().defaultValue); },
                  .setVaried = [&field](bool on) { field.setEnabled(!on); }},
                 toggle, nullptr);
    return toggle;
}

void FormGrid::place(const VaryToggle& toggle, QWidget& rowOf) {
    toggle.findChild<AxisSpot*>()->setBelow(below(&rowOf));
}

QVBoxLayout* FormGrid::below(QWidget* field) { return static_cast<QVBoxLayout*>(field->parentWidget()->layout()); }

int FormGrid::fieldStart() { return Theme::current().px(kLabel + 8); }

void FormGrid::clear() {
    m_open = nullptr;
    while (auto* item = m_rows->takeAt(0)) {
        if (auto* widget = item->widget()) {
            widget->hide();
            widget->setParent(nullptr); // so that searches for children skip it
            widget->deleteLater();
        }
        delete item;
    }
}

ChoiceRows::ChoiceRows(const QString& label, const QString& path, const QStringList& leaveOut, FormGrid::Kind kind,
                       QWidget* parent)
    : QWidget(parent), m_kind(kind), m_path(path), m_leaveOut(leaveOut), m_combo(new QComboBox),
      m_error(new Label(QString(), TextRole::SmallError)), m_grid(new FormGrid(kind)) {
    auto* layout = column(this, 4);
    auto* top = new FormGrid(kind);
    m_combo->setAccessibleName(label);
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(12);
    auto* toggle = kind == FormGrid::Varied ? new VaryToggle(label) : nullptr;
    top->addRow(label, m_combo, toggle);
    if (toggle)
        new AxisSpot({.info =
                          [this, label] {
                              spec::ParamInfo info{.name = m_path.toStdString() + ".name",
                                                   .title = label.toStdString(),
                                                   .type = spec::ParamType::Option};
                              for (const auto& entry : m_entries)
                                  if (entry.available) info.options.push_back(entry.name);
                              return info;
                          },
                      .paths = {m_path + QStringLiteral(".name"), m_path},
                      .value = [this] { return spec::Value(m_combo->currentData().toString().toStdString()); },
                      .setVaried = [this](bool on) { m_combo->setEnabled(!on); }},
                     toggle, FormGrid::below(m_combo));
    m_error->setWordWrap(true);
    m_error->setContentsMargins(Theme::current().px(kLabel + 8), 0, Theme::current().px(8), 0);
    m_error->hide();
    layout->addWidget(top);
    layout->addWidget(m_error);
    layout->addWidget(m_grid);
    connect(m_combo, &QComboBox::activated, this, [this] {
        rebuild();
        Q_EMIT entryChanged();
        Q_EMIT changed();
    });
}

void ChoiceRows::setEntries(const std::vector<spec::Entry>& entries) {
    m_entries = entries;
    m_combo->clear();
    auto* model = qobject_cast<QStandardItemModel*>(m_combo->model());
    for (const auto& entry : entries) {
        const QString title = engineText(entry.title);
        m_combo->addItem(entry.available ? title : tr("%1 (not installed)").arg(title),
                         QString::fromStdString(entry.name));
        const int at = m_combo->count() - 1;
        m_combo->setItemData(at, entry.available ? engineText(entry.help) : QString::fromStdString(entry.unavailable),
                             Qt::ToolTipRole);
        if (!entry.available && model) model->item(at)->setEnabled(false);
    }
    rebuild();
}

const spec::Entry* ChoiceRows::entry() const {
    return spec::Catalog::find(m_entries, m_combo->currentData().toString().toStdString());
}

void ChoiceRows::rebuild() {
    m_grid->clear();
    m_fields.clear();
    m_extra.clear();
    m_rest.clear();
    m_error->hide();
    QList<QWidget*> first;
    const spec::Entry* now = entry();
    if (!now) {
        m_grid->hide();
        return;
    }
    m_combo->setToolTip(engineText(now->help));
    for (const auto& info : now->params) {
        const QString name = QString::fromStdString(info.name);
        if (m_leaveOut.contains(name)) continue;
        auto* field = new ParamField(info);
        if (auto* path = field->pathField()) {
            path->setPatterns(filePatterns(now->name));
            if (!now->downloads) // downloaded datasets need no path
                field->setEmptyWords(spec::namesFolder(info.name) ? tr("choose a folder") : tr("choose a file"));
        }
        m_grid->addParam(field, m_kind == FormGrid::Varied ? pathsOf(info.name) : QStringList());
        connect(field, &ParamField::changed, this, &ChoiceRows::changed);
        if (now->name == m_usual.name.toStdString()) field->setUsual(m_usual.values.value(name));
        m_fields.insert(name, field);
        QWidget* row = field->parentWidget();
        if (m_fields.size() <= m_firstParams) first << row;
        else if (!first.contains(row) && !m_rest.contains(row)) m_rest << row;
    }
    for (QWidget* row : std::as_const(m_rest)) row->hide();
    m_grid->setVisible(!m_fields.isEmpty());
}

// A model and a dataset keep their parameters one step deeper.
QStringList ChoiceRows::pathsOf(const std::string& param) const {
    const QString name = QString::fromStdString(param);
    const QString flat = m_path + QLatin1Char('.') + name, deep = m_path + QStringLiteral(".params.") + name;
    const bool isDeep = m_path == QLatin1String("model") || m_path == QLatin1String("dataset");
    return isDeep ? QStringList{deep} : QStringList{flat};
}

void ChoiceRows::setChoice(const spec::Choice& choice) {
    const QString name = QString::fromStdString(choice.name);
    int at = m_combo->findData(name);
    if (at < 0) { // unknown to this worker: shown literally, and reported by validation
        m_combo->addItem(name, name);
        at = m_combo->count() - 1;
    }
    m_combo->setCurrentIndex(at);
    rebuild();
    for (const auto& [param, value] : choice.params)
        if (auto* field = m_fields.value(QString::fromStdString(param))) field->setValue(value);
        else if (!m_leaveOut.contains(QString::fromStdString(param))) m_extra[param] = value;
}

spec::Choice ChoiceRows::choice(int* wrong) {
    spec::Choice choice{m_combo->currentData().toString().toStdString(), m_extra};
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        auto value = it.value()->value();
        it.value()->setError(value ? QString() : QString::fromStdString(value.error().message));
        if (value) choice.params[it.key().toStdString()] = *value;
        else ++*wrong;
    }
    return choice;
}

bool ChoiceRows::setError(const QString& path, const QString& message) {
    if (path == m_path || path == m_path + QStringLiteral(".name")) {
        setNameError(message);
        return true;
    }
    auto* at = field(path);
    if (at && !at->hasError()) at->setError(message);
    return at != nullptr;
}

ParamField* ChoiceRows::field(const QString& path) const {
    const QString prefix = m_path + QLatin1Char('.');
    if (!path.startsWith(prefix)) return nullptr;
    return m_fields.value(path.section(QLatin1Char('.'), -1));
}

void ChoiceRows::takeAsUsual() {
    m_usual = {m_combo->currentData().toString(), {}};
    for (auto it = m_fields.cbegin(); it != m_fields.cend(); ++it) {
        it.value()->takeAsUsual();
        m_usual.values.insert(it.key(), it.value()->usual());
    }
}

bool ChoiceRows::isUsual() const {
    const QString now = m_combo->currentData().toString();
    return now == m_usual.name || (!m_entries.empty() && now == QString::fromStdString(m_entries.front().name));
}

void ChoiceRows::setNameError(const QString& message) {
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    setKind(m_combo, message.isEmpty() ? "" : "error");
}

void ChoiceRows::clearErrors() {
    setNameError({});
    for (auto* field : m_fields) field->setError({});
}

} // namespace trainyard::ui
