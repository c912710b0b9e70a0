// SPDX-License-Identifier: GPL-3.0-or-later
// A class with many fields has many responsibilities: how many fields the classes of the product have.
#include "tests/layers/source_tree.h"

#include <QMap>
#include <QRegularExpression>
#include <QTest>

using namespace trainyard::layers;

namespace {

// Without comments, preprocessor lines and what stands in quotation marks.
QString bareCode(QString text) {
    static const QRegularExpression raw(R"RE(R"(\w*)\(.*?\)\1")RE", QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression string(R"RE("(\\.|[^"\\\n])*")RE"), character(R"RE((?<!\w)'(\\.|[^'\\\n])+')RE");
    static const QRegularExpression comment(R"RE(//[^\n]*|/\*.*?\*/)RE",
                                            QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression directive(R"RE(^\s*#(\\\n|[^\n\\])*)RE", QRegularExpression::MultilineOption);
    return text.replace(raw, "0").replace(string, "0").replace(character, "0").remove(comment).remove(directive);
}

// The name of the type whose body follows `declaration`; empty: it is no type's.
QString typeOf(const QString& declaration) {
    static const QRegularExpression type(R"RE(\b(?:class|struct) (?:\w+ )*?([\w:]*\w)(?: final)?(?: ?: ?[^:].*)?$)RE");
    const auto match = type.match(declaration.simplified());
    return match.hasMatch() ? match.captured(1) : QString();
}

bool isNamespace(const QString& declaration) {
    static const QRegularExpression pattern(R"RE((\bnamespace\b[^;()]*|\bextern 0)$)RE");
    return pattern.match(declaration.simplified()).hasMatch();
}

// How many fields a statement in the body of `type` declares. A plain struct is a row of values, not a class: only
// names like m_x count, and of what a class keeps in a Private all.
int fieldsIn(QString statement, const QString& type) {
    static const QRegularExpression parentheses(R"RE(\([^()]*\))RE"), angles(R"RE(<[^<>]*>)RE"), value("=[^,]*");
    static const QRegularExpression other(R"RE(^\s*(\w+:\s*)?(using|friend|static|class|struct|enum|typedef)\b)RE");
    static const QRegularExpression field(R"RE(\bm_\w+)RE");
    const auto without = [&statement](const QRegularExpression& nested) {
        while (statement.contains(nested)) statement.remove(nested);
    };
    without(angles);
    const bool isFunction = statement.section('=', 0, 0).contains('(') || statement.contains("operator");
    without(parentheses);
    statement.remove(value);
    if (type.section("::", -1) != "Private") return static_cast<int>(statement.count(field));
    const bool isField = !isFunction && !statement.contains(other) && statement.trimmed().contains(' ');
    return isField ? static_cast<int>(statement.count(',')) + 1 : 0;
}

qsizetype endOfBraces(const QString& code, qsizetype at) {
    for (int depth = 0; at < code.size(); ++at) {
        if (code[at] == '{') ++depth;
        if (code[at] == '}' && --depth == 0) return at;
    }
    return at;
}

// The number of fields of each type, "Outer::Inner" of one in another.
QMap<QString, int> fieldsOf(const QString& text) {
    const QString code = bareCode(text);
    QMap<QString, int> fields;
    QStringList scopes; // empty: a namespace
    QString statement;
    for (qsizetype at = 0; at < code.size(); ++at) {
        const QChar each = code[at];
        if (each == '{') {
            const QString type = typeOf(statement);
            if (!type.isEmpty() || isNamespace(statement)) {
                scopes << type;
                statement.clear();
                continue;
            }
            at = endOfBraces(code, at); // a value, or what a function does
            const QString rest = code.mid(at + 1, 200).trimmed();
            if (!rest.startsWith(';') && !rest.startsWith(',')) statement.clear();
        } else if (each == '}') {
            if (!scopes.isEmpty()) scopes.removeLast();
            statement.clear();
        } else if (each == ';') {
            if (!scopes.isEmpty() && !scopes.last().isEmpty())
                fields[QStringList(scopes).filter(QRegularExpression(".")).join("::")] +=
                    fieldsIn(statement, scopes.last());
            statement.clear();
        } else {
            statement += each;
        }
    }
    return fields;
}

} // namespace

class ClassRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fieldsAreCounted_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("fields");
        QTest::newRow("of a class") << "class A {\n    int m_a = 0;\n    std::map<int, int> m_b;\n};" << "A" << 2;
        QTest::newRow("several in a line") << "class A { bool m_a = f(m_x, 1), m_b{false}, m_c; };" << "A" << 3;
        QTest::newRow("of a function type") << "class A { std::function<int(int, int)> m_a; };" << "A" << 1;
        QTest::newRow("not of functions") << "class A {\n    A() : m_a(1), m_b{2} {}\n    int a() { return m_a; }\n"
                                             "    int b(int m);\n    int m_a;\n    int m_b;\n};"
                                          << "A" << 2;
        QTest::newRow("not in comments") << "class A { // m_x;\n    int m_a; /* int m_b; */ };" << "A" << 1;
        QTest::newRow("of a class in another") << "namespace n {\nclass A { struct B { int m_b; int m_c; }; };\n}"
                                               << "A::B" << 2;
        QTest::newRow("of the outer one") << "class A : public C<B> { struct B { int m_b; }; B m_a; };" << "A" << 1;
        QTest::newRow("all of a Private")
            << "struct A::Private {\n    explicit Private(int x);\n    int a = 0, b = 0;\n"
               "    std::map<int, int> c;\n    void f();\n};"
            << "A::Private" << 3;
        QTest::newRow("none of a plain struct") << "struct A { int a, b; };" << "A" << 0;
    }

    void fieldsAreCounted() {
        QFETCH(const QString, text);
        QFETCH(const QString, type);
        QFETCH(const int, fields);
        const auto found = fieldsOf(text);
        QVERIFY2(found.contains(type), qPrintable(found.keys().join(' ')));
        QCOMPARE(found.value(type), fields);
    }

    // What has more is divided by responsibility, each part with its own state and its own rules.
    void noClassHasManyFields() {
        constexpr int kMost = 19;
        const QMap<QString, int> known{{"RunJournal", 20}}; // has more
        static const QRegularExpression ofProduct("^(engine|remote|ui|app)/");
        QStringList wrong;
        int classes = 0;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR).filter(ofProduct)) {
            const auto fields = fieldsOf(readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file));
            for (auto each = fields.cbegin(); each != fields.cend(); ++each) {
                classes += each.value() > 0 ? 1 : 0;
                if (each.value() > known.value(each.key(), kMost))
                    wrong << QString("%1 %2: %3").arg(file, each.key()).arg(each.value());
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY(classes > 200);
    }
};

QTEST_GUILESS_MAIN(ClassRulesTest)
#include "class_rules_test.moc"
