// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/sample_card.h"

#include "ui/models/desktop/file_question.h"
#include "ui/widgets/inputs/drop_zone.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/prediction_bars.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMimeData>

namespace trainyard::ui {

SampleCard::SampleCard(const SampleCardWords& words, QWidget* parent)
    : Card(words.title, parent), m_filters(words.filters),
      m_zone(new DropZone(tr("Drop or paste an image, a row or a text"))), m_bars(new PredictionBars),
      m_edit(new UnitEdit), m_error(new Label(QString(), TextRole::SmallError)),
      m_chooser(button(tr("Choose…"), QStringLiteral("folder"), "flat")) {
    m_chooser->setToolTip(words.choose);
    m_chooser->setAccessibleName(words.chooseName);
    connect(m_chooser, &QPushButton::clicked, this, &SampleCard::choose);
    auto* inside = new QWidget;
    m_inside = column(inside, 8);
    setMargins(m_inside, 12, 0, 12, 10);
    auto* line = row(nullptr, 12);
    line->addWidget(m_zone, 0, Qt::AlignTop);
    line->addWidget(m_bars, 1, Qt::AlignTop);
    m_inside->addLayout(line);
    m_edit->setPlaceholderText(words.typed);
    m_edit->setAccessibleName(words.typedName);
    m_edit->setAcceptDrops(false); // the whole page accepts drops
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::returnPressed, this, [this] { takeSample(sampleOfText(m_edit->text(), task())); });
    m_inside->addWidget(m_edit);
    m_error->setWordWrap(true);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_error->hide();
    m_inside->addWidget(m_error);
    body()->addWidget(inside);
    body()->addStretch();
}

void SampleCard::addBelowBars(QWidget* widget) { m_inside->insertWidget(1, widget); }

void SampleCard::take(const QMimeData& given) { takeSample(sampleOfMime(given, task(), m_pasted.path())); }

void SampleCard::paste() {
    if (const QMimeData* held = QApplication::clipboard()->mimeData()) take(*held);
}

void SampleCard::choose() {
    askForFiles(this, {.title = tr("Choose a sample"), .filters = {m_filters}},
                [this](const ChosenFiles& file) { takeSample(sampleOfFile(file.path())); });
}

void SampleCard::setInviting(bool inviting) { m_zone->setInviting(inviting); }

// A line edit pastes only text.
bool SampleCard::eventFilter(QObject* watched, QEvent* event) {
    const QMimeData* held = QApplication::clipboard()->mimeData();
    const bool pastes = event->type() == QEvent::KeyPress && held && (held->hasImage() || held->hasUrls()) &&
                        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Paste);
    if (!pastes) return Card::eventFilter(watched, event);
    paste();
    return true;
}

void SampleCard::showSample(const AskedSample& sample, const QImage& picture, const QString& caption) {
    if (m_edit->text() != sample.title) m_edit->setText(sample.title);
    m_zone->setContent(picture, caption);
}

void SampleCard::clearSample() {
    m_edit->clear();
    m_zone->setContent({});
}

QString SampleCard::error() const { return m_error->text(); }

void SampleCard::fail(const QString& why) {
    m_error->setText(why);
    m_error->setVisible(!why.isEmpty());
}

} // namespace trainyard::ui
