// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/argument_list.h"

#include "ui/forms/fields/axis_spot.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/forms/program/argument_field.h"
#include "ui/widgets/marks/icon_mark.h"

#include <QElapsedTimer>
#include <QPushButton>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kNameWidth = 168, kFieldWidth = 176;
constexpr int kSliceMs = 8; // of a frame's 16

QString helpLine(const std::string& help) { return QString::fromStdString(help).simplified(); }

} // namespace

ArgumentList::ArgumentList(QWidget* parent) : QWidget(parent), m_layout(column(this, 4)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &ArgumentList::makeSome);
}

void ArgumentList::clear() {
    while (auto* item = m_layout->takeAt(0)) {
        if (auto* widget = item->widget()) {
            widget->hide();
            widget->setParent(nullptr); // so that searches for children skip it
            widget->deleteLater();
        }
        delete item;
    }
    m_rows.clear();
    m_groups.clear();
}

void ArgumentList::setShapes(std::vector<ArgumentShape> shapes) {
    clear();
    m_rows.reserve(shapes.size());
    for (auto& shape : shapes) {
        if (m_groups.empty() || m_groups.back().title != shape.group) {
            auto* group = new QWidget;
            auto* rows = column(group, 4);
            auto* heading = new Label(shape.group, TextRole::SectionHeading);
            heading->setMinimumHeight(Theme::current().px(28));
            heading->setAlignment(Qt::AlignBottom);
            rows->addWidget(heading);
            m_layout->addWidget(group);
            m_groups.push_back({shape.group, heading, rows, m_rows.size()});
        }
        m_rows.push_back({.shape = std::move(shape)});
    }
    makeSome();
}

ArgumentList::Row* ArgumentList::rowOf(const std::string& name) {
    const auto row = std::ranges::find(m_rows, name, [](const Row& each) { return each.shape.argument.name; });
    return row == m_rows.end() ? nullptr : &*row;
}

const ArgumentShape* ArgumentList::shape(const std::string& name) const {
    const auto row = std::ranges::find(m_rows, name, [](const Row& each) { return each.shape.argument.name; });
    return row == m_rows.end() ? nullptr : &row->shape;
}

ArgumentField* ArgumentList::field(const std::string& name) {
    Row* row = rowOf(name);
    if (!row) return nullptr;
    if (!row->field) {
        make(*row);
        Q_EMIT rowsMade();
    }
    return row->field;
}

// What is in sight comes first.
ArgumentList::Row* ArgumentList::next() {
    const auto wanted = std::ranges::find_if(m_rows, [](const Row& row) { return row.isFound && !row.holder; });
    if (wanted == m_rows.end()) return nullptr;
    if (m_rows.size() <= kMostRows) return &*wanted;
    const auto made = std::ranges::count_if(m_rows, [](const Row& row) { return row.isFound && row.holder; });
    return static_cast<std::size_t>(made) < kMostRows ? &*wanted : nullptr;
}

void ArgumentList::makeSome() {
    QElapsedTimer clock;
    clock.start();
    bool any = false;
    while (clock.elapsed() < kSliceMs) {
        Row* row = next();
        if (!row) break;
        make(*row);
        any = true;
    }
    if (any) Q_EMIT rowsMade();
    showHeadings();
    if (next()) m_timer.start();
}

QWidget* ArgumentList::helpOf(Row& made) {
    const ArgumentShape& shape = made.shape;
    auto* holder = new QWidget;
    auto* line = row(holder, 6);
    if (!shape.doubt.isEmpty()) {
        auto* mark = new IconMark(QStringLiteral("warning"), 16, &Theme::warn);
        mark->setToolTip(tr("Not certain: %1").arg(shape.doubt));
        mark->setAccessibleName(mark->toolTip());
        line->addWidget(mark);
    }
    auto* help = new NumberLabel(TextRole::SmallTertiary);
    help->setAlignment(Qt::AlignLeft);
    help->setText(helpLine(shape.info.help));
    help->setToolTip(QString::fromStdString(shape.info.help));
    if (!shape.offer.isEmpty()) {
        made.offer = button(tr("Use %1").arg(shape.offer), {}, "flat");
        made.offer->setToolTip(tr("A folder of the run’s own, so that runs do not overwrite each other"));
        connect(made.offer, &QPushButton::clicked, this, [&field = *made.field, offer = shape.offer] {
            field.setGiven(program::Given(std::vector<std::string>{offer.toStdString()}));
            Q_EMIT field.changed();
            field.setFocus();
        });
    }
    line->addWidget(help, 1);
    if (made.offer) line->addWidget(made.offer);
    holder->setFixedHeight(Theme::current().px(28));
    holder->setMinimumWidth(0);
    holder->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return holder;
}

void ArgumentList::make(Row& made) {
    const Theme& theme = Theme::current();
    const auto at = static_cast<std::size_t>(&made - m_rows.data());
    const auto group = std::prev(std::ranges::upper_bound(m_groups, at, {}, &Group::first));
    made.holder = new QWidget;
    auto* stack = column(made.holder, 4);
    auto* line = row();
    stack->addLayout(line);
    made.field = new ArgumentField(made.shape);
    auto* name = new Label(QString(), TextRole::Mono);
    name->setFixedWidth(theme.px(kNameWidth));
    name->setMinimumHeight(theme.px(28));
    const QString title = QString::fromStdString(made.shape.info.title);
    name->setText(name->fontMetrics().elidedText(title, Qt::ElideMiddle, theme.px(kNameWidth)));
    name->setToolTip(made.field->editor()->toolTip());
    name->setBuddy(made.field);
    line->addWidget(name, 0, Qt::AlignTop);
    line->addSpacing(theme.px(8));
    made.field->setMinimumWidth(theme.px(kFieldWidth));
    line->addWidget(made.field, 4);
    line->addWidget(addAxis(made, stack), 0, Qt::AlignTop);
    line->addSpacing(theme.px(8));
    line->addWidget(helpOf(made), 5, Qt::AlignTop);
    made.field->showErrorsIn(stack, theme.px(kNameWidth + 8));
    const auto given = m_line.given.find(made.shape.argument.name);
    if (given != m_line.given.end()) made.field->setGiven(given->second);
    connect(made.field, &ArgumentField::changed, this, [this, name = made.shape.argument.name, field = made.field] {
        const auto now = field->given();
        if (now) m_line.given[name] = *now;
        else m_line.given.erase(name);
        if (const Row* row = rowOf(name)) showOffer(*row);
        Q_EMIT edited(name, now);
    });
    showOffer(made);
    connect(made.field, &ArgumentField::finished, this, &ArgumentList::finished);
    int before = 1; // the heading
    for (std::size_t each = group->first; each < at; ++each) before += m_rows[each].holder ? 1 : 0;
    group->rows->insertWidget(before, made.holder);
    made.holder->setVisible(made.isFound);
}

VaryToggle* ArgumentList::addAxis(const Row& made, QVBoxLayout* below) {
    spec::ParamInfo info = made.shape.info;
    info.name = "program.arguments." + made.shape.argument.name;
    auto* toggle = new VaryToggle(QString::fromStdString(info.title));
    auto* inner = new QVBoxLayout; // an editor begins where the fields do
    inner->setContentsMargins(Theme::current().px(kNameWidth + 8) - FormGrid::fieldStart(), 0, 0, 0);
    below->addLayout(inner);
    new AxisSpot({.info = [info] { return info; },
                  .paths = {QString::fromStdString(info.name)},
                  .value =
                      [field = made.field] {
                          const auto& shape = field->shape();
                          const auto value = valueOfGiven(shape, field->given().value_or(defaultOf(shape.argument)));
                          return value ? axisValue(*value) : spec::Value(std::string());
                      },
                  .setVaried = [field = made.field](bool on) { field->setEnabled(!on); }},
                 toggle, inner);
    return toggle;
}

void ArgumentList::setLine(const program::ArgumentLine& line) {
    m_line = line;
    for (Row& row : m_rows) {
        if (!row.field) continue;
        const auto given = line.given.find(row.shape.argument.name);
        row.field->setGiven(given == line.given.end() ? std::nullopt : std::optional(given->second));
        showOffer(row);
    }
}

void ArgumentList::setSearch(const QString& typed) {
    for (Row& row : m_rows) {
        row.isFound = isFound(row.shape, typed);
        if (row.holder) row.holder->setVisible(row.isFound);
    }
    makeSome();
}

int ArgumentList::found() const { return static_cast<int>(std::ranges::count(m_rows, true, &Row::isFound)); }

// Words that are already there: they can be changed by hand.
void ArgumentList::showOffer(const Row& row) {
    if (row.offer) row.offer->setVisible(!row.field->given());
}

// A script's only group that has no name of its own stands below the heading of the pane.
bool ArgumentList::needsHeading() const {
    return m_groups.size() > 1 || (!m_rows.empty() && !m_rows.front().shape.argument.group.empty()) ||
           (!m_rows.empty() && m_rows.front().shape.argument.required);
}

void ArgumentList::showHeadings() {
    for (const Group& group : m_groups) group.heading->setVisible(needsHeading());
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const std::size_t end = i + 1 < m_groups.size() ? m_groups[i + 1].first : m_rows.size();
        bool any = false;
        for (std::size_t at = m_groups[i].first; at < end; ++at) any = any || m_rows[at].isFound;
        m_groups[i].rows->parentWidget()->setVisible(any);
    }
}

void ArgumentList::clearErrors() {
    for (Row& row : m_rows)
        if (row.field && row.field->hasError()) row.field->setError({});
}

void ArgumentList::setError(const std::string& name, const QString& message) {
    if (auto* marked = field(name)) marked->setError(message);
}

} // namespace trainyard::ui
