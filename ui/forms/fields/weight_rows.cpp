// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/weight_rows.h"

#include "engine/run/start/quick_head.h"
#include "ui/forms/fields/field_fold.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/forms/fields/layer_locks.h"
#include "ui/models/new_run/layer_freeze.h"
#include "ui/models/new_run/training_source.h"
#include "ui/models/text/engine_text.h"
#include "ui/widgets/inputs/path_field.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

enum WeightField { File, Head, Freeze, Thaw };

// Pictures with a longer side of this many pixels are photos, which a small size would spoil.
constexpr int kLargeSide = 160, kSideOfWeights = 224;

// Text with a button to its right, in the column of the fields.
QWidget* offerRow(Label* words, const QList<QPushButton*>& buttons) {
    const Theme& theme = Theme::current();
    auto* holder = new QWidget;
    auto* stack = column(holder, 4);
    stack->setContentsMargins(FormGrid::fieldStart(), theme.px(2), theme.px(VaryToggle::kWidth), theme.px(4));
    words->setWordWrap(true);
    stack->addWidget(words);
    auto* line = row();
    line->setSpacing(theme.px(8));
    for (QPushButton* each : buttons) line->addWidget(each);
    line->addStretch();
    stack->addLayout(line);
    holder->hide();
    return holder;
}

} // namespace

QStringList WeightRows::paths() {
    return {QStringLiteral("model.weights.file"), QStringLiteral("model.weights.head"),
            QStringLiteral("finetune.freeze"), QStringLiteral("finetune.thawAtEpoch")};
}

WeightRows::WeightRows(const spec::Catalog& catalog, const QList<ParamField*>& fields, QWidget* parent)
    : QWidget(parent), m_catalog(catalog), m_fields(fields), m_inner(new QWidget),
      m_words(new Label(QString(), TextRole::SmallSecondary)), m_take(button(QString())), m_size(button(QString())),
      m_quick(button(tr("Quick head"), QStringLiteral("play"))), m_locks(new LayerLocks) {
    auto* layout = column(this, 4);
    auto* inner = column(m_inner, 4);
    auto* grid = new FormGrid(FormGrid::Varied);
    for (qsizetype i = 0; i < fields.size(); ++i) grid->addParam(fields[i], {paths()[i]});
    fields[File]->setEmptyWords(tr("random weights"));
    fields[Freeze]->setEmptyWords(tr("nothing"));
    fields[File]->pathField()->setPatterns(filePatterns(TrainingSource::Weights));
    inner->addWidget(grid);
    m_quick->setToolTip(tr("Start a run that trains the last layer alone, on what the rest of the model says of each "
                           "sample, computed once. AdamW takes the place of SGD. Then “Train on from here” trains all "
                           "of it."));
    m_quickRow = offerRow(
        new Label(tr("%n epochs of the last layer alone, in seconds", nullptr, static_cast<int>(run::kEpochsOfHead)),
                  TextRole::SmallSecondary),
        {m_quick});
    inner->addWidget(m_quickRow);
    auto* locks = new FormGrid(FormGrid::Varied);
    locks->addRow(tr("Layers"), m_locks);
    m_lockRow = locks;
    m_lockRow->hide();
    inner->addWidget(m_lockRow);
    layout->addWidget(m_inner);
    m_offer = offerRow(m_words, {m_take, m_size});
    layout->addWidget(m_offer);
    connect(m_quick, &QPushButton::clicked, this, &WeightRows::quickHeadRequested);
    connect(m_take, &QPushButton::clicked, this, &WeightRows::take);
    connect(m_size, &QPushButton::clicked, this, [this] { Q_EMIT offerTaken({}, kSideOfWeights); });
    connect(&m_look, &WeightsLook::changed, this, &WeightRows::refresh);
    connect(m_locks, &LayerLocks::toggled, this, [this](const QString& block, bool frozen) {
        if (m_preview)
            Q_EMIT freezeChosen(freezeWith(
                QString::fromStdString(spec::toText(m_fields[Freeze]->value().valueOr(spec::Value(std::string())))),
                m_locks->blocks(), m_preview->head, block, frozen));
    });
}

bool WeightRows::isNeeded() const {
    return std::any_of(m_fields.begin(), m_fields.end(), [](const ParamField* field) { return needsRow(*field); });
}

void WeightRows::follow(const spec::RunSpec& spec, bool sweeping) {
    m_spec = spec;
    m_sweeping = sweeping;
    m_look.ask(QString::fromStdString(spec.weights.file));
    refresh();
}

void WeightRows::setPreview(const Preview* preview) {
    m_preview = preview ? std::optional(*preview) : std::nullopt;
    if (preview) m_locks->setBlocks(preview->blocks);
    refresh();
}

void WeightRows::refresh() {
    const bool hasWeights = !m_spec.weights.file.empty();
    m_lockRow->setVisible(m_locks->blocks().size() > 1 && !offered() &&
                          (hasWeights || !m_spec.finetune.freeze.empty()));
    m_quickRow->setVisible(hasWeights && !m_sweeping && m_preview && !m_preview->head.isEmpty() &&
                           !run::isQuickHead(m_spec) && !offered());
    refreshOffer();
}

bool WeightRows::hasUsualSize() const {
    const auto* entry = spec::Catalog::find(m_catalog.datasets, m_spec.dataset.name);
    const auto isUsual = [&](const char* side) {
        const auto* info = entry ? entry->find(side) : nullptr;
        const auto set = m_spec.dataset.params.find(side);
        return info && (set == m_spec.dataset.params.end() || set->second == info->defaultValue);
    };
    return isUsual("width") && isUsual("height");
}

bool WeightRows::hasLargePictures() const {
    return m_preview && std::max(m_preview->pictureSize.width(), m_preview->pictureSize.height()) >= kLargeSide &&
           hasUsualSize();
}

// Whether the run's model is not the one that the file is of, or sees its pictures smaller.
bool WeightRows::differs(const FittingModel& found) const {
    if (found.model.name != m_spec.model.name) return true;
    for (const auto& [name, value] : found.model.params) {
        const auto set = m_spec.model.params.find(name);
        if (set != m_spec.model.params.end() && spec::toText(set->second) != spec::toText(value)) return true;
    }
    return found.side > 0 && hasLargePictures();
}

// The model of the file, where the run has another.
const FittingModel* WeightRows::offered() const {
    const auto& found = m_look.found();
    const bool isOffered = found && differs(*found) && spec::Catalog::find(m_catalog.models, found->model.name);
    return isOffered ? &*found : nullptr;
}

void WeightRows::refreshOffer() {
    const FittingModel* fits = offered();
    const bool isLarge = m_spec.weights.file.empty() && hasLargePictures();
    m_offer->setVisible((fits || isLarge) && !m_sweeping);
    m_size->setVisible(isLarge && !fits);
    m_size->setText(tr("Use %1 pixels").arg(kSideOfWeights));
    if (fits) {
        const QString title = engineText(spec::Catalog::find(m_catalog.models, fits->model.name)->title);
        m_words->setText(fits->side > 0 ? tr("The file has weights of %1, made for pictures of %2 × %2 pixels.")
                                              .arg(title, QString::number(fits->side))
                                        : tr("The file has weights of %1.").arg(title));
        m_take->setText(tr("Use %1").arg(title));
    } else if (isLarge) {
        m_words->setText(tr("The pictures have %1 × %2 pixels. At %3 × %3 a model that begins with weights, such as "
                            "torchvision's, learns from few of them.")
                             .arg(m_preview->pictureSize.width())
                             .arg(m_preview->pictureSize.height())
                             .arg(kSideOfWeights));
        m_take->setText(tr("Choose weights…"));
    }
}

void WeightRows::take() {
    if (m_look.found() && !m_spec.weights.file.empty()) {
        m_fields[File]->pathField()->edit()->setFocus(); // the button goes
        return void(Q_EMIT offerTaken(m_look.found()->model, hasUsualSize() ? m_look.found()->side : 0));
    }
    m_inner->show();
    m_fields[File]->pathField()->browse();
}

} // namespace trainyard::ui
