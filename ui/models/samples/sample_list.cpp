// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/samples/sample_list.h"

#include "ui/models/samples/sample_image.h"
#include "ui/models/text/format.h"

#include <QJsonArray>

namespace trainyard::ui {

namespace {

constexpr qsizetype kMostKept = 4000; // displayed samples kept in memory

QString numbersText(const std::vector<double>& numbers) {
    QStringList texts;
    for (const double number : numbers) texts << metricText(number);
    return texts.join(QStringLiteral(", "));
}

// "5.1, 3.5, 1.4, 0.2" of a table, the text itself of a text.
QString shownText(const QJsonObject& item) {
    if (const auto text = item.value(QLatin1String("text")); text.isString()) return text.toString();
    QStringList values;
    for (const auto& value : item.value(QLatin1String("values")).toArray())
        values << QString::number(value.toDouble(), 'g', 5);
    return values.join(QStringLiteral(", "));
}

} // namespace

void SampleList::setExamples(std::vector<run::Example> examples, const QStringList& classes, const QString& of) {
    if (of == m_of && examples == m_examples && classes == m_classes) return;
    beginResetModel();
    if (of != m_of || m_known.size() > kMostKept) m_known.clear();
    m_of = of;
    m_examples = std::move(examples);
    m_classes = classes;
    endResetModel();
}

std::vector<std::int64_t> SampleList::wanted() {
    std::vector<std::int64_t> indices;
    for (const run::Example& example : m_examples) {
        if (m_known.contains(example.index)) continue;
        m_known.insert(example.index, {});
        indices.push_back(example.index);
    }
    return indices;
}

void SampleList::take(const QJsonObject& answer, const QString& of) {
    if (of != m_of) return;
    for (const auto& each : answer.value(QLatin1String("items")).toArray()) {
        const auto item = each.toObject();
        m_known.insert(item.value(QLatin1String("index")).toInteger(-1),
                       {imageOf(item, answer), shownText(item), true});
    }
    m_images = answer.contains(QLatin1String("channels"));
    if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void SampleList::forgetMissing() {
    m_known.removeIf([](const auto& each) { return !each->read; });
}

const run::Example* SampleList::at(int row) const {
    return row >= 0 && row < rowCount() ? &m_examples[static_cast<std::size_t>(row)] : nullptr;
}

int SampleList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_examples.size());
}

QString SampleList::className(std::int64_t number) const {
    return number >= 0 && number < m_classes.size() ? m_classes[static_cast<qsizetype>(number)]
                                                    : QString::number(number);
}

QString SampleList::predicted(const run::Example& example) const {
    if (example.hasClasses()) return className(example.predicted);
    if (!example.output.empty()) return numbersText(example.output);
    return tr("loss %1").arg(metricText(example.loss));
}

QString SampleList::confidence(const run::Example& example) const {
    return example.hasClasses() ? percentText(example.probability, 1) : QString();
}

QString SampleList::truth(const run::Example& example) const {
    if (example.hasClasses()) return className(example.truth);
    return numbersText(example.target);
}

QString SampleList::tip(const run::Example& example) const {
    QStringList lines{tr("sample %1").arg(example.index)};
    if (!example.target.empty() || example.hasClasses()) {
        lines << tr("predicted: %1").arg((predicted(example) + QLatin1Char(' ') + confidence(example)).trimmed());
        lines << (example.hasClasses() ? tr("true class: %1") : tr("target: %1")).arg(truth(example));
    }
    lines << tr("loss %1").arg(metricText(example.loss));
    if (const QString text = m_known.value(example.index).text; !text.isEmpty()) lines << text;
    return lines.join(QLatin1Char('\n'));
}

QVariant SampleList::data(const QModelIndex& index, int role) const {
    const run::Example* example = at(index.row());
    if (example == nullptr) return {};
    switch (role) {
    case ImageRole: return m_known.value(example->index).image;
    case TextRole: return m_known.value(example->index).text;
    case PredictedRole: return predicted(*example);
    case ConfidenceRole: return confidence(*example);
    case TruthRole: return truth(*example);
    case Qt::ToolTipRole: return tip(*example);
    case Qt::AccessibleTextRole: return tip(*example).replace(QLatin1Char('\n'), QStringLiteral(", "));
    default: return {};
    }
}

} // namespace trainyard::ui
