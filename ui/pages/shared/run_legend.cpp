// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/run_legend.h"

#include "ui/forms/fields/field_title.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/runs/run_column.h"
#include "ui/models/text/format.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/choice_picker.h"
#include "ui/widgets/layout.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kLegendLine = 24, kMostLegendName = 220, kMostLegendLines = 2;
constexpr int kMostInLegend = 40; // more are found in the picker alone

// A chip and a name; hollow and grey while its runs are hidden.
class LegendEntryButton : public QAbstractButton {
public:
    explicit LegendEntryButton(QWidget* parent) : QAbstractButton(parent) {
        setCheckable(true);
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::TabFocus);
    }
    void set(const LegendItem& item, bool isShown) {
        m_color = item.color;
        setText(item.name);
        setChecked(isShown);
        setAccessibleName(item.name);
        setToolTip(RunLegend::tr("%1\nClick to hide or show it, with Ctrl to show it alone").arg(item.name));
        const Theme& theme = Theme::current();
        const int name = std::min(QFontMetrics(theme.small).horizontalAdvance(item.name), theme.px(kMostLegendName));
        resize(name + theme.px(26), theme.px(kLegendLine));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (underMouse()) paintFrame(painter, rect(), theme.px(4), theme.hover, {});
        paintRunChip(painter, QPointF(theme.px(10), height() / 2.0), theme.curve(m_color), isChecked());
        painter.setFont(theme.small);
        painter.setPen(isChecked() ? theme.text : theme.text3);
        const QRect room = rect().adjusted(theme.px(20), 0, -theme.px(6), 0);
        painter.drawText(room, Qt::AlignVCenter, elidedName(painter.fontMetrics(), text(), room.width() + 1));
    }

private:
    RunColor m_color{};
};

// An entry for each group, and one for each run that belongs to none.
QList<LegendItem> groupsOf(const QList<CurveStyle>& runs) {
    QList<LegendItem> items;
    QHash<QString, qsizetype> places;
    for (const CurveStyle& run : runs) {
        if (!run.group.isOneLine) {
            items << LegendItem{run.name, run.color, {run.runId}};
            continue;
        }
        const qsizetype place = places.value(run.group.key, items.size());
        places.insert(run.group.key, place);
        if (place == items.size()) items << LegendItem{run.group.name, run.group.color, {}};
        items[place].runs << run.runId;
    }
    return items;
}

quint64 keyOf(const RunColor& color) { return (quint64{color.custom} << 32) | static_cast<quint32>(color.index); }

} // namespace

LegendOfRuns legendOf(const std::vector<RunItemPtr>& runs, const QString& coloredBy) {
    LegendOfRuns byValue{coloredBy, {}};
    QHash<quint64, QString> valueOf;
    for (const RunItemPtr& run : runs) {
        const QString value = localText(run->settings.value(coloredBy));
        const auto same = [&](const LegendItem& item) { return item.name == value; };
        auto at = std::find_if(byValue.items.begin(), byValue.items.end(), same);
        if (at == byValue.items.end()) at = byValue.items.insert(at, {value, run->color, {}});
        const bool fits =
            !value.isEmpty() && at->color == run->color && valueOf.value(keyOf(run->color), value) == value;
        if (!fits) {
            byValue.items.clear();
            break;
        }
        valueOf.insert(keyOf(run->color), value);
        at->runs << run->id;
    }
    if (byValue.items.size() > 1 && byValue.items.size() < static_cast<qsizetype>(runs.size())) {
        std::stable_sort(byValue.items.begin(), byValue.items.end(), [](const LegendItem& a, const LegendItem& b) {
            return a.color.index < b.color.index; // given in the order of the values
        });
        return byValue;
    }
    LegendOfRuns byRun;
    for (const RunItemPtr& run : runs) byRun.items << LegendItem{run->name, run->color, {run->id}};
    return byRun;
}

RunLegend::RunLegend(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    m_title = new Label(QString(), TextRole::SmallSecondary, this);
    auto* more = new QPushButton(this);
    setKind(more, "flat");
    m_more = more;
    setAccessibleName(tr("Legend"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(m_more, &QAbstractButton::clicked, this, &RunLegend::openPicker);
    connect(&ThemeController::instance(), &ThemeController::changed, this, qOverload<>(&QWidget::update));
    rebuild();
}

void RunLegend::setRuns(const QList<CurveStyle>& runs) {
    m_runs = runs;
    QSet<QString> drawn;
    std::vector<RunItemPtr> items;
    for (const CurveStyle& style : runs) {
        drawn.insert(style.runId);
        if (const RunItemPtr run = m_bench.feed.run(style.runId)) items.push_back(run);
    }
    m_hidden.intersect(drawn);
    const QString root = QString::fromStdString(m_bench.feed.workspace().root.string());
    const bool isGrouped =
        std::any_of(runs.begin(), runs.end(), [](const CurveStyle& run) { return run.group.isOneLine; });
    auto legend = isGrouped ? LegendOfRuns{{}, groupsOf(runs)} : legendOf(items, Settings::coloredBy.of(root).get());
    if (legend != m_legend) {
        m_legend = std::move(legend);
        rebuild();
    }
    tellShown();
}

void RunLegend::tellShown() {
    QList<CurveStyle> runs = m_runs;
    runs.removeIf([this](const CurveStyle& style) { return m_hidden.contains(style.runId); });
    Q_EMIT shownChanged(runs);
}

bool RunLegend::isHidden(const LegendItem& item) const {
    return std::all_of(item.runs.begin(), item.runs.end(),
                       [this](const QString& run) { return m_hidden.contains(run); });
}

void RunLegend::rebuild() {
    const auto catalog = m_bench.catalog.catalog();
    const QString& path = m_legend.setting;
    m_title->setText(path.isEmpty() ? QString() : catalog ? settingTitle(path, *catalog) : shortPath(path));
    m_title->setVisible(!path.isEmpty());
    m_title->adjustSize();
    const qsizetype wanted = std::min<qsizetype>(m_legend.items.size(), kMostInLegend);
    while (m_entries.size() > wanted) delete m_entries.takeLast();
    while (m_entries.size() < wanted) {
        auto* entry = new LegendEntryButton(this);
        const qsizetype place = m_entries.size();
        connect(entry, &QAbstractButton::clicked, this, [this, place] {
            const LegendItem item = m_legend.items[place];
            if (QGuiApplication::keyboardModifiers() & Qt::ControlModifier) showOnly(item);
            else toggle(item);
        });
        entry->show();
        m_entries << entry;
    }
    for (qsizetype i = 0; i < wanted; ++i)
        static_cast<LegendEntryButton*>(m_entries[i])->set(m_legend.items[i], !isHidden(m_legend.items[i]));
    setVisible(m_legend.items.size() > 1);
    updateGeometry();
    place(width(), true);
}

// Places the entries in lines, or only measures them; returns the height.
int RunLegend::place(int width, bool move) const {
    const Theme& theme = Theme::current();
    const int line = theme.px(kLegendLine), right = width - theme.px(12);
    int x = theme.px(12) - theme.px(4), y = 0;
    if (!m_legend.setting.isEmpty()) {
        if (move) m_title->setGeometry(x + theme.px(4), 0, m_title->width(), line);
        x += m_title->width() + theme.px(12);
    }
    const auto left = static_cast<int>(m_legend.items.size());
    const QString words = tr("%n more…", nullptr, left);
    const int more = QFontMetrics(theme.medium).horizontalAdvance(words) + theme.px(24);
    int placed = 0;
    for (QAbstractButton* entry : m_entries) {
        const bool isLastLine = y + line >= kMostLegendLines * line;
        const bool isLast = placed + 1 == left;
        if (x + entry->width() > right - (isLastLine && !isLast ? more : 0)) {
            if (isLastLine) break;
            x = theme.px(8), y += line;
        }
        if (move) entry->move(x, y);
        x += entry->width() + theme.px(4);
        ++placed;
    }
    if (move) {
        for (int i = 0; i < m_entries.size(); ++i) m_entries[i]->setVisible(i < placed);
        m_more->setText(tr("%n more…", nullptr, left - placed));
        m_more->setGeometry(x, y, more, line);
        m_more->setVisible(placed < left);
    }
    return y + line + theme.px(8);
}

int RunLegend::heightForWidth(int width) const { return place(width, false); }

QSize RunLegend::sizeHint() const { return {Theme::current().px(200), place(width(), false)}; }

void RunLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place(width(), true);
}

void RunLegend::toggle(const LegendItem& item) {
    const bool show = isHidden(item);
    for (const QString& run : item.runs) {
        if (show) m_hidden.remove(run);
        else m_hidden.insert(run);
    }
    rebuild();
    tellShown();
}

// Once more on the only one that is shown, it shows all.
void RunLegend::showOnly(const LegendItem& item) {
    QSet<QString> others;
    for (const CurveStyle& style : std::as_const(m_runs))
        if (!item.runs.contains(style.runId)) others.insert(style.runId);
    if (m_hidden == others) others.clear();
    m_hidden = others;
    rebuild();
    tellShown();
}

void RunLegend::openPicker() {
    QList<Choice> choices;
    for (qsizetype i = 0; i < m_legend.items.size(); ++i) {
        const LegendItem& item = m_legend.items[i];
        choices << Choice{QString::number(i), item.name, {}, {}, !isHidden(item)};
    }
    auto* picker = new ChoicePicker(tr("Runs to show in the charts"), choices, ChoicePicker::Choose::Several, this);
    connect(picker, &ChoicePicker::chosen, this, [this](const QString& place) {
        if (const auto at = place.toLongLong(); at < m_legend.items.size()) toggle(m_legend.items[at]);
    });
    picker->openBelow(m_more);
}

} // namespace trainyard::ui
