// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/preview_pane.h"

#include "engine/spec/run/host_ranks.h"
#include "ui/models/runs/run_item.h"
#include "ui/models/text/format.h"
#include "ui/new_run/preview_paint.h"
#include "ui/new_run/sweep_cards.h"
#include "ui/widgets/card.h"
#include "ui/widgets/marks/status_chip.h"

#include <QGridLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kListed = 48;     // configurations of a sweep
constexpr double kStale = 0.35; // opacity of what was shown for other settings

bool isOpenEnded(const RunForm::State& state) { return state.sweep && spec::isOpenEnded(*state.sweep); }

} // namespace

// A surface whose drawing is given by a function.
class PreviewPane::Canvas : public QWidget {
public:
    std::function<void(QPainter&, const QRectF&)> draw;
    std::function<QString(const QPointF&)> tipAt; // from the top left of what is drawn
    std::function<void()> resized;
    QRectF area() const {
        const Theme& theme = Theme::current();
        return QRectF(rect()).adjusted(theme.px(12), 0, -theme.px(12), -theme.px(8));
    }

protected:
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip || !tipAt) return QWidget::event(event);
        auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(QPointF(help->pos()) - area().topLeft()), this);
        return true;
    }
    void resizeEvent(QResizeEvent*) override {
        if (resized) resized();
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        draw(painter, area());
    }
};

PreviewPane::PreviewPane(Workbench& bench, QWidget* parent)
    : QWidget(parent), m_bench(bench), m_hosts(new HostsCheck(this)) {
    build();
    connect(m_hosts, &HostsCheck::changed, this, [this] { refresh(); });
    refresh();
}

void PreviewPane::build() {
    const Theme& theme = Theme::current();
    auto* grid = new QGridLayout(this);
    grid->setSpacing(theme.px(12));
    setMargins(grid, 20, 12, 20, 12);
    buildDrawings();
    buildRateEmpty();
    buildTexts();
    m_sweep = new SweepCards(this);
    grid->addWidget(m_sweep->configurations(), 0, 0, 2, 1);
    grid->addWidget(m_sweep->search(), 0, 1);
    grid->addWidget(m_classesCard, 0, 0);
    grid->addWidget(m_samplesCard, 0, 1);
    grid->addWidget(m_modelCard, 1, 0);
    grid->addWidget(m_lrCard, 1, 1);
    grid->addWidget(m_batchCard, 2, 0);
    grid->addWidget(m_costCard, 2, 1);
    grid->addWidget(m_checkCard, 3, 0, 1, 2);
    const int heights[] = {184, 150, 112, 108};
    for (int line = 0; line < 4; ++line) {
        grid->setRowMinimumHeight(line, theme.px(heights[line]) * (line < 2 ? 8 : 10) / 10);
        grid->setRowStretch(line, heights[line]);
    }
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    m_batchCard->setMinimumWidth(0);
}

void PreviewPane::buildDrawings() {
    const auto waiting = [this] {
        return m_refused.isEmpty() && m_state.errors.isEmpty() ? tr("Reading…")
                                                               : tr("Shown when the settings are valid");
    };
    const auto drawn = [&](Canvas*& canvas, Card*& card, const QString& title,
                           std::function<void(QPainter&, const QRectF&)> draw) {
        card = new Card(title);
        canvas = new Canvas;
        canvas->draw = [this, waiting, draw = std::move(draw)](QPainter& painter, const QRectF& rect) {
            painter.setOpacity(m_preview && m_busy ? kStale : 1);
            if (m_preview) draw(painter, rect);
            else paintWords(painter, rect, waiting());
        };
        card->body()->addWidget(canvas, 1);
    };
    drawn(m_classes, m_classesCard, tr("Classes"),
          [this](QPainter& p, const QRectF& r) { paintClasses(p, r, *m_preview); });
    drawn(m_samples, m_samplesCard, tr("Samples"),
          [this](QPainter& p, const QRectF& r) { paintSamples(p, r, *m_preview); });
    drawn(m_model, m_modelCard, tr("Model"), [this](QPainter& p, const QRectF& r) { paintLayers(p, r, *m_preview); });
    drawn(m_lr, m_lrCard, tr("Learning rate"), [this](QPainter& p, const QRectF& r) {
        paintLearningRates(p, r, *m_preview, m_state.learningRates, m_state.shown.optimizer.number("lr", 0));
    });
}

// Instead of the learning rates, when the sweep has none.
void PreviewPane::buildRateEmpty() {
    m_rateEmpty = new QWidget;
    auto* empty = column(m_rateEmpty, 4);
    m_rateWhat = new Label(tr("No values to try"), TextRole::Heading);
    m_lrWhy = new Label(QString(), TextRole::SmallSecondary);
    m_swap = button(tr("Swap ends"));
    connect(m_swap, &QPushButton::clicked, this, &PreviewPane::swapRequested);
    empty->addStretch();
    for (QWidget* part : std::initializer_list<QWidget*>{m_rateWhat, m_lrWhy, m_swap})
        empty->addWidget(part, 0, Qt::AlignHCenter);
    empty->addStretch();
    m_lrCard->body()->addWidget(m_rateEmpty, 1);
}

void PreviewPane::buildTexts() {
    m_batchCard = new Card(tr("Batch"));
    m_batchLine = new Label(QString());
    m_batchLine->setTextFormat(Qt::RichText);
    m_batchLine->setWordWrap(true);
    m_batchLine->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_batchNote = new Label(QString(), TextRole::SmallSecondary);
    m_batchNote->setWordWrap(true);
    setMargins(m_batchCard->body(), 12, 0, 12, 12);
    m_batchCard->body()->addWidget(m_batchLine);
    m_batchCard->body()->addSpacing(Theme::current().px(4));
    m_batchCard->body()->addWidget(m_batchNote);
    m_batchCard->body()->addStretch();
    m_costCard = new Card(tr("Cost"));
    m_cost = new PairList;
    setMargins(m_costCard->body(), 12, 0, 12, 8);
    m_costCard->body()->addWidget(m_cost);
    m_costCard->body()->addStretch();
    m_checkCard = new Card(tr("Will it run?"));
    m_verdict = new StatusChip(QString());
    m_checkCard->addAction(m_verdict);
    m_why = new Label(QString(), TextRole::SmallError);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_why->setContentsMargins(Theme::current().px(12), 0, Theme::current().px(12), Theme::current().px(6));
    m_why->hide();
    m_checkCard->body()->addWidget(m_why);
    m_newWeights = button(tr("Start with new weights"));
    m_newWeights->setToolTip(tr("The settings of the run without its checkpoint"));
    m_newWeights->hide();
    connect(m_newWeights, &QPushButton::clicked, this, &PreviewPane::newWeightsRequested);
    auto* offer = row();
    setMargins(offer, 12, 0, 12, 6);
    offer->addWidget(m_newWeights);
    offer->addStretch();
    m_checkCard->body()->addLayout(offer);
    m_checks = new Canvas;
    m_checks->setAccessibleName(tr("Will it run?"));
    m_checks->draw = [this](QPainter& painter, const QRectF& rect) { paintChecks(painter, rect, checks()); };
    m_checks->tipAt = [this](const QPointF& at) { return checkTip(at); };
    m_checks->resized = [this] { fitChecks(); };
    m_checkCard->body()->addWidget(m_checks, 1);
    m_notes = new Label(QString(), TextRole::SmallSecondary);
    m_notes->setWordWrap(true);
    m_notes->setContentsMargins(Theme::current().px(12), 0, Theme::current().px(12), Theme::current().px(8));
    m_notes->hide();
    m_checkCard->body()->addWidget(m_notes);
}

void PreviewPane::setState(const RunForm::State& state) {
    m_state = state;
    if (state.errors.isEmpty()) {
        QStringList hosts;
        for (const auto& host : state.shown.hosts) hosts << QString::fromStdString(host);
        m_hosts->ask(hosts); // of a job of Slurm, nobody
    }
    if (!state.errors.isEmpty()) { // the worker is not asked, so nothing is known of these settings
        m_busy = false;
        m_preview.reset();
    }
    refresh();
}

void PreviewPane::setPreview(const Preview& preview) {
    m_preview = preview;
    m_refused.clear();
    m_busy = false;
    refresh();
}

void PreviewPane::setRefused(const QString& why) {
    m_refused = why;
    m_busy = false;
    m_preview.reset();
    refresh();
}

void PreviewPane::setBusy() {
    m_busy = true;
    m_refused.clear();
    refresh();
}

void PreviewPane::refresh() {
    const bool lrWrong = !m_state.lrError.isEmpty();
    m_lr->setVisible(!lrWrong);
    m_rateEmpty->setVisible(lrWrong);
    m_lrWhy->setText(tr("Learning rate: %1").arg(m_state.lrError));
    m_swap->setVisible(m_state.endsAreSwapped);
    QStringList why{m_refused.isEmpty() ? hostsWords() : m_refused, misfit()};
    why.removeAll(QString());
    m_why->setText(why.join(QLatin1Char('\n')));
    m_why->setVisible(!why.isEmpty());
    m_newWeights->setVisible(!misfit().isEmpty());
    showNotes();
    m_lrCard->setNote(ratesNote());
    m_batchCard->setNote(m_state.trials > 1 ? tr("of the first trial") : QString());
    showSweep();
    showBatch();
    showCost();
    showChecks();
    for (auto* canvas : {m_classes, m_samples, m_model, m_lr, m_checks}) canvas->update();
}

// What stands beside the titles of the cards that the worker fills.
void PreviewPane::showNotes() {
    if (!current()) {
        for (auto* card : {m_classesCard, m_samplesCard, m_modelCard})
            card->setNote(m_busy ? tr("checking…") : QString());
        return;
    }
    const Preview& preview = *current();
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
    for (const auto& cls : preview.classes) {
        least = std::min(least, cls.train);
        most = std::max(most, cls.train);
    }
    const bool balanced = most > 0 && static_cast<double>(least) > 0.9 * static_cast<double>(most);
    m_classesCard->setTitle(preview.learned.isEmpty() ? tr("Classes") : tr("Task"));
    m_classesCard->setNote(preview.classes.isEmpty() ? preview.learned
                           : least == most
                               ? tr("balanced, %1 each").arg(countText(static_cast<double>(most)))
                               : (balanced ? tr("balanced, %1 to %2 each") : tr("unbalanced, %1 to %2 each"))
                                     .arg(countText(static_cast<double>(least)), countText(static_cast<double>(most))));
    m_samplesCard->setNote(preview.points.isEmpty() ? tr("%1, for training").arg(preview.dataShape)
                                                    : tr("points in the plane"));
    m_modelCard->setNote(tr("%1 parameters").arg(countText(static_cast<double>(preview.parameters))));
}

// Which learning rates are drawn.
QString PreviewPane::ratesNote() const {
    if (!m_state.sweep) return tr("by epoch");
    const auto& space = m_state.sweep->space;
    const auto axis = std::find_if(space.begin(), space.end(), [](const auto& each) { return each.path == kLrPath; });
    if (axis == space.end()) return tr("by epoch");
    if (!axis->isListed()) return tr("the ends of its range, by epoch");
    return tr("%n values, by epoch", nullptr, static_cast<int>(m_state.learningRates.size()));
}

// In the place of data and model, which are those of any trial.
void PreviewPane::showSweep() {
    const bool sweeping = m_state.sweeping;
    for (QWidget* card : std::initializer_list<QWidget*>{m_classesCard, m_samplesCard, m_modelCard})
        card->setVisible(!sweeping);
    for (QWidget* card : std::initializer_list<QWidget*>{m_sweep->configurations(), m_sweep->search()})
        card->setVisible(sweeping);
    m_share = 1;
    m_slots = {};
    if (!sweeping) return;
    const auto foreseen = m_state.sweep ? sweep::foresee(*m_state.sweep, kListed, run::knownRoom())
                                        : Result<sweep::Foreseen>(inputError("something is wrong"));
    if (!foreseen) return m_sweep->clear();
    m_share = SweepCards::typicalShare(*foreseen);
    m_slots = foreseen->slots;
    QStringList titles;
    for (const auto& axis : m_state.sweep->space) titles << m_state.titles.value(QString::fromStdString(axis.path));
    m_sweep->show(*m_state.sweep, *foreseen, titles, m_preview, m_state.shown);
}

void PreviewPane::showBatch() {
    const auto& spec = m_state.shown;
    const auto bold = [](std::int64_t n) { return QStringLiteral("<b>%1</b>").arg(countText(static_cast<double>(n))); };
    const QString factors = tr("%1 per worker × %2 workers", nullptr, static_cast<int>(spec.scaling.workers))
                                .arg(bold(spec.perRankBatch()), bold(spec.scaling.workers));
    const QString accumulated =
        spec.batch.accumulate == 1 ? factors : tr("%1 × %2 accum.").arg(factors, bold(spec.batch.accumulate));
    m_batchLine->setText(tr("%1 = %2 global").arg(accumulated, bold(spec.globalBatch())));
    if (const auto* preview = current()) {
        const QString note = tr("%1 samples, %2 steps per epoch, evenly split")
                                 .arg(countText(static_cast<double>(preview->train)),
                                      countText(static_cast<double>(preview->stepsPerEpoch)));
        m_batchNote->setText(preview->leftOut > 0
                                 ? tr("%1; %2 dropped, different ones each epoch.").arg(note).arg(preview->leftOut)
                                 : note + QLatin1Char('.'));
    } else {
        m_batchNote->setText({});
    }
}

// Whether all that decides the samples per second is the same. A file may leave out a setting, as those do that are
// older than it: it means the default.
static bool sameWork(const RunItem& a, const RunItem& b) {
    if (a.dataset != b.dataset) return false;
    static const auto defaults = [] {
        store::RunRow row;
        row.specJson = spec::toJson(spec::RunSpec{});
        return makeRunItem(std::move(row));
    }();
    const auto meant = [](const QString& path, const QString& value) {
        return value.isEmpty() ? defaults->settings.value(path) : value;
    };
    const auto changed = differences(a, b);
    return std::none_of(changed.begin(), changed.end(), [&meant](const Difference& one) {
        if (meant(one.path, one.before) == meant(one.path, one.after)) return false;
        static const QStringList deciding{QStringLiteral("model"),   QStringLiteral("optimizer.name"),
                                          QStringLiteral("batch"),   QStringLiteral("precision"),
                                          QStringLiteral("scaling"), QStringLiteral("hosts")};
        return std::any_of(deciding.begin(), deciding.end(),
                           [&](const QString& prefix) { return one.path.startsWith(prefix); });
    });
}

double PreviewPane::estimatedSeconds() const {
    // By the throughput of the newest run that did the same work in each step; nothing is guessed without one.
    const auto* preview = current();
    if (!preview) return -1;
    store::RunRow row;
    row.specJson = spec::toJson(m_state.shown);
    const auto asked = makeRunItem(std::move(row));
    const RunItem* found = nullptr;
    for (const auto& run : m_bench.feed.runs()) {
        if (run->row.samplesPerSecond <= 0 || !sameWork(*asked, *run)) continue;
        if (!found) found = run.get();
        if (!m_state.sweeping) break;
        if (run->row.sweep.empty()) continue;
        found = run.get(); // it had as few of the cores as these will
        break;
    }
    if (!found) return -1;
    return (1 - m_done) * static_cast<double>(m_preview->totalSteps) * static_cast<double>(m_preview->global) /
           found->row.samplesPerSecond;
}

void PreviewPane::showCost() {
    const int trials = m_state.trials;
    const bool open = isOpenEnded(m_state);
    const double seconds = estimatedSeconds();
    const double all = sweep::secondsInSlots(seconds, trials, m_slots.slots);
    QString memory = kNoValue;
    QString disk = kNoValue;
    const auto* preview = current();
    if (preview) {
        memory = bytesText(preview->bytesOfAll);
        if (trainsHere())
            memory = tr("%1, of %2").arg(memory, bytesText(static_cast<double>(m_bench.load().memoryTotal)));
        // Weights and optimizer state, for the newest ones and the best.
        const double checkpoint =
            preview->weightBytes * 2 * (m_state.shown.checkpoint.keep + 1) * static_cast<double>(trials);
        if (!open) disk = bytesText(checkpoint);
        if (!open && m_state.home.isEmpty())
            disk = tr("%1, of %2 free").arg(disk, bytesText(static_cast<double>(m_bench.load().diskFree)));
    }
    QString time = open          ? tr("until the budget is used up")
                   : m_busy      ? tr("checking…")
                   : !preview    ? kNoValue
                   : seconds < 0 ? tr("known after the first steps")
                                 : boundText(durationText(all), durationText(all * m_share));
    m_costCard->setNote(trials > 1 && seconds >= 0 ? tr("%1 per trial").arg(durationText(seconds)) : QString());
    m_cost->setPairs(
        {{tr("Memory, est."), memory, {}},
         {tr("Time, est."), time,
          trials > 1 ? tr("%n trials at a time, by the throughput of the newest run with the same model, data and "
                          "workers; a trial of an earlier sweep if there is one",
                          nullptr, m_slots.slots)
                     : tr("By the throughput of the newest run with the same model, data and workers")},
         {tr("Disk, est."), disk, {}}});
}

void PreviewPane::showChecks() {
    int wrong = 0, notes = 0;
    bool wait = m_busy;
    QStringList lines;
    for (const RunCheck& check : checks()) {
        wrong += check.state == RunCheck::Wrong ? 1 : 0;
        notes += check.state == RunCheck::Wait ? 1 : 0;
        wait = wait || check.state == RunCheck::Unknown;
        lines << QStringLiteral("%1: %2").arg(check.name, check.detail);
    }
    fitChecks();
    m_checks->setAccessibleDescription(lines.join(QLatin1Char('\n')));
    m_notes->setText(current() ? current()->notes.join(QLatin1Char('\n')) : QString());
    m_notes->setVisible(!m_notes->text().isEmpty());
    if (wrong > 0) m_verdict->setChip(tr("%1 to fix").arg(wrong), Status::Error);
    else if (wait) m_verdict->setChip(tr("Checking"), Status::Neutral);
    else if (notes > 0) m_verdict->setChip(tr("Yes, with %n warnings", nullptr, notes), Status::Warn);
    else m_verdict->setChip(tr("Yes"), Status::Success);
}

// In a narrow card a warning takes more lines.
void PreviewPane::fitChecks() {
    qreal bottom = 0;
    for (const QRectF& area : checkAreas(m_checks->area().width(), checks())) bottom = std::max(bottom, area.bottom());
    m_checks->setMinimumHeight(static_cast<int>(std::ceil(bottom)) + Theme::current().px(8));
}

// All of what is cut there.
QString PreviewPane::checkTip(const QPointF& at) const {
    const QList<RunCheck> list = checks();
    const QList<QRectF> areas = checkAreas(m_checks->area().width(), list);
    for (qsizetype i = 0; i < list.size(); ++i)
        if (areas[i].contains(at)) return isCheckCut(list[i], areas[i]) ? list[i].detail : QString();
    return {};
}

} // namespace trainyard::ui
