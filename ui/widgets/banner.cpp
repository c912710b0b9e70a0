// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QVariantAnimation>
#include <QVBoxLayout>

namespace trainyard::ui {

namespace {

constexpr int kNarrow = 620;

QString iconFor(Status status) {
    switch (status) {
    case Status::Error: return QStringLiteral("error");
    case Status::Warn: return QStringLiteral("warning");
    case Status::Success: return QStringLiteral("check-circle");
    default: return QStringLiteral("info");
    }
}

} // namespace

Banner::Banner(Status status, const QString& cause, const QString& evidence, QWidget* parent)
    : QWidget(parent), m_status(status) {
    const Theme& theme = Theme::current();
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(theme.px(13 + 16 + 10), theme.px(11), theme.px(13), theme.px(11));
    m_row->setSpacing(theme.px(10));
    auto* text = new QVBoxLayout;
    text->setSpacing(0);
    m_cause = new Label(QString(), TextRole::Heading);
    m_cause->setMinimumHeight(theme.px(20));
    m_cause->setWordWrap(true);
    m_evidence = new Label(QString(), TextRole::SmallSecondary);
    m_evidence->setMinimumHeight(theme.px(16));
    m_evidence->setWordWrap(true);
    m_evidence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->addWidget(m_cause);
    text->addWidget(m_evidence);
    m_row->addLayout(text, 1);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(theme.px(8));
    m_row->addLayout(m_buttons);
    m_row->setAlignment(m_buttons, Qt::AlignTop);
    // As high as its text needs at its width; Maximum would cut it off at the height of the size hint.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMessage(status, cause, evidence);
}

void Banner::setMessage(Status status, const QString& cause, const QString& evidence) {
    m_status = status;
    m_cause->setText(cause);
    m_evidence->setText(evidence);
    m_evidence->setVisible(!evidence.isEmpty());
    setAccessibleName(cause);
    setAccessibleDescription(evidence);
    update();
}

QPushButton* Banner::addButton(const QString& text, bool primary) {
    auto* button = new QPushButton(text);
    if (primary && m_status == Status::Error) setKind(button, "primary");
    m_buttons->addWidget(button);
    return button;
}

void Banner::clearButtons() {
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void Banner::setClosable(bool on) {
    if (on && m_close == nullptr) {
        m_close = new QPushButton;
        setButtonIcon(m_close, QStringLiteral("close"));
        setKind(m_close, "flat");
        m_close->setFixedSize(Theme::current().px(20), Theme::current().px(20));
        m_close->setAccessibleName(tr("Dismiss"));
        m_close->setToolTip(tr("Dismiss"));
        connect(m_close, &QPushButton::clicked, this, [this] {
            hide();
            Q_EMIT dismissed();
        });
        m_row->addWidget(m_close, 0, Qt::AlignTop);
    } else if (m_close != nullptr) {
        m_close->setVisible(on);
    }
}

void Banner::appear() {
    show();
    if (style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0) return;
    auto* fade = new QVariantAnimation(this);
    fade->setDuration(150);
    fade->setStartValue(1.0);
    fade->setEndValue(0.0);
    connect(fade, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_veil = value.toDouble();
        update();
    });
    fade->start(QAbstractAnimation::DeleteWhenStopped);
}

// Where the text would have less than half, the buttons stand above one another, the primary one at the top.
void Banner::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_buttons->setDirection(width() < Theme::current().px(kNarrow) ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight);
}

void Banner::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const StatusColors colors = theme.status(m_status);
    QPainter painter(this);
    painter.setOpacity(1 - m_veil);
    paintFrame(painter, rect(), 6, colors.background, colors.border);
    paintIcon(painter, iconFor(m_status),
              mirrored(layoutDirection(), rect(), QRectF(theme.px(13), theme.px(13), theme.px(16), theme.px(16))),
              colors.text);
}

} // namespace trainyard::ui
