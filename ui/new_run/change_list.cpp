// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/change_list.h"

#include "engine/spec/run/sections.h"
#include "engine/spec/values/flat_settings.h"
#include "ui/forms/fields/field_title.h"
#include "ui/widgets/layout.h"

#include <QCoreApplication>

#include <map>

namespace trainyard::ui {

namespace {

constexpr int kChangeRow = 24, kRowsInView = 2;

using FlatFields = std::map<QString, QString>;

struct NamedChoice {
    const char* path;
    spec::Choice spec::RunSpec::* member;
};
constexpr NamedChoice kChoices[] = {{"model", &spec::RunSpec::model},
                                    {"dataset", &spec::RunSpec::dataset},
                                    {"optimizer", &spec::RunSpec::optimizer},
                                    {"schedule", &spec::RunSpec::schedule},
                                    {"loss", &spec::RunSpec::loss}};

FlatFields flatFields(spec::RunSpec spec, const spec::Catalog& catalog) {
    spec.name.clear();
    std::ignore = spec::validate(spec, catalog); // fills in the defaults
    FlatFields all;
    for (const auto& [path, value] : spec::flatSettings(spec::toJson(spec)))
        all[QString::fromStdString(path)] = QString::fromStdString(value);
    return all;
}

// Pairs of fields for one number, of which a run has one.
QString groupOf(const QString& path) {
    if (path == QLatin1String("batch.perRank") || path == QLatin1String("batch.global")) return QStringLiteral("batch");
    if (path == QLatin1String("epochs") || path == QLatin1String("steps")) return QStringLiteral("length");
    for (const NamedChoice& choice : kChoices)
        if (path == QLatin1String(choice.path) || path.startsWith(QLatin1String(choice.path) + QLatin1Char('.')))
            return QLatin1String(choice.path);
    return {};
}

struct ChangeWords {
    Q_DECLARE_TR_FUNCTIONS(ChangeList)
};

QString batchText(const spec::RunSpec& spec) {
    return spec.batch.global ? ChangeWords::tr("%1 global").arg(*spec.batch.global)
                             : ChangeWords::tr("%1 per worker").arg(spec.batch.perRank.value_or(0));
}
QString lengthText(const spec::RunSpec& spec) {
    return spec.steps ? ChangeWords::tr("%1 steps").arg(*spec.steps)
                      : ChangeWords::tr("%1 epochs").arg(spec.epochs.value_or(0));
}

// One argument alone, else the program with all of them.
void resetProgram(spec::RunSpec& spec, const spec::RunSpec& before, const QString& path) {
    const QString prefix = QStringLiteral("program.arguments.");
    if (!path.startsWith(prefix) || !spec.program || !before.program) {
        spec.program = before.program;
        return;
    }
    const std::string name = path.mid(prefix.size()).toStdString();
    const auto was = before.program->arguments.find(name);
    if (was == before.program->arguments.end()) spec.program->arguments.erase(name);
    else spec.program->arguments[name] = was->second;
}

} // namespace

QList<SettingChange> settingChanges(const spec::RunSpec& before, const spec::RunSpec& after,
                                    const spec::Catalog& catalog) {
    const FlatFields left = flatFields(before, catalog), right = flatFields(after, catalog);
    std::map<QString, SettingChange> changes;
    const auto at = [](const FlatFields& all, const QString& path) {
        const auto found = all.find(path);
        return found == all.end() ? QString() : found->second;
    };
    const auto compare = [&](const QString& path) {
        const QString was = at(left, path), is = at(right, path), group = groupOf(path);
        if (was == is) return;
        if (group == QLatin1String("batch")) {
            changes[group] = {group, ChangeWords::tr("Batch"), batchText(before), batchText(after)};
        } else if (group == QLatin1String("length")) {
            changes[group] = {group, ChangeWords::tr("Length"), lengthText(before), lengthText(after)};
        } else if (group.isEmpty() || at(left, group) == at(right, group) || path == group) {
            changes[path] = {path, fieldTitle(path, after, catalog), was, is}; // another model has other parameters
        }
    };
    for (const auto& each : left) compare(each.first);
    for (const auto& each : right) compare(each.first);
    QList<SettingChange> list;
    for (const auto& each : changes) list << each.second;
    return list;
}

spec::RunSpec withFieldReset(const spec::RunSpec& spec, const spec::RunSpec& before, const QString& path) {
    spec::RunSpec reset = spec;
    if (path == QLatin1String("batch")) {
        reset.batch.perRank = before.batch.perRank;
        reset.batch.global = before.batch.global;
    } else if (path == QLatin1String("length")) {
        reset.epochs = before.epochs;
        reset.steps = before.steps;
    } else if (path == QLatin1String("batch.accumulate")) {
        reset.batch.accumulate = before.batch.accumulate;
    } else if (path == QLatin1String("hosts")) {
        reset.hosts = before.hosts;
    } else if (path == QLatin1String("task")) {
        reset.task = before.task;
        for (const auto member : {&spec::RunSpec::dataset, &spec::RunSpec::model, &spec::RunSpec::loss})
            reset.*member = before.*member;
    } else if (path.startsWith(QLatin1String("program."))) {
        resetProgram(reset, before, path);
    } else if (const QString group = groupOf(path); !group.isEmpty()) {
        for (const NamedChoice& choice : kChoices) {
            if (group != QLatin1String(choice.path)) continue;
            if (path == group) {
                reset.*choice.member = before.*choice.member;
                continue;
            }
            const std::string param = path.section(QLatin1Char('.'), -1).toStdString();
            auto& params = (reset.*choice.member).params;
            const auto& old = (before.*choice.member).params;
            if (const auto found = old.find(param); found != old.end()) params[param] = found->second;
            else params.erase(param); // the default
        }
    } else {
        const auto values = spec::sectionValues(before);
        const auto found = values.find(path.toStdString());
        if (found == values.end()) return reset;
        return spec::withSectionValues(spec, {{found->first, found->second}}).valueOr(reset);
    }
    return reset;
}

ChangeList::ChangeList(QWidget* parent) : QWidget(parent), m_title(new Label(QString(), TextRole::SectionHeading)) {
    auto* layout = column(this, 2);
    setMargins(layout, 20, 6, 12, 6);
    layout->addWidget(m_title);
    m_area = new QWidget;
    m_rows = column(m_area);
    m_scroll = scrolled(m_area);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_scroll);
    hide();
}

void ChangeList::setChanges(const QList<SettingChange>& changes, const QString& origin) {
    if (changes == m_changes && !isHidden()) return;
    m_changes = changes;
    while (auto* item = m_rows->takeAt(0)) {
        if (auto* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    const QString count =
        changes.isEmpty() ? tr("No changes yet") : tr("%n fields changed", nullptr, static_cast<int>(changes.size()));
    m_title->setText(origin.isEmpty() || changes.isEmpty() ? count : tr("%1 from %2").arg(count, origin));
    for (const SettingChange& change : changes) addRow(change);
    // Half a row shows that there are more.
    const auto rows = static_cast<int>(changes.size());
    const int halves = rows > kRowsInView ? 2 * kRowsInView + 1 : 2 * rows;
    m_scroll->setFixedHeight(Theme::current().px(kChangeRow * halves / 2));
    m_scroll->setVisible(rows > 0);
    show();
}

void ChangeList::addRow(const SettingChange& change) {
    const Theme& theme = Theme::current();
    auto* holder = new QWidget;
    holder->setFixedHeight(theme.px(kChangeRow));
    auto* line = row(holder, 8);
    auto* title = new Label(change.title, TextRole::SmallSecondary);
    title->setFixedWidth(theme.px(108));
    auto* values = new NumberLabel(TextRole::Small);
    values->setAlignment(Qt::AlignLeft);
    const auto shown = [](const QString& text) { return text.isEmpty() ? QStringLiteral("–") : text; };
    values->setText(QStringLiteral("%1 → %2").arg(shown(change.before), shown(change.after)));
    values->setToolTip(values->text());
    auto* reset = iconButton(QStringLiteral("refresh"), tr("Reset %1 to %2").arg(change.title, shown(change.before)));
    reset->setFixedSize(theme.px(22), theme.px(22));
    connect(reset, &QToolButton::clicked, this, [this, path = change.path] { Q_EMIT resetRequested(path); });
    line->addWidget(title);
    line->addWidget(values, 1);
    line->addWidget(reset);
    m_rows->addWidget(holder);
}

} // namespace trainyard::ui
