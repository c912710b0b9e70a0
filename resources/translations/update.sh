#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the texts of the programs into the translations of FOLDER (this one): adds what is new, drops what is gone.
# Usage: update.sh [FOLDER]
#
# The German words: Lauf (run), Laufdatei (run file), Lernrate, Datensatz (dataset), Messreihe (series), Optimierer,
# Warteschlange (queue), Herkunft (lineage), Stufe (rung), Suchverfahren (searcher), Eingriff (steering), Ausfall (loss of
# a rank). Unchanged: Batch, Checkpoint, Loss, Sweep, Trial, Rank, Worker, Host, Score, Seed, Slot, Sample, Fork. Labels
# and commands are infinitives ("Lauf starten"), without Sie or Du.
set -eo pipefail
folder=$(realpath "${1:-$(dirname "$0")}")
cd "$(dirname "$0")/../.."
lupdate=$(PATH="/usr/lib/qt6/bin:$PATH" command -v lupdate) || { echo "lupdate is missing: qt6-l10n-tools" >&2; exit 3; }

# Which folders say something in the window. The engine, without Qt, marks its texts with Engine::tr().
parts=(app engine)
for part in ui/*/; do [ "$part" = ui/gallery/ ] || parts+=("$part"); done
update() {
    # It knows no namespace that another file opens, and need not.
    "$lupdate" -silent -no-obsolete -locations none -I . -extensions cpp,h \
        -tr-function-alias Q_DECLARE_TR_FUNCTIONS+=TY_TR_CONTEXT "$@" 2>&1 | { grep -v "unknown namespace" >&2 || true; }
}
for file in "$folder"/trainyard_*.ts; do
    case $file in
    *_en.ts) update -pluralonly "${parts[@]}" -ts "$file" ;; # English needs only its singulars
    *) update "${parts[@]}" -ts "$file" ;;
    esac
done
