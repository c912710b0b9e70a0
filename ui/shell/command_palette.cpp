// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>

namespace trainyard::ui {

namespace {

constexpr int kMost = 12; // rows shown; more words narrow it down
constexpr std::size_t kMostFound = 200;

class CommandDelegate : public QStyledItemDelegate {
public:
    CommandDelegate(const std::vector<Command>& commands, QObject* parent)
        : QStyledItemDelegate(parent), m_commands(commands) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {Theme::current().px(200), Theme::current().px(28)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        if (!(option.state & QStyle::State_Enabled)) return paintNote(*painter, option.rect, index.data().toString());
        const Command& command = m_commands[index.data(Qt::UserRole).toULongLong()];
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRect rect = option.rect;
        if (option.state & QStyle::State_Selected)
            paintFrame(*painter, QRectF(rect).adjusted(4, 0, -4, 0), theme.px(3), theme.selection, {});
        const qreal side = theme.px(16);
        const auto placed = [&](const QRectF& box) { return mirrored(option.direction, rect, box); };
        const QRectF mark = placed(QRectF(rect.left() + theme.px(12), rect.center().y() - side / 2 + 0.5, side, side));
        if (command.chip.isValid()) paintRunChip(*painter, mark.center(), command.chip, true);
        else paintIcon(*painter, command.iconName, mark, theme.text2);
        const QRect text = rect.adjusted(theme.px(38), 0, -theme.px(14), 0);
        painter->setFont(theme.body);
        painter->setPen(theme.text);
        painter->drawText(placed(text), Qt::AlignVCenter, command.text);
        const int width = painter->fontMetrics().horizontalAdvance(command.text);
        painter->setFont(theme.small);
        painter->setPen(theme.text2);
        painter->drawText(placed(text.adjusted(width + theme.px(10), 0, -theme.px(80), 0)), Qt::AlignVCenter,
                          command.note);
        painter->drawText(placed(text), Qt::AlignVCenter | Qt::AlignRight, command.keys);
        painter->restore();
    }

private:
    static void paintNote(QPainter& painter, const QRect& rect, const QString& text) {
        const Theme& theme = Theme::current();
        const QRect room = rect.adjusted(theme.px(12), 0, -theme.px(14), 0);
        painter.setFont(theme.body);
        painter.setPen(theme.text2);
        painter.drawText(room, Qt::AlignVCenter, painter.fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
    }

    const std::vector<Command>& m_commands;
};

// How well a command matches the typed text: equals it, begins with it, has a word that begins with it, or contains it.
int distanceOf(const Command& command, const QString& typed) {
    const QString& name = command.name.isEmpty() ? command.text : command.name;
    if (name.compare(typed, Qt::CaseInsensitive) == 0) return 0;
    if (name.startsWith(typed, Qt::CaseInsensitive)) return 1;
    return name.contains(QLatin1Char(' ') + typed, Qt::CaseInsensitive) ? 2 : 3;
}

} // namespace

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget* window)
    : QWidget(window, Qt::Popup | Qt::FramelessWindowHint), m_commands(std::move(commands)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Search runs and commands"));
    auto* layout = column(this);
    layout->setContentsMargins(1, 1, 1, 1);
    auto* top = row();
    setMargins(top, 6, 6, 6, 6);
    m_edit = new UnitEdit;
    m_edit->setLeadingIcon(QStringLiteral("search"));
    m_edit->setPlaceholderText(tr("Search runs, or type a command"));
    m_edit->setAccessibleName(tr("Search runs, or type a command"));
    top->addWidget(m_edit);
    m_list = new QListWidget;
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new CommandDelegate(m_commands, m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addLayout(top);
    layout->addWidget(m_list);
    layout->addSpacing(Theme::current().px(4));
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { run(m_list->row(item)); });
    connect(m_list, &QListWidget::itemEntered, m_list, qOverload<QListWidgetItem*>(&QListWidget::setCurrentItem));
    filter({});
}

void CommandPalette::openBelow(QWidget* field) {
    const Theme& theme = Theme::current();
    const int width = std::max(field->width(), theme.px(480));
    const QPoint at = field->mapToGlobal(QPoint((field->width() - width) / 2, -theme.px(6)));
    setGeometry(QRect(at, QSize(width, theme.px(28 + 18) + kMost * theme.px(28))));
    filter(m_edit->text());
    show();
    m_edit->setFocus();
}

void CommandPalette::filter(const QString& text) {
    const auto words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    m_list->clear();
    std::vector<std::pair<int, std::size_t>> found; // best match first, else in order
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        const Command& each = m_commands[i];
        const QString all = QStringList{each.text, each.note, each.untranslated}.join(QLatin1Char(' '));
        if (std::all_of(words.begin(), words.end(),
                        [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); }))
            found.emplace_back(distanceOf(m_commands[i], text.simplified()), i);
    }
    std::sort(found.begin(), found.end());
    if (found.size() > kMostFound) found.resize(kMostFound);
    for (const auto& [distance, i] : found) {
        auto* item = new QListWidgetItem(m_commands[i].text, m_list);
        item->setData(Qt::UserRole, QVariant::fromValue(static_cast<qulonglong>(i)));
    }
    if (m_list->count() == 0)
        (new QListWidgetItem(tr("Nothing matches “%1”").arg(text.simplified()), m_list))->setFlags(Qt::NoItemFlags);
    m_list->setCurrentRow(0);
    const Theme& theme = Theme::current();
    const int rows = std::clamp(m_list->count(), 1, kMost);
    resize(width(), theme.px(40) + rows * theme.px(28) + theme.px(8));
}

void CommandPalette::run(int row) {
    if (auto* item = m_list->item(row); item != nullptr && item->flags() != Qt::NoItemFlags) {
        const auto act = m_commands[item->data(Qt::UserRole).toULongLong()].act;
        close();
        act();
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Down: m_list->setCurrentRow(std::min(m_list->currentRow() + 1, m_list->count() - 1)); return true;
        case Qt::Key_Up: m_list->setCurrentRow(std::max(m_list->currentRow() - 1, 0)); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: run(m_list->currentRow()); return true;
        case Qt::Key_Escape: close(); return true;
        default: break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.borderStrong);
    painter.fillRect(rect().adjusted(1, 1, -1, -1), theme.raised);
}

} // namespace trainyard::ui
