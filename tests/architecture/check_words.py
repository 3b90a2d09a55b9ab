#!/usr/bin/env python3
"""check_words.py [ROOT]: finds words for the user, in the sources of the window, that no translator would see.

A string literal counts as words for the user
 * when it holds two words ("Select a joint"), wherever it stands, or
 * when it begins a word with a capital and is handed to something that shows text (setText, addAction, setToolTip, drawText, .text = ...).

Such a literal belongs into tr(), translate() or QT_TRANSLATE_NOOP(). Names of objects, style sheets, shaders and messages
for developers (qWarning, assertions) are no words for the user. Prints every offence as file:line: text.
`--list` prints all words for the user instead: file, line, text. `--page FILE` compares them with a page on which somebody can
read them all, and writes it anew with TENDON_UPDATE_DOCS=1 in the environment. `--self-test` shows that each rule can fail.
Phrases that no user should read (ODD) are offences, too, translated or not.
"""

import os
import re
import sys
import tempfile

FOLDERS = ("app/widgets", "app/viewport", "app/gui")
# What tendon-editor prints to a terminal: read by people and scripts, in English, as what tendon prints.
TERMINAL = ("app/gui/Options.cpp", "app/gui/main.cpp", "app/gui/RenderPicture.cpp")
WORDLESS = ("app/viewport/render", "app/viewport/view", "app/viewport/shaders")
PRODUCTS = {"3ds Max"}

TRANSLATED = {"tr", "translate", "QT_TRANSLATE_NOOP", "QT_TR_NOOP"}
# What stands in these is not shown, or is an error's reason: those are in English everywhere, as in core.
NOT_SHOWN = {"setObjectName", "setStyleSheet", "setProperty", "property", "qWarning", "qFatal", "qCritical", "Q_ASSERT",
             "Q_ASSERT_X", "static_assert", "assert", "QRegularExpression", "findChild", "findChildren", "icon", "color",
             "fieldHelp", "toString", "missing", "action", "Error", "refuse"}
SHOWS = {"setText", "setToolTip", "setStatusTip", "setWindowTitle", "setPlaceholderText", "setAccessibleName",
         "setAccessibleDescription", "setTitle", "setLabelText", "setInformativeText", "setHeaderLabels", "setTabText",
         "setTabToolTip", "addTab", "addItem", "addItems", "addAction", "addButton", "addMenu", "addRow", "drawText",
         "showText", "setHint", "headingOf", "QLabel", "QPushButton", "QAction", "QCheckBox", "QMenu",
         "QDockWidget", "getText", "getDouble", "getOpenFileName", "getSaveFileName", "showMessage", "say", "label", "Section"}
SHOWN_MEMBERS = re.compile(r"\.(text|tip|title|name|label|hint)\s*=\s*(Q?StringLiteral\()?$")

# Clipped or inverted English, and words of our own for what every user knows by another name.
ODD = re.compile(r"gives? it back|[Tt]hrow (it|this) away|\b1 (joints|notes|warnings|keys|steps)\b|S keys it|Takes an undone step|"
                 r"stands nowhere|did not come back|its last state|\bTurn tol\b|[Ff]actor on the times|[Rr]un on:|is none that|"
                 r"hold together|looks and shines|[Ss]elect nothing|Looks from there|Be like|so many of its", re.IGNORECASE)

WORD = re.compile(r"[A-Za-z]{2,}")
TITLE = re.compile(r"[A-Z][a-z]+")
TWO_WORDS = re.compile(r"[A-Za-z]{2,}[,:.!?]? +[A-Za-z%]|% ?[0-9]+ [A-Za-z]{2,}")
TAG = re.compile(r"<[^>]*>")
UNIT = re.compile(r"\b(mm|cm|ms|kg)\b")
LOG = re.compile(r"qC?(Debug|Info|Warning|Critical)\([^;]*<<\s*$")
CALL = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)\s*$")


def literals(source):
    """(line, text, names of the calls and braces round it innermost first, the code before it) of each string literal;
    neighbouring literals are one."""
    found, stack, line, at = [], [], 1, 0
    start_of_last = end_of_last = -1
    while at < len(source):
        c = source[at]
        if source.startswith("//", at):
            at = source.find("\n", at)
            if at < 0:
                break
        elif source.startswith("/*", at):
            end = source.find("*/", at) + 2
            line += source.count("\n", at, end)
            at = end
        elif source.startswith('R"(', at):
            end = source.find(')"', at) + 2
            line += source.count("\n", at, end)
            at = end
        elif c == "'" and re.match(r"'(\\.[^']*|[^'\\])'", source[at:at + 8]):
            at += re.match(r"'(\\.[^']*|[^'\\])'", source[at:at + 8]).end()
        elif c == '"':
            end = at + 1
            while source[end] != '"':
                end += 2 if source[end] == "\\" else 1
            text = source[at + 1:end]
            before = source[source.rfind("\n", 0, at) + 1:at]
            if found and end_of_last >= 0 and not source[end_of_last:at].strip():
                found[-1] = (found[-1][0], found[-1][1] + text, *found[-1][2:])
            elif not re.match(r"\s*#\s*include", before):
                found.append((line, text, [name for name in reversed(stack)], source[max(0, at - 60):at]))
            at = end_of_last = end + 1
        else:
            if c == "\n":
                line += 1
            elif c in "({":
                match = CALL.search(source[max(0, at - 60):at])
                stack.append(match.group(1) if match else "")
            elif c in ")}" and stack:
                stack.pop()
            at += 1
    return found


def is_shown(text, around, before):
    text = UNIT.sub("", TAG.sub("", text.replace("\\n", " ")))
    if not WORD.search(text) or text in PRODUCTS or LOG.search(before):
        return False
    direct = next((name for name in around if name not in ("", "QString", "QStringLiteral", "QLatin1StringView", "arg")), "")
    if TWO_WORDS.search(text):
        return True
    return bool(TITLE.search(text)) and (direct in SHOWS or bool(SHOWN_MEMBERS.search(before)))


def check(root, lists=False):
    offences = []
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                file = os.path.relpath(os.path.join(path, name), root)
                if not name.endswith((".cpp", ".h")) or file in TERMINAL or file.startswith(WORDLESS):
                    continue
                with open(os.path.join(root, file), encoding="utf-8") as stream:
                    found = literals(stream.read())
                for line, text, around, before in found:
                    is_translated = bool(TRANSLATED.intersection(around))
                    if is_translated and not lists and ODD.search(text):
                        offences.append(f"{file}:{line}: odd English: \"{text}\"")
                    if lists:
                        if is_translated and WORD.search(text):
                            offences.append(f"{file}:{line}: {text}")
                    elif not is_translated and not NOT_SHOWN.intersection(around) and is_shown(text, around, before):
                        offences.append(f"{file}:{line}: words that are not translated: \"{text}\"")
    return offences


PAGE_HEAD = """# All words of the window

Every text of the editor that people read, by the file that says it: menus, tips, labels, messages. `%1` and the like stand
for names and numbers. The names of operations, and what solvers say of their parameters, are in
[operations](user/operations.md) and [solvers](user/solvers.md). This page is generated from the sources; to update it, run
`TENDON_UPDATE_DOCS=1 ctest -R architecture.strings`.
"""


def page(root):
    """The page of all words: each once in its file, in the order of the source."""
    text, last, seen = PAGE_HEAD, "", set()
    for line in check(root, True):
        file, _, words = line.split(":", 2)
        if file != last:
            text += f"\n## {os.path.basename(file)}\n\n"
            last, seen = file, set()
        if words not in seen:
            text += f"- `{words.strip()}`\n"
            seen.add(words)
    return text


def check_page(root, file):
    wanted = page(root)
    if os.environ.get("TENDON_UPDATE_DOCS") == "1":
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(wanted)
    with open(file, encoding="utf-8") as stream:
        found = stream.read()
    if found == wanted:
        return []
    differing = [line for line in wanted.splitlines() if line not in set(found.splitlines())]
    return [f"{file} is not what the sources say; run TENDON_UPDATE_DOCS=1 ctest -R architecture.strings: "
            + "; ".join(differing[:3])]


GOOD = """
    label->setText(tr("Select a joint"));
    table.add({.id = "edit.undo", .text = Command::tr("Undo"), .icon = "undo"});
    qWarning("there is no icon %s", name);
    label->setObjectName("status text");
    setStyleSheet("font-weight: 600; color: red;");
    const char* kName = QT_TRANSLATE_NOOP("Panel", "Keys you know");
    label->setText(QStringLiteral("%1 %").arg(share)); // "no words" in a comment
    return {{"op", "setHandle"}, {"name", name}};
"""
BAD = [
    'const QString text("Select a joint");',
    'label->setText("Redo");',
    'label->setText(QStringLiteral("Redo"));',
    'menu->addAction("Delete", this, [] {});',
    'table.add({.id = "edit.undo", .text = "Undo"});',
    'table.add({.id = "edit.undo", .tip = "Undo the last step"});',
    'return isEmpty ? QString("Select a handle first") : QString();',
    'const Issue issue{Severity::Error, "stopped responding and was disabled", {}, 0};',
    'label->setText(QString("Stopped after %1 iterations").arg(n));',
    'auto* label = new QLabel("Name");',
    'say("two "\n    "words");',
]


def self_test():
    with tempfile.TemporaryDirectory() as root:
        file = os.path.join(root, "app/widgets/Panel.cpp")
        os.makedirs(os.path.dirname(file))

        def offences_of(text):
            with open(file, "w", encoding="utf-8") as stream:
                stream.write("void f()\n{\n" + text + "\n}\n")
            return check(root)

        if offences_of(GOOD):
            sys.exit("finds an offence in: " + "\n".join(offences_of(GOOD)))
        for text in BAD:
            if len(offences_of(GOOD + text)) != 1:
                sys.exit(f"does not find once: {text}: {offences_of(GOOD + text)}")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write('void f()\n{\n    label->setText(tr("Esc gives it back"));\n}\n')
        if len(check(root)) != 1:
            sys.exit("does not find odd English")
        listed = os.path.join(root, "strings.md")
        with open(listed, "w", encoding="utf-8") as stream:
            stream.write(page(root).replace("Esc", "F1"))
        if not check_page(root, listed):
            sys.exit("does not find that the page is out of date")
    print(f"{len(BAD) + 2} planted offences are found")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if "--self-test" in arguments:
        self_test()
        sys.exit(0)
    is_list = "--list" in arguments
    arguments = [argument for argument in arguments if argument != "--list"]
    if "--page" in arguments:
        lines = check_page(arguments[0], arguments[arguments.index("--page") + 1])
        print("\n".join(lines))
        sys.exit(1 if lines else 0)
    lines = check(arguments[0] if arguments else ".", is_list)
    print("\n".join(lines))
    sys.exit(1 if lines and not is_list else 0)
