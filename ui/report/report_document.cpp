// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_document.h"

#include "ui/report/chart_object.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::ui {

namespace {

constexpr qreal kTextWidth = kPageWidth - 2 * kPageMargin, kGutter = 12;
constexpr qreal kCellPadding = 3;
constexpr qreal kTileGap = 24;
constexpr std::size_t kLongestName = 32;                // bytes; longer cells are sentences
constexpr int kTiles = 7;                               // tiles that fit side by side
constexpr double kChartWidth = 400, kChartHeight = 260; // as in HTML
const QString kFamily = reportFamily(), kMono = QStringLiteral("DejaVu Sans Mono");

QString textOf(const std::string& text) { return QString::fromStdString(text); }

// Writes a report into a document.
class ReportWriter {
public:
    ReportWriter(QTextDocument& document, const ThemeColors& colors)
        : m_document(document), m_colors(colors), m_cursor(&document),
          m_charts(new ChartObject(colors, kFamily, &document)) {
        document.documentLayout()->registerHandler(ChartObject::kind(), m_charts);
    }

    void write(const report::Report& report) {
        m_cursor.beginEditBlock(); // the document is laid out once, at its end
        head(report);
        for (const auto& section : report.sections) {
            paragraph(textOf(section.title), face(16, m_colors.text, QFont::DemiBold), 24, 6, true);
            for (const auto& each : section.blocks) std::visit([this](const auto& one) { block(one); }, each);
        }
        paragraph(textOf(report.footer), face(11, m_colors.text2), 24, 0);
        m_cursor.endEditBlock();
    }

private:
    static QTextCharFormat face(int pixels, const QColor& color, int weight = QFont::Normal,
                                const QString& family = kFamily) {
        QTextCharFormat format;
        QFont font(family);
        font.setPixelSize(pixels);
        font.setWeight(static_cast<QFont::Weight>(weight));
        format.setFont(font);
        format.setForeground(color);
        return format;
    }

    QColor colorOf(report::Tone tone) const {
        switch (tone) {
        case report::Tone::Good: return m_colors.success;
        case report::Tone::Warning: return m_colors.warn;
        case report::Tone::Bad: return m_colors.error;
        case report::Tone::Plain: break;
        }
        return m_colors.text;
    }

    // A separate paragraph; a heading stays with the text after it.
    void paragraph(const QString& text, const QTextCharFormat& format, qreal above, qreal below, bool heading = false) {
        QTextBlockFormat block;
        block.setTopMargin(above);
        block.setBottomMargin(below);
        if (heading) block.setHeadingLevel(2);
        if (m_started) m_cursor.insertBlock(block, format);
        else m_cursor.setBlockFormat(block);
        m_started = true;
        m_cursor.insertText(text, format);
    }

    void head(const report::Report& report) {
        paragraph(textOf(report.kind), face(11, m_colors.text2), 0, 0);
        paragraph(textOf(report.title), face(24, m_colors.text, QFont::DemiBold), 0, 2);
        if (!report.status.empty())
            m_cursor.insertText(QStringLiteral("   ") + textOf(report.status),
                                face(13, colorOf(report.tone), QFont::DemiBold));
        paragraph(textOf(report.subtitle), face(12, m_colors.text2), 0, 10);
        if (report.tiles.empty()) return;
        QTextTable* tiles = insertTable(2, static_cast<int>(report.tiles.size()), 0);
        // Columns as wide as their text, which stays on one line unless it is too long.
        QTextBlockFormat words;
        words.setNonBreakableLines(tiles->columns() <= kTiles);
        for (int at = 0; at < tiles->columns(); ++at) {
            const auto& tile = report.tiles[static_cast<std::size_t>(at)];
            for (int row = 0; row < 2; ++row) {
                auto cell = tiles->cellAt(row, at).format().toTableCellFormat();
                cell.setRightPadding(kTileGap);
                tiles->cellAt(row, at).setFormat(cell);
                tiles->cellAt(row, at).firstCursorPosition().setBlockFormat(words);
            }
            tiles->cellAt(0, at).firstCursorPosition().insertText(textOf(tile.value),
                                                                  face(18, m_colors.text, QFont::DemiBold));
            tiles->cellAt(1, at).firstCursorPosition().insertText(textOf(tile.name), face(11, m_colors.text2));
        }
        leaveTable();
    }

    void title(const std::string& text) {
        if (!text.empty()) paragraph(textOf(text), face(12, m_colors.text, QFont::DemiBold), 10, 4, true);
    }

    void block(const report::Text& text) { paragraph(textOf(text.text), face(12, colorOf(text.tone)), 4, 4); }

    void block(const report::Code& code) {
        title(code.title);
        paragraph(textOf(code.text).replace(QLatin1Char('\n'), QChar::LineSeparator),
                  face(10, m_colors.text, QFont::Normal, kMono), 4, 4);
    }

    void block(const report::Charts& charts) {
        const qreal width = (kTextWidth - kGutter) / 2;
        if (!charts.legend.empty()) {
            paragraph({}, face(12, m_colors.text), 6, 6);
            const qreal scale = kChartWidth / width; // its letters are as large as those of the charts
            m_cursor.insertText(QString(QChar::ObjectReplacementCharacter),
                                m_charts->add(chart::drawLegend(charts.legend, kTextWidth * scale), kTextWidth));
        }
        for (std::size_t at = 0; at < charts.charts.size(); ++at) {
            if (at % 2 == 0) paragraph({}, face(12, m_colors.text), 6, 6);
            else m_cursor.insertText(QStringLiteral("  "), face(6, m_colors.text));
            m_cursor.insertText(QString(QChar::ObjectReplacementCharacter),
                                m_charts->add(chart::draw(charts.charts[at], kChartWidth, kChartHeight), width));
        }
    }

    QTextTable* insertTable(int rows, int columns, qreal lines) {
        QTextTableFormat format;
        format.setBorder(lines);
        format.setBorderBrush(m_colors.border);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderCollapse(true);
        format.setCellSpacing(0);
        format.setCellPadding(kCellPadding);
        format.setTopMargin(4);
        format.setBottomMargin(6);
        paragraph({}, face(2, m_colors.text), 0, 0);
        return m_cursor.insertTable(rows, columns, format);
    }
    void leaveTable() { m_cursor.movePosition(QTextCursor::End); }

    void block(const report::Table& table) {
        title(table.title);
        if (table.columns.empty()) return;
        const auto columns = static_cast<int>(table.columns.size());
        QTextTable* made = insertTable(static_cast<int>(table.rows.size()) + 1, columns, 0.5);
        auto format = made->format();
        format.setHeaderRowCount(1);
        if (!table.matrix) format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        made->setFormat(format);
        // Many columns must fit on one page.
        const int pixels = columns > 12 ? 7 : columns > 8 ? 9 : 10;
        const bool names = fitsUnbroken(table, pixels, true), numbers = names || fitsUnbroken(table, pixels, false);
        const auto fill = [&](int row, int column, const QString& text, const QTextCharFormat& letters) {
            QTextCursor cell = made->cellAt(row, column).firstCursorPosition();
            const bool number = table.columns[static_cast<std::size_t>(column)].number;
            QTextBlockFormat place;
            place.setAlignment(number ? Qt::AlignRight : Qt::AlignLeft);
            place.setNonBreakableLines((names && isOfNames(table, static_cast<std::size_t>(column))) ||
                                       (numbers && (number || row == 0)));
            cell.setBlockFormat(place);
            cell.insertText(text, letters);
        };
        for (int column = 0; column < columns; ++column)
            fill(0, column, textOf(table.columns[static_cast<std::size_t>(column)].title),
                 face(pixels, m_colors.text2, QFont::DemiBold));
        for (int row = 0; row < static_cast<int>(table.rows.size()); ++row)
            for (int column = 0; column < columns; ++column) {
                const auto& cells = table.rows[static_cast<std::size_t>(row)];
                if (static_cast<std::size_t>(column) >= cells.size()) break;
                const report::Cell& cell = cells[static_cast<std::size_t>(column)];
                fill(row + 1, column, textOf(cell.text), faceOf(cell, pixels));
                if (std::isfinite(cell.share)) shade(*made, row + 1, column, cell.share);
            }
        leaveTable();
    }

    // Whether the cells of a column are names of things, not sentences.
    static bool isOfNames(const report::Table& table, std::size_t column) {
        return std::all_of(table.rows.begin(), table.rows.end(), [column](const report::Row& row) {
            return column >= row.size() || row[column].text.size() <= kLongestName;
        });
    }

    // Whether titles, numbers and names fit without line breaks, beside a few words of each text.
    static bool fitsUnbroken(const report::Table& table, int pixels, bool names) {
        QFont font(kFamily);
        font.setPixelSize(pixels);
        font.setWeight(QFont::DemiBold);
        const QFontMetricsF metrics(font);
        qreal needed = 0;
        for (std::size_t at = 0; at < table.columns.size(); ++at) {
            const auto& column = table.columns[at];
            qreal width = metrics.horizontalAdvance(textOf(column.title));
            if (!column.number) width = std::max(width, 16 * metrics.averageCharWidth());
            for (const auto& row : table.rows)
                if ((column.number || (names && isOfNames(table, at))) && at < row.size())
                    width = std::max(width, metrics.horizontalAdvance(textOf(row[at].text)));
            needed += width + 2 * kCellPadding + 1;
        }
        return needed <= kTextWidth;
    }

    QTextCharFormat faceOf(const report::Cell& cell, int pixels) const {
        using Weight = report::Cell::Weight;
        return face(pixels, cell.weight == Weight::Muted ? m_colors.text3 : m_colors.text,
                    cell.weight == Weight::Strong ? QFont::DemiBold : QFont::Normal);
    }

    void shade(QTextTable& table, int row, int column, double share) const {
        auto format = table.cellAt(row, column).format().toTableCellFormat();
        format.setBackground(mix(m_colors.card, m_colors.accent, 0.55 * std::clamp(share, 0.0, 1.0)));
        table.cellAt(row, column).setFormat(format);
    }

    QTextDocument& m_document;
    const ThemeColors& m_colors;
    QTextCursor m_cursor;
    ChartObject* m_charts;
    bool m_started = false;
};

// The top of a block's first line, counted over all pages.
qreal topOf(const QTextDocument& document, const QTextBlock& block) {
    const QTextLayout& lines = *block.layout();
    const qreal top = document.documentLayout()->blockBoundingRect(block).top();
    return lines.lineCount() == 0 ? top : top + lines.lineAt(0).y(); // its first line may be on the next page
}

// The block that must be on the page of a heading: the first text, chart or row after it.
QTextBlock contentOf(const QTextBlock& heading) {
    QTextBlock block = heading.next();
    while (block.isValid() && (block.text().isEmpty() || block.blockFormat().headingLevel() > 0)) block = block.next();
    const QTextTable* table = block.isValid() ? QTextCursor(block).currentTable() : nullptr;
    return table && table->rows() > 1 ? table->cellAt(1, 0).firstCursorPosition().block() : block;
}

void breakBefore(const QTextBlock& block) {
    QTextBlockFormat apart;
    apart.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    QTextCursor(block).mergeBlockFormat(apart);
}

// A heading at the end of a page goes to the next one, where its content is.
void keepHeading(QTextDocument& document, const QTextBlock& heading) {
    const QTextBlock content = contentOf(heading);
    if (content.isValid() && pageOf(document, content) != pageOf(document, heading)) breakBefore(heading);
}

// The heading of a table, or the empty line above one that has none.
QTextBlock aboveTable(const QTextTable& table) {
    const QTextBlock gap = table.firstCursorPosition().block().previous();
    return gap.previous().blockFormat().headingLevel() > 0 ? gap.previous() : gap;
}

// Keeps a table's last row from standing alone on a page: the rows move a little closer together or, if too few of them
// could, the others move to its page. Returns whether anything moved.
bool keepLastRow(QTextDocument& document, QTextTable& table) {
    const int rows = table.rows();
    if (rows < 4) return false;
    const auto page = [&](int row) { return pageOf(document, table.cellAt(row, 0).firstCursorPosition().block()); };
    for (const qreal padding : {kCellPadding, 2.5, 2.0, 1.5, 1.0}) {
        QTextTableFormat format = table.format();
        if (format.cellPadding() != padding) {
            format.setCellPadding(padding);
            table.setFormat(format);
        }
        if (page(rows - 1) == page(rows - 2)) return padding != kCellPadding;
    }
    QTextTableFormat format = table.format();
    format.setCellPadding(kCellPadding);
    table.setFormat(format);
    if (page(0) == page(rows - 2)) breakBefore(aboveTable(table));
    return true;
}

// The bottom of a block's last line, counted over all pages.
qreal bottomOf(const QTextDocument& document, const QTextBlock& block) {
    const QTextLayout& lines = *block.layout();
    const qreal top = document.documentLayout()->blockBoundingRect(block).top();
    if (lines.lineCount() == 0) return top;
    const QTextLine last = lines.lineAt(lines.lineCount() - 1);
    return top + last.y() + last.height();
}

// In one edit, because each edit lays out the document again.
void setTopPadding(QTextTable& table, int row, qreal padding) {
    QTextCursor edit(table.cellAt(row, 0).firstCursorPosition());
    edit.beginEditBlock();
    for (int column = 0; column < table.columns(); ++column) {
        auto format = table.cellAt(row, column).format().toTableCellFormat();
        if (padding > 0) format.setTopPadding(padding);
        else format.clearProperty(QTextFormat::TableCellTopPadding);
        table.cellAt(row, column).setFormat(format);
    }
    edit.endEditBlock();
}

// The lines of a row stay together: a row that would cross the end of a page starts on the next.
void keepRows(QTextDocument& document, QTextTable& table) {
    for (int row = 1; row < table.rows(); ++row) {
        if (table.cellAt(row, 0).format().hasProperty(QTextFormat::TableCellTopPadding)) setTopPadding(table, row, 0);
        qreal top = std::numeric_limits<qreal>::max(), bottom = 0;
        for (int column = 0; column < table.columns(); ++column) {
            const QTextTableCell cell = table.cellAt(row, column);
            top = std::min(top, topOf(document, cell.firstCursorPosition().block()));
            bottom = std::max(bottom, bottomOf(document, cell.lastCursorPosition().block()));
        }
        const qreal pageEnd = (std::floor((top + 1) / kPageHeight) + 1) * kPageHeight - kPageMargin;
        const bool fitsOnePage = bottom - top < kPageHeight - 3 * kPageMargin;
        if (bottom > pageEnd + kPageMargin && fitsOnePage) setTopPadding(table, row, pageEnd - top);
    }
}

// In page order, because each move shifts everything below it.
bool keepTogether(QTextDocument& document, const report::Progress& progress) {
    const QTextTable* seen = nullptr;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (progress && !progress(block.position() / static_cast<double>(document.characterCount()))) return false;
        if (block.blockFormat().headingLevel() > 0) keepHeading(document, block);
        QTextTable* table = QTextCursor(block).currentTable();
        if (table != nullptr && table != seen) {
            keepRows(document, *table);
            if (keepLastRow(document, *table)) keepRows(document, *table);
        }
        seen = table;
    }
    return true;
}

} // namespace

bool layOutReport(QTextDocument& document, const report::Report& report, const ThemeColors& colors,
                  const report::Progress& progress) {
    document.setUndoRedoEnabled(false);
    document.setDocumentMargin(kPageMargin);
    QFont font(kFamily);
    font.setPixelSize(12);
    document.setDefaultFont(font);
    document.setPageSize(QSizeF(kPageWidth, kPageHeight));
    ReportWriter(document, colors).write(report);
    return keepTogether(document, progress);
}

int pageOf(const QTextDocument& document, const QTextBlock& block) {
    return static_cast<int>((topOf(document, block) + 1) / kPageHeight);
}

} // namespace trainyard::ui
