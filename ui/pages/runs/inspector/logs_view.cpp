// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/logs_view.h"

#include "ui/models/text/format.h"
#include "ui/pages/runs/inspector/printed_names.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/card.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

namespace trainyard::ui {

namespace {

// Widths of the columns before the text, and the margin behind it.
constexpr int kNumber = 48, kGap = 12, kTime = 96, kRank = 40, kLevel = 64, kMargin = 12;
constexpr int kRun = 120; // the run's name, when there are several runs
constexpr int kBesideText = kNumber + kGap + kTime + kRank + kLevel + kMargin;

class LogDelegate : public QStyledItemDelegate {
public:
    LogDelegate(const WorkspaceFeed& feed, LogModel& model, QObject* parent)
        : QStyledItemDelegate(parent), m_feed(feed), m_model(model) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {Theme::current().px(300), Theme::current().px(22)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto entry = m_model.line(index.row());
        if (!entry.line) return;
        const Theme& theme = Theme::current();
        const QRect rect = option.rect;
        const bool error = isError(*entry.line), warn = isWarning(*entry.line);
        if (option.state & QStyle::State_Selected) painter->fillRect(rect, theme.selection);
        else if (error) painter->fillRect(rect, theme.errorBg);
        int x = rect.left();
        const auto cell = [&](int width) {
            const QRect at(x, rect.top(), width, rect.height());
            x += width;
            return at;
        };
        painter->setPen(theme.text3);
        paintTabular(*painter, cell(theme.px(kNumber)), Qt::AlignRight | Qt::AlignVCenter, theme.small,
                     QString::number(entry.number));
        x += theme.px(kGap);
        if (m_model.runs().size() > 1) paintRun(*painter, cell(theme.px(kRun)), entry.run);
        const QString time =
            QDateTime::fromMSecsSinceEpoch(entry.line->wallMs).toString(QStringLiteral("HH:mm:ss.zzz"));
        painter->setPen(theme.text2);
        paintTabular(*painter, cell(theme.px(kTime)), Qt::AlignVCenter, theme.small, time);
        const QRect rank = cell(theme.px(kRank));
        painter->setFont(theme.small);
        painter->setPen(theme.text2);
        if (entry.line->rank >= 0) {
            painter->fillRect(QRect(rank.left(), rank.top() + theme.px(4), theme.px(3), rank.height() - theme.px(8)),
                              theme.curve(entry.line->rank));
            painter->drawText(rank.adjusted(theme.px(8), 0, 0, 0), Qt::AlignVCenter,
                              QStringLiteral("r%1").arg(entry.line->rank));
        } else {
            painter->drawText(rank.adjusted(theme.px(8), 0, 0, 0), Qt::AlignVCenter, kNoValue);
        }
        painter->setPen(error ? theme.error : warn ? theme.warn : theme.text3);
        painter->drawText(cell(theme.px(kLevel)), Qt::AlignVCenter, QString::fromStdString(entry.line->level));
        const QString text = QString::fromStdString(entry.line->text);
        paintText(*painter, QRect(x, rect.top(), rect.right() - x - theme.px(kMargin), rect.height()), error, text,
                  numbersOf(m_feed, entry));
    }

private:
    void paintRun(QPainter& painter, const QRect& rect, const QString& id) const {
        const RunItemPtr run = m_feed.run(id);
        if (!run) return;
        const Theme& theme = Theme::current();
        painter.setRenderHint(QPainter::Antialiasing);
        paintRunChip(painter, QPointF(rect.left() + theme.px(5), rect.center().y() + 0.5), theme.curve(run->color),
                     true);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QRect name = rect.adjusted(theme.px(16), 0, -theme.px(8), 0);
        painter.setFont(theme.small);
        painter.setPen(theme.text);
        painter.drawText(name, Qt::AlignVCenter, elidedName(painter.fontMetrics(), run->name, name.width()));
    }

    void paintText(QPainter& painter, const QRect& rect, bool error, const QString& text,
                   const QList<PrintedNumber>& numbers) const {
        const Theme& theme = Theme::current();
        painter.setFont(theme.body);
        const QFontMetrics metrics(theme.body);
        const QString shown = metrics.elidedText(text, Qt::ElideRight, rect.width());
        for (const auto& [range, name, isTaken] : numbers) {
            if (!isTaken) continue;
            const int left = metrics.horizontalAdvance(shown.left(range.begin));
            const int width = metrics.horizontalAdvance(shown.mid(range.begin, range.size));
            painter.fillRect(QRect(rect.left() + left - 1, rect.top() + 2, width + 2, rect.height() - 4), theme.infoBg);
        }
        const QString search = m_model.search();
        for (qsizetype at = search.isEmpty() ? -1 : shown.indexOf(search, 0, Qt::CaseInsensitive); at >= 0;
             at = shown.indexOf(search, at + search.size(), Qt::CaseInsensitive)) {
            const int left = metrics.horizontalAdvance(shown.left(at));
            const int width = metrics.horizontalAdvance(shown.mid(at, search.size()));
            painter.fillRect(QRect(rect.left() + left - 1, rect.top() + 2, width + 2, rect.height() - 4), theme.warnBd);
        }
        painter.setPen(error ? theme.error : theme.text);
        painter.drawText(rect, Qt::AlignVCenter, shown);
    }

    const WorkspaceFeed& m_feed;
    LogModel& m_model;
};

} // namespace

LogsView::LogsView(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench), m_model(bench.feed) {
    build();
    connect(&bench.selection, &RunSelection::currentChanged, this, &LogsView::showRun);
    connect(&bench.drawn, &DrawnRuns::changed, this, &LogsView::showRun); // whose logs are shown
    connect(m_all, &QToolButton::toggled, this, &LogsView::showRun);
    connect(&m_model, &LogModel::talliesChanged, this, &LogsView::showCounts);
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, [this] {
        if (m_following) m_view->scrollToBottom();
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] {
        if (m_following) m_view->scrollToBottom();
    });
    showRun();
}

void LogsView::build() {
    auto* layout = column(this);
    buildBar(layout);
    buildLines(layout);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model.setSearch(text);
        showCounts();
        if (!text.isEmpty()) goToHit(0);
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { goToHit(1); });
    connect(m_level, &SegmentedControl::currentIndexChanged, this,
            [this](int level) { m_model.setLevel(static_cast<LogModel::Level>(level)); });
    connect(m_rank, &QComboBox::activated, this, [this] { m_model.setRank(m_rank->currentData().toInt()); });
    connect(m_follow, &QToolButton::clicked, this, &LogsView::setFollow);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &LogsView::showWhole);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &LogsView::showWhole);
    connect(m_view->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        // Scrolling up stops following, so that the text stands still; scrolling to the end resumes it.
        const auto* scroll = m_view->verticalScrollBar();
        setFollow(scroll->sliderPosition() >= scroll->maximum());
    });
    setFollow(true);
}

void LogsView::buildBar(QVBoxLayout* layout) {
    const Theme& theme = Theme::current();
    m_bar = new QWidget;
    auto* bar = row(m_bar, 8);
    setMargins(bar, 12, 8, 12, 8);
    m_search = new UnitEdit;
    m_search->setLeadingIcon(QStringLiteral("search"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search the log"));
    m_search->setMaximumWidth(theme.px(240));
    m_hits = new Label(QString(), TextRole::SmallTertiary);
    m_previous = iconButton(QStringLiteral("chevron-up"), tr("Previous hit"), QStringLiteral("Shift+F3"));
    m_next = iconButton(QStringLiteral("chevron-down"), tr("Next hit"), QStringLiteral("F3"));
    m_level = new SegmentedControl({tr("All"), tr("Warn"), tr("Error")});
    m_level->setAccessibleName(tr("Level"));
    m_rank = new QComboBox;
    m_rank->setAccessibleName(tr("Rank"));
    m_rank->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_all = iconButton(QStringLiteral("group"), tr("Logs of all selected runs"));
    m_all->setCheckable(true);
    m_follow = new QToolButton;
    m_follow->setText(tr("Follow"));
    m_follow->setIcon(icon(QStringLiteral("follow")));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setCheckable(true);
    m_follow->setProperty("kind", "flat");
    m_follow->setToolTip(tr("Keep the newest line in view"));
    auto* copyButton = iconButton(QStringLiteral("copy"), tr("Copy the visible lines"), QStringLiteral("Ctrl+C"));
    for (QWidget* part : std::initializer_list<QWidget*>{m_search, m_hits, m_previous, m_next, m_level, m_rank, m_all})
        bar->addWidget(part);
    bar->addStretch();
    bar->addWidget(m_follow);
    bar->addWidget(copyButton);
    m_search->setMinimumWidth(theme.px(84));
    m_level->setMinimumWidth(m_level->sizeHint().width());
    layout->addWidget(m_bar);
    connect(m_previous, &QToolButton::clicked, this, [this] { goToHit(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { goToHit(1); });
    connect(copyButton, &QToolButton::clicked, this, &LogsView::copy);
}

void LogsView::buildLines(QVBoxLayout* layout) {
    const Theme& theme = Theme::current();
    auto* card = new Card;
    m_view = new QListView;
    m_view->setObjectName(QStringLiteral("logLines"));
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new LogDelegate(m_bench.feed, m_model, m_view));
    m_view->setUniformItemSizes(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->viewport()->setAutoFillBackground(false);
    m_view->setAccessibleName(tr("Log lines"));
    new PrintedNames(m_bench, m_model, *m_view, [this] {
        const Theme& now = Theme::current();
        return now.px(kBesideText - kMargin) + (m_model.runs().size() > 1 ? now.px(kRun) : 0);
    });
    m_count = new Label(QString(), TextRole::SmallSecondary);
    m_count->setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(6));
    auto* inner = card->body();
    inner->setContentsMargins(1, theme.px(6), 1, 0);
    m_whole = new Label(QString());
    m_whole->setObjectName(QStringLiteral("wholeLine"));
    m_whole->setAccessibleName(tr("Selected line"));
    m_whole->setTextFormat(Qt::PlainText);
    m_whole->setWordWrap(true);
    m_whole->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_whole->setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(6));
    m_whole->hide();
    inner->addWidget(m_view, 1);
    inner->addWidget(m_whole);
    inner->addWidget(m_count);
    auto* frame = row();
    setMargins(frame, 12, 0, 12, 12);
    frame->addWidget(card);
    layout->addLayout(frame, 1);
}

void LogsView::setFollow(bool on) {
    m_following = on;
    m_follow->setChecked(on);
    if (on) m_view->scrollToBottom();
}

void LogsView::showRun() {
    const QStringList& selected = m_bench.drawn.runs();
    m_all->setVisible(selected.size() > 1);
    const bool all = selected.size() > 1 && m_all->isChecked();
    m_model.setRuns(all ? selected : QStringList{m_bench.selection.current()});
    fitBar();
    showCounts();
}

void LogsView::showWhole() {
    const QModelIndex current = m_view->currentIndex();
    const auto entry = current.isValid() ? m_model.line(current.row()) : LogModel::Line{};
    const Theme& theme = Theme::current();
    const QString text = entry.line ? QString::fromStdString(entry.line->text) : QString();
    const int beside = theme.px(kBesideText) + (m_model.runs().size() > 1 ? theme.px(kRun) : 0);
    const int room = m_view->viewport()->width() - beside;
    m_whole->setText(text);
    m_whole->setVisible(!text.isEmpty() && QFontMetrics(theme.body).horizontalAdvance(text) > room);
}

void LogsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitBar();
    showWhole();
}

// Where space is short, the word of the button goes first (its icon and tooltip stay), then the arrows (their keys
// stay) and the number of hits.
void LogsView::fitBar() {
    const auto isTight = [this] {
        m_bar->layout()->invalidate();
        return m_bar->layout()->minimumSize().width() > width();
    };
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (QWidget* part : std::initializer_list<QWidget*>{m_previous, m_next, m_hits}) part->show();
    if (isTight()) m_follow->setToolButtonStyle(Qt::ToolButtonIconOnly);
    if (isTight())
        for (auto* arrow : {m_previous, m_next}) arrow->hide();
    if (isTight()) m_hits->hide();
}

void LogsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showCounts();
}

void LogsView::showCounts() {
    if (!isVisible()) return; // showEvent() makes up for it
    const int ranksWidth = m_rank->sizeHint().width();
    showRanks();
    const auto& hits = m_model.hits();
    const QString before = m_hits->text();
    m_hits->setText(m_search->text().isEmpty() ? QString() : tr("%n hits", nullptr, static_cast<int>(hits.size())));
    if (m_hits->text() != before || m_rank->sizeHint().width() != ranksWidth) fitBar();
    const RunItemPtr run = m_bench.feed.run(m_bench.selection.current());
    const int total = m_model.total();
    const bool several = m_model.runs().size() > 1;
    m_count->setText(!run && !several ? tr("No run selected")
                     : total == 0
                         ? several ? tr("The selected runs have written no log yet")
                                   : tr("%1 has written no log yet").arg(run->name)
                         : tr("%1 of %2 · %3, %4 · all ranks merged by time")
                               .arg(countText(m_model.rowCount()), tr("%1 lines", nullptr, total).arg(countText(total)),
                                    tr("%n warnings", nullptr, m_model.count(LogModel::Warnings)),
                                    tr("%n errors", nullptr, m_model.count(LogModel::Errors))));
}

void LogsView::showRanks() {
    QList<int> ranks = m_model.ranks();
    if (m_model.rank() >= 0 && !ranks.contains(m_model.rank()))
        ranks << m_model.rank(); // the log has restarted: the chosen rank has not written yet
    QList<int> listed;
    for (int i = 2; i < m_rank->count(); ++i) listed << m_rank->itemData(i).toInt();
    if (m_rank->count() == 0 || listed != ranks) {
        m_rank->clear();
        m_rank->addItem(tr("All ranks"), LogModel::kEveryRank);
        m_rank->addItem(tr("Supervisor"), -1);
        for (const int rank : ranks) m_rank->addItem(tr("Rank %1").arg(rank), rank);
    }
    if (m_rank->currentData().toInt() != m_model.rank())
        m_rank->setCurrentIndex(std::max(0, m_rank->findData(m_model.rank())));
}

void LogsView::goToHit(int direction) {
    const auto& hits = m_model.hits();
    if (hits.isEmpty()) return;
    const int from = m_view->currentIndex().row();
    int target = hits.first();
    if (direction >= 0) {
        const auto at =
            std::find_if(hits.begin(), hits.end(), [&](int hit) { return direction == 0 ? hit >= from : hit > from; });
        target = at == hits.end() ? hits.first() : *at;
    } else {
        const auto at = std::find_if(hits.rbegin(), hits.rend(), [&](int hit) { return hit < from; });
        target = at == hits.rend() ? hits.last() : *at;
    }
    setFollow(false);
    m_view->setCurrentIndex(m_model.index(target));
    m_view->scrollTo(m_model.index(target), QAbstractItemView::PositionAtCenter);
}

void LogsView::copy() {
    auto rows = m_view->selectionModel()->selectedIndexes();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (int row = 0; rows.size() < 2 && row < m_model.rowCount(); ++row)
        lines << m_model.index(row).data(LogModel::TextRole).toString();
    for (qsizetype i = 0; rows.size() >= 2 && i < rows.size(); ++i)
        lines << rows[i].data(LogModel::TextRole).toString();
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    Q_EMIT m_bench.statusMessage(tr("Copied %n lines", nullptr, static_cast<int>(lines.size())), {});
}

void LogsView::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void LogsView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) copy();
    else if (event->key() == Qt::Key_F3) goToHit(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else QWidget::keyPressEvent(event);
}

} // namespace trainyard::ui
