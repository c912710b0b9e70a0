// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/chart_bar.h"

#include "ui/models/desktop/settings.h"
#include "ui/theme/icon.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QActionGroup>
#include <QMenu>
#include <QResizeEvent>

namespace trainyard::ui {

namespace {

constexpr int kLongestName = 60; // of a view's name
constexpr int kMostBarColumns = 4;

QToolButton* barMenu(const QString& iconName) {
    auto* button = new QToolButton;
    button->setIcon(icon(iconName));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(new QMenu(button));
    setKind(button, "flat");
    return button;
}

} // namespace

ChartBar::ChartBar(QWidget* parent) : QWidget(parent) {
    const Theme& theme = Theme::current();
    m_search = new UnitEdit;
    m_search->setLeadingIcon(QStringLiteral("search"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search charts"));
    m_search->setToolTip(tr("Shows the charts whose series names contain all these words.  Ctrl+Shift+F"));
    m_search->setMinimumWidth(theme.px(120));
    m_search->setMaximumWidth(theme.px(240));
    m_count = new Label(QString(), TextRole::SmallSecondary);
    m_hidden = barMenu(QStringLiteral("eye"));
    m_hidden->setObjectName(QStringLiteral("hiddenCharts"));
    m_hidden->setToolTip(tr("Hidden charts; choose one to show it again"));
    m_hidden->hide();
    m_views = barMenu(QStringLiteral("columns"));
    m_views->setObjectName(QStringLiteral("chartViews"));
    m_views->setToolTip(tr("Saved views: the charts shown, their order, and how they are drawn"));
    auto* layout = row(this, 8);
    setMargins(layout, 12, 0, 12, 8);
    layout->addWidget(m_search, 1);
    layout->addWidget(m_count);
    layout->addStretch(1);
    layout->addWidget(m_hidden);
    layout->addWidget(buildColumns());
    layout->addWidget(m_views);
    auto* save = iconButton(QStringLiteral("export"), tr("Export charts or points"), QStringLiteral("Ctrl+E"));
    layout->addWidget(save);
    connect(save, &QToolButton::clicked, this,
            [this, save] { Q_EMIT exportRequested(save->mapToGlobal(QPoint(0, save->height()))); });
    connect(m_search, &QLineEdit::textChanged, this, &ChartBar::searchChanged);
    connect(m_hidden->menu(), &QMenu::aboutToShow, this, &ChartBar::fillHidden);
    connect(m_views->menu(), &QMenu::aboutToShow, this, &ChartBar::fillViews);
    setViews({}, {}, false);
}

QToolButton* ChartBar::buildColumns() {
    auto* size = barMenu(QStringLiteral("table"));
    size->setObjectName(QStringLiteral("chartColumns"));
    size->setToolButtonStyle(Qt::ToolButtonIconOnly);
    size->setToolTip(tr("Size of the charts"));
    size->setAccessibleName(tr("Size of the charts"));
    auto* choice = new QActionGroup(size);
    for (int columns = 0; columns <= kMostBarColumns; ++columns) {
        const QString text = columns == 0 ? tr("As many columns as fit") : tr("%n columns", nullptr, columns);
        QAction* entry = size->menu()->addAction(text, this, [this, columns] {
            Settings::curvesColumns.set(columns);
            Q_EMIT columnsChosen(columns);
        });
        entry->setCheckable(true);
        entry->setChecked(columns == Settings::curvesColumns.get());
        choice->addAction(entry);
    }
    return size;
}

QString ChartBar::search() const { return m_search->text(); }

void ChartBar::setSearch(const QString& words) { m_search->setText(words); }

void ChartBar::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void ChartBar::setCounts(int shown, int all) {
    m_count->setText(m_search->text().trimmed().isEmpty() ? QString() : tr("%1 of %2 charts").arg(shown).arg(all));
}

void ChartBar::setHidden(const QList<std::pair<QString, QString>>& charts) {
    m_hiddenCharts = charts;
    m_hidden->setText(tr("Hidden: %1").arg(charts.size()));
    m_hidden->setAccessibleName(tr("Hidden charts: %1").arg(charts.size()));
    m_hidden->setVisible(!charts.isEmpty());
}

void ChartBar::fillHidden() {
    QMenu* menu = m_hidden->menu();
    menu->clear();
    for (const auto& [id, title] : std::as_const(m_hiddenCharts))
        menu->addAction(title, this, [this, chart = id] { Q_EMIT showRequested(chart); });
    if (m_hiddenCharts.size() < 2) return;
    menu->addSeparator();
    menu->addAction(tr("Show all"), this, [this] { Q_EMIT showRequested(QString()); });
}

void ChartBar::setViews(const QStringList& names, const QString& current, bool changed) {
    m_names = names;
    m_current = names.contains(current) ? current : QString();
    m_changed = changed;
    const QString name = m_current.isEmpty() ? tr("Standard") : m_current;
    const QString shown = fontMetrics().elidedText(name, Qt::ElideRight, Theme::current().px(140));
    m_views->setText(changed ? tr("View: %1, changed").arg(shown) : tr("View: %1").arg(shown));
    m_views->setAccessibleName(changed ? tr("View: %1, changed").arg(name) : tr("View: %1").arg(name));
}

void ChartBar::askForName(const QString& title, const QString& label, const QString& name,
                          const std::function<void(const QString&)>& then) {
    auto* sheet = new AskSheet(this, title, label, tr("Save"));
    sheet->askForLine(name, [then](const QString& text) {
        if (const QString given = text.simplified().left(kLongestName); !given.isEmpty()) then(given);
    });
    sheet->open();
}

void ChartBar::fillViews() {
    QMenu* menu = m_views->menu();
    menu->clear();
    const auto add = [&](const QString& text, const QString& name) {
        auto* line = menu->addAction(text, this, [this, name] { Q_EMIT viewRequested(name); });
        line->setCheckable(true);
        line->setChecked(name == m_current);
    };
    add(tr("Standard"), QString());
    for (const QString& name : std::as_const(m_names)) add(QString(name).replace(QLatin1Char('&'), "&&"), name);
    menu->addSeparator();
    if (!m_current.isEmpty() && m_changed)
        menu->addAction(tr("Save the changes"), this, [this] { Q_EMIT saveRequested(m_current); });
    menu->addAction(tr("Save as a new view…"), this, [this] {
        askForName(tr("Save view"), tr("Name of the view; it replaces a view of the same name:"), QString(),
                   [this](const QString& name) { Q_EMIT saveRequested(name); });
    });
    if (m_current.isEmpty()) return;
    menu->addAction(tr("Rename this view…"), this, [this] {
        askForName(tr("Rename view"), tr("New name of “%1”:").arg(m_current), m_current,
                   [this, name = m_current](const QString& now) { Q_EMIT renameRequested(name, now); });
    });
    menu->addAction(tr("Delete this view"), this, [this] { Q_EMIT removeRequested(m_current); });
}

// Where the bar is narrow, the count goes first.
void ChartBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_count->setVisible(event->size().width() >= Theme::current().px(420));
}

} // namespace trainyard::ui
