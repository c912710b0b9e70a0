// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep/sweep_fields.h"

#include "engine/spec/run/better.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/search/searchers.h"
#include "ui/forms/fields/axis_defaults.h"
#include "ui/forms/sweep/earlier_sweeps.h"
#include "ui/forms/sweep/first_configurations.h"
#include "ui/forms/sweep/stop_rules.h"
#include "ui/models/text/engine_text.h"
#include "ui/theme/icon.h"

#include <QComboBox>
#include <QScrollArea>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr std::int64_t kTrialsToDraw = 20; // if a searcher needs a number and has none
const QString kTrials = QStringLiteral("trials");

template <class Entries>
std::vector<spec::Entry> infosOf(const Entries& entries) {
    std::vector<spec::Entry> infos;
    for (const auto& each : entries) infos.push_back(each.info);
    return infos;
}

// Keeps defaults that only the fields filled in out of the file.
spec::Choice asGiven(spec::Choice choice, const spec::Choice& given, const spec::Entry* entry) {
    if (!entry) return choice;
    for (const auto& info : entry->params) {
        const auto at = choice.params.find(info.name);
        const bool same = choice.name == given.name && given.params.contains(info.name);
        if (at == choice.params.end()) continue;
        if (same && spec::toText(at->second) == spec::toText(given.params.at(info.name)))
            at->second = given.params.at(info.name); // keeps 3 as 3, not 3.0
        else if (!same && spec::toText(at->second) == spec::toText(info.defaultValue)) choice.params.erase(at);
    }
    return choice;
}

// Text for an empty field whose default would mean nothing to the user.
QString emptyWords(const QString& path) {
    if (path == kTrials) return SweepFields::tr("all");
    if (path == QLatin1String("parallel")) return SweepFields::tr("automatic");
    if (path == QLatin1String("keep.best") || path == QLatin1String("seeds.best")) return SweepFields::tr("all");
    if (path == QLatin1String("budget.target") || path == QLatin1String("second.series"))
        return SweepFields::tr("none");
    return path.startsWith(QLatin1String("budget.")) ? SweepFields::tr("any") : QString();
}

// The number, from 1, in a path such as "first.0.optimizer.lr", and what follows it.
std::pair<int, QString> entryOf(const QString& path) {
    return {path.section(QLatin1Char('.'), 1, 1).toInt() + 1, path.section(QLatin1Char('.'), 2)};
}

bool isFirst(const QString& path) { return path.startsWith(QLatin1String("first.")); }
bool isEarlier(const QString& path) { return path.startsWith(QLatin1String("warmStart.")); }
bool isStop(const QString& path) { return path.startsWith(QLatin1String("stop.")); }

} // namespace

SweepFields::SweepFields(TitleOf titleOf, QWidget* parent)
    : QWidget(parent), m_titleOf(std::move(titleOf)), m_axes(new FormGrid),
      m_error(new Label(QString(), TextRole::SmallError)), m_reason(new Label(QString(), TextRole::SmallSecondary)),
      m_searcher(new ChoiceRows(tr("Searcher"), QStringLiteral("searcher"), {}, FormGrid::Plain)),
      m_scheduler(new ChoiceRows(tr("Scheduler"), QStringLiteral("scheduler"), {}, FormGrid::Plain)),
      m_first(new FirstConfigurations(m_titleOf)), m_earlier(new EarlierSweeps), m_stops(new StopRules),
      m_more(button(QString(), QStringLiteral("chevron-right"), "flat")), m_hidden(new QWidget) {
    auto* layout = column(this, 4);
    setMargins(layout, 0, 8, VaryToggle::kWidth, 0);
    layout->addWidget(new Label(tr("Sweep"), TextRole::Heading));
    layout->addWidget(m_axes);
    for (auto* label : {m_error, m_reason}) {
        label->setWordWrap(true);
        label->hide();
    }
    m_reason->setContentsMargins(FormGrid::fieldStart(), 0, 0, 4);
    layout->addWidget(m_error);
    m_searcher->setEntries(infosOf(sweep::searchers()));
    m_scheduler->setEntries(infosOf(sweep::schedulers()));
    layout->addWidget(m_searcher);
    layout->addWidget(m_reason);
    addBeginnings(layout);
    layout->addWidget(m_scheduler);
    auto* stops = new FormGrid;
    stops->addRow(tr("Stop rules"), m_stops);
    layout->addWidget(stops);
    addSections(layout);
    connect(m_stops, &StopRules::changed, this, &SweepFields::changed);
    connect(m_searcher, &ChoiceRows::entryChanged, this, &SweepFields::chooseSearcher);
    for (auto* rows : {m_searcher, m_scheduler}) connect(rows, &ChoiceRows::changed, this, &SweepFields::changed);
    clear();
    hide();
}

// The fields for what the searcher starts from.
void SweepFields::addBeginnings(QVBoxLayout* layout) {
    auto* grid = new FormGrid;
    grid->addRow(tr("Try first"), m_first);
    grid->addRow(tr("Warm start"), m_earlier);
    layout->addWidget(grid);
    connect(m_first, &FirstConfigurations::changed, this, &SweepFields::changed);
    connect(m_earlier, &EarlierSweeps::changed, this, &SweepFields::changed);
}

void SweepFields::setEarlierSweeps(const QStringList& sweeps) { m_earlier->setOffered(sweeps); }

// The first two are always shown; the sections for end conditions and for failures can be expanded.
void SweepFields::addSections(QVBoxLayout* layout) {
    const auto& sections = spec::sweepSections();
    auto* hidden = column(m_hidden, 4);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        if (i == 2) {
            m_more->setCheckable(true);
            layout->addWidget(m_more, 0, Qt::AlignLeft);
            layout->addWidget(m_hidden);
            m_hidden->hide();
            connect(m_more, &QPushButton::toggled, this, [this](bool on) {
                m_hidden->setVisible(on);
                m_more->setIcon(icon(on ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
            });
        }
        addFields(sections[i], i < 2 ? layout : hidden);
    }
}

void SweepFields::addFields(const spec::Section& section, QVBoxLayout* layout) {
    auto* grid = new FormGrid;
    for (const auto& info : section.params) {
        const QString path = QString::fromStdString(info.name);
        auto* field = new ParamField(info);
        if (const QString words = emptyWords(path); !words.isEmpty()) field->setEmptyWords(words);
        grid->addParam(field, {});
        const bool score = path == QLatin1String("scoreBy") || path == QLatin1String("mode");
        connect(field, &ParamField::changed, this, [this, score] {
            m_ownScore = m_ownScore || score;
            countHidden();
            Q_EMIT changed();
        });
        m_fields.insert(path, field);
    }
    layout->addWidget(grid);
}

void SweepFields::setSweep(const spec::SweepSpec& sweep, const spec::CheckpointPolicy& checkpoint) {
    m_sweep = sweep;
    m_ownScore = sweep.scoreBy != checkpoint.scoreBy || sweep.mode != checkpoint.mode;
    m_searcher->setChoice(sweep.searcher);
    m_scheduler->setChoice(sweep.scheduler);
    m_first->setSpace(sweep.space);
    m_first->setConfigurations(sweep.first);
    m_earlier->setStarts(sweep.warmStart);
    m_stops->setRules(sweep.rules.stop);
    put(sweep);
}

void SweepFields::clear() {
    spec::SweepSpec sweep;
    sweep.searcher = {"auto", {}};
    spec::CheckpointPolicy checkpoint;
    checkpoint.scoreBy = sweep.scoreBy;
    checkpoint.mode = sweep.mode;
    setSweep(sweep, checkpoint);
}

void SweepFields::put(const spec::SweepSpec& sweep) {
    const auto values = spec::sweepValues(sweep);
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        const auto given = values.find(it.key().toStdString());
        const auto* none = std::get_if<double>(&it.value()->info().defaultValue);
        it.value()->setValue(given == values.end() ? it.value()->info().defaultValue : given->second);
        // Keeps settings that the field cannot show.
        it.value()->setEnabled(given != values.end() || (none && std::isnan(*none)));
    }
    countHidden();
}

// The closed section shows how many of its fields differ from their defaults.
void SweepFields::countHidden() {
    int count = 0;
    for (const auto* field : m_hidden->findChildren<ParamField*>()) {
        const auto value = field->value();
        count += !value || spec::toText(*value) != spec::toText(field->info().defaultValue) ? 1 : 0;
    }
    m_more->setText(count == 0 ? tr("Budget, failures, checkpoints")
                               : tr("Budget, failures, checkpoints (%1 changed)").arg(count));
}

// Random draws need a number; a grid has its own.
void SweepFields::chooseSearcher() {
    auto* trials = m_fields.value(kTrials);
    const QString name = m_searcher->combo()->currentData().toString();
    const auto given = trials->value().valueOr(spec::Value(std::int64_t{0}));
    if (name == QLatin1String("grid")) trials->setValue(std::int64_t{0});
    else if (name != QLatin1String("auto") && given == spec::Value(std::int64_t{0})) trials->setValue(kTrialsToDraw);
}

spec::SweepSpec SweepFields::sweepOf(const spec::RunSpec& run, std::vector<spec::Axis> space,
                                     std::vector<spec::FieldError>& errors) {
    spec::SweepSpec sweep = m_sweep;
    sweep.name = run.name;
    sweep.runJson = spec::toJson(run);
    sweep.space = std::move(space);
    m_first->setSpace(sweep.space);
    sweep.first = m_first->configurations();
    sweep.warmStart = m_earlier->starts();
    m_stops->setUnit(run.steps ? tr("steps") : tr("epochs"));
    sweep.rules.stop = m_stops->rules(errors);
    int wrong = 0;
    sweep.searcher = asGiven(m_searcher->choice(&wrong), m_sweep.searcher, m_searcher->entry());
    sweep.scheduler = asGiven(m_scheduler->choice(&wrong), m_sweep.scheduler, m_scheduler->entry());
    if (wrong > 0) errors.push_back({"", "", tr("%n options cannot be read", nullptr, wrong).toStdString(), ""});
    if (!m_ownScore && m_fields.value(QStringLiteral("scoreBy"))->isEnabled()) {
        const bool isNamed = !run.checkpoint.scoreBy.empty();
        m_fields.value(QStringLiteral("scoreBy"))->setValue(isNamed ? run.checkpoint.scoreBy : m_likelyScore);
        m_fields.value(QStringLiteral("mode"))
            ->setValue(isNamed ? run.checkpoint.mode : std::string(spec::toString(spec::betterOf(m_likelyScore))));
    }
    spec::Params values;
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        if (!it.value()->isEnabled()) continue;
        auto value = it.value()->value();
        if (value) values[it.key().toStdString()] = std::move(*value);
        else errors.push_back({it.key().toStdString(), "", value.error().message, ""});
    }
    return spec::withSweepValues(sweep, values, errors);
}

void SweepFields::show(const spec::SweepSpec& sweep, bool right) {
    setVisible(!sweep.space.empty());
    m_fields.value(kTrials)->setEmptyWords(spec::isGrid(sweep)        ? tr("all")
                                           : spec::isOpenEnded(sweep) ? tr("any")
                                                                      : tr("how many"));
    showAxes(sweep);
    if (right) showReason(sweep);
    else m_reason->hide();
}

void SweepFields::showAxes(const spec::SweepSpec& sweep) {
    if (sweep.space == m_shown) return;
    m_shown = sweep.space;
    m_axes->clear();
    for (const auto& axis : sweep.space) {
        const QString path = QString::fromStdString(axis.path);
        const QString title = m_titleOf(path);
        auto* values = new Label(valuesText(axis));
        values->setWordWrap(true);
        values->setMinimumHeight(Theme::current().px(28));
        values->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* drop = iconButton(QStringLiteral("close"), tr("Do not vary %1").arg(title));
        connect(drop, &QToolButton::clicked, this, [this, path] { Q_EMIT removed(path); });
        auto* label = m_axes->addRow(title, values, drop);
        label->setToolTip(path);
        label->setWordWrap(true); // titles from the whole run file, some of them long
    }
}

void SweepFields::showReason(const spec::SweepSpec& sweep) {
    const bool automatic = sweep.searcher.name == "auto";
    m_reason->setVisible(automatic);
    if (!automatic) return;
    const auto chosen = sweep::chooseSearcher(sweep);
    const auto& all = sweep::searchers();
    const auto entry =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.info.name == chosen.name; });
    m_reason->setText(tr("Chooses %1: %2.").arg(engineText(entry->info.title), engineSentence(chosen.reason)));
}

QString SweepFields::titleOf(const QString& path) const {
    const auto [number, rest] = entryOf(path);
    if (isFirst(path)) return tr("First configuration %1, %2").arg(number).arg(m_titleOf(rest));
    if (isEarlier(path)) return tr("Earlier sweep %1").arg(number);
    if (isStop(path)) return StopRules::titleOf(path);
    const auto* field = m_fields.value(path);
    for (const auto* rows : {m_searcher, m_scheduler}) {
        if (path == rows->path()) return rows->combo()->accessibleName();
        if (!field) field = rows->field(path);
    }
    return field ? engineText(field->info().title) : path;
}

void SweepFields::focusScheduler() {
    auto* box = m_scheduler->findChild<QComboBox*>();
    if (!isVisible() || box == nullptr) return;
    for (auto* parent = parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(parent)) area->ensureWidgetVisible(m_scheduler);
    box->setFocus(Qt::ShortcutFocusReason);
}

void SweepFields::clearErrors() {
    m_error->hide();
    m_first->setError({});
    m_earlier->setError({});
    m_stops->clearErrors();
    for (auto* rows : {m_searcher, m_scheduler}) rows->clearErrors();
    for (auto* field : m_fields) field->setError({});
}

void SweepFields::setError(const QString& path, const QString& message) {
    for (auto* rows : {m_searcher, m_scheduler})
        if (rows->setError(path, message)) return;
    if (auto* field = m_fields.value(path)) {
        field->setError(message);
        if (m_hidden->isAncestorOf(field)) m_more->setChecked(true); // a mistake must not hide
        return;
    }
    if (isFirst(path)) return m_first->setError(tr("%1 %2").arg(titleOf(path), message));
    if (isEarlier(path)) return m_earlier->setError(tr("%1 %2").arg(titleOf(path), message));
    if (isStop(path)) return m_stops->setError(path, message);
    m_error->setText(message);
    m_error->show();
}

} // namespace trainyard::ui
