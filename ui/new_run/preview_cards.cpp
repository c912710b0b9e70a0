// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/preview_cards.h"

#include "ui/models/runs/run_item.h"
#include "ui/models/text/format.h"
#include "ui/new_run/preview_paint.h"
#include "ui/new_run/sweep_cards.h"
#include "ui/widgets/marks/status_chip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kStale = 0.35; // opacity of a preview for other settings

// A line of small words across a card.
Label* cardLine(TextRole role, int below) {
    auto* label = new Label(QString(), role);
    label->setWordWrap(true);
    label->setContentsMargins(Theme::current().px(12), 0, Theme::current().px(12), Theme::current().px(below));
    label->hide();
    return label;
}

// Whether everything that decides the samples per second is equal. A file may omit a setting, as files older than the
// setting do: that means the default.
bool sameWork(const RunItem& a, const RunItem& b) {
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
        static const QStringList deciding{QStringLiteral("model"),
                                          QStringLiteral("optimizer.name"),
                                          QStringLiteral("batch"),
                                          QStringLiteral("precision"),
                                          QStringLiteral("scaling"),
                                          QStringLiteral("hosts"),
                                          QStringLiteral("finetune"),
                                          QStringLiteral("tuning"),
                                          QStringLiteral("dataset.params.width"),
                                          QStringLiteral("dataset.params.height")};
        return std::any_of(deciding.begin(), deciding.end(),
                           [&](const QString& prefix) { return one.path.startsWith(prefix); });
    });
}

} // namespace

QRectF PreviewCanvas::area() const {
    const Theme& theme = Theme::current();
    return QRectF(rect()).adjusted(theme.px(12), 0, -theme.px(12), -theme.px(8));
}

bool PreviewCanvas::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !tipAt) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(QPointF(help->pos()) - area().topLeft()), this);
    return true;
}

void PreviewCanvas::resizeEvent(QResizeEvent*) {
    if (resized) resized();
}

void PreviewCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setLayoutDirection(Qt::LeftToRight); // a picture, as a chart is
    draw(painter, area());
}

DrawingCard::DrawingCard(const QString& title, const PreviewFacts& facts, Draw draw)
    : Card(title), m_canvas(new PreviewCanvas) {
    m_canvas->draw = [&facts, draw = std::move(draw)](QPainter& painter, const QRectF& rect) {
        painter.setOpacity(facts.preview && facts.busy ? kStale : 1);
        if (facts.preview) return draw(painter, rect, *facts.preview);
        const bool isAsked = facts.refused.isEmpty() && facts.state.errors.isEmpty();
        paintWords(painter, rect, isAsked ? tr("Reading…") : tr("Shown once the settings are valid"));
    };
    body()->addWidget(m_canvas, 1);
}

RatesCard::RatesCard(const PreviewFacts& facts)
    : DrawingCard(tr("Learning rate"), facts,
                  [&facts](QPainter& painter, const QRectF& rect, const Preview& preview) {
                      const double base = facts.state.shown.optimizer.number("lr", 0);
                      paintLearningRates(painter, rect, preview, facts.state.learningRates, base);
                  }),
      m_facts(facts), m_empty(new QWidget), m_why(new Label(QString(), TextRole::SmallSecondary)),
      m_swap(button(tr("Swap ends"))) {
    auto* empty = column(m_empty, 4);
    connect(m_swap, &QPushButton::clicked, this, &RatesCard::swapRequested);
    empty->addStretch();
    empty->addWidget(new Label(tr("No values to try"), TextRole::Heading), 0, Qt::AlignHCenter);
    empty->addWidget(m_why, 0, Qt::AlignHCenter);
    empty->addWidget(m_swap, 0, Qt::AlignHCenter);
    empty->addStretch();
    body()->addWidget(m_empty, 1);
}

void RatesCard::refresh() {
    const bool isWrong = !m_facts.state.lrError.isEmpty();
    m_canvas->setVisible(!isWrong);
    m_empty->setVisible(isWrong);
    m_why->setText(tr("Learning rate: %1").arg(m_facts.state.lrError));
    m_swap->setVisible(m_facts.state.endsAreSwapped);
    setNote(noteText());
    redraw();
}

// The learning rates drawn.
QString RatesCard::noteText() const {
    if (!m_facts.state.sweep) return tr("by epoch");
    const auto& space = m_facts.state.sweep->space;
    const auto axis = std::find_if(space.begin(), space.end(), [](const auto& each) { return each.path == kLrPath; });
    if (axis == space.end()) return tr("by epoch");
    if (!axis->isListed()) return tr("ends of its range, by epoch");
    return tr("%n values, by epoch", nullptr, static_cast<int>(m_facts.state.learningRates.size()));
}

BatchCard::BatchCard(const PreviewFacts& facts)
    : Card(tr("Batch")), m_facts(facts), m_line(new Label(QString())),
      m_note(new Label(QString(), TextRole::SmallSecondary)) {
    m_line->setTextFormat(Qt::RichText);
    m_line->setWordWrap(true);
    m_line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_note->setWordWrap(true);
    setMargins(body(), 12, 0, 12, 12);
    body()->addWidget(m_line);
    body()->addSpacing(Theme::current().px(4));
    body()->addWidget(m_note);
    body()->addStretch();
    setMinimumWidth(0);
}

void BatchCard::refresh() {
    setNote(m_facts.state.trials > 1 ? tr("of the first trial") : QString());
    const auto& spec = m_facts.state.shown;
    const auto bold = [](std::int64_t n) { return QStringLiteral("<b>%1</b>").arg(countText(static_cast<double>(n))); };
    const QString factors = tr("%1 per worker × %2 workers", nullptr, static_cast<int>(spec.scaling.workers))
                                .arg(bold(spec.perRankBatch()), bold(spec.scaling.workers));
    const QString accumulated =
        spec.batch.accumulate == 1 ? factors : tr("%1 × %2 accum.").arg(factors, bold(spec.batch.accumulate));
    m_line->setText(tr("%1 = %2 global").arg(accumulated, bold(spec.globalBatch())));
    if (const auto* preview = m_facts.current()) {
        const QString note = tr("%1 samples, %2 steps per epoch, evenly split")
                                 .arg(countText(static_cast<double>(preview->train)),
                                      countText(static_cast<double>(preview->stepsPerEpoch)));
        m_note->setText(preview->leftOut > 0
                            ? tr("%1; %2 dropped, a different set each epoch.").arg(note).arg(preview->leftOut)
                            : note + QLatin1Char('.'));
    } else {
        m_note->setText({});
    }
}

CostCard::CostCard(const Workbench& bench, const PreviewFacts& facts)
    : Card(tr("Cost")), m_bench(bench), m_facts(facts), m_pairs(new PairList) {
    setMargins(body(), 12, 0, 12, 8);
    body()->addWidget(m_pairs);
    body()->addStretch();
}

double CostCard::estimatedSeconds() const {
    // Uses the throughput of the newest run with the same work per step; without one, makes no guess.
    const auto* preview = m_facts.current();
    if (!preview) return -1;
    store::RunRow row;
    row.specJson = spec::toJson(m_facts.state.shown);
    const auto asked = makeRunItem(std::move(row));
    const RunItem* found = nullptr;
    for (const auto& run : m_bench.feed.runs()) {
        if (run->row.samplesPerSecond <= 0 || !sameWork(*asked, *run)) continue;
        if (!found) found = run.get();
        if (!m_facts.state.sweeping) break;
        if (run->row.sweep.empty()) continue;
        found = run.get(); // it had as small a share of the cores as these will
        break;
    }
    if (!found) return -1;
    return (1 - m_facts.done) * static_cast<double>(m_facts.preview->totalSteps) *
           static_cast<double>(m_facts.preview->global) / found->row.samplesPerSecond;
}

void CostCard::refresh(int slots, double share) {
    const int trials = m_facts.state.trials;
    const bool open = m_facts.isOpenEnded();
    const double seconds = estimatedSeconds();
    const double all = sweep::secondsInSlots(seconds, {.trials = trials, .slots = slots});
    QString memory = kNoValue;
    QString disk = kNoValue;
    const auto* preview = m_facts.current();
    if (preview) {
        memory = bytesText(preview->bytesOfAll);
        if (m_facts.trainsHere())
            memory = tr("%1, of %2").arg(memory, bytesText(static_cast<double>(m_bench.load().memoryTotal)));
        // Weights and optimizer state, for the newest ones and the best.
        const double checkpoint =
            preview->weightBytes * 2 * (m_facts.state.shown.checkpoint.keep + 1) * static_cast<double>(trials);
        if (!open) disk = bytesText(checkpoint);
        if (!open && m_facts.state.home.isEmpty())
            disk = tr("%1, of %2 free").arg(disk, bytesText(static_cast<double>(m_bench.load().diskFree)));
    }
    QString time = open           ? tr("until the budget is used up")
                   : m_facts.busy ? tr("checking…")
                   : !preview     ? kNoValue
                   : seconds < 0  ? tr("known after the first steps")
                                  : boundText(durationText(all), durationText(all * share));
    setNote(trials > 1 && seconds >= 0 ? tr("%1 per trial").arg(durationText(seconds)) : QString());
    m_pairs->setPairs(
        {{tr("Memory, est."), memory, {}},
         {tr("Time, est."), time,
          trials > 1 ? tr("%n trials at a time, estimated from the throughput of the newest run with the same model, "
                          "data and workers, or of an earlier sweep's trial",
                          nullptr, slots)
                     : tr("Estimated from the throughput of the newest run with the same model, data and workers")},
         {tr("Disk, est."), disk, {}}});
}

CheckCard::CheckCard(const Workbench& bench, const PreviewFacts& facts, const ProgramFacts* program)
    : Card(tr("Will it run?")), m_bench(bench), m_facts(facts), m_program(program),
      m_hosts(new HostsCheck(this, program == nullptr)), m_checks(new PreviewCanvas),
      m_verdict(new StatusChip(QString())), m_why(cardLine(TextRole::SmallError, 6)),
      m_notes(cardLine(TextRole::SmallSecondary, 8)), m_newWeights(button(tr("Start with new weights"))) {
    addAction(m_verdict);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    body()->addWidget(m_why);
    m_newWeights->setToolTip(tr("Keep the settings, but not the checkpoint"));
    m_newWeights->hide();
    connect(m_newWeights, &QPushButton::clicked, this, &CheckCard::newWeightsRequested);
    auto* offer = row();
    setMargins(offer, 12, 0, 12, 6);
    offer->addWidget(m_newWeights);
    offer->addStretch();
    body()->addLayout(offer);
    m_checks->setAccessibleName(tr("Will it run?"));
    m_checks->draw = [this](QPainter& painter, const QRectF& rect) { paintChecks(painter, rect, checks()); };
    m_checks->tipAt = [this](const QPointF& at) { return tipAt(at); };
    m_checks->resized = [this] { fitChecks(); };
    body()->addWidget(m_checks, 1);
    body()->addWidget(m_notes);
    connect(m_hosts, &HostsCheck::changed, this, &CheckCard::refresh);
    connect(&m_bench.feed, &WorkspaceFeed::runsChanged, this, &CheckCard::refresh); // one that trained has ended
}

void CheckCard::askHosts() {
    QStringList hosts;
    for (const auto& host : m_facts.state.shown.hosts) hosts << QString::fromStdString(host);
    hosts.removeDuplicates();
    m_hosts->ask(hosts); // none for a Slurm job
}

QList<RunCheck> CheckCard::checks() const {
    const RunChecks checks(m_facts, *m_hosts, m_bench.load(), m_bench.feed.activeCount());
    return m_program ? checks.ofProgram(*m_program) : checks.all();
}

// The full problems of the run's hosts.
QString CheckCard::hostsWords() const {
    QStringList lines;
    for (const auto& each : m_hosts->findings())
        if (!each.signIn)
            lines << QStringLiteral("%1: %2").arg(each.host, each.text) +
                         (each.fix.isEmpty() ? QString() : QStringLiteral("; ") + each.fix);
    return lines.join(QLatin1Char('\n'));
}

void CheckCard::refresh() {
    const QString refused = m_facts.isRefusedAtField ? QString() : m_facts.refused; // each message once
    QStringList why{m_facts.refused.isEmpty() ? hostsWords() : refused, m_facts.misfit()};
    why.removeAll(QString());
    m_why->setText(why.join(QLatin1Char('\n')));
    m_why->setVisible(!why.isEmpty());
    m_newWeights->setVisible(!m_facts.misfit().isEmpty());
    showVerdict();
    m_checks->update();
}

void CheckCard::showVerdict() {
    int wrong = 0, notes = 0;
    bool wait = m_facts.busy;
    QStringList lines;
    for (const RunCheck& check : checks()) {
        wrong += check.state == RunCheck::Wrong ? 1 : 0;
        notes += check.state == RunCheck::Wait ? 1 : 0;
        wait = wait || check.state == RunCheck::Unknown;
        lines << QStringLiteral("%1: %2").arg(check.name, check.detail);
    }
    fitChecks();
    m_checks->setAccessibleDescription(lines.join(QLatin1Char('\n')));
    m_notes->setText(m_facts.current() ? m_facts.current()->notes.join(QLatin1Char('\n')) : QString());
    m_notes->setVisible(!m_notes->text().isEmpty());
    if (wrong > 0) m_verdict->setChip(tr("%1 to fix").arg(wrong), Status::Error);
    else if (wait) m_verdict->setChip(tr("Checking"), Status::Neutral);
    else if (notes > 0) m_verdict->setChip(tr("Yes, with %n warnings", nullptr, notes), Status::Warn);
    else m_verdict->setChip(tr("Yes"), Status::Success);
}

// In a narrow card a warning takes more lines.
void CheckCard::fitChecks() {
    qreal bottom = 0;
    for (const QRectF& area : checkAreas(m_checks->area().width(), checks())) bottom = std::max(bottom, area.bottom());
    m_checks->setMinimumHeight(static_cast<int>(std::ceil(bottom)) + Theme::current().px(8));
}

// The full text of elided details.
QString CheckCard::tipAt(const QPointF& at) const {
    const QList<RunCheck> list = checks();
    const QList<QRectF> areas = checkAreas(m_checks->area().width(), list);
    for (qsizetype i = 0; i < list.size(); ++i)
        if (areas[i].contains(at)) return isCheckCut(list[i], areas[i]) ? list[i].detail : QString();
    return {};
}

} // namespace trainyard::ui
