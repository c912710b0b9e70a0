// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/bad_files_sheet.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/programs.h"
#include "engine/run/record/run_folder.h"
#include "ui/models/desktop/background.h"
#include "ui/models/desktop/reveal_file.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/layout.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QListView>
#include <QPainter>
#include <QProcess>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QUrl>

#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kBadRow = 52, kThumbnailSide = 40; // design pixels
enum BadFileRole { FileRole = Qt::UserRole + 1, WhyRole, ThumbnailRole };

// The thumbnail, and beside it the name above the reason.
class BadFileDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {Theme::current().px(200), Theme::current().px(kBadRow)};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        const QRectF row(option.rect);
        painter->save();
        const bool selected = option.state & QStyle::State_Selected;
        if (selected || option.state & QStyle::State_MouseOver)
            painter->fillRect(row, selected ? theme.selection : theme.hover);
        const qreal side = theme.px(kThumbnailSide), left = row.left() + theme.px(16);
        const QRectF box(left, row.center().y() - side / 2, side, side);
        paintFrame(*painter, box, 2, theme.window, theme.border);
        const auto thumbnail = index.data(ThumbnailRole).value<QImage>();
        if (thumbnail.isNull()) paintIcon(*painter, QStringLiteral("image"), centered(box, theme.px(16)), theme.text3);
        else
            painter->drawImage(centered(box, side).center() - QPointF(thumbnail.width(), thumbnail.height()) / 2,
                               thumbnail);
        const QRectF words(box.right() + theme.px(12), row.top(), row.right() - box.right() - theme.px(28),
                           row.height());
        const auto line = [&](const QFont& font, const QColor& color, qreal top, const QString& text,
                              Qt::TextElideMode elide) {
            painter->setFont(font);
            painter->setPen(color);
            const QFontMetricsF metrics(font);
            painter->drawText(QRectF(words.left(), top, words.width(), metrics.lineSpacing()), Qt::AlignVCenter,
                              metrics.elidedText(text, elide, words.width()));
        };
        line(theme.body, theme.text, row.top() + theme.px(8), index.data(FileRole).toString(), Qt::ElideMiddle);
        line(theme.small, theme.text2, row.top() + theme.px(28), index.data(WhyRole).toString(), Qt::ElideRight);
        painter->restore();
    }
};

} // namespace

BadFilesSheet::BadFilesSheet(QWidget* window) : Sheet(window, QSize(860, 600)), m_model(new QStandardItemModel(this)) {
    build();
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
}

BadFilesSheet::~BadFilesSheet() {
    auto* process = std::exchange(m_process, nullptr);
    if (process == nullptr) return;
    process->disconnect(this);
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

void BadFilesSheet::build() {
    panel()->setAccessibleName(tr("Unreadable files"));
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* top = row(head, 8);
    setMargins(top, 16, 8, 8, 8);
    m_title = new Label(tr("Unreadable files"), TextRole::Title);
    top->addWidget(m_title, 1);
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    m_summary = new Label(QString(), TextRole::Secondary);
    m_summary->setWordWrap(true);
    m_summary->setMargin(Theme::current().px(16));
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_list = new QListView;
    m_list->setModel(m_model);
    m_list->setItemDelegate(new BadFileDelegate(m_list));
    m_list->setAccessibleName(tr("Unreadable files"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->viewport()->setAutoFillBackground(false);
    auto* foot = new Surface(SurfaceColor::Panel, TopEdge);
    auto* bottom = row(foot, 8);
    setMargins(bottom, 16, 8, 16, 8);
    m_reveal = button(tr("Show in its folder"), QStringLiteral("folder"));
    m_open = button(tr("Open"), QStringLiteral("eye"));
    bottom->addStretch();
    bottom->addWidget(m_reveal);
    bottom->addWidget(m_open);
    body()->addWidget(head);
    body()->addWidget(m_summary);
    body()->addWidget(m_list, 1);
    body()->addWidget(foot);
    setFirst(m_list);
    const auto open = [this] {
        if (!current().isEmpty()) QDesktopServices::openUrl(QUrl::fromLocalFile(current()));
    };
    connect(m_open, &QPushButton::clicked, this, open);
    connect(m_list, &QListView::activated, this, open); // Return, or a double click
    connect(m_reveal, &QPushButton::clicked, this, [this] {
        if (!current().isEmpty()) revealFile(current());
    });
    fill(BadFiles{});
}

QString BadFilesSheet::current() const { return m_list->currentIndex().data(FileRole).toString(); }

QString BadFilesSheet::summary() const { return m_summary->text(); }

void BadFilesSheet::tell(const QString& words) {
    m_summary->setText(words);
    m_summary->setVisible(!words.isEmpty());
}

void BadFilesSheet::openOf(const RunItemPtr& run, QWidget* window) {
    if (!run) return;
    auto* sheet = new BadFilesSheet(window);
    sheet->showRun(*run);
    sheet->open();
}

void BadFilesSheet::showRun(const RunItem& run) {
    m_title->setText(tr("Unreadable files of %1").arg(run.name));
    inBackground(
        this, [file = run::RunFolder{run.row.folder}.dataErrorsFile()] { return readDataErrors(file); },
        [this](const Result<BadFiles>& found) { fill(found); });
}

void BadFilesSheet::checkFolder(const QString& folder) {
    m_title->setText(tr("Pictures in %1").arg(QFileInfo(folder).fileName()));
    tell(tr("Decoding every picture…"));
    m_process = new QProcess(this);
    connect(m_process, &QProcess::finished, this, [this](int code) {
        auto* process = std::exchange(m_process, nullptr);
        process->deleteLater();
        const QByteArray output = process->readAllStandardOutput();
        fill(code == 0 ? parseFolderCheck(output)
                       : Result<BadFiles>(programError("the worker program", code, output.toStdString(),
                                                       process->readAllStandardError().toStdString())));
    });
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) tell(tr("The worker program was not found beside this one"));
    });
    m_process->start(QString::fromStdString(run::workerProgram().string()),
                     {QStringLiteral("data"), QStringLiteral("check"), folder});
}

void BadFilesSheet::fill(const Result<BadFiles>& found) {
    m_model->clear();
    for (auto* each : {m_open, m_reveal}) each->setEnabled(found && !found->files.isEmpty());
    if (!found) return tell(QString::fromStdString(found.error().text()));
    for (const BadFile& bad : found->files) {
        auto* item = new QStandardItem;
        item->setData(bad.file, FileRole);
        item->setData(bad.why, WhyRole);
        item->setData(tr("%1: %2").arg(bad.file, bad.why), Qt::AccessibleTextRole);
        item->setToolTip(bad.file + QLatin1Char('\n') + bad.why);
        m_model->appendRow(item);
    }
    QStringList lines;
    if (found->pictures > 0 && found->count == 0)
        lines << tr("All %n pictures can be read.", nullptr, static_cast<int>(found->pictures));
    if (found->count > 0) lines << tr("%n files cannot be read.", nullptr, static_cast<int>(found->count));
    if (found->count > found->files.size()) lines << tr("The first %1 are listed.").arg(found->files.size());
    if (found->twice > 0) lines << tr("%n pictures are there twice.", nullptr, static_cast<int>(found->twice));
    if (found->leaks > 0)
        lines << tr("%n of them are in training and in validation or test.", nullptr, static_cast<int>(found->leaks));
    tell(lines.join(QLatin1Char(' ')));
    if (m_model->rowCount() > 0) m_list->setCurrentIndex(m_model->index(0, 0));
    lookAt(0);
}

// One after another, in the background.
void BadFilesSheet::lookAt(int row) {
    if (row >= m_model->rowCount()) return;
    const int side = static_cast<int>(Theme::current().px(kThumbnailSide));
    inBackground(
        this,
        [file = m_model->item(row)->data(FileRole).toString(), side] {
            return std::pair(file, thumbnailOf(file, side));
        },
        [this, row](const std::pair<QString, QImage>& found) {
            if (row >= m_model->rowCount() || m_model->item(row)->data(FileRole) != found.first) return;
            m_model->item(row)->setData(found.second, ThumbnailRole);
            lookAt(row + 1);
        });
}

} // namespace trainyard::ui
