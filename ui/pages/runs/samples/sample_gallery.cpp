// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/samples/sample_gallery.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/inputs/drop_zone.h"
#include "ui/widgets/layout.h"

#include <QJsonArray>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace trainyard::ui {

namespace {

constexpr int kTileWidth = 100, kPicture = 56, kTileHeight = 100, kRowHeight = 24; // design pixels
constexpr std::size_t kAskedAtOnce = 64;

// An image with prediction and true class, or one line of a table or a text.
class SampleDelegate : public QStyledItemDelegate {
public:
    SampleDelegate(const SampleList& samples, QObject* parent) : QStyledItemDelegate(parent), m_samples(samples) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        const Theme& theme = Theme::current();
        return m_samples.hasImages() ? QSize(theme.px(kTileWidth), theme.px(kTileHeight))
                                     : QSize(theme.px(200), theme.px(kRowHeight));
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        const bool selected = option.state & QStyle::State_Selected;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (selected || (option.state & QStyle::State_MouseOver))
            paintFrame(*painter, QRectF(option.rect).adjusted(1, 1, -1, -1), theme.px(4),
                       selected ? theme.selection : theme.hover, {});
        if (m_samples.hasImages()) paintTile(*painter, option.rect, index, selected);
        else paintRow(*painter, option.rect, index, selected);
        painter->restore();
    }

private:
    static QString word(const QModelIndex& index, int role) { return index.data(role).toString(); }

    static void paintTile(QPainter& painter, const QRect& rect, const QModelIndex& index, bool selected) {
        const Theme& theme = Theme::current();
        const int pad = theme.px(5);
        const QRect inner = rect.adjusted(pad, pad, -pad, -pad);
        const QRect place(inner.center().x() - theme.px(kPicture) / 2, inner.top(), theme.px(kPicture),
                          theme.px(kPicture));
        const auto picture = index.data(SampleList::ImageRole).value<QImage>();
        if (picture.isNull()) painter.fillRect(place, theme.track);
        else paintSample(painter, place, picture);
        painter.setFont(theme.small);
        const QFontMetrics metrics = painter.fontMetrics();
        const int line = theme.px(16);
        QRect text(inner.left(), place.bottom() + 1 + theme.px(2), inner.width(), line);
        painter.setPen(theme.text);
        const QString share = QLatin1Char(' ') + word(index, SampleList::ConfidenceRole);
        const int room = text.width() - metrics.horizontalAdvance(share); // the name is elided, never the number
        painter.drawText(text, Qt::AlignHCenter | Qt::AlignVCenter,
                         metrics.elidedText(word(index, SampleList::PredictedRole), Qt::ElideRight, room) + share);
        text.translate(0, line);
        painter.setPen(selected ? theme.text2 : theme.text3);
        const QString truth = SampleGallery::tr("is %1").arg(word(index, SampleList::TruthRole));
        painter.drawText(text, Qt::AlignHCenter | Qt::AlignVCenter,
                         metrics.elidedText(truth, Qt::ElideRight, text.width()));
    }

    static void paintRow(QPainter& painter, const QRect& rect, const QModelIndex& index, bool selected) {
        const Theme& theme = Theme::current();
        const QRect inner = rect.adjusted(theme.px(12), 0, -theme.px(12), 0);
        painter.setFont(theme.small);
        const QFontMetrics metrics = painter.fontMetrics();
        QString words =
            word(index, SampleList::PredictedRole) + QLatin1Char(' ') + word(index, SampleList::ConfidenceRole);
        if (const QString truth = word(index, SampleList::TruthRole); !truth.isEmpty())
            words = SampleGallery::tr("%1, is %2").arg(words.trimmed(), truth);
        QString text = word(index, SampleList::TextRole);
        text.replace(QLatin1Char('\n'), QStringLiteral(" ↵ "));
        const int half = std::min(inner.width() / 2, theme.px(260)); // what was said comes before what it was said of
        const int room =
            text.isEmpty() ? inner.width() : std::clamp(metrics.horizontalAdvance(words), half, inner.width());
        painter.setPen(theme.text);
        painter.drawText(QRect(inner.left(), rect.top(), room, rect.height()), Qt::AlignVCenter,
                         metrics.elidedText(words, Qt::ElideRight, room));
        painter.setFont(theme.mono);
        painter.setPen(selected ? theme.text2 : theme.text3);
        const QRect rest = inner.adjusted(room + theme.px(12), 0, 0, 0);
        painter.drawText(rest, Qt::AlignVCenter, painter.fontMetrics().elidedText(text, Qt::ElideRight, rest.width()));
    }

    const SampleList& m_samples;
};

} // namespace

SampleGallery::SampleGallery(AnswerProcess& worker, QWidget* parent)
    : Card(tr("Most wrong"), parent), m_worker(worker) {
    m_filter = iconButton(QStringLiteral("close"), tr("Show the most wrong of all"));
    addAction(m_filter);
    connect(m_filter, &QToolButton::clicked, this, &SampleGallery::filterCleared);
    m_problem = new Label(QString(), TextRole::SmallError);
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(Theme::current().px(12), 0, Theme::current().px(12), Theme::current().px(4));
    m_view = new QListView;
    m_view->setModel(&m_samples);
    m_view->setItemDelegate(new SampleDelegate(m_samples, m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setResizeMode(QListView::Adjust);
    m_view->setMouseTracking(true);
    m_view->setUniformItemSizes(true);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->viewport()->setAutoFillBackground(false);
    m_view->setMinimumHeight(Theme::current().px(kTileHeight));
    m_view->setMinimumWidth(Theme::current().px(2 * kTileWidth + 16)); // two tiles and the scroll bar
    body()->setContentsMargins(Theme::current().px(6), 0, 1, Theme::current().px(6));
    body()->addWidget(m_problem);
    body()->addWidget(m_view, 1);
    connect(m_view, &QListView::clicked, this, &SampleGallery::tell);
    connect(m_view, &QListView::activated, this, &SampleGallery::tell);
    setContent({});
}

void SampleGallery::setContent(GalleryContent content) {
    const run::Example* before = m_samples.at(m_view->currentIndex().row());
    const std::int64_t chosen = before ? before->index : -1;
    m_content = std::move(content);
    setTitle(m_content.title);
    setNote(m_content.note);
    m_filter->setVisible(m_content.filtered);
    m_view->setAccessibleName(m_content.title + QLatin1Char(' ') + m_content.note);
    m_problem->hide();
    m_samples.setExamples(m_content.examples, m_content.classes,
                          m_content.run + QLatin1Char('/') + QLatin1String(partWord(m_content.part)));
    for (int row = 0; row < m_samples.rowCount(); ++row)
        if (m_samples.at(row)->index == chosen) m_view->setCurrentIndex(m_samples.index(row));
    arrange();
    askForSamples();
}

// Images side by side, lines below one another.
void SampleGallery::arrange() {
    const bool tiles = m_samples.hasImages();
    m_view->setFlow(tiles ? QListView::LeftToRight : QListView::TopToBottom);
    m_view->setWrapping(tiles);
    m_view->doItemsLayout();
}

void SampleGallery::askForSamples() {
    if (m_content.checkpoint.isEmpty()) return;
    const auto wanted = m_samples.wanted();
    for (std::size_t begin = 0; begin < wanted.size(); begin += kAskedAtOnce) {
        QJsonArray indices;
        for (std::size_t i = begin; i < std::min(wanted.size(), begin + kAskedAtOnce); ++i)
            indices << static_cast<qint64>(wanted[i]);
        const QJsonObject question{{QStringLiteral("do"), QStringLiteral("samples")},
                                   {QStringLiteral("checkpoint"), m_content.checkpoint},
                                   {QStringLiteral("part"), QLatin1String(partWord(m_content.part))},
                                   {QStringLiteral("indices"), indices}};
        m_worker.ask(question, this, [this, of = m_samples.of()](Result<WorkerAnswer> answer) {
            if (answer) {
                m_samples.take(answer->body, of);
                return arrange();
            }
            m_samples.forgetMissing();
            if (of != m_samples.of()) return;
            m_problem->setText(
                tr("The samples cannot be shown: %1").arg(QString::fromStdString(answer.error().text())));
            m_problem->show();
        });
    }
}

void SampleGallery::tell(const QModelIndex& index) {
    const run::Example* example = m_samples.at(index.row());
    if (example == nullptr) return;
    const QString name = QLatin1String(partWord(m_content.part)) + QLatin1Char('/') + QString::number(example->index);
    Q_EMIT chosen({QStringLiteral("data:") + name, name, m_samples.imageAt(index.row())});
}

} // namespace trainyard::ui
