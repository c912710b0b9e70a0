// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/choice_picker.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kWidth = 380, kRow = 28, kMostRows = 14;
constexpr int kMostRecent = 5;
constexpr int kChoiceRole = Qt::UserRole; // its place; -1: a heading

class ChoiceDelegate : public QStyledItemDelegate {
public:
    ChoiceDelegate(const QList<Choice>& choices, QObject* parent) : QStyledItemDelegate(parent), m_choices(choices) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {Theme::current().px(120), Theme::current().px(kRow)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        const int place = index.data(kChoiceRole).toInt();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (place < 0) {
            painter->setFont(theme.small);
            painter->setPen(theme.text3);
            painter->drawText(option.rect.adjusted(theme.px(12), theme.px(4), -theme.px(12), 0), Qt::AlignVCenter,
                              index.data().toString());
        } else {
            paintChoice(*painter, option, m_choices[place]);
        }
        painter->restore();
    }

private:
    static void paintChoice(QPainter& painter, const QStyleOptionViewItem& option, const Choice& choice) {
        const Theme& theme = Theme::current();
        if (option.state & QStyle::State_Selected)
            paintFrame(painter, QRectF(option.rect).adjusted(4, 0, -4, 0), theme.px(3), theme.selection, {});
        QRect text = option.rect.adjusted(theme.px(34), 0, -theme.px(14), 0);
        if (choice.isChecked) {
            const QRectF left(option.rect.left() + theme.px(11), option.rect.top(), theme.px(16), option.rect.height());
            const QRectF mark = mirrored(option.direction, option.rect, left);
            paintIcon(painter, QStringLiteral("check"), centered(mark, theme.px(16)), theme.accentText);
        }
        painter.setFont(theme.body);
        painter.setPen(theme.text);
        const QString shown = painter.fontMetrics().elidedText(choice.text, Qt::ElideMiddle, text.width());
        painter.drawText(mirrored(option.direction, option.rect, text), Qt::AlignVCenter, shown);
        text.setLeft(text.left() + painter.fontMetrics().horizontalAdvance(shown) + theme.px(12));
        painter.setFont(theme.small);
        painter.setPen(theme.text3);
        if (text.width() > theme.px(40))
            painter.drawText(mirrored(option.direction, option.rect, text), Qt::AlignVCenter | Qt::AlignRight,
                             painter.fontMetrics().elidedText(choice.note, Qt::ElideMiddle, text.width()));
    }

    const QList<Choice>& m_choices;
};

bool fits(const Choice& choice, const QStringList& words) {
    const QString all = choice.text + QLatin1Char(' ') + choice.note + QLatin1Char(' ') + choice.section;
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace

QList<PickerRow> pickerRows(const QList<Choice>& choices, const QStringList& recent, const QString& typed) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QList<PickerRow> rows;
    if (words.isEmpty()) {
        for (const QString& key : recent)
            for (int i = 0; i < choices.size() && rows.size() < kMostRecent; ++i)
                if (choices[i].key == key) rows << PickerRow{{}, i};
        if (!rows.isEmpty()) rows.prepend(PickerRow{ChoicePicker::tr("Recent")});
    }
    QString section;
    for (int i = 0; i < choices.size(); ++i) {
        if (!fits(choices[i], words)) continue;
        if (choices[i].section != section && !choices[i].section.isEmpty()) rows << PickerRow{choices[i].section};
        section = choices[i].section;
        rows << PickerRow{{}, i};
    }
    return rows;
}

ChoicePicker::ChoicePicker(const QString& name, QList<Choice> choices, Choose choose, QWidget* parent)
    : QWidget(parent, Qt::Popup | Qt::FramelessWindowHint), m_choices(std::move(choices)), m_choose(choose) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(name);
    build(name);
    fill();
}

void ChoicePicker::build(const QString& name) {
    auto* layout = column(this);
    layout->setContentsMargins(1, 1, 1, 1);
    auto* top = row();
    setMargins(top, 6, 6, 6, 6);
    m_search = new UnitEdit;
    m_search->setLeadingIcon(QStringLiteral("search"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(name);
    top->addWidget(m_search);
    m_list = new QListWidget;
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new ChoiceDelegate(m_choices, m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(name);
    layout->addLayout(top);
    layout->addWidget(m_list, 1);
    if (m_choose == Choose::Several) {
        auto* hint = new Label(tr("Space checks, Enter checks and closes"), TextRole::SmallSecondary);
        hint->setContentsMargins(Theme::current().px(12), Theme::current().px(4), 0, Theme::current().px(6));
        layout->addWidget(hint);
    } else {
        layout->addSpacing(Theme::current().px(4));
    }
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, [this] {
        m_moved = false;
        fill();
    });
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        m_list->setCurrentItem(item);
        if (currentChoice() >= 0) take(m_choose == Choose::One);
    });
    connect(m_list, &QListWidget::itemEntered, this, [this](QListWidgetItem* item) {
        if (item->data(kChoiceRole).toInt() >= 0) m_list->setCurrentItem(item);
    });
}

void ChoicePicker::setRecent(const QStringList& keys) {
    m_recent = keys;
    fill();
}

void ChoicePicker::fill() {
    m_list->clear();
    for (const PickerRow& each : pickerRows(m_choices, m_recent, m_search->text())) {
        const bool isChoice = each.choice >= 0;
        auto* item = new QListWidgetItem(isChoice ? m_choices[each.choice].text : each.heading, m_list);
        item->setData(kChoiceRole, each.choice);
        if (!isChoice) item->setFlags(Qt::NoItemFlags);
        else item->setToolTip(m_choices[each.choice].note);
    }
    if (m_list->count() == 0) {
        auto* nothing = new QListWidgetItem(tr("Nothing matches “%1”").arg(m_search->text().simplified()), m_list);
        nothing->setData(kChoiceRole, -1);
        nothing->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(-1);
    move(1);
}

// To the next choice in this direction, over headings.
void ChoicePicker::move(int rows) {
    const int way = rows < 0 ? -1 : 1;
    int left = std::abs(rows), to = m_list->currentRow(), at = to;
    while (left > 0 && (at += way) >= 0 && at < m_list->count())
        if (m_list->item(at)->data(kChoiceRole).toInt() >= 0) to = at, --left;
    m_list->setCurrentRow(to);
    if (to == 1) m_list->scrollToTop(); // with its heading
}

int ChoicePicker::currentChoice() const {
    const QListWidgetItem* item = m_list->currentItem();
    return item != nullptr ? item->data(kChoiceRole).toInt() : -1;
}

void ChoicePicker::take(bool andClose) {
    const int place = currentChoice();
    if (place < 0) return;
    Choice& choice = m_choices[place];
    choice.isChecked = m_choose == Choose::One || !choice.isChecked;
    const QString key = choice.key;
    const bool on = choice.isChecked;
    m_list->viewport()->update();
    if (andClose) close();
    Q_EMIT chosen(key, on);
}

bool ChoicePicker::handleKey(int key) {
    switch (key) {
    case Qt::Key_Down: move(1); break;
    case Qt::Key_Up: move(-1); break;
    case Qt::Key_PageDown: move(kMostRows - 1); break;
    case Qt::Key_PageUp: move(1 - kMostRows); break;
    case Qt::Key_Return:
    case Qt::Key_Enter: take(true); return true;
    case Qt::Key_Escape: close(); return true;
    case Qt::Key_Space:
        if (m_choose == Choose::One || (!m_moved && !m_search->text().isEmpty())) return false;
        take(false);
        break;
    default: return false;
    }
    m_moved = true;
    return true;
}

bool ChoicePicker::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent*>(event)->key())) return true;
    return QWidget::eventFilter(watched, event);
}

void ChoicePicker::openBelow(const QWidget* button) { openAt(button->mapToGlobal(QPoint(0, button->height() + 2))); }

void ChoicePicker::openAt(const QPoint& position) {
    const Theme& theme = Theme::current();
    const int rows = std::clamp(m_list->count(), 3, kMostRows);
    const int hint = m_choose == Choose::Several ? theme.px(26) : theme.px(4);
    QRect place(position, QSize(theme.px(kWidth), theme.px(42) + rows * theme.px(kRow) + hint));
    const QRect screen = parentWidget()->screen()->availableGeometry();
    place.moveRight(std::min(place.right(), screen.right() - theme.px(4)));
    place.moveBottom(std::min(place.bottom(), screen.bottom() - theme.px(4)));
    place.moveTopLeft({std::max(place.left(), screen.left()), std::max(place.top(), screen.top())});
    setGeometry(place);
    show();
    m_search->setFocus();
}

void ChoicePicker::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.borderStrong);
    painter.fillRect(rect().adjusted(1, 1, -1, -1), theme.raised);
}

} // namespace trainyard::ui
