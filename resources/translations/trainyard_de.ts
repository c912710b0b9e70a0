<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en_US">
<context>
    <name>About</name>
    <message>
        <source>A desktop workbench for distributed training</source>
        <translation>Eine Desktop-Werkbank für verteiltes Training</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later, without warranty. No account, no telemetry: the only data that leaves this computer is what you send to your own hosts.</source>
        <translation>Freie Software unter der GNU General Public License, Version 3 oder später. Ohne Gewährleistung. Kein Konto, keine Telemetrie: Nichts verlässt diesen Rechner außer dem, was an die eigenen Hosts geht.</translation>
    </message>
    <message>
        <source>Built on</source>
        <translation>Gebaut auf</translation>
    </message>
    <message>
        <source>Libraries and their licences</source>
        <translation>Bibliotheken und ihre Lizenzen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Action</name>
    <message>
        <source>New run…</source>
        <translation>Neuer Lauf…</translation>
    </message>
    <message>
        <source>New sweep…</source>
        <translation>Neuer Sweep…</translation>
    </message>
    <message>
        <source>Start the first run</source>
        <translation>Ersten Lauf starten</translation>
    </message>
    <message>
        <source>Open run file…</source>
        <translation>Laufdatei öffnen…</translation>
    </message>
    <message>
        <source>Open a folder of images…</source>
        <translation>Bildordner öffnen…</translation>
    </message>
    <message>
        <source>Train on your own images, one folder per class</source>
        <translation>Mit eigenen Bildern trainieren, ein Ordner je Klasse</translation>
    </message>
    <message>
        <source>Open another workspace…</source>
        <translation>Anderen Arbeitsbereich öffnen…</translation>
    </message>
    <message>
        <source>Add host…</source>
        <translation>Host hinzufügen…</translation>
    </message>
    <message>
        <source>Search runs and commands</source>
        <translation>Läufe und Befehle suchen</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helles Design</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkles Design</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>About Trainyard</source>
        <translation>Über Trainyard</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Quit; runs continue</source>
        <translation>Beenden; Läufe laufen weiter</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>The selected runs side by side</source>
        <translation>Die ausgewählten Läufe nebeneinander</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>See where each rank spends its time, and which rank the others wait for</source>
        <translation>Womit jeder Rank seine Zeit verbringt und auf welchen die anderen warten</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>See what the current run gets wrong, and try your own sample</source>
        <translation>Was der aktuelle Lauf falsch vorhersagt und was er aus einem eigenen Sample macht</translation>
    </message>
    <message>
        <source>Runs table</source>
        <translation>Lauftabelle</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Pause or resume the queue</source>
        <translation>Warteschlange anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>Show archived runs…</source>
        <translation>Archivierte Läufe anzeigen…</translation>
    </message>
    <message>
        <source>Restore archived runs, or delete them permanently</source>
        <translation>Archivierte Läufe wiederherstellen oder endgültig löschen</translation>
    </message>
    <message>
        <source>Export charts or points…</source>
        <translation>Diagramme oder Punkte exportieren…</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>Logarithmische x-Achse</translation>
    </message>
    <message>
        <source>Logarithmic x axis: spreads out the start of training. Step 0 is not shown.</source>
        <translation>Logarithmische x-Achse: streckt den Anfang des Trainings. Schritt 0 hat darauf keinen Platz und entfällt.</translation>
    </message>
    <message>
        <source>Mean ± std band</source>
        <translation>Band Mittelwert ± Std.-Abw.</translation>
    </message>
    <message>
        <source>Mean of the selected runs ± one standard deviation, wherever at least two of them have a value</source>
        <translation>Mittelwert der ausgewählten Läufe und eine Standardabweichung nach beiden Seiten, wo mindestens zwei einen Wert haben</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>Log durchsuchen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Unpause</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Save a checkpoint now</source>
        <translation>Jetzt Checkpoint speichern</translation>
    </message>
    <message>
        <source>Change the learning rate…</source>
        <translation>Lernrate ändern…</translation>
    </message>
    <message>
        <source>Change the number of workers…</source>
        <translation>Zahl der Worker ändern…</translation>
    </message>
    <message>
        <source>Rehearse a lost worker…</source>
        <translation>Ausfall eines Workers proben…</translation>
    </message>
    <message>
        <source>Kill one worker, as a crash would, and see how the run recovers</source>
        <translation>Einen Worker wie bei einem Absturz beenden und sehen, wie sich der Lauf erholt</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>Sauber stoppen</translation>
    </message>
    <message>
        <source>Save a checkpoint, then stop</source>
        <translation>Checkpoint speichern, dann stoppen</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Sofort stoppen</translation>
    </message>
    <message>
        <source>Kill</source>
        <translation>Hart beenden</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>Verlängern…</translation>
    </message>
    <message>
        <source>Train for more epochs from the last checkpoint</source>
        <translation>Ab dem letzten Checkpoint weitere Epochen trainieren</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resume from the last good checkpoint</source>
        <translation>Ab dem letzten intakten Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>There is no checkpoint: start from the beginning</source>
        <translation>Kein Checkpoint vorhanden: von vorn beginnen</translation>
    </message>
    <message>
        <source>Stop and save the trial</source>
        <translation>Trial speichern und stoppen</translation>
    </message>
    <message>
        <source>Save the trial and end it; its sweep continues</source>
        <translation>Trial speichern und beenden; sein Sweep läuft weiter</translation>
    </message>
    <message>
        <source>Kill the trial</source>
        <translation>Trial hart beenden</translation>
    </message>
    <message>
        <source>End the trial without saving it; the sweep never starts it again</source>
        <translation>Trial ohne Speichern beenden; er wird nicht wieder gestartet</translation>
    </message>
    <message>
        <source>Promote the trial</source>
        <translation>Trial durchlassen</translation>
    </message>
    <message>
        <source>Train it to the end, whatever the scheduler decides</source>
        <translation>Bis zum Ende trainieren, egal was der Scheduler entscheidet</translation>
    </message>
    <message>
        <source>Retry the trial</source>
        <translation>Trial wiederholen</translation>
    </message>
    <message>
        <source>Train it again from its last good checkpoint</source>
        <translation>Ab seinem letzten intakten Checkpoint erneut versuchen</translation>
    </message>
    <message>
        <source>Fork…</source>
        <translation>Forken…</translation>
    </message>
    <message>
        <source>New run from a checkpoint of this one; edit the settings first</source>
        <translation>Neuer Lauf ab einem Checkpoint dieses Laufs; vorher lassen sich die Einstellungen ändern</translation>
    </message>
    <message>
        <source>Run again…</source>
        <translation>Neu ausführen…</translation>
    </message>
    <message>
        <source>New run with the same settings and new weights; edit the settings first</source>
        <translation>Neuer Lauf mit denselben Einstellungen und neuen Gewichten; vorher änderbar</translation>
    </message>
    <message>
        <source>Measure scaling…</source>
        <translation>Skalierung messen…</translation>
    </message>
    <message>
        <source>Train briefly with 1, 2, … workers to see how many pay off</source>
        <translation>Kurz mit 1, 2, … Workern trainieren und sehen, wie viele sich lohnen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>Tags…</translation>
    </message>
    <message>
        <source>Notes…</source>
        <translation>Notizen…</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>ID kopieren</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Lineage</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Runs that this one comes from, runs that come from it, and what changed between them</source>
        <translation>Woher der Lauf kommt, was aus ihm wurde und was sich dabei geändert hat</translation>
    </message>
    <message>
        <source>Pin checkpoint</source>
        <translation>Checkpoint anheften</translation>
    </message>
    <message>
        <source>Pinned checkpoints are never deleted.</source>
        <translation>Ein angehefteter Checkpoint wird nie automatisch gelöscht.</translation>
    </message>
    <message>
        <source>Unpin checkpoint</source>
        <translation>Checkpoint lösen</translation>
    </message>
    <message>
        <source>Show file in its folder</source>
        <translation>Datei im Ordner zeigen</translation>
    </message>
    <message>
        <source>Show samples</source>
        <translation>Samples zeigen</translation>
    </message>
    <message>
        <source>See what the checkpoint gets wrong, and try your own sample</source>
        <translation>Was der Checkpoint falsch vorhersagt und was er aus einem eigenen Sample macht</translation>
    </message>
    <message>
        <source>Export safetensors…</source>
        <translation>safetensors exportieren…</translation>
    </message>
    <message>
        <source>Export state dict for PyTorch…</source>
        <translation>State-Dict für PyTorch exportieren…</translation>
    </message>
    <message>
        <source>Export TorchScript…</source>
        <translation>TorchScript exportieren…</translation>
    </message>
    <message>
        <source>Export all points as CSV…</source>
        <translation>Alle Punkte als CSV exportieren…</translation>
    </message>
    <message>
        <source>Export for TensorBoard…</source>
        <translation>Für TensorBoard exportieren…</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Hide the selected runs; their files stay.</source>
        <translation>Die ausgewählten Läufe ausblenden; ihre Dateien bleiben erhalten.</translation>
    </message>
    <message>
        <source>Events in the charts</source>
        <translation>Ereignisse in den Diagrammen</translation>
    </message>
    <message>
        <source>Marks resumes, restarts, replaced workers, and changes of the learning rate or the number of workers. With more than three runs, only those of the run under the pointer.</source>
        <translation>Markiert, wo ein Lauf fortgesetzt oder neu gestartet, ein Worker ersetzt oder die Lernrate oder die Zahl der Worker geändert wurde. Bei mehr als drei Läufen: nur für den unter dem Mauszeiger.</translation>
    </message>
    <message>
        <source>Search charts</source>
        <translation>Diagramme suchen</translation>
    </message>
    <message>
        <source>Import runs…</source>
        <translation>Läufe importieren…</translation>
    </message>
    <message>
        <source>Runs from TensorBoard, W&amp;B and MLflow, and tables in CSV or JSON</source>
        <translation>Läufe aus TensorBoard, W&amp;B und MLflow sowie Tabellen in CSV oder JSON</translation>
    </message>
    <message>
        <source>Export for another computer…</source>
        <translation>Für anderen Rechner exportieren…</translation>
    </message>
    <message>
        <source>One file with settings, points, checkpoints and logs, for “Import runs…” on the other computer</source>
        <translation>Eine Datei mit Einstellungen, Punkten, Checkpoints und Logs, die sich importieren lässt</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Command for a terminal that starts an identical run</source>
        <translation>Für ein Terminal: startet einen gleichen Lauf</translation>
    </message>
    <message>
        <source>Copy as run file</source>
        <translation>Als Laufdatei kopieren</translation>
    </message>
    <message>
        <source>Copy as C++</source>
        <translation>Als C++ kopieren</translation>
    </message>
    <message>
        <source>Program that starts an identical run through the library</source>
        <translation>Ein Programm auf der Bibliothek, das einen gleichen Lauf startet</translation>
    </message>
    <message>
        <source>Copy as Python loader</source>
        <translation>Als Python-Lader kopieren</translation>
    </message>
    <message>
        <source>Loads the weights of the best checkpoint with PyTorch</source>
        <translation>Lädt die Gewichte des besten Checkpoints mit PyTorch</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Bericht…</translation>
    </message>
    <message>
        <source>One file, HTML or PDF: curves, results, settings; several runs side by side</source>
        <translation>Eine Datei, HTML oder PDF: Kurven, Ergebnisse, Einstellungen; mehrere Läufe nebeneinander</translation>
    </message>
    <message>
        <source>A paused queue starts nothing new; active runs continue</source>
        <translation>Eine angehaltene Warteschlange startet nichts Neues; was läuft, läuft weiter</translation>
    </message>
    <message>
        <source>Fetch from its host</source>
        <translation>Vom Host holen</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Von der Liste nehmen</translation>
    </message>
    <message>
        <source>The run stays on its host; if it is training, it continues there</source>
        <translation>Der Lauf bleibt auf seinem Host, wie er ist, und trainiert dort weiter, falls er trainiert</translation>
    </message>
    <message>
        <source>Copy the run with its checkpoints and results to this computer; files already here are skipped</source>
        <translation>Seine Checkpoints und Ergebnisse hierher kopieren, als Lauf dieses Rechners; was schon da ist, wird nicht noch einmal kopiert</translation>
    </message>
    <message>
        <source>Fetch this checkpoint</source>
        <translation>Diesen Checkpoint holen</translation>
    </message>
    <message>
        <source>Copy only this checkpoint here, to export, try or fork it; the run stays on its host</source>
        <translation>Nur diese Datei hierher kopieren, zum Exportieren, Ausprobieren oder als Anfang eines Forks; der Lauf bleibt auf seinem Host</translation>
    </message>
    <message>
        <source>Undo the last archiving, renaming, removal from the queue, or change of tags, notes, colour or charts</source>
        <translation>Nimmt das letzte Archivieren, Umbenennen, die letzten Tags, Notizen oder Farben, das letzte Entfernen aus der Warteschlange oder die letzte Änderung der Diagramme zurück</translation>
    </message>
    <message>
        <source>Colour…</source>
        <translation>Farbe…</translation>
    </message>
    <message>
        <source>The colour of the run in all lists and charts</source>
        <translation>Die Farbe des Laufs in allen Listen und Diagrammen</translation>
    </message>
    <message>
        <source>Resume with changes…</source>
        <translation>Mit Änderungen fortsetzen…</translation>
    </message>
    <message>
        <source>Change the hosts, the failure settings, or anything else that leaves the training itself unchanged</source>
        <translation>Hosts, Einstellungen für Ausfälle und alles andere ändern, was das Training selbst nicht beeinflusst</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>Stoppen…</translation>
    </message>
    <message>
        <source>Stop now or at the next checkpoint; says what would be lost</source>
        <translation>Sofort oder beim nächsten Checkpoint stoppen; nennt, was verloren ginge</translation>
    </message>
    <message>
        <source>Stop at the next checkpoint</source>
        <translation>Beim nächsten Checkpoint stoppen</translation>
    </message>
    <message>
        <source>The program goes on until it has saved, and ends within about a second</source>
        <translation>Das Programm läuft weiter, bis es gespeichert hat, und endet nach etwa einer Sekunde</translation>
    </message>
    <message>
        <source>Print stacks</source>
        <translation>Stacks ausgeben</translation>
    </message>
    <message>
        <source>Where each rank of the program is, in its log</source>
        <translation>Wo jeder Rank des Programms gerade ist, in seinem Log</translation>
    </message>
    <message>
        <source>Stop the trial</source>
        <translation>Trial stoppen</translation>
    </message>
    <message>
        <source>End the trial; its sweep continues</source>
        <translation>Trial beenden; sein Sweep läuft weiter</translation>
    </message>
    <message>
        <source>Run a script…</source>
        <translation>Skript ausführen…</translation>
    </message>
    <message>
        <source>Run your own train.py as it is, with its arguments as a form</source>
        <translation>Die eigene train.py ausführen, wie sie ist, mit ihren Argumenten als Formular</translation>
    </message>
    <message>
        <source>A program&apos;s checkpoint holds no model: serve what it exported as TorchScript, as a file, from the Serve page</source>
        <translation>Der Checkpoint eines Programms enthält kein Modell: auf der Seite „Dienste“ als Datei bereitstellen, was es als TorchScript exportiert hat</translation>
    </message>
    <message>
        <source>Serve…</source>
        <translation>Bereitstellen…</translation>
    </message>
    <message>
        <source>Answer requests with this checkpoint, over HTTP</source>
        <translation>Anfragen über HTTP mit diesem Checkpoint beantworten</translation>
    </message>
    <message>
        <source>Train on from here…</source>
        <translation>Von hier weitertrainieren…</translation>
    </message>
    <message>
        <source>New run that trains all weights from the best checkpoint of this head; edit the settings first</source>
        <translation>Neuer Lauf, der vom besten Checkpoint dieses Kopfes aus alle Gewichte trainiert; zuerst die Einstellungen bearbeiten</translation>
    </message>
    <message>
        <source>Unreadable files…</source>
        <translation>Unlesbare Dateien…</translation>
    </message>
    <message>
        <source>The files of its dataset that the run has left out, and why</source>
        <translation>Die Dateien des Datensatzes, die der Lauf ausgelassen hat, und warum</translation>
    </message>
    <message>
        <source>Resume from here</source>
        <translation>Ab hier fortsetzen</translation>
    </message>
    <message>
        <source>Later checkpoints stay where they are; the curve goes on from this one</source>
        <translation>Spätere Checkpoints bleiben, wo sie sind; die Kurve geht ab diesem weiter</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n runs)</source>
        <translation>
            <numerusform>%1 (%n Lauf)</numerusform>
            <numerusform>%1 (%n Läufe)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Argument</name>
    <message>
        <source>Required</source>
        <translation>Erforderlich</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>“%1” is none of its choices</source>
        <translation>„%1“ steht nicht zur Wahl</translation>
    </message>
    <message>
        <source>must be given</source>
        <translation>muss angegeben werden</translation>
    </message>
</context>
<context>
    <name>Axis</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>normal, mean %1, sd %2</source>
        <translation>normal, Mittelwert %1, Std.-Abw. %2</translation>
    </message>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>in steps of %1</source>
        <translation>in Schritten von %1</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>ganzzahlig</translation>
    </message>
    <message numerus="yes">
        <source>%n values</source>
        <translation>
            <numerusform>%n Wert</numerusform>
            <numerusform>%n Werte</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangeList</name>
    <message>
        <source>%1 global</source>
        <translation>%1 global</translation>
    </message>
    <message>
        <source>%1 per worker</source>
        <translation>%1 je Worker</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>%1 epochs</source>
        <translation>%1 Epochen</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
</context>
<context>
    <name>ChartMenu</name>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>Chart unpinned</source>
        <translation>Diagramm gelöst</translation>
    </message>
    <message>
        <source>Chart pinned</source>
        <translation>Diagramm angeheftet</translation>
    </message>
    <message>
        <source>Hide this chart</source>
        <translation>Dieses Diagramm ausblenden</translation>
    </message>
    <message>
        <source>Chart hidden</source>
        <translation>Diagramm ausgeblendet</translation>
    </message>
    <message>
        <source>Move forward</source>
        <translation>Nach vorn</translation>
    </message>
    <message>
        <source>Move back</source>
        <translation>Nach hinten</translation>
    </message>
    <message>
        <source>Add series</source>
        <translation>Messreihe hinzufügen</translation>
    </message>
    <message>
        <source>%1 added to the chart</source>
        <translation>%1 zum Diagramm hinzugefügt</translation>
    </message>
    <message>
        <source>Remove series</source>
        <translation>Messreihe entfernen</translation>
    </message>
    <message>
        <source>%1 is back in its own chart</source>
        <translation>%1 hat wieder ein eigenes Diagramm</translation>
    </message>
    <message>
        <source>Y axis</source>
        <translation>y-Achse</translation>
    </message>
    <message>
        <source>Y axis changed</source>
        <translation>y-Achse geändert</translation>
    </message>
    <message>
        <source>Same as the toolbar</source>
        <translation>Wie in der Werkzeugleiste</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmisch</translation>
    </message>
    <message>
        <source>Y range set</source>
        <translation>y-Bereich gesetzt</translation>
    </message>
    <message>
        <source>Y range fits the points</source>
        <translation>y-Bereich an die Punkte angepasst</translation>
    </message>
    <message>
        <source>Range…</source>
        <translation>Bereich…</translation>
    </message>
    <message>
        <source>Fit to the points</source>
        <translation>An die Punkte anpassen</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Fork here: %1, %2…</source>
        <translation>Hier forken: %1, %2…</translation>
    </message>
    <message>
        <source>Fork %1 from</source>
        <translation>%1 forken ab</translation>
    </message>
    <message>
        <source>%1, the best</source>
        <translation>%1, der beste</translation>
    </message>
    <message>
        <source>Show values…</source>
        <translation>Werte zeigen…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Add series…</source>
        <translation>Messreihe hinzufügen…</translation>
    </message>
</context>
<context>
    <name>Checkpoint</name>
    <message>
        <source>Epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
</context>
<context>
    <name>CurvesExport</name>
    <message>
        <source>Exported %1</source>
        <translation>%1 exportiert</translation>
    </message>
    <message>
        <source>Export as %1…</source>
        <translation>Als %1 exportieren…</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Export points as CSV…</source>
        <translation>Punkte als CSV exportieren…</translation>
    </message>
    <message>
        <source>Export points</source>
        <translation>Punkte exportieren</translation>
    </message>
    <message>
        <source>Export all charts as %1 to a folder…</source>
        <translation>Alle Diagramme als %1 in einen Ordner…</translation>
    </message>
    <message>
        <source>Folder for the charts</source>
        <translation>Ordner für die Diagramme</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>No checkpoint is complete yet.</source>
        <translation>Noch ist kein Checkpoint vollständig.</translation>
    </message>
    <message>
        <source>The newest complete checkpoint is of step %1: no step is lost.</source>
        <translation>Der neueste vollständige Checkpoint ist der von Schritt %1: Kein Schritt geht verloren.</translation>
    </message>
    <message>
        <source>The newest complete checkpoint is of step %1: unless the program saves when it is asked to end, the %2 steps after it are lost.</source>
        <translation>Der neueste vollständige Checkpoint ist der von Schritt %1: Speichert das Programm nicht, wenn es beendet wird, gehen die %2 Schritte danach verloren.</translation>
    </message>
    <message>
        <source>No checkpoint is complete yet: unless the program saves when it is asked to end, all %1 steps are lost.</source>
        <translation>Noch ist kein Checkpoint vollständig: Speichert das Programm nicht, wenn es beendet wird, gehen alle %1 Schritte verloren.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>How a step is computed and gradients are processed.</source>
        <translation>Wie ein Schritt gerechnet wird und was mit den Gradienten geschieht.</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>Number format of the forward and backward pass; auto times fp32 and bf16 and uses the faster.</source>
        <translation>Zahlenformat von Vorwärts- und Rückwärtsdurchlauf; auto misst fp32 und bf16 und nimmt das schnellere.</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>Norm begrenzen</translation>
    </message>
    <message>
        <source>Scales gradients down when their total norm is larger than this; 0: off.</source>
        <translation>Die gemeinsame Norm aller Gradienten wird darauf verkleinert; 0: aus.</translation>
    </message>
    <message>
        <source>Clip value</source>
        <translation>Wert begrenzen</translation>
    </message>
    <message>
        <source>Clips every element of a gradient to plus or minus this; 0: off.</source>
        <translation>Jedes Element eines Gradienten wird betragsmäßig darauf begrenzt; 0: aus.</translation>
    </message>
    <message>
        <source>EMA decay</source>
        <translation>EMA-Abfall</translation>
    </message>
    <message>
        <source>Decay of a moving average of the weights, such as 0.999; validation and exports use the average. 0: none.</source>
        <translation>Abfall eines gleitenden Mittels der Gewichte, das validiert und exportiert wird, etwa 0.999; 0: keines.</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>Memory layout of images; auto decides by timing.</source>
        <translation>Speicherlayout von Bildern; auto entscheidet durch Messen.</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Kernels of matrix products on the CPU; auto decides by timing.</source>
        <translation>Kernel der Matrixprodukte auf der CPU; auto entscheidet durch Messen.</translation>
    </message>
    <message>
        <source>Drop last step</source>
        <translation>Rest weglassen</translation>
    </message>
    <message>
        <source>Skip the last step of an epoch if too few samples are left for a full one.</source>
        <translation>Den letzten Schritt einer Epoche auslassen, wenn die Samples für einen vollen nicht reichen.</translation>
    </message>
    <message>
        <source>Deterministic</source>
        <translation>Deterministisch</translation>
    </message>
    <message>
        <source>Uses only operations that give the same bits in every run.</source>
        <translation>Nur Operationen, die in jedem Lauf dieselben Bits ergeben.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Seeds the sample order, initial weights and augmentation.</source>
        <translation>Legt Reihenfolge der Samples, Anfangsgewichte und Augmentierung fest.</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Unreadable files, and the split of the samples.</source>
        <translation>Dateien, die sich nicht lesen lassen, und die Aufteilung der Samples.</translation>
    </message>
    <message>
        <source>Unreadable files</source>
        <translation>Unlesbare Dateien</translation>
    </message>
    <message>
        <source>Stop and name all of them, or skip and count them.</source>
        <translation>Abbrechen und alle nennen, oder überspringen: Sie werden ausgelassen und gezählt.</translation>
    </message>
    <message>
        <source>Skip at most</source>
        <translation>Höchstens überspringen</translation>
    </message>
    <message>
        <source>The largest share of all files, and of the files of a class, that may be skipped.</source>
        <translation>Größter Anteil aller Dateien und der Dateien einer Klasse, der ausgelassen werden darf.</translation>
    </message>
    <message>
        <source>Division</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Split each class in proportion, or split at random; auto: by class.</source>
        <translation>Jeder Klasse ihren Anteil an Training, Validierung und Test geben oder zufällig aufteilen; auto: nach Klassen.</translation>
    </message>
    <message>
        <source>Changed data</source>
        <translation>Geänderte Daten</translation>
    </message>
    <message>
        <source>Refuse to continue a run whose data has changed, or accept the data as it is now.</source>
        <translation>Einen Lauf mit geänderten Daten nicht fortsetzen oder die Daten so nehmen, wie sie jetzt sind.</translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation>Augmentierung</translation>
    </message>
    <message>
        <source>Random transforms of training images, drawn for each batch.</source>
        <translation>Zufällige Transformationen der Trainingsbilder, für jeden Batch gezogen.</translation>
    </message>
    <message>
        <source>Crop</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Pads the image with this many zeros and crops a random window of the old size; 0: off.</source>
        <translation>Nullrand um ein Bild, aus dem ein zufälliger Ausschnitt der alten Größe genommen wird; 0: keiner.</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>Auslöschen</translation>
    </message>
    <message>
        <source>Probability of blanking a random rectangle of an image.</source>
        <translation>Wahrscheinlichkeit, dass ein zufälliges Rechteck eines Bildes gelöscht wird.</translation>
    </message>
    <message>
        <source>Flip</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>Flip half of the images left to right.</source>
        <translation>Die Hälfte der Bilder links-rechts spiegeln.</translation>
    </message>
    <message>
        <source>Averaging</source>
        <translation>Mittelung</translation>
    </message>
    <message>
        <source>How the ranks share the work and stay in sync.</source>
        <translation>Wie sich die Ranks die Arbeit teilen und synchron bleiben.</translation>
    </message>
    <message>
        <source>How gradients are averaged: LibTorch&apos;s reducer, flat buckets, or memory shared by the ranks of a host.</source>
        <translation>Wie Gradienten gemittelt werden: Reducer von LibTorch, flache Buckets oder gemeinsamer Speicher der Ranks eines Hosts.</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>How gradients are compressed between ranks: as 16-bit numbers, or as narrow matrices (PowerSGD).</source>
        <translation>Wie Gradienten zwischen Ranks komprimiert werden: Zahlen mit 16 Bit oder schmale Matrizen (PowerSGD).</translation>
    </message>
    <message>
        <source>Compression rank</source>
        <translation>Rang der Kompression</translation>
    </message>
    <message>
        <source>Columns of PowerSGD&apos;s matrices: more are more exact and send more.</source>
        <translation>Spalten der Matrizen von PowerSGD: Mehr davon verlieren weniger vom Gradienten und senden mehr.</translation>
    </message>
    <message>
        <source>Learning-rate rule</source>
        <translation>Lernratenregel</translation>
    </message>
    <message>
        <source>Scale the learning rate with the number of workers, or with its square root.</source>
        <translation>Die Lernrate mit der Zahl der Worker skalieren oder mit deren Wurzel.</translation>
    </message>
    <message>
        <source>Sync batch norm</source>
        <translation>Sync-Batch-Norm</translation>
    </message>
    <message>
        <source>Compute batch-norm statistics over all ranks.</source>
        <translation>Batch-Norm-Statistik über alle Ranks berechnen.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Where the ranks compute.</source>
        <translation>Wo die Ranks rechnen.</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>The library that carries data between ranks.</source>
        <translation>Was Daten zwischen den Ranks überträgt.</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Processes, one for each rank.</source>
        <translation>Prozesse, einer je Rank.</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>Mindestens</translation>
    </message>
    <message>
        <source>Fewest workers that the run may continue with, after a loss or on request; 0: never fewer.</source>
        <translation>Auf wie wenige Worker der Lauf schrumpfen darf, nach einem Ausfall oder auf Wunsch; 0: gar nicht.</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>Most workers that the run may grow to on request.</source>
        <translation>Auf wie viele Worker der Lauf auf Wunsch wachsen darf.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads per worker; 0: divides the cores among the workers.</source>
        <translation>Threads jedes Workers; 0: die Kerne geteilt durch die Worker.</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Use the first hosts of the list, or the least busy ones.</source>
        <translation>Welche von mehreren Hosts genutzt werden: die ersten, oder die am wenigsten belegten.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory that each worker needs on its host; the queue waits until that much is free. 0: do not check.</source>
        <translation>Speicher, den jeder Worker auf seinem Host braucht; die Warteschlange wartet, bis so viel frei ist. 0: nicht prüfen.</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>When to save, and what to keep.</source>
        <translation>Wann gespeichert und was behalten wird.</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Saves every this many epochs; 0: never.</source>
        <translation>Speichert immer nach so vielen Epochen; 0: nie.</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>and every</source>
        <translation>und alle</translation>
    </message>
    <message>
        <source>Saves every this many steps; 0: never.</source>
        <translation>Speichert immer nach so vielen Schritten; 0: nie.</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Keep newest</source>
        <translation>Neueste behalten</translation>
    </message>
    <message>
        <source>Number of newest checkpoints to keep besides the best one.</source>
        <translation>Wie viele der neuesten neben dem besten bleiben.</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Disk space for all checkpoints of the run; the oldest are deleted first. 0: no limit.</source>
        <translation>Speicherplatz für alle Checkpoints des Laufs; die ältesten werden zuerst gelöscht. 0: unbegrenzt.</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Score by</source>
        <translation>Score nach</translation>
    </message>
    <message>
        <source>The series that picks the best checkpoint.</source>
        <translation>Die Messreihe, die den besten Checkpoint bestimmt.</translation>
    </message>
    <message>
        <source>Best is the</source>
        <translation>Bester ist</translation>
    </message>
    <message>
        <source>Whether smaller or larger values of that series are better.</source>
        <translation>Ob kleinere oder größere Werte dieser Messreihe besser sind.</translation>
    </message>
    <message>
        <source>Early stop</source>
        <translation>Early Stopping</translation>
    </message>
    <message>
        <source>Ends a run that no longer improves.</source>
        <translation>Beendet einen Lauf, der sich nicht mehr verbessert.</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>The validation series to watch, such as val/loss; empty: never stop early.</source>
        <translation>Die beobachtete Messreihe der Validierung, etwa val/loss; leer: nie früher enden.</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Besser ist</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>Geduld</translation>
    </message>
    <message>
        <source>Validations without improvement before the run ends.</source>
        <translation>Validierungen ohne Verbesserung, nach denen der Lauf endet.</translation>
    </message>
    <message>
        <source>Minimum improvement</source>
        <translation>Min. Verbesserung</translation>
    </message>
    <message>
        <source>The smallest change that counts as an improvement.</source>
        <translation>Die kleinste Änderung, die als Verbesserung zählt.</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Ausfälle</translation>
    </message>
    <message>
        <source>Recovery when a rank is lost or a loss is NaN.</source>
        <translation>Was geschieht, wenn ein Rank ausfällt oder ein Loss NaN ist.</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>Neustarts</translation>
    </message>
    <message>
        <source>How often the run may recover from a lost rank before it fails.</source>
        <translation>Wie oft nach einem Ausfall eine neue Gruppe gebildet werden darf.</translation>
    </message>
    <message>
        <source>Hung after</source>
        <translation>Hängt nach</translation>
    </message>
    <message>
        <source>A rank that is silent for longer counts as hung.</source>
        <translation>Ein Rank, der länger schweigt, gilt als hängend.</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>NaN or infinite</source>
        <translation>NaN/unendlich</translation>
    </message>
    <message>
        <source>Stop the run, skip the step, or go back to the newest checkpoint.</source>
        <translation>Den Lauf stoppen, den Schritt auslassen oder zum neuesten Checkpoint zurückgehen.</translation>
    </message>
    <message>
        <source>Learning-rate factor</source>
        <translation>Lernratenfaktor</translation>
    </message>
    <message>
        <source>A rollback multiplies the learning rate by this.</source>
        <translation>Womit ein Rückgang die Lernrate multipliziert.</translation>
    </message>
    <message>
        <source>Debugging</source>
        <translation>Fehlersuche</translation>
    </message>
    <message>
        <source>Debugging aids and output for other tools.</source>
        <translation>Hilfen zur Fehlersuche und Ausgabe für andere Werkzeuge.</translation>
    </message>
    <message>
        <source>Overfit on</source>
        <translation>Overfit auf</translation>
    </message>
    <message>
        <source>Train and validate on only this many batches: the loss must go to 0. 0: on everything.</source>
        <translation>Nur auf so vielen Batches trainieren und validieren: Der Loss muss gegen 0 gehen. 0: auf allen.</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>Batches</translation>
    </message>
    <message>
        <source>Fast dev run</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Runs one step, one validation batch and one checkpoint, then ends.</source>
        <translation>Ein Schritt, ein Batch Validierung, ein Checkpoint, dann Schluss.</translation>
    </message>
    <message>
        <source>TensorBoard</source>
        <translation>TensorBoard</translation>
    </message>
    <message>
        <source>Also write event files into the run&apos;s folder.</source>
        <translation>Auch Ereignisdateien in den Ordner des Laufs schreiben.</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Trials</translation>
    </message>
    <message>
        <source>The number of trials, and how many train at once.</source>
        <translation>Zahl der Trials, und wie viele zugleich trainieren.</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>Konfigurationen</translation>
    </message>
    <message>
        <source>Number of configurations to try; of a grid the first ones, or all with 0.</source>
        <translation>Wie viele versucht werden. Bei einem Raster: 0 für alle, sonst nur die ersten.</translation>
    </message>
    <message>
        <source>Seeds each</source>
        <translation>Seeds je Konf.</translation>
    </message>
    <message>
        <source>Trials per configuration, which is ranked by their mean.</source>
        <translation>Trials je Konfiguration, die nach deren Mittel eingestuft wird.</translation>
    </message>
    <message>
        <source>Repeat the best</source>
        <translation>Beste wiederholen</translation>
    </message>
    <message>
        <source>Runs only this many of the best configurations with all seeds, after the search. 0: all of them, from the start.</source>
        <translation>Nur so viele der besten Konfigurationen bekommen nach der Suche ihre Seeds. 0: alle, von Anfang an.</translation>
    </message>
    <message>
        <source>In parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Trials at the same time. 0: as many as devices or cores allow, or one on each host.</source>
        <translation>Trials nebeneinander. 0: so viele, wie Geräte oder Kerne erlauben, oder einer je Host.</translation>
    </message>
    <message>
        <source>Per device</source>
        <translation>Je Gerät</translation>
    </message>
    <message>
        <source>Trials per CUDA device, host or core when their number in parallel is 0.</source>
        <translation>Trials, die sich ein CUDA-Gerät, einen Host oder einen Kern teilen, wenn ihre Zahl nebeneinander 0 ist.</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Score</translation>
    </message>
    <message>
        <source>The metric that ranks the trials.</source>
        <translation>Wonach Trials verglichen werden.</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>The series that ranks the trials.</source>
        <translation>Die Messreihe, nach der Trials verglichen werden.</translation>
    </message>
    <message>
        <source>Whether larger or smaller values are better.</source>
        <translation>Ob der größte oder der kleinste Wert der beste ist.</translation>
    </message>
    <message>
        <source>Second series</source>
        <translation>Zweite Messreihe</translation>
    </message>
    <message>
        <source>A second series to rank by; the result is the Pareto front of both. Empty: one series only.</source>
        <translation>Trials werden auch danach verglichen: Ergebnis sind die, die keiner in beiden schlägt. Leer: nach einer Messreihe.</translation>
    </message>
    <message>
        <source>Second goal</source>
        <translation>Besser ist (2.)</translation>
    </message>
    <message>
        <source>Whether smaller or larger values of the second series are better.</source>
        <translation>Ob ihr kleinster oder ihr größter Wert der beste ist.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Scores a trial by its best or by its last value.</source>
        <translation>Welcher Wert der Messreihe zählt: der beste oder der letzte eines Trials.</translation>
    </message>
    <message>
        <source>Limits of the sweep; it ends at the first that is reached.</source>
        <translation>Was der Sweep verbrauchen darf; er endet, wenn das erste davon erreicht ist.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time that the sweep may take. 0: unlimited.</source>
        <translation>Zeit, die der Sweep dauern darf. 0: unbegrenzt.</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Limit for all trials together. 0: unlimited.</source>
        <translation>Grenze für alle Trials zusammen. 0: unbegrenzt.</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Ends the sweep when a trial reaches this score.</source>
        <translation>Beendet den Sweep, sobald ein Trial diesen Score erreicht.</translation>
    </message>
    <message>
        <source>Idle trials</source>
        <translation>Ohne Fortschritt</translation>
    </message>
    <message>
        <source>Ends the sweep after this many consecutive trials without a new best. 0: never.</source>
        <translation>Beendet den Sweep nach so vielen Trials in Folge ohne neuen Bestwert. 0: nie.</translation>
    </message>
    <message>
        <source>At the end</source>
        <translation>Am Ende</translation>
    </message>
    <message>
        <source>What happens to running trials: stop saves and ends them, finish lets them complete.</source>
        <translation>Was aus trainierenden Trials wird: stop speichert und beendet sie, finish lässt sie zu Ende laufen.</translation>
    </message>
    <message>
        <source>Failures and draws</source>
        <translation>Fehlschläge und Ziehungen</translation>
    </message>
    <message>
        <source>Retries of failed trials, and the seed of random draws.</source>
        <translation>Was aus fehlgeschlagenen Trials wird und womit die Zufallsziehungen beginnen.</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>How often to retry each failed trial.</source>
        <translation>Wie oft jeder fehlgeschlagene Trial wiederholt wird.</translation>
    </message>
    <message>
        <source>May fail</source>
        <translation>Fehlquote</translation>
    </message>
    <message>
        <source>The sweep fails when a larger share of its trials has failed.</source>
        <translation>Bei einem größeren Anteil fehlgeschlagener Trials schlägt der Sweep fehl.</translation>
    </message>
    <message>
        <source>Draw seed</source>
        <translation>Seed der Suche</translation>
    </message>
    <message>
        <source>The same seed draws the same configurations on every computer.</source>
        <translation>Derselbe Seed zieht auf jedem Rechner dieselben Konfigurationen.</translation>
    </message>
    <message>
        <source>Processes and checkpoints</source>
        <translation>Prozesse und Checkpoints</translation>
    </message>
    <message>
        <source>Processes that trials share, and checkpoints that they leave.</source>
        <translation>Was von einem Trial zum nächsten bleibt und was jeder hinterlässt.</translation>
    </message>
    <message>
        <source>Reuse workers</source>
        <translation>Worker behalten</translation>
    </message>
    <message>
        <source>Reuses workers for the next trial where possible. Off: each trial starts fresh ones.</source>
        <translation>Worker bleiben wenn möglich für den nächsten Trial. Aus: Jeder Trial hat frische.</translation>
    </message>
    <message>
        <source>Keep best</source>
        <translation>Beste behalten</translation>
    </message>
    <message>
        <source>Keeps the checkpoints of this many of the best trials. 0: of all trials.</source>
        <translation>So viele der besten Trials behalten ihre Checkpoints. 0: alle.</translation>
    </message>
    <message>
        <source>Or after</source>
        <translation>Oder ab</translation>
    </message>
    <message>
        <source>Also keeps the checkpoints of trials that trained for at least this long.</source>
        <translation>Auch Trials, die mindestens so lange trainiert haben, behalten ihre Checkpoints.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Chooses grid, gp or tpe from the space and the number of trials.</source>
        <translation>Wählt grid, gp oder tpe nach Suchraum und Zahl der Trials.</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Every combination of the values.</source>
        <translation>Jede Kombination der Werte.</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Zufall</translation>
    </message>
    <message>
        <source>Independent random samples.</source>
        <translation>Unabhängige Ziehungen.</translation>
    </message>
    <message>
        <source>Sobol</source>
        <translation>Sobol</translation>
    </message>
    <message>
        <source>Quasi-random samples that fill the space evenly.</source>
        <translation>Ziehungen, die den Raum gleichmäßig füllen (eine Quasizufallsfolge).</translation>
    </message>
    <message>
        <source>TPE</source>
        <translation>TPE</translation>
    </message>
    <message>
        <source>Samples near the best trials so far and away from the rest; for any space.</source>
        <translation>Zieht nahe den bisher besten, fern vom Rest; für jeden Suchraum.</translation>
    </message>
    <message>
        <source>Startup</source>
        <translation>Anlauf</translation>
    </message>
    <message>
        <source>Random trials before the model is used.</source>
        <translation>Zufällige Trials, bevor das Modell benutzt wird.</translation>
    </message>
    <message>
        <source>Gaussian process</source>
        <translation>Gauß-Prozess</translation>
    </message>
    <message>
        <source>Models the loss over the space; best with few axes and trials.</source>
        <translation>Modelliert den Loss über dem Suchraum; am besten bei wenigen Achsen und Trials.</translation>
    </message>
    <message>
        <source>Every trial trains to its end.</source>
        <translation>Jeder Trial trainiert bis zum Ende.</translation>
    </message>
    <message>
        <source>ASHA</source>
        <translation>ASHA</translation>
    </message>
    <message>
        <source>Stops a trial at a rung if most earlier trials scored better there.</source>
        <translation>Stoppt einen Trial auf einer Stufe, wenn die meisten früheren dort besser waren.</translation>
    </message>
    <message>
        <source>Grace</source>
        <translation>Schonfrist</translation>
    </message>
    <message>
        <source>How long a trial trains before it can be stopped, in epochs or steps as the run counts.</source>
        <translation>Wie lange ein Trial trainiert, bevor er gestoppt werden kann, in den Epochen oder Schritten seines Laufs.</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Reduction factor: 1 in this many trials continues; each rung is this many times longer.</source>
        <translation>Reduktionsfaktor: einer von so vielen Trials läuft weiter; jede Stufe ist so viel Mal länger.</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>stop: continues unless ranked too low. promote: pauses at each rung; the best are promoted.</source>
        <translation>stop: läuft weiter, wenn nicht zu schlecht. promote: hält auf jeder Stufe an; die besten dürfen weiter.</translation>
    </message>
    <message>
        <source>Brackets</source>
        <translation>Brackets</translation>
    </message>
    <message>
        <source>stop only: each extra bracket starts one rung later.</source>
        <translation>Nur stop: jedes weitere Bracket beginnt eine Stufe später.</translation>
    </message>
    <message>
        <source>Successive halving</source>
        <translation>Successive Halving</translation>
    </message>
    <message>
        <source>Trials wait for one another at each rung; the best continue, the others stop.</source>
        <translation>Alle Trials warten auf jeder Stufe aufeinander; die besten laufen weiter, die anderen werden gestoppt.</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>Frist</translation>
    </message>
    <message>
        <source>How long a rung waits for the others once half have arrived; 0: until all have.</source>
        <translation>Wie lange auf die übrigen gewartet wird, sobald die Hälfte eine Stufe erreicht hat; 0: bis alle da sind.</translation>
    </message>
    <message>
        <source>HyperBand</source>
        <translation>HyperBand</translation>
    </message>
    <message>
        <source>Brackets of successive halving, from many short trials to few long ones.</source>
        <translation>Brackets von Successive Halving, von vielen kurzen zu wenigen langen Trials.</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Starts with the bracket of the most trials (large) or of the fewest (small).</source>
        <translation>Beginnt mit dem Bracket der meisten (large) oder der wenigsten Trials (small).</translation>
    </message>
    <message>
        <source>Median rule</source>
        <translation>Medianregel</translation>
    </message>
    <message>
        <source>Stops a trial whose best loss is worse than the median of the others&apos; running means.</source>
        <translation>Stoppt einen Trial, dessen bester Loss schlechter ist als der Median der laufenden Mittel der anderen.</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>How often trials are compared, in epochs or steps as the run counts.</source>
        <translation>Wie oft ein Trial beurteilt wird, in den Epochen oder Schritten seines Laufs.</translation>
    </message>
    <message>
        <source>How many trials must have come this far before one can be stopped.</source>
        <translation>So viele Trials müssen so weit gekommen sein, bevor einer gestoppt werden kann.</translation>
    </message>
    <message>
        <source>Population based training</source>
        <translation>Population Based Training</translation>
    </message>
    <message>
        <source>At every interval the worst trials copy the state of some of the best and vary the parameters.</source>
        <translation>In jedem Intervall übernehmen die schlechtesten Trials den Zustand einiger der besten und variieren deren Parameter.</translation>
    </message>
    <message>
        <source>Burn-in</source>
        <translation>Einlaufzeit</translation>
    </message>
    <message>
        <source>How long a trial trains before the first comparison.</source>
        <translation>Wie lange ein Trial trainiert, bevor er zum ersten Mal beurteilt wird.</translation>
    </message>
    <message>
        <source>Mutate</source>
        <translation>Mutieren</translation>
    </message>
    <message>
        <source>The fields of the space to vary when a trial adopts, separated by commas.</source>
        <translation>Die Felder des Suchraums, die sich bei einer Übernahme ändern, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Quantile</source>
        <translation>Quantil</translation>
    </message>
    <message>
        <source>The share of the trials that adopt, and of those that are adopted.</source>
        <translation>Der Anteil der Trials, der übernimmt und der übernommen wird.</translation>
    </message>
    <message>
        <source>Synchronous</source>
        <translation>Synchron</translation>
    </message>
    <message>
        <source>All trials wait for one another before they are compared.</source>
        <translation>Alle Trials warten aufeinander, bevor sie beurteilt werden.</translation>
    </message>
    <message>
        <source>Softmax regression</source>
        <translation>Softmax-Regression</translation>
    </message>
    <message>
        <source>One linear layer: the baseline that every other model should beat.</source>
        <translation>Eine lineare Schicht: die Baseline, die jedes andere Modell schlagen sollte.</translation>
    </message>
    <message>
        <source>Multilayer perceptron</source>
        <translation>Mehrlagiges Perzeptron</translation>
    </message>
    <message>
        <source>Fully connected layers; the usual first network.</source>
        <translation>Voll verbundene Schichten; das übliche erste Netz.</translation>
    </message>
    <message>
        <source>Hidden layers</source>
        <translation>Verdeckte Schichten</translation>
    </message>
    <message>
        <source>Width of each hidden layer; an empty list gives softmax regression.</source>
        <translation>Breite jeder verdeckten Schicht; eine leere Liste ergibt Softmax-Regression.</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Activation after each hidden layer.</source>
        <translation>Aktivierung nach jeder verdeckten Schicht.</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Share of each hidden layer&apos;s outputs set to zero while training.</source>
        <translation>Anteil der Ausgaben jeder verdeckten Schicht, der beim Training auf null gesetzt wird.</translation>
    </message>
    <message>
        <source>Small ConvNet</source>
        <translation>Kleines ConvNet</translation>
    </message>
    <message>
        <source>One convolution, pooling and a linear layer, as in Ray&apos;s MNIST examples.</source>
        <translation>Eine Faltung, Pooling und eine lineare Schicht, wie in Rays MNIST-Beispielen.</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Output channels of the convolution.</source>
        <translation>Ausgabekanäle der Faltung.</translation>
    </message>
    <message>
        <source>ResNet-18</source>
        <translation>ResNet-18</translation>
    </message>
    <message>
        <source>Residual network with torchvision&apos;s parameter names, for images of any size.</source>
        <translation>Residuales Netz mit den Parameternamen von torchvision, für Bilder jeder Größe.</translation>
    </message>
    <message>
        <source>Stem</source>
        <translation>Stamm</translation>
    </message>
    <message>
        <source>imagenet: 7 x 7 stride 2 and pooling; small: 3 x 3 stride 1, for small images.</source>
        <translation>imagenet: 7 x 7 mit Schrittweite 2 und Pooling; small: 3 x 3 mit Schrittweite 1, für kleine Bilder.</translation>
    </message>
    <message>
        <source>ResNet-34</source>
        <translation>ResNet-34</translation>
    </message>
    <message>
        <source>ResNet-50</source>
        <translation>ResNet-50</translation>
    </message>
    <message>
        <source>VGG-11</source>
        <translation>VGG-11</translation>
    </message>
    <message>
        <source>Eight plain 3 x 3 convolutions with batch normalisation, for images of any size.</source>
        <translation>Acht einfache 3 x 3-Faltungen mit Batch-Normalisierung, für Bilder jeder Größe.</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Channels of the first convolution; the last has eight times as many.</source>
        <translation>Kanäle der ersten Faltung; die letzte hat achtmal so viele.</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Share of the inputs of the last layer set to zero while training.</source>
        <translation>Anteil der Eingaben der letzten Schicht, der beim Training auf null gesetzt wird.</translation>
    </message>
    <message>
        <source>MobileNetV2</source>
        <translation>MobileNetV2</translation>
    </message>
    <message>
        <source>Small, fast residual network with torchvision&apos;s parameter names, for images of any size.</source>
        <translation>Kleines, schnelles residuales Netz mit den Parameternamen von torchvision, für Bilder jeder Größe.</translation>
    </message>
    <message>
        <source>Multiplies all channel counts.</source>
        <translation>Multipliziert jede Zahl von Kanälen.</translation>
    </message>
    <message>
        <source>imagenet: halves the image five times; small: three times, for small images.</source>
        <translation>imagenet: halbiert das Bild fünfmal; small: dreimal, für kleine Bilder.</translation>
    </message>
    <message>
        <source>Vision transformer</source>
        <translation>Vision Transformer</translation>
    </message>
    <message>
        <source>Attention between patches of an image, size &quot;tiny&quot;, with torchvision&apos;s parameter names.</source>
        <translation>Attention zwischen Patches eines Bildes, in der Größe „tiny“, mit den Parameternamen von torchvision.</translation>
    </message>
    <message>
        <source>Patch</source>
        <translation>Patch</translation>
    </message>
    <message>
        <source>Side of a patch in pixels; it must divide both sides of the image.</source>
        <translation>Seite eines Patches in Pixeln; die Bildseiten sind Vielfache davon.</translation>
    </message>
    <message>
        <source>Size of a patch&apos;s embedding; a multiple of the heads.</source>
        <translation>Zahlen, die für einen Patch stehen; ein Vielfaches der Heads.</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Layers of attention.</source>
        <translation>Attention-Schichten.</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Heads</translation>
    </message>
    <message>
        <source>Attention heads of a layer.</source>
        <translation>Attention-Heads einer Schicht.</translation>
    </message>
    <message>
        <source>Share of the outputs of each layer set to zero while training.</source>
        <translation>Anteil der Ausgaben jeder Schicht, der beim Training auf null gesetzt wird.</translation>
    </message>
    <message>
        <source>GPT</source>
        <translation>GPT</translation>
    </message>
    <message>
        <source>Small transformer that predicts the next token of a text.</source>
        <translation>Kleiner Transformer, der das nächste Token eines Textes vorhersagt.</translation>
    </message>
    <message>
        <source>Size of a token&apos;s embedding; a multiple of the heads.</source>
        <translation>Zahlen, die für ein Token stehen; ein Vielfaches der Heads.</translation>
    </message>
    <message>
        <source>LSTM</source>
        <translation>LSTM</translation>
    </message>
    <message>
        <source>Recurrent network over the tokens of a text, the rows of an image or the numbers of a vector.</source>
        <translation>Rekurrentes Netz über die Tokens eines Textes, die Zeilen eines Bildes oder die Zahlen eines Vektors.</translation>
    </message>
    <message>
        <source>Hidden units</source>
        <translation>Zustandsgröße</translation>
    </message>
    <message>
        <source>Size of the state carried from one position to the next.</source>
        <translation>Größe des Zustands, der von einer Position zur nächsten geht.</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Recurrent layers on top of one another.</source>
        <translation>Rekurrente Schichten übereinander.</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Embedding</translation>
    </message>
    <message>
        <source>Size of a token&apos;s embedding; texts only.</source>
        <translation>Zahlen, die für ein Token stehen; nur Texte.</translation>
    </message>
    <message>
        <source>Share of each layer&apos;s outputs set to zero while training.</source>
        <translation>Anteil der Ausgaben jeder Schicht, der beim Training auf null gesetzt wird.</translation>
    </message>
    <message>
        <source>TorchScript file</source>
        <translation>TorchScript-Datei</translation>
    </message>
    <message>
        <source>Any model saved in Python with torch.jit.save; checked and tried in a sandbox before use.</source>
        <translation>Jedes in Python mit torch.jit.save gespeicherte Modell; vor Gebrauch geprüft und in einer Sandbox ausprobiert.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>The saved file of torch.jit.script or torch.jit.trace.</source>
        <translation>Die Datei von torch.jit.script oder torch.jit.trace.</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Digest of the file, recorded at the start; the run then refuses any other file.</source>
        <translation>Prüfsumme der Datei; wird beim Start des Laufs eingetragen, der dann jede andere Datei ablehnt.</translation>
    </message>
    <message>
        <source>Plug-in</source>
        <translation>Plug-in</translation>
    </message>
    <message>
        <source>A model of your own, written in C++ and built as a shared library.</source>
        <translation>Ein eigenes Modell, in C++ geschrieben und als Bibliothek gebaut.</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>The shared library that registers the model, or the name of an installed one.</source>
        <translation>Die Bibliothek, die das Modell anmeldet, oder der Name einer installierten.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>The plug-in&apos;s own numbers, such as width=128, depth=2.</source>
        <translation>Eigene Zahlen des Plug-ins, etwa width=128, depth=2.</translation>
    </message>
    <message>
        <source>Fashion-MNIST</source>
        <translation>Fashion-MNIST</translation>
    </message>
    <message>
        <source>70,000 grey images of clothes, 28 x 28, in 10 classes.</source>
        <translation>70.000 Graubilder von Kleidung, 28 x 28, in 10 Klassen.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder of the four IDX files, plain or gzip; empty: the installed ones.</source>
        <translation>Ordner der vier IDX-Dateien, auch gzip; leer: wo sie installiert sind.</translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Share of the training images kept for validation; the official test images are measured once, at the end. 0: validates on the test images.</source>
        <translation>Anteil der Trainingsbilder für die Validierung. Auf den offiziellen Testbildern wird einmal gemessen, am Ende des Trainings; bei 0 wird auf ihnen validiert.</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Training images</source>
        <translation>Trainingsbilder</translation>
    </message>
    <message>
        <source>Use only this many training images, for a quick try; 0: all.</source>
        <translation>Nur so viele Trainingsbilder nutzen, für einen schnellen Versuch; 0: alle.</translation>
    </message>
    <message>
        <source>0: all</source>
        <translation>0: alle</translation>
    </message>
    <message>
        <source>MNIST</source>
        <translation>MNIST</translation>
    </message>
    <message>
        <source>70,000 grey images of handwritten digits, 28 x 28, in 10 classes.</source>
        <translation>70.000 Graubilder handgeschriebener Ziffern, 28 x 28, in 10 Klassen.</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>60,000 colour images of animals and vehicles, 32 x 32, in 10 classes.</source>
        <translation>60.000 Farbbilder von Tieren und Fahrzeugen, 32 x 32, in 10 Klassen.</translation>
    </message>
    <message>
        <source>Folder of the binary version&apos;s files; empty: the downloaded ones.</source>
        <translation>Ordner der Dateien der Binärversion; leer: wohin sie heruntergeladen wurden.</translation>
    </message>
    <message>
        <source>CIFAR-100</source>
        <translation>CIFAR-100</translation>
    </message>
    <message>
        <source>60,000 colour images of everyday things, 32 x 32, in 100 classes or 20 groups.</source>
        <translation>60.000 Farbbilder von Alltagsdingen, 32 x 32, in 100 Klassen oder 20 Gruppen.</translation>
    </message>
    <message>
        <source>Groups only</source>
        <translation>Nur Gruppen</translation>
    </message>
    <message>
        <source>Classify into the 20 superclasses, not the 100 classes.</source>
        <translation>In die 20 Oberklassen einteilen, nicht in die 100 Klassen.</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>Bildordner</translation>
    </message>
    <message>
        <source>Folder with one folder per class, or with folders train, val and optionally test of that kind; a pack of one; or archives of WebDataset.</source>
        <translation>Ordner mit einem Ordner je Klasse oder mit solchen Ordnern train und val und vielleicht test; ein Pack davon; oder Archive von WebDataset.</translation>
    </message>
    <message>
        <source>Images are resized to this.</source>
        <translation>Bilder werden auf diese Größe gebracht.</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Three channels or one; images are converted.</source>
        <translation>Drei Kanäle oder einer; Bilder werden umgewandelt.</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Anpassung</translation>
    </message>
    <message>
        <source>Crops or stretches images of another shape.</source>
        <translation>Wie ein Bild anderer Form angepasst wird: beschnitten oder gestreckt.</translation>
    </message>
    <message>
        <source>Share of the images kept for validation, when there is no folder val.</source>
        <translation>Anteil der Bilder für die Validierung, wenn es keinen Ordner val gibt.</translation>
    </message>
    <message>
        <source>Test share</source>
        <translation>Testanteil</translation>
    </message>
    <message>
        <source>Share of the samples held out for a test after training.</source>
        <translation>Anteil der Samples für einen Test nach dem Training.</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>A table of your own: one sample per row; one column is predicted from the others.</source>
        <translation>Eine eigene Tabelle: ein Sample je Zeile; eine Spalte wird aus den anderen vorhergesagt.</translation>
    </message>
    <message>
        <source>The table: CSV, JSON lines or NumPy (.npy, .npz), in UTF-8, plain or gzip.</source>
        <translation>Die Tabelle: CSV, JSON-Zeilen oder NumPy (.npy, .npz), in UTF-8, auch gzip.</translation>
    </message>
    <message>
        <source>The column to predict, by name or number (1: the first); for regression several, separated by commas. Empty: the last.</source>
        <translation>Die vorherzusagende Spalte, nach Name oder Nummer (1: die erste); bei Regression auch mehrere, durch Kommas getrennt. Leer: die letzte.</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <source>Columns to ignore, by name or number, separated by commas.</source>
        <translation>Spalten, die nicht benutzt werden, nach Name oder Nummer, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>Kopfzeile</translation>
    </message>
    <message>
        <source>Whether the first line names the columns; auto: detected.</source>
        <translation>Ob die erste Zeile die Spalten benennt; auto: nach ihr und den Zeilen darunter beurteilt.</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>Trennzeichen</translation>
    </message>
    <message>
        <source>The character between two cells.</source>
        <translation>Was zwischen zwei Zellen steht.</translation>
    </message>
    <message>
        <source>Decimal mark</source>
        <translation>Dezimalzeichen</translation>
    </message>
    <message>
        <source>Decimal separator; auto: detected from the columns.</source>
        <translation>Was vor den Nachkommastellen einer Zahl steht; auto: wie es die Spalten zeigen.</translation>
    </message>
    <message>
        <source>Missing cells</source>
        <translation>Fehlende Werte</translation>
    </message>
    <message>
        <source>Rows with empty cells: fill the cells with the median of the column&apos;s training rows or a word of their own, drop the rows, or refuse the table. Rows without a target are dropped.</source>
        <translation>Was mit Zeilen geschieht, in denen Zellen leer sind: die Zellen mit dem Median der Trainingszeilen oder einem eigenen Wort füllen, die Zeilen weglassen oder die Tabelle ablehnen. Zeilen ohne Zielwert entfallen.</translation>
    </message>
    <message>
        <source>Dates</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Columns of dates and times: year, month, day, weekday, hour and seconds, or words.</source>
        <translation>Spalten mit Datum oder Uhrzeit: Jahr, Monat, Tag, Wochentag, Stunde und Sekunden, oder Wörter.</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Columns of words: one feature of 0 and 1 for each word (at most 100), or refuse them.</source>
        <translation>Ein Merkmal aus Wörtern wird zu einem 0/1-Merkmal je Wort, höchstens 100, oder wird abgelehnt.</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Number of classes, with labels from 0 to one less; 0: taken from the file.</source>
        <translation>Labels gehen von 0 bis eins weniger als dies; 0: wie in der Datei gefunden.</translation>
    </message>
    <message>
        <source>0: from the file</source>
        <translation>0: aus der Datei</translation>
    </message>
    <message>
        <source>Standardise</source>
        <translation>Standardisieren</translation>
    </message>
    <message>
        <source>Scale each feature, and a regression target, to mean 0 and standard deviation 1 over the training rows.</source>
        <translation>Jedes Merkmal und ein Regressionsziel auf Mittelwert 0 und Standardabweichung 1 der Trainingszeilen bringen.</translation>
    </message>
    <message>
        <source>Folds</source>
        <translation>Folds</translation>
    </message>
    <message>
        <source>0: none</source>
        <translation>0: keine</translation>
    </message>
    <message>
        <source>Divides the samples into this many equal parts, of which one is for validation, instead of a share; a sweep over the fold is a cross-validation.</source>
        <translation>Teilt die Samples in so viele gleiche Teile, von denen einer der Validierung dient, statt eines Anteils; ein Sweep über den Fold ist eine Kreuzvalidierung.</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Fold</translation>
    </message>
    <message>
        <source>Which of the folds is for validation, from 0.</source>
        <translation>Welcher der Folds der Validierung dient, ab 0.</translation>
    </message>
    <message>
        <source>Share of the rows kept for validation.</source>
        <translation>Anteil der Zeilen für die Validierung.</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Texts in UTF-8; the task is language: the next character, byte or part of a word.</source>
        <translation>Texte in UTF-8; die Aufgabe ist Sprache: das nächste Zeichen, Byte oder Wortstück.</translation>
    </message>
    <message>
        <source>The text, or JSON lines with a text each; plain or gzip.</source>
        <translation>Der Text, oder JSON-Zeilen mit je einem Text; auch gzip.</translation>
    </message>
    <message>
        <source>Instead of a file: a folder of texts (.txt, .md, .jsonl, also with .gz), with an end token between two of them.</source>
        <translation>Statt einer Datei: ein Ordner mit Texten (.txt, .md, .jsonl, auch mit .gz), mit einem Endtoken zwischen zweien.</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>What is predicted: characters, bytes, or parts of words (byte-level BPE, as in GPT-2).</source>
        <translation>Was vorhergesagt wird: Zeichen, Bytes oder Wortstücke (BPE auf Bytes, wie in GPT-2).</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>Number of BPE tokens to learn from the text; without effect with a tokenizer.</source>
        <translation>Wie viele BPE-Tokens aus dem Text gelernt werden; mit einem Tokenizer ohne Wirkung.</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>A tokenizer to use for BPE: tokenizer.json, or vocab.json with merges.txt beside it. Empty: one is learned from the text.</source>
        <translation>Ein Tokenizer für BPE: tokenizer.json, oder vocab.json mit merges.txt daneben. Leer: einer wird aus dem Text gelernt.</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>The member of JSON lines that holds the text.</source>
        <translation>Der Eintrag von JSON-Zeilen, der den Text enthält.</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>Tokens per sample.</source>
        <translation>Tokens eines Samples.</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Tokens from the start of one sample to the start of the next; 0: the sequence length.</source>
        <translation>Tokens vom Anfang eines Samples bis zum Anfang des nächsten; 0: die Sequenzlänge.</translation>
    </message>
    <message>
        <source>Share of the text, at its end, kept for validation.</source>
        <translation>Anteil des Textes, an seinem Ende, für die Validierung.</translation>
    </message>
    <message>
        <source>Glyphs (generated)</source>
        <translation>Glyphen (generiert)</translation>
    </message>
    <message>
        <source>Grey images of ten drawn shapes with noise, 28 x 28; needs no file.</source>
        <translation>Graubilder von zehn gezeichneten Formen mit Rauschen, 28 x 28; braucht keine Datei.</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>How many samples to generate, validation included.</source>
        <translation>Wie viele Samples generiert werden, Validierung inbegriffen.</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Standard deviation of the noise, as a share of the full range.</source>
        <translation>Standardabweichung des Korns, bezogen auf den vollen Bereich.</translation>
    </message>
    <message>
        <source>Share of the samples kept for validation.</source>
        <translation>Anteil der Samples für die Validierung.</translation>
    </message>
    <message>
        <source>Spirals (generated)</source>
        <translation>Spiralen (generiert)</translation>
    </message>
    <message>
        <source>Points in the plane on interleaved spiral arms, one class per arm; needs no file.</source>
        <translation>Punkte in der Ebene auf verschränkten Spiralarmen, eine Klasse je Arm; braucht keine Datei.</translation>
    </message>
    <message>
        <source>Arms</source>
        <translation>Arme</translation>
    </message>
    <message>
        <source>Number of arms, one class each.</source>
        <translation>Wie viele Arme, jeder eine Klasse.</translation>
    </message>
    <message>
        <source>Standard deviation of the angle, in radians.</source>
        <translation>Standardabweichung des Winkels, in Radiant.</translation>
    </message>
    <message>
        <source>Blobs (generated)</source>
        <translation>Wolken (generiert)</translation>
    </message>
    <message>
        <source>Round clouds of points around random centres, one class per cloud; needs no file.</source>
        <translation>Runde Punktwolken um zufällige Mittelpunkte, eine Klasse je Wolke; braucht keine Datei.</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>Numbers per sample.</source>
        <translation>Zahlen eines Samples.</translation>
    </message>
    <message>
        <source>Clouds</source>
        <translation>Wolken</translation>
    </message>
    <message>
        <source>Number of clouds, one class each.</source>
        <translation>Wie viele Wolken, jede eine Klasse.</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Standard deviation of a cloud; its centre lies between -1 and 1.</source>
        <translation>Standardabweichung einer Wolke; ihr Mittelpunkt liegt zwischen -1 und 1.</translation>
    </message>
    <message>
        <source>Waves (generated)</source>
        <translation>Wellen (generiert)</translation>
    </message>
    <message>
        <source>Regression on a sum of sines of the features, with noise; needs no file.</source>
        <translation>Regression auf eine Summe von Sinuswerten der Merkmale, mit Rauschen; braucht keine Datei.</translation>
    </message>
    <message>
        <source>Inputs per sample.</source>
        <translation>Zahlen, die von einem Sample bekannt sind.</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Zielwerte</translation>
    </message>
    <message>
        <source>Outputs per sample.</source>
        <translation>Vorherzusagende Zahlen.</translation>
    </message>
    <message>
        <source>Standard deviation of the unpredictable part.</source>
        <translation>Standardabweichung des nicht vorhersagbaren Anteils.</translation>
    </message>
    <message>
        <source>Labels (generated)</source>
        <translation>Labels (erzeugt)</translation>
    </message>
    <message>
        <source>Points that have several labels at once, common ones and rare ones; the task is multi-label; needs no file.</source>
        <translation>Punkte mit mehreren Labels zugleich, häufigen und seltenen; die Aufgabe ist Multi-Label; braucht keine Datei.</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Labels that a sample may have.</source>
        <translation>Labels, die ein Sample haben kann.</translation>
    </message>
    <message>
        <source>multi-label</source>
        <translation>Multi-Label</translation>
    </message>
    <message>
        <source>Sentences (generated)</source>
        <translation>Sätze (generiert)</translation>
    </message>
    <message>
        <source>Sentences of a small grammar, character by character; the task is language; needs no file.</source>
        <translation>Sätze einer kleinen Grammatik, Zeichen für Zeichen; die Aufgabe ist Sprache; braucht keine Datei.</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>Number of sentences to generate.</source>
        <translation>Wie viele Sätze erzeugt werden.</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>Stochastic gradient descent, optionally with momentum.</source>
        <translation>Stochastischer Gradientenabstieg, wahlweise mit Momentum.</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Size of each step.</source>
        <translation>Größe jedes Schritts.</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>Share of the previous step that is kept.</source>
        <translation>Anteil des vorigen Schritts, der erhalten bleibt.</translation>
    </message>
    <message>
        <source>Dampening</source>
        <translation>Dämpfung</translation>
    </message>
    <message>
        <source>Share of each gradient left out of the momentum.</source>
        <translation>Anteil jedes Gradienten, der nicht ins Momentum eingeht.</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Look ahead along the momentum; needs momentum.</source>
        <translation>Entlang des Momentums vorausschauen; braucht Momentum.</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Pulls weights to zero through the gradient.</source>
        <translation>Zieht Gewichte über den Gradienten gegen null.</translation>
    </message>
    <message>
        <source>Decay biases and norms</source>
        <translation>Auch auf Biases und Normen</translation>
    </message>
    <message>
        <source>Off: weight decay leaves out biases and the weights of normalisations.</source>
        <translation>Aus: Weight Decay lässt Biases und die Gewichte von Normalisierungen aus.</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>Steps scaled by each gradient&apos;s past.</source>
        <translation>Schritte, skaliert nach der Vergangenheit jedes Gradienten.</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Decay of the average of gradients.</source>
        <translation>Abfall des Mittels der Gradienten.</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Decay of the average of their squares.</source>
        <translation>Abfall des Mittels ihrer Quadrate.</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Keeps the denominator away from zero.</source>
        <translation>Hält den Nenner von null fern.</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>Adam with decoupled weight decay.</source>
        <translation>Adam mit entkoppeltem Weight Decay.</translation>
    </message>
    <message>
        <source>Pulls weights to zero at each step.</source>
        <translation>Zieht Gewichte bei jedem Schritt gegen null.</translation>
    </message>
    <message>
        <source>RMSprop</source>
        <translation>RMSprop</translation>
    </message>
    <message>
        <source>Steps divided by a running root mean square of the gradients.</source>
        <translation>Schritte, geteilt durch ein laufendes quadratisches Mittel der Gradienten.</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Decay of the average of squared gradients.</source>
        <translation>Abfall des Mittels der quadrierten Gradienten.</translation>
    </message>
    <message>
        <source>Centered</source>
        <translation>Zentriert</translation>
    </message>
    <message>
        <source>Divide by an estimate of the variance.</source>
        <translation>Durch eine Schätzung der Varianz teilen.</translation>
    </message>
    <message>
        <source>Adagrad</source>
        <translation>Adagrad</translation>
    </message>
    <message>
        <source>Steps divided by the root of all squared gradients so far.</source>
        <translation>Schritte, geteilt durch die Wurzel aller bisherigen quadrierten Gradienten.</translation>
    </message>
    <message>
        <source>Learning-rate decay</source>
        <translation>Lernratenabfall</translation>
    </message>
    <message>
        <source>The learning rate is divided by 1 + this × the steps done.</source>
        <translation>Die Lernrate wird durch 1 + dies × bisherige Schritte geteilt.</translation>
    </message>
    <message>
        <source>Initial sum</source>
        <translation>Anfangssumme</translation>
    </message>
    <message>
        <source>Initial value of the sum of squares.</source>
        <translation>Anfangswert der Quadratsumme.</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstant</translation>
    </message>
    <message>
        <source>The same learning rate throughout.</source>
        <translation>Durchweg dieselbe Lernrate.</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>The learning rate rises linearly from near zero for this long.</source>
        <translation>So lange steigt die Lernrate linear von nahe null.</translation>
    </message>
    <message>
        <source>Multiplied by a factor at regular intervals.</source>
        <translation>In festen Abständen mit einem Faktor multipliziert.</translation>
    </message>
    <message>
        <source>Epochs between reductions.</source>
        <translation>Epochen zwischen Absenkungen.</translation>
    </message>
    <message>
        <source>The learning rate is multiplied by this each time.</source>
        <translation>Damit wird die Lernrate jedes Mal multipliziert.</translation>
    </message>
    <message>
        <source>Multi-step</source>
        <translation>Mehrere Stufen</translation>
    </message>
    <message>
        <source>Multiplied by a factor at chosen epochs.</source>
        <translation>Bei gewählten Epochen mit einem Faktor multipliziert.</translation>
    </message>
    <message>
        <source>Milestones</source>
        <translation>Meilensteine</translation>
    </message>
    <message>
        <source>The epochs after which the learning rate drops, in ascending order.</source>
        <translation>Die Epochen, nach denen die Lernrate sinkt, aufsteigend.</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Half a cosine wave from the learning rate down to the lowest.</source>
        <translation>Eine halbe Kosinuswelle von der Lernrate bis zur niedrigsten.</translation>
    </message>
    <message>
        <source>Lowest learning rate</source>
        <translation>Kleinste Lernrate</translation>
    </message>
    <message>
        <source>The learning rate at the end of the run.</source>
        <translation>Die Lernrate am Ende des Laufs.</translation>
    </message>
    <message>
        <source>One cycle</source>
        <translation>One-Cycle</translation>
    </message>
    <message>
        <source>Up to the learning rate and then far down, over the whole run.</source>
        <translation>Hinauf zur Lernrate und dann weit hinunter, über den ganzen Lauf.</translation>
    </message>
    <message>
        <source>Warm-up share</source>
        <translation>Warm-up-Anteil</translation>
    </message>
    <message>
        <source>Share of the run in which the learning rate climbs.</source>
        <translation>Anteil des Laufs, in dem die Lernrate steigt.</translation>
    </message>
    <message>
        <source>Start divisor</source>
        <translation>Startteiler</translation>
    </message>
    <message>
        <source>The first step uses the learning rate divided by this.</source>
        <translation>Der erste Schritt nutzt die Lernrate geteilt durch dies.</translation>
    </message>
    <message>
        <source>End divisor</source>
        <translation>Endteiler</translation>
    </message>
    <message>
        <source>The last step uses the first value divided by this.</source>
        <translation>Der letzte Schritt nutzt den ersten Wert geteilt durch dies.</translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation>Exponentiell</translation>
    </message>
    <message>
        <source>Multiplied by the same factor each step, from the learning rate to the last one.</source>
        <translation>Bei jedem Schritt mit demselben Faktor multipliziert, von der Lernrate bis zur letzten.</translation>
    </message>
    <message>
        <source>Last learning rate</source>
        <translation>Letzte Lernrate</translation>
    </message>
    <message>
        <source>The learning rate of the last step.</source>
        <translation>Die Lernrate des letzten Schritts.</translation>
    </message>
    <message>
        <source>Reduce on plateau</source>
        <translation>Bei Plateau senken</translation>
    </message>
    <message>
        <source>Lowered whenever the validation metric stops improving.</source>
        <translation>Sinkt, sobald sich die Validierungsmetrik nicht mehr verbessert.</translation>
    </message>
    <message>
        <source>The validation series to watch.</source>
        <translation>Die beobachtete Messreihe der Validierung.</translation>
    </message>
    <message>
        <source>Whether a smaller or a larger value is better; auto decides by the metric&apos;s name.</source>
        <translation>Ob ein kleinerer oder größerer Wert besser ist; auto entscheidet nach dem Namen der Metrik.</translation>
    </message>
    <message>
        <source>Validations without improvement to wait for.</source>
        <translation>So viele Validierungen ohne Verbesserung werden abgewartet.</translation>
    </message>
    <message>
        <source>validations</source>
        <translation>Validierungen</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Relative improvement over the best value that counts.</source>
        <translation>Relative Verbesserung des besten Werts, die zählt.</translation>
    </message>
    <message>
        <source>Cool-down</source>
        <translation>Ruhezeit</translation>
    </message>
    <message>
        <source>Validations to ignore after each reduction.</source>
        <translation>Nach jeder Absenkung ignorierte Validierungen.</translation>
    </message>
    <message>
        <source>The learning rate does not go below this.</source>
        <translation>Darunter geht die Lernrate nicht.</translation>
    </message>
    <message>
        <source>Cross-entropy</source>
        <translation>Kreuzentropie</translation>
    </message>
    <message>
        <source>The usual loss of classification and of language.</source>
        <translation>Der übliche Loss für Klassifikation und Sprache.</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>Label Smoothing</translation>
    </message>
    <message>
        <source>Share of the target spread over all classes, while training.</source>
        <translation>Anteil des Ziels, der beim Training über alle Klassen verteilt wird.</translation>
    </message>
    <message>
        <source>Class weights</source>
        <translation>Klassengewichte</translation>
    </message>
    <message>
        <source>One weight for each class, in their order, or “balanced”: rare classes weigh more; empty: all equal.</source>
        <translation>Ein Gewicht je Klasse, in ihrer Reihenfolge, oder „balanced“: seltene Klassen zählen mehr; leer: alle zählen gleich.</translation>
    </message>
    <message>
        <source>Weight of yes</source>
        <translation>Gewicht von Ja</translation>
    </message>
    <message>
        <source>How much more a yes weighs than a no: one number, one for each output, or “balanced”; empty: the same.</source>
        <translation>Wievielmal so viel ein Ja zählt wie ein Nein: eine Zahl, eine je Ausgabe, oder „balanced“; leer: gleich viel.</translation>
    </message>
    <message>
        <source>Focal</source>
        <translation>Focal</translation>
    </message>
    <message>
        <source>Cross-entropy that counts samples less the surer the model is of them.</source>
        <translation>Kreuzentropie, in der ein Sample weniger zählt, je sicherer das Modell ist.</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>How much less; 0: cross-entropy.</source>
        <translation>Wie viel weniger; 0: Kreuzentropie.</translation>
    </message>
    <message>
        <source>Huber</source>
        <translation>Huber</translation>
    </message>
    <message>
        <source>Squared for small errors, absolute for large ones.</source>
        <translation>Quadratisch für kleine Fehler, absolut für große.</translation>
    </message>
    <message>
        <source>Delta</source>
        <translation>Delta</translation>
    </message>
    <message>
        <source>Where small errors end, in the units that the model learns.</source>
        <translation>Wo kleine Fehler enden, in den Einheiten, die das Modell lernt.</translation>
    </message>
    <message>
        <source>Binary cross-entropy</source>
        <translation>Binäre Kreuzentropie</translation>
    </message>
    <message>
        <source>Each output is an independent yes or no; targets between 0 and 1.</source>
        <translation>Jede Ausgabe ist ein unabhängiges Ja oder Nein; Zielwerte zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>Mittlerer quadratischer Fehler</translation>
    </message>
    <message>
        <source>The usual loss of regression.</source>
        <translation>Der übliche Loss für Regression.</translation>
    </message>
    <message>
        <source>Mean absolute error</source>
        <translation>Mittlerer absoluter Fehler</translation>
    </message>
    <message>
        <source>Regression that is robust to outliers.</source>
        <translation>Regression, robust gegen Ausreißer.</translation>
    </message>
    <message>
        <source>classification</source>
        <translation>Klassifikation</translation>
    </message>
    <message>
        <source>regression</source>
        <translation>Regression</translation>
    </message>
    <message>
        <source>language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>targets</source>
        <translation>Zielwerte</translation>
    </message>
    <message>
        <source>all-reduce between the hosts</source>
        <translation>All-Reduce zwischen den Hosts</translation>
    </message>
    <message>
        <source>all-reduce of bucket</source>
        <translation>All-Reduce von Bucket</translation>
    </message>
    <message>
        <source>apply the state</source>
        <translation>Zustand übernehmen</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>choose kernels and layout</source>
        <translation>Kernel und Layout wählen</translation>
    </message>
    <message>
        <source>compare the models</source>
        <translation>Modelle vergleichen</translation>
    </message>
    <message>
        <source>first step</source>
        <translation>erster Schritt</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>gather the validation examples</source>
        <translation>Beispiele der Validierung sammeln</translation>
    </message>
    <message>
        <source>compare the free memory</source>
        <translation>freien Speicher vergleichen</translation>
    </message>
    <message>
        <source>gather the files that cannot be read</source>
        <translation>unlesbare Dateien sammeln</translation>
    </message>
    <message>
        <source>wait for data, second</source>
        <translation>auf Daten warten, Sekunde</translation>
    </message>
    <message>
        <source>load a batch</source>
        <translation>Batch laden</translation>
    </message>
    <message>
        <source>load the best checkpoint</source>
        <translation>besten Checkpoint laden</translation>
    </message>
    <message>
        <source>load the checkpoint</source>
        <translation>Checkpoint laden</translation>
    </message>
    <message>
        <source>load the data</source>
        <translation>Daten laden</translation>
    </message>
    <message>
        <source>make the model</source>
        <translation>Modell anlegen</translation>
    </message>
    <message>
        <source>create the shared memory</source>
        <translation>gemeinsamen Speicher anlegen</translation>
    </message>
    <message>
        <source>pack the training state</source>
        <translation>Trainingszustand packen</translation>
    </message>
    <message>
        <source>reduce the metrics</source>
        <translation>Metriken reduzieren</translation>
    </message>
    <message>
        <source>reduce the validation metrics</source>
        <translation>Validierungsmetriken reduzieren</translation>
    </message>
    <message>
        <source>share the best checkpoint</source>
        <translation>besten Checkpoint teilen</translation>
    </message>
    <message>
        <source>share the best checkpoint, part</source>
        <translation>besten Checkpoint teilen, Teil</translation>
    </message>
    <message>
        <source>share the choice of kernels and layout</source>
        <translation>Wahl von Kerneln und Layout teilen</translation>
    </message>
    <message>
        <source>share the metrics of the last steps, part</source>
        <translation>Metriken der letzten Schritte teilen, Teil</translation>
    </message>
    <message>
        <source>share the model, part</source>
        <translation>Modell teilen, Teil</translation>
    </message>
    <message>
        <source>GELU</source>
        <translation>GELU</translation>
    </message>
    <message>
        <source>How the activation is computed; GPT-2&apos;s weights need tanh.</source>
        <translation>Wie die Aktivierung berechnet wird; GPT-2s Gewichte brauchen tanh.</translation>
    </message>
    <message>
        <source>Tied head</source>
        <translation>Gemeinsamer Kopf</translation>
    </message>
    <message>
        <source>The last layer has the weights of the tokens&apos; embedding, as GPT-2&apos;s.</source>
        <translation>Die letzte Schicht hat die Gewichte der Token-Einbettung, wie bei GPT-2.</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>Normierung</translation>
    </message>
    <message>
        <source>Mean and deviation of the channels: measured on the training images, ImageNet&apos;s, or those of the weights the model begins with.</source>
        <translation>Mittelwert und Abweichung der Kanäle: an den Trainingsbildern gemessen, die von ImageNet oder die der Gewichte, mit denen das Modell beginnt.</translation>
    </message>
    <message>
        <source>read the weights</source>
        <translation>Gewichte lesen</translation>
    </message>
    <message>
        <source>compute the features, batch</source>
        <translation>Merkmale berechnen, Batch</translation>
    </message>
    <message>
        <source>share the features</source>
        <translation>Merkmale teilen</translation>
    </message>
    <message>
        <source>share the running statistics, part</source>
        <translation>laufende Statistik teilen, Teil</translation>
    </message>
    <message>
        <source>share the training state</source>
        <translation>Trainingszustand teilen</translation>
    </message>
    <message>
        <source>share the training state, part</source>
        <translation>Trainingszustand teilen, Teil</translation>
    </message>
    <message>
        <source>share the gradients&apos; remainder</source>
        <translation>Weggelassenes der Gradienten teilen</translation>
    </message>
    <message>
        <source>share the step&apos;s metrics</source>
        <translation>Metriken des Schritts teilen</translation>
    </message>
    <message>
        <source>test the best checkpoint</source>
        <translation>besten Checkpoint testen</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>the driver&apos;s command</source>
        <translation>Befehl des Treiberprozesses</translation>
    </message>
    <message>
        <source>the program&apos;s function</source>
        <translation>Funktion des Programms</translation>
    </message>
    <message>
        <source>update the weights</source>
        <translation>Gewichte aktualisieren</translation>
    </message>
    <message>
        <source>validate</source>
        <translation>Validieren</translation>
    </message>
    <message>
        <source>wait for the driver</source>
        <translation>auf den Treiberprozess warten</translation>
    </message>
    <message>
        <source>wait for the gradients of the other ranks</source>
        <translation>auf Gradienten der anderen Ranks warten</translation>
    </message>
    <message>
        <source>wait for the other ranks&apos; averages</source>
        <translation>auf Mittel der anderen Ranks warten</translation>
    </message>
    <message>
        <source>wait for the other ranks&apos; updates</source>
        <translation>auf Updates der anderen Ranks warten</translation>
    </message>
    <message>
        <source>wait for the replacement rank</source>
        <translation>auf Ersatz für den ausgefallenen Rank warten</translation>
    </message>
    <message>
        <source>write the last checkpoint</source>
        <translation>letzten Checkpoint schreiben</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>rendezvous</source>
        <translation>Rendezvous</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>ausgefallen</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>every axis lists its values, and no number of trials is given</source>
        <translation>jede Achse nennt ihre Werte, und keine Zahl von Trials ist angegeben</translation>
    </message>
    <message>
        <source>no more than 20 axes and 500 trials</source>
        <translation>höchstens 20 Achsen und 500 Trials</translation>
    </message>
    <message>
        <source>Orphaned after</source>
        <translation>Allein bis</translation>
    </message>
    <message>
        <source>Ranks without contact to their supervisor for longer save and end.</source>
        <translation>Ranks, die länger nichts von ihrem Supervisor hören, speichern und enden.</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>lr</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>restore the checkpoint</source>
        <translation>Checkpoint laden</translation>
    </message>
    <message>
        <source>starts now</source>
        <translation>startet jetzt</translation>
    </message>
    <message>
        <source>the queue is paused</source>
        <translation>die Warteschlange ist angehalten</translation>
    </message>
    <message>
        <source>waiting for a slot: %1 of %2 in use</source>
        <translation>wartet auf einen Slot: %1 von %2 belegt</translation>
    </message>
    <message>
        <source>waiting for %1, which %2 uses</source>
        <translation>wartet auf %1, belegt von %2</translation>
    </message>
    <message>
        <source>waiting for CUDA devices: it needs %1, %2 free</source>
        <translation>wartet auf CUDA-Geräte: braucht %1, %2 frei</translation>
    </message>
    <message>
        <source>waiting for CUDA devices of %1: it needs %2, %3 free</source>
        <translation>wartet auf CUDA-Geräte von %1: braucht %2, %3 frei</translation>
    </message>
    <message>
        <source>waiting for memory: it needs %1, %2 free</source>
        <translation>wartet auf Speicher: braucht %1, %2 frei</translation>
    </message>
    <message>
        <source>waiting for memory of %1: it needs %2, %3 free</source>
        <translation>wartet auf Speicher von %1: braucht %2, %3 frei</translation>
    </message>
    <message>
        <source>waiting for cores: it needs %1, %2 free</source>
        <translation>wartet auf Kerne: braucht %1, %2 frei</translation>
    </message>
    <message>
        <source>waiting for cores of %1: it needs %2, %3 free</source>
        <translation>wartet auf Kerne von %1: braucht %2, %3 frei</translation>
    </message>
    <message>
        <source>waiting for its turn after %1</source>
        <translation>wartet, bis %1 dran war</translation>
    </message>
    <message>
        <source>checkpoints take %1; %2 are free</source>
        <translation>Checkpoints belegen %1; %2 sind frei</translation>
    </message>
    <message>
        <source>checkpoints take %1, at most %2; %3 are free</source>
        <translation>Checkpoints belegen %1, höchstens %2; %3 sind frei</translation>
    </message>
    <message>
        <source>%1 set to %2</source>
        <translation>%1 auf %2 gesetzt</translation>
    </message>
    <message>
        <source>started</source>
        <translation>gestartet</translation>
    </message>
    <message numerus="yes">
        <source>started with %n workers</source>
        <comment>started with %n worker</comment>
        <translation>
            <numerusform>gestartet mit %n Worker</numerusform>
            <numerusform>gestartet mit %n Workern</numerusform>
        </translation>
    </message>
    <message>
        <source>resumed from step %1</source>
        <translation>fortgesetzt ab Schritt %1</translation>
    </message>
    <message>
        <source>restarted from step %1</source>
        <translation>neu gestartet ab Schritt %1</translation>
    </message>
    <message>
        <source>rank %1 replaced</source>
        <translation>Rank %1 ersetzt</translation>
    </message>
    <message>
        <source>rank %1 %2; replaced</source>
        <translation>Rank %1 %2; ersetzt</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>rolled back to step %1</source>
        <translation>zurück zu Schritt %1</translation>
    </message>
    <message>
        <source>event of a newer version</source>
        <translation>Ereignis einer neueren Version</translation>
    </message>
    <message numerus="yes">
        <source>%n slots</source>
        <comment>%n slot</comment>
        <translation>
            <numerusform>%n Slot</numerusform>
            <numerusform>%n Slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers</source>
        <comment>%n worker</comment>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <comment>%n core</comment>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n threads each</source>
        <comment>%1 of %n thread each</comment>
        <translation>
            <numerusform>je %1 mit %n Thread</numerusform>
            <numerusform>je %1 mit %n Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, as requested: %2, %3</source>
        <translation>%1, wie verlangt: %2, %3</translation>
    </message>
    <message>
        <source>%1: one on each host, %2 each</source>
        <translation>%1: einer je Host, je %2</translation>
    </message>
    <message>
        <source>%1: %2 on each host, %3 each</source>
        <translation>%1: %2 je Host, je %3</translation>
    </message>
    <message numerus="yes">
        <source>%n CUDA devices</source>
        <comment>%n CUDA device</comment>
        <translation>
            <numerusform>%n CUDA-Gerät</numerusform>
            <numerusform>%n CUDA-Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %n trials on each, %3</source>
        <comment>%1: %2, %n trial on each, %3</comment>
        <translation>
            <numerusform>%1: %2, darauf je %n Trial, %3</numerusform>
            <numerusform>%1: %2, darauf je %n Trials, %3</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is conditional</source>
        <translation>%1 ist bedingt</translation>
    </message>
    <message>
        <source>%1 axes, more than 20</source>
        <translation>%1 Achsen, mehr als 20</translation>
    </message>
    <message>
        <source>%1 trials, more than 500</source>
        <translation>%1 Trials, mehr als 500</translation>
    </message>
    <message numerus="yes">
        <source>%n configurations</source>
        <comment>%n configuration</comment>
        <translation>
            <numerusform>%n Konfiguration</numerusform>
            <numerusform>%n Konfigurationen</numerusform>
        </translation>
    </message>
    <message>
        <source>as many slots as the cores allow</source>
        <translation>so viele Slots, wie die Kerne erlauben</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>stopped trial %1</source>
        <translation>Trial %1 gestoppt</translation>
    </message>
    <message>
        <source>killed trial %1</source>
        <translation>Trial %1 hart beendet</translation>
    </message>
    <message>
        <source>promoted trial %1</source>
        <translation>Trial %1 durchgelassen</translation>
    </message>
    <message>
        <source>retried trial %1</source>
        <translation>Trial %1 wiederholt</translation>
    </message>
    <message numerus="yes">
        <source>added %n configurations</source>
        <comment>added %n configuration</comment>
        <translation>
            <numerusform>%n Konfiguration hinzugefügt</numerusform>
            <numerusform>%n Konfigurationen hinzugefügt</numerusform>
        </translation>
    </message>
    <message>
        <source>enqueued %1</source>
        <translation>%1 eingereiht</translation>
    </message>
    <message>
        <source>restricted %1</source>
        <translation>%1 eingeschränkt</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>gesetzt: %1</translation>
    </message>
    <message>
        <source>paused the sweep</source>
        <translation>Sweep angehalten</translation>
    </message>
    <message>
        <source>resumed the sweep</source>
        <translation>Sweep fortgesetzt</translation>
    </message>
    <message>
        <source>asked the sweep to finish</source>
        <translation>Sweep soll auslaufen</translation>
    </message>
    <message>
        <source>all-reduce of the buckets</source>
        <translation>All-Reduce der Buckets</translation>
    </message>
    <message>
        <source>validate, batch</source>
        <translation>Validieren, Batch</translation>
    </message>
    <message>
        <source>test, batch</source>
        <translation>Testen, Batch</translation>
    </message>
    <message>
        <source>test the best checkpoint, batch</source>
        <translation>besten Checkpoint testen, Batch</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neu berechnen</translation>
    </message>
    <message>
        <source>Compute the activations of transformer blocks again in the backward pass: less memory, slower steps.</source>
        <translation>Aktivierungen der Transformer-Blöcke im Rückwärtsgang neu berechnen: weniger Speicher, langsamere Schritte.</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Decode all samples once into memory, one copy for each computer, or stream them from their files; auto: by size.</source>
        <translation>Alle Beispiele einmal in den Speicher dekodieren, eine Kopie je Rechner, oder aus ihren Dateien streamen; auto: nach Größe.</translation>
    </message>
    <message>
        <source>Loader threads</source>
        <translation>Lade-Threads</translation>
    </message>
    <message>
        <source>Threads of a rank that decode samples ahead of training; 0: as many as it needs.</source>
        <translation>Threads eines Rangs, die Beispiele im Voraus dekodieren; 0: so viele, wie er braucht.</translation>
    </message>
    <message>
        <source>Shuffle all samples, or blocks of neighbours, which is faster on slow disks; auto: shuffle.</source>
        <translation>Alle Beispiele mischen oder Blöcke von Nachbarn, was auf langsamen Platten schneller ist; auto: alle mischen.</translation>
    </message>
    <message>
        <source>Class balance</source>
        <translation>Klassenausgleich</translation>
    </message>
    <message>
        <source>0 draws every sample once per epoch; 1 draws all classes equally often.</source>
        <translation>0 zieht jedes Beispiel einmal pro Epoche; 1 zieht alle Klassen gleich oft.</translation>
    </message>
    <message>
        <source>Resized crop</source>
        <translation>Skalierter Ausschnitt</translation>
    </message>
    <message>
        <source>Crops a random part of the image with at least this share of its area and resizes it; 0: off.</source>
        <translation>Schneidet einen zufälligen Teil des Bildes mit mindestens diesem Anteil der Fläche aus und skaliert ihn; 0: aus.</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>TrivialAugment: one random change of colour or geometry per image.</source>
        <translation>TrivialAugment: eine zufällige Änderung von Farbe oder Geometrie pro Bild.</translation>
    </message>
    <message>
        <source>Mixup</source>
        <translation>Mixup</translation>
    </message>
    <message>
        <source>Alpha of mixup, which blends pairs of images and labels; 0: off.</source>
        <translation>Alpha von Mixup, das Paare von Bildern und Labels überblendet; 0: aus.</translation>
    </message>
    <message>
        <source>CutMix</source>
        <translation>CutMix</translation>
    </message>
    <message>
        <source>Alpha of CutMix, which pastes a rectangle of another image and mixes the labels; 0: off.</source>
        <translation>Alpha von CutMix, das ein Rechteck eines anderen Bildes einsetzt und die Labels mischt; 0: aus.</translation>
    </message>
    <message>
        <source>Fine-tuning</source>
        <translation>Feinabstimmung</translation>
    </message>
    <message>
        <source>Which weights are trained, and how fast.</source>
        <translation>Welche Gewichte trainiert werden und wie schnell.</translation>
    </message>
    <message>
        <source>Thaw at epoch</source>
        <translation>Auftauen in Epoche</translation>
    </message>
    <message>
        <source>Frozen weights are trained from this epoch on; 0: never.</source>
        <translation>Eingefrorene Gewichte werden ab dieser Epoche trainiert; 0: nie.</translation>
    </message>
    <message>
        <source>Layer decay</source>
        <translation>Abnahme je Schicht</translation>
    </message>
    <message>
        <source>Factor of the learning rate from each layer to the one below it; 1: the same rate.</source>
        <translation>Faktor der Lernrate von jeder Schicht zu der darunter; 1: gleiche Rate.</translation>
    </message>
    <message>
        <source>Batch-norm statistics</source>
        <translation>Batch-Norm-Statistik</translation>
    </message>
    <message>
        <source>Of frozen layers: keep those of the weights, or measure them on the new data; auto: keep.</source>
        <translation>Eingefrorener Schichten: die der Gewichte behalten oder auf den neuen Daten messen; auto: behalten.</translation>
    </message>
    <message>
        <source>Computes the output of a frozen body once and trains the head on it.</source>
        <translation>Berechnet die Ausgabe eines eingefrorenen Rumpfs einmal und trainiert den Kopf darauf.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>A safetensors or torch.save file that the model begins with; empty: random weights.</source>
        <translation>Eine Datei von safetensors oder torch.save, mit der das Modell beginnt; leer: zufällige Gewichte.</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>Keep the file&apos;s last layer, or begin with a new one; auto: kept where the classes have the same names.</source>
        <translation>Die letzte Schicht der Datei behalten oder mit einer neuen beginnen; auto: behalten, wo die Klassen gleich heißen.</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>Einfrieren</translation>
    </message>
    <message>
        <source>Characters per sample.</source>
        <translation>Zeichen pro Beispiel.</translation>
    </message>
    <message>
        <source>Images of your own: a folder for each class, or a file of labels.</source>
        <translation>Eigene Bilder: ein Ordner für jede Klasse oder eine Datei mit Labels.</translation>
    </message>
    <message>
        <source>A file in the folder that says the label of each image: a table, JSON lines, a list, or annotations of COCO or VOC. Empty: the folders are the classes.</source>
        <translation>Eine Datei im Ordner, die das Label jedes Bildes nennt: eine Tabelle, JSON-Zeilen, eine Liste oder Annotationen von COCO oder VOC. Leer: Die Ordner sind die Klassen.</translation>
    </message>
    <message>
        <source>Label columns</source>
        <translation>Label-Spalten</translation>
    </message>
    <message>
        <source>Columns of that table with the labels, separated by commas; empty: those named label, class and the like.</source>
        <translation>Spalten dieser Tabelle mit den Labels, durch Kommas getrennt; leer: die label, class oder ähnlich heißen.</translation>
    </message>
    <message>
        <source>Weights that are not trained: body, for all but the head, or patterns of their names, such as layer1.* or conv1.</source>
        <translation>Gewichte, die nicht trainiert werden: body für alle außer dem Kopf, oder Muster ihrer Namen wie layer1.* oder conv1.</translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation>LoRA-Rang</translation>
    </message>
    <message>
        <source>Trains two narrow matrices of this rank beside each linear layer, and the head; 0: all weights.</source>
        <translation>Trainiert neben jeder linearen Schicht zwei schmale Matrizen dieses Rangs, dazu den Kopf; 0: alle Gewichte.</translation>
    </message>
    <message>
        <source>LoRA alpha</source>
        <translation>LoRA-Alpha</translation>
    </message>
    <message>
        <source>The matrices&apos; product counts alpha / rank times.</source>
        <translation>Das Produkt der Matrizen zählt Alpha / Rang-fach.</translation>
    </message>
    <message>
        <source>LoRA dropout</source>
        <translation>LoRA-Dropout</translation>
    </message>
    <message>
        <source>Share of the matrices&apos; inputs set to zero while training.</source>
        <translation>Anteil der Eingaben der Matrizen, der beim Training auf null gesetzt wird.</translation>
    </message>
    <message>
        <source>LoRA layers</source>
        <translation>LoRA-Schichten</translation>
    </message>
    <message>
        <source>Linear layers that get matrices, such as attn or c_fc; empty: all of the body.</source>
        <translation>Lineare Schichten, die Matrizen bekommen, etwa attn oder c_fc; leer: alle des Rumpfs.</translation>
    </message>
    <message>
        <source>Validation file</source>
        <translation>Validierungsdatei</translation>
    </message>
    <message>
        <source>Another table with the same columns, whose rows are for validation, instead of a share.</source>
        <translation>Eine zweite Tabelle mit denselben Spalten, deren Zeilen statt eines Anteils der Validierung dienen.</translation>
    </message>
    <message>
        <source>Group column</source>
        <translation>Gruppenspalte</translation>
    </message>
    <message>
        <source>A column that says which rows belong together, such as a patient: all of them fall into one part. It is not learned from. Empty: each row by itself.</source>
        <translation>Eine Spalte, die sagt, welche Zeilen zusammengehören, etwa zu einem Patienten: Alle fallen in denselben Teil. Sie wird nicht gelernt. Leer: jede Zeile für sich.</translation>
    </message>
    <message>
        <source>A column of that table that says which images belong together, such as a patient: all of them fall into one part. Empty: each image by itself.</source>
        <translation>Eine Spalte dieser Tabelle, die sagt, welche Bilder zusammengehören, etwa zu einem Patienten: Alle fallen in denselben Teil. Leer: jedes Bild für sich.</translation>
    </message>
    <message>
        <source>On other hosts: data at the same path with the same content, else a copy; what is at the same path, with names and sizes compared; always a copy.</source>
        <translation>Auf anderen Hosts: gleicher Pfad bei gleichem Inhalt, sonst eine Kopie; was unter demselben Pfad liegt, nach Vergleich von Namen und Größen; immer eine Kopie.</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>ConvNeXt</source>
        <translation>ConvNeXt</translation>
    </message>
    <message>
        <source>Channels of the first stage; each of the three others doubles them.</source>
        <translation>Kanäle der ersten Stufe; jede der drei anderen verdoppelt sie.</translation>
    </message>
    <message>
        <source>Blocks of the third stage; the others have three.</source>
        <translation>Blöcke der dritten Stufe; die anderen haben drei.</translation>
    </message>
    <message>
        <source>EfficientNet</source>
        <translation>EfficientNet</translation>
    </message>
    <message>
        <source>Multiplies the number of blocks of each stage.</source>
        <translation>Vervielfacht die Zahl der Blöcke jeder Stufe.</translation>
    </message>
    <message>
        <source>Stochastic depth</source>
        <translation>Stochastische Tiefe</translation>
    </message>
    <message>
        <source>Lion</source>
        <translation>Lion</translation>
    </message>
    <message>
        <source>Share of the average in the direction.</source>
        <translation>Anteil des Mittels an der Richtung.</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>A straight line from the learning rate down to the lowest.</source>
        <translation>Eine Gerade von der Lernrate bis zur niedrigsten.</translation>
    </message>
    <message>
        <source>Warm-up, stable, decay</source>
        <translation>Aufwärmen, halten, senken</translation>
    </message>
    <message>
        <source>The same learning rate until the last part of the run, then a straight line down.</source>
        <translation>Dieselbe Lernrate bis zum letzten Teil des Laufs, dann eine Gerade abwärts.</translation>
    </message>
    <message>
        <source>Decay share</source>
        <translation>Anteil des Senkens</translation>
    </message>
    <message>
        <source>Share of the run in which the learning rate falls.</source>
        <translation>Anteil des Laufs, in dem die Lernrate sinkt.</translation>
    </message>
    <message>
        <source>Accurate for its size, with torchvision&apos;s parameter names, for images of any size. The defaults are B0. Width and depth of 1 and 1.1 give B1, 1.1 and 1.2 B2, 1.2 and 1.4 B3, 1.4 and 1.8 B4.</source>
        <translation>Genau für seine Größe, mit torchvisions Parameternamen, für Bilder jeder Größe. Die Vorgaben sind B0. Breite und Tiefe von 1 und 1,1 ergeben B1, 1,1 und 1,2 B2, 1,2 und 1,4 B3, 1,4 und 1,8 B4.</translation>
    </message>
    <message>
        <source>How often training skips the last block. Earlier blocks are skipped less often.</source>
        <translation>Wie oft das Training den letzten Block überspringt. Frühere Blöcke werden seltener übersprungen.</translation>
    </message>
    <message>
        <source>Steps of one size, along the sign of the averaged gradient. Start with a tenth of AdamW&apos;s learning rate and ten times its weight decay.</source>
        <translation>Gleich große Schritte entlang des Vorzeichens des gemittelten Gradienten. Beginnen Sie mit einem Zehntel der Lernrate von AdamW und dem Zehnfachen seines Weight Decay.</translation>
    </message>
    <message>
        <source>Large convolutions in a transformer&apos;s layout, with torchvision&apos;s parameter names, for images of any size. The defaults are tiny. A depth of 27 gives small, and with it a width of 128 base.</source>
        <translation>Große Faltungen im Aufbau eines Transformers, mit torchvisions Parameternamen, für Bilder jeder Größe. Die Vorgaben sind tiny. Eine Tiefe von 27 ergibt small, zusammen mit einer Breite von 128 base.</translation>
    </message>
    <message>
        <source>No early stop</source>
        <translation>Ohne vorzeitigen Abbruch</translation>
    </message>
</context>
<context>
    <name>ErrorSheet</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>EvaluationLines</name>
    <message>
        <source>Predictions</source>
        <translation>Vorhersagen</translation>
    </message>
</context>
<context>
    <name>FailureFix</name>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Halve the batch and retry</source>
        <translation>Batch halbieren und wiederholen</translation>
    </message>
    <message>
        <source>Retry with lr %1</source>
        <translation>Mit lr %1 wiederholen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Set the path…</source>
        <translation>Pfad angeben…</translation>
    </message>
    <message>
        <source>Start with new weights</source>
        <translation>Mit neuen Gewichten starten</translation>
    </message>
    <message>
        <source>Resume with this data</source>
        <translation>Mit diesen Daten fortsetzen</translation>
    </message>
</context>
<context>
    <name>FieldTitle</name>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Batch per worker</source>
        <translation>Batch je Worker</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Globaler Batch</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>Akkumulation</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Lernratenplan</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Other settings</source>
        <translation>Andere Einstellungen</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>Interpreter</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
</context>
<context>
    <name>ImportSheet</name>
    <message>
        <source>JSON lines</source>
        <translation>JSON-Zeilen</translation>
    </message>
    <message>
        <source>Printed log</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>MLflow database</source>
        <translation>MLflow-Datenbank</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>series</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 und %n weitere</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; series: %2</source>
        <translation>%1; Messreihen: %2</translation>
    </message>
    <message>
        <source>added: %1 series, %2 points</source>
        <translation>hinzugefügt: %1 Messreihen, %2 Punkte</translation>
    </message>
    <message>
        <source>changed: %1 series, %2 points</source>
        <translation>geändert: %1 Messreihen, %2 Punkte</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>not imported</source>
        <translation>nicht importiert</translation>
    </message>
    <message>
        <source>Skipped %1 values that are not scalars.</source>
        <translation>%1 Werte sind keine Skalare und wurden ausgelassen.</translation>
    </message>
    <message>
        <source>%1 points were written again later: the later ones count.</source>
        <translation>%1 Punkte wurden später noch einmal geschrieben: Die späteren zählen.</translation>
    </message>
    <message>
        <source>Points that share a step are numbered in order: %1</source>
        <translation>Punkte mit demselben Schritt sind in ihrer Reihenfolge nummeriert: %1</translation>
    </message>
    <message>
        <source>Skipped: %1</source>
        <translation>Ausgelassen: %1</translation>
    </message>
    <message numerus="yes">
        <source>Skipped %n more records.</source>
        <translation>
            <numerusform>%n weiterer Eintrag wurde ausgelassen.</numerusform>
            <numerusform>%n weitere Einträge wurden ausgelassen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyBindings</name>
    <message>
        <source>Start, in the New run sheet</source>
        <translation>Starten, im Blatt „Neuer Lauf“</translation>
    </message>
    <message>
        <source>Add to queue, in the New run sheet</source>
        <translation>Einreihen, im Blatt „Neuer Lauf“</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Move the run in the queue</source>
        <translation>Lauf in der Warteschlange verschieben</translation>
    </message>
    <message>
        <source>Next hit in the log</source>
        <translation>Nächster Treffer im Log</translation>
    </message>
    <message>
        <source>Previous hit in the log</source>
        <translation>Voriger Treffer im Log</translation>
    </message>
    <message>
        <source>%1: use a single combination</source>
        <translation>%1: nur eine Kombination auf einmal</translation>
    </message>
    <message>
        <source>%1 types a character; add Ctrl or Alt</source>
        <translation>%1 dient zum Tippen; Strg oder Alt dazunehmen</translation>
    </message>
    <message>
        <source>“%2” already uses %1</source>
        <translation>%1 gehört zu „%2“</translation>
    </message>
    <message>
        <source>%1 opens a page</source>
        <translation>%1 öffnet eine Seite</translation>
    </message>
</context>
<context>
    <name>Libraries</name>
    <message>
        <source>the window</source>
        <translation>das Fenster</translation>
    </message>
    <message>
        <source>charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>training, in the worker</source>
        <translation>Training, im Worker</translation>
    </message>
    <message>
        <source>communication, in LibTorch</source>
        <translation>Kommunikation, in LibTorch</translation>
    </message>
    <message>
        <source>matrix products</source>
        <translation>Matrixprodukte</translation>
    </message>
    <message>
        <source>database of runs</source>
        <translation>Datenbank der Läufe</translation>
    </message>
    <message>
        <source>digests and host keys</source>
        <translation>Prüfsummen und Host-Schlüssel</translation>
    </message>
    <message>
        <source>hosts over SSH</source>
        <translation>Hosts über SSH</translation>
    </message>
    <message>
        <source>run files</source>
        <translation>Laufdateien</translation>
    </message>
    <message>
        <source>the terminal program&apos;s arguments</source>
        <translation>Argumente des Terminalprogramms</translation>
    </message>
    <message>
        <source>Bayesian search</source>
        <translation>Bayes-Suche</translation>
    </message>
    <message>
        <source>quasi-random sequences</source>
        <translation>Quasizufallsfolgen</translation>
    </message>
    <message>
        <source>patterns for printed metrics</source>
        <translation>Muster für ausgegebene Metriken</translation>
    </message>
    <message>
        <source>downloads of datasets</source>
        <translation>Download von Datensätzen</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>packed files</source>
        <translation>gepackte Dateien</translation>
    </message>
    <message>
        <source>packed files, where installed</source>
        <translation>gepackte Dateien, falls installiert</translation>
    </message>
    <message>
        <source>NVIDIA devices, where the driver is installed</source>
        <translation>Auslastung von NVIDIA-Geräten, falls der Treiber installiert ist</translation>
    </message>
    <message>
        <source>the C++ library</source>
        <translation>die C++-Bibliothek</translation>
    </message>
    <message>
        <source>the system</source>
        <translation>das System</translation>
    </message>
    <message>
        <source>addresses of services</source>
        <translation>Adressen von Diensten</translation>
    </message>
    <message>
        <source>requests to services</source>
        <translation>Anfragen an Dienste</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Data and models</source>
        <translation>Daten und Modelle</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Sweeps</source>
        <translation>Sweeps</translation>
    </message>
    <message>
        <source>Serve</source>
        <translation>Dienste</translation>
    </message>
</context>
<context>
    <name>Plots</name>
    <message>
        <source>Epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Time since start</source>
        <translation>Zeit seit dem Start</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>mean ± std of %1 runs</source>
        <translation>Mittelwert ± Std.-Abw. von %1 Läufen</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>+ %1 more</source>
        <translation>+ %1 weitere</translation>
    </message>
    <message>
        <source>worst</source>
        <translation>schlechtester</translation>
    </message>
    <message>
        <source>best</source>
        <translation>Bestwert</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>The rank was silent</source>
        <translation>Nichts von ihm gehört</translation>
    </message>
    <message>
        <source>%1 of it in other work, such as validation</source>
        <translation>%1 davon etwas anderes, etwa eine Validierung</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>Rank %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 points above</source>
        <translation>
            <numerusform>%1 Punkt darüber</numerusform>
            <numerusform>%1 Punkte darüber</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 points below</source>
        <translation>
            <numerusform>%1 Punkt darunter</numerusform>
            <numerusform>%1 Punkte darunter</numerusform>
        </translation>
    </message>
    <message>
        <source>middle</source>
        <translation>mittlerer</translation>
    </message>
    <message>
        <source>%1 of %2 trials over %3</source>
        <translation>%1 von %2 Trials über %3</translation>
    </message>
    <message>
        <source>continued</source>
        <translation>lief weiter</translation>
    </message>
    <message>
        <source>cut-off of a rung</source>
        <translation>der Schnitt einer Stufe</translation>
    </message>
    <message>
        <source>stopped (cross)</source>
        <translation>gestoppt (Kreuz)</translation>
    </message>
    <message>
        <source>%1 trials at %2 rungs, %3 stopped</source>
        <translation>%1 Trials auf %2 Stufen, %3 gestoppt</translation>
    </message>
    <message>
        <source>%1 without a value</source>
        <translation>%1 ohne Wert</translation>
    </message>
    <message>
        <source>%1 at or below 0, not on a log axis</source>
        <translation>%1 kleiner oder gleich 0, nicht auf logarithmischer Achse</translation>
    </message>
    <message>
        <source>%1: %2 %3 at %4 %5</source>
        <translation>%1: %2 %3 bei %4 %5</translation>
    </message>
    <message>
        <source>%1: from %2 to %3 in %4 steps</source>
        <translation>%1: von %2 bis %3 in %4 Schritten</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM HH:mm:ss</source>
        <translation>d. MMM HH:mm:ss</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>%1 → %2   Esc: keep</source>
        <translation>%1 → %2   Esc: beibehalten</translation>
    </message>
    <message>
        <source>%1: %2 from %3 to %4</source>
        <translation>%1: %2 von %3 bis %4</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 von %2 bis %3</translation>
    </message>
    <message>
        <source>%1 trials: %2, %3</source>
        <translation>%1 Trials: %2, %3</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>%1:  mean %2, spread %3</source>
        <translation>%1:  Mittelwert %2, Streuung %3</translation>
    </message>
    <message>
        <source>+ %1 more</source>
        <translation>+ %1 weitere</translation>
    </message>
    <message>
        <source>+ %1 more layers</source>
        <translation>+ %1 weitere Schichten</translation>
    </message>
    <message numerus="yes">
        <source>%n targets</source>
        <translation>
            <numerusform>%n Zielwert</numerusform>
            <numerusform>%n Zielwerte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RankLanes</name>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
</context>
<context>
    <name>RankTable</name>
    <message>
        <source>A single rank waits for no other.</source>
        <translation>Ein einzelner Rank wartet auf keinen anderen.</translation>
    </message>
    <message>
        <source>No rank holds up the others.</source>
        <translation>Kein Rank hält die anderen auf.</translation>
    </message>
    <message>
        <source>Rank %1 has been silent for %2; the others are waiting for it.</source>
        <translation>Von Rank %1 ist seit %2 nichts zu hören; die anderen warten auf ihn.</translation>
    </message>
    <message>
        <source>The others wait for rank %1 (%2 %3): it costs them %4 of their time.</source>
        <translation>Die anderen warten auf Rank %1 (%2 %3): Das kostet sie %4 ihrer Zeit.</translation>
    </message>
</context>
<context>
    <name>RefusalFix</name>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Leave rows with empty cells out</source>
        <translation>Zeilen mit leeren Zellen weglassen</translation>
    </message>
    <message>
        <source>Fill empty cells in</source>
        <translation>Leere Zellen füllen</translation>
    </message>
    <message>
        <source>Leave unreadable images out</source>
        <translation>Unlesbare Bilder weglassen</translation>
    </message>
    <message>
        <source>Leave column %1 out</source>
        <translation>Spalte %1 auslassen</translation>
    </message>
    <message>
        <source>Use a batch of %1 per worker</source>
        <translation>Batch von %1 je Worker verwenden</translation>
    </message>
    <message>
        <source>Use a batch of %1</source>
        <translation>Batch von %1 verwenden</translation>
    </message>
</context>
<context>
    <name>Residence</name>
    <message>
        <source>Slurm job</source>
        <translation>Job von Slurm</translation>
    </message>
    <message>
        <source>lives on %1</source>
        <translation>liegt auf %1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1, auf %2</translation>
    </message>
    <message>
        <source>No sign-in to %1 since %2</source>
        <translation>Keine Anmeldung an %1 seit %2</translation>
    </message>
    <message>
        <source>%1 has been unreachable since %2</source>
        <translation>%1 ist seit %2 nicht erreichbar</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindet</translation>
    </message>
</context>
<context>
    <name>RunChoices</name>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Every run</source>
        <translation>Jeder Lauf</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>Unterschiedliche Einstellungen</translation>
    </message>
    <message>
        <source>By status</source>
        <translation>Nach Status</translation>
    </message>
    <message>
        <source>By configuration, over seeds</source>
        <translation>Nach Konfiguration, über Seeds</translation>
    </message>
    <message>
        <source>By %1</source>
        <translation>Nach %1</translation>
    </message>
</context>
<context>
    <name>RunColumn</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Trend</source>
        <translation>Trend</translation>
    </message>
    <message>
        <source>The run&apos;s score over time</source>
        <translation>Der Verlauf des Scores</translation>
    </message>
    <message>
        <source>Best score</source>
        <translation>Bester Score</translation>
    </message>
    <message>
        <source>Best value of the series that picks the run&apos;s best checkpoint</source>
        <translation>Bester Wert der Messreihe, nach der der beste Checkpoint gewählt wird</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Training time so far</source>
        <translation>Wie lange trainiert wurde</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>local</source>
        <translation>lokal</translation>
    </message>
    <message>
        <source>%1 %2, step %3</source>
        <translation>%1 %2, Schritt %3</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Time since the run ended; while it trains, the time left</source>
        <translation>Wie lange das Ende des Laufs zurückliegt; bei einem aktiven Lauf, wie lange er noch braucht</translation>
    </message>
    <message>
        <source>course of %1</source>
        <translation>Verlauf von %1</translation>
    </message>
</context>
<context>
    <name>RunDialogs</name>
    <message>
        <source>It must be greater than 0</source>
        <translation>Sie muss größer als 0 sein</translation>
    </message>
    <message>
        <source>It must be at most %1</source>
        <translation>Sie darf höchstens %1 sein</translation>
    </message>
    <message>
        <source>Export safetensors</source>
        <translation>safetensors exportieren</translation>
    </message>
    <message>
        <source>safetensors (*.safetensors)</source>
        <translation>safetensors (*.safetensors)</translation>
    </message>
    <message>
        <source>Export state dict</source>
        <translation>State-Dict exportieren</translation>
    </message>
    <message>
        <source>PyTorch state dict (*.pt)</source>
        <translation>PyTorch-State-Dict (*.pt)</translation>
    </message>
    <message>
        <source>Export TorchScript</source>
        <translation>TorchScript exportieren</translation>
    </message>
    <message>
        <source>TorchScript (*.pt)</source>
        <translation>TorchScript (*.pt)</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Verlängern</translation>
    </message>
    <message>
        <source>More epochs for %1:</source>
        <translation>Weitere Epochen für %1:</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Learning rate of %1 from the next step on; the schedule continues from it:</source>
        <translation>Lernrate von %1 ab dem nächsten Schritt; ihr Plan läuft von dort weiter:</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Workers of %1 from the next step on, %2 to %3; no step is lost:</source>
        <translation>Worker von %1 ab dem nächsten Schritt, %2 bis %3; kein Schritt geht verloren:</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Tags of %1, separated by spaces:</source>
        <translation>Tags von %1, durch Leerzeichen getrennt:</translation>
    </message>
    <message>
        <source>Tags to add to %1 runs; -tag removes one:</source>
        <translation>Tags für %1 Läufe; -tag entfernt eines:</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Notes on %1:</source>
        <translation>Notizen zu %1:</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Folder for the points</source>
        <translation>Ordner für die Punkte</translation>
    </message>
    <message>
        <source>Export points</source>
        <translation>Punkte exportieren</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Folder for the event file</source>
        <translation>Ordner für die Ereignisdatei</translation>
    </message>
    <message>
        <source>The run could not be resumed</source>
        <translation>Der Lauf ließ sich nicht fortsetzen</translation>
    </message>
    <message numerus="yes">
        <source>Tags of %n runs saved</source>
        <translation>
            <numerusform>Tags von %n Lauf gespeichert</numerusform>
            <numerusform>Tags von %n Läufen gespeichert</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunGrouping</name>
    <message>
        <source>One configuration</source>
        <translation>Eine Konfiguration</translation>
    </message>
</context>
<context>
    <name>RunMenu</name>
    <message>
        <source>Copy as</source>
        <translation>Kopieren als</translation>
    </message>
    <message>
        <source>While it trains</source>
        <translation>Während des Trainings</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Name and tags</source>
        <translation>Name und Tags</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>is a folder</source>
        <translation>ist ein Ordner</translation>
    </message>
    <message>
        <source>choose one image; for a folder, use trainyardctl predict</source>
        <translation>ein einzelnes Bild wählen; trainyardctl predict nimmt Ordner</translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation>gibt es nicht</translation>
    </message>
    <message>
        <source>choose a PNG, JPEG or CSV file</source>
        <translation>eine PNG-, JPEG- oder CSV-Datei wählen</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>change its permissions, or choose another file</source>
        <translation>die Zugriffsrechte ändern oder eine andere Datei wählen</translation>
    </message>
    <message>
        <source>is larger than 1 MiB; only its first row is shown here</source>
        <translation>ist größer als 1 MiB, und hier wird nur die erste Zeile gezeigt</translation>
    </message>
    <message>
        <source>paste one row, or use trainyardctl predict</source>
        <translation>eine Zeile einfügen oder trainyardctl predict verwenden</translation>
    </message>
    <message>
        <source>nothing was entered</source>
        <translation>nichts angegeben</translation>
    </message>
    <message>
        <source>enter an image, a row or a text</source>
        <translation>ein Bild, eine Zeile oder einen Text angeben</translation>
    </message>
    <message>
        <source>is neither a file on this computer nor a row of numbers</source>
        <translation>ist weder eine Datei dieses Rechners noch eine Zeile mit Zahlen</translation>
    </message>
    <message>
        <source>enter an image file, numbers such as 5.1, 3.5, or a sample such as validation/17</source>
        <translation>ein Bild, Zahlen wie 5.1, 3.5 oder ein Sample wie validation/17 angeben</translation>
    </message>
    <message>
        <source>pasted image</source>
        <translation>eingefügtes Bild</translation>
    </message>
    <message>
        <source>is not a file on this computer</source>
        <translation>ist keine Datei dieses Rechners</translation>
    </message>
    <message>
        <source>save it and drop the file</source>
        <translation>speichern und die Datei herziehen</translation>
    </message>
    <message>
        <source>the clipboard holds neither an image nor text</source>
        <translation>die Zwischenablage enthält weder Bild noch Text</translation>
    </message>
    <message>
        <source>copy an image, a row of numbers or a text</source>
        <translation>ein Bild, eine Zahlenzeile oder einen Text kopieren</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 on %2 tokens</source>
        <translation>%1 auf %2 Tokens</translation>
    </message>
</context>
<context>
    <name>SavedFilters</name>
    <message>
        <source>Forget this filter</source>
        <translation>Diesen Filter vergessen</translation>
    </message>
    <message>
        <source>Save this filter</source>
        <translation>Diesen Filter speichern</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>Gespeicherte Filter</translation>
    </message>
    <message>
        <source>Type a filter first, then save it here</source>
        <translation>Erst einen Filter eingeben, dann hier speichern</translation>
    </message>
</context>
<context>
    <name>SeriesWords</name>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>time per step</source>
        <translation>Zeit je Schritt</translation>
    </message>
    <message>
        <source>time for data</source>
        <translation>Zeit für Daten</translation>
    </message>
    <message>
        <source>time for communication</source>
        <translation>Zeit für Kommunikation</translation>
    </message>
    <message>
        <source>time for forward pass</source>
        <translation>Zeit für Vorwärtslauf</translation>
    </message>
    <message>
        <source>time for backward pass</source>
        <translation>Zeit für Rückwärtslauf</translation>
    </message>
    <message>
        <source>time for optimizer</source>
        <translation>Zeit für Optimierer</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>top-5 accuracy</source>
        <translation>Top-5-Genauigkeit</translation>
    </message>
    <message>
        <source>balanced accuracy</source>
        <translation>balancierte Genauigkeit</translation>
    </message>
    <message>
        <source>Cohen’s kappa</source>
        <translation>Cohens Kappa</translation>
    </message>
    <message>
        <source>Brier score</source>
        <translation>Brier-Score</translation>
    </message>
    <message>
        <source>calibration error</source>
        <translation>Kalibrierungsfehler</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Precision</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>train %1</source>
        <translation>Train-%1</translation>
    </message>
    <message>
        <source>val %1</source>
        <translation>Val-%1</translation>
    </message>
    <message>
        <source>eval %1</source>
        <translation>Eval-%1</translation>
    </message>
    <message>
        <source>test %1</source>
        <translation>Test-%1</translation>
    </message>
    <message>
        <source>CPU (%)</source>
        <translation>CPU (%)</translation>
    </message>
    <message>
        <source>memory (MB)</source>
        <translation>Speicher (MB)</translation>
    </message>
    <message>
        <source>GPU (%)</source>
        <translation>GPU (%)</translation>
    </message>
    <message>
        <source>GPU memory (MB)</source>
        <translation>GPU-Speicher (MB)</translation>
    </message>
    <message>
        <source>share of time for data</source>
        <translation>Zeitanteil für Daten</translation>
    </message>
    <message>
        <source>share of time for computing</source>
        <translation>Zeitanteil fürs Rechnen</translation>
    </message>
    <message>
        <source>share of time for communication</source>
        <translation>Zeitanteil für Kommunikation</translation>
    </message>
    <message>
        <source>share of time waiting</source>
        <translation>Zeitanteil fürs Warten</translation>
    </message>
    <message>
        <source>network in (MB/s)</source>
        <translation>Netz eingehend (MB/s)</translation>
    </message>
    <message>
        <source>network out (MB/s)</source>
        <translation>Netz ausgehend (MB/s)</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>Rank %1: %2</translation>
    </message>
    <message>
        <source>this computer: %1</source>
        <translation>dieser Computer: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>best</source>
        <translation>Bestwert</translation>
    </message>
    <message>
        <source>last</source>
        <translation>zuletzt</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min.</translation>
    </message>
    <message>
        <source>max</source>
        <translation>max.</translation>
    </message>
    <message>
        <source>metrics file</source>
        <translation>Metrik-Datei</translation>
    </message>
    <message>
        <source>TensorBoard</source>
        <translation>TensorBoard</translation>
    </message>
    <message>
        <source>JSON log</source>
        <translation>JSON-Log</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV-Tabelle</translation>
    </message>
    <message>
        <source>printed</source>
        <translation>ausgegeben</translation>
    </message>
    <message>
        <source>accuracy, at least</source>
        <translation>Genauigkeit, mindestens</translation>
    </message>
    <message>
        <source>accuracy, at most</source>
        <translation>Genauigkeit, höchstens</translation>
    </message>
    <message>
        <source>mean average precision</source>
        <translation>mittlere durchschnittliche Genauigkeit</translation>
    </message>
    <message>
        <source>micro F1</source>
        <translation>Mikro-F1</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Samples</translation>
    </message>
</context>
<context>
    <name>Serve</name>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1, best</source>
        <translation>%1, bester</translation>
    </message>
    <message>
        <source>%1, last</source>
        <translation>%1, letzter</translation>
    </message>
    <message>
        <source>is larger than 64 MiB</source>
        <translation>ist größer als 64 MiB</translation>
    </message>
    <message>
        <source>choose a smaller file</source>
        <translation>eine kleinere Datei wählen</translation>
    </message>
    <message>
        <source>is neither a PNG or JPEG picture nor a table</source>
        <translation>ist weder ein Bild (PNG, JPEG) noch eine Tabelle</translation>
    </message>
    <message>
        <source>convert it to PNG, or choose a .csv or .txt file</source>
        <translation>in PNG umwandeln oder eine .csv- oder .txt-Datei wählen</translation>
    </message>
    <message>
        <source>answered with status %1</source>
        <translation>hat mit Status %1 geantwortet</translation>
    </message>
    <message>
        <source>is a sample of the dataset, which a service does not have</source>
        <translation>ist ein Sample des Datensatzes, den ein Dienst nicht hat</translation>
    </message>
    <message>
        <source>drop a picture, or paste a row or a text</source>
        <translation>ein Bild ablegen oder eine Zeile oder einen Text einfügen</translation>
    </message>
    <message>
        <source>see whether the service still runs</source>
        <translation>nachsehen, ob der Dienst noch läuft</translation>
    </message>
    <message>
        <source>answered with something else than JSON</source>
        <translation>hat mit etwas anderem als JSON geantwortet</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Draining</source>
        <translation>Läuft aus</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>Wärmt auf</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Rechnet</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <source>Former</source>
        <translation>Vorherige</translation>
    </message>
    <message>
        <source>Canary</source>
        <translation>Canary</translation>
    </message>
    <message>
        <source>Shadow</source>
        <translation>Schatten</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>Anwärter</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>port not known yet</source>
        <translation>Port noch nicht bekannt</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>has no address yet</source>
        <translation>hat noch keine Adresse</translation>
    </message>
    <message>
        <source>ask again once it is ready</source>
        <translation>nochmals fragen, sobald er bereit ist</translation>
    </message>
</context>
<context>
    <name>ShareRun</name>
    <message>
        <source>Copied as a command</source>
        <translation>Als Befehl kopiert</translation>
    </message>
    <message>
        <source>Copied as a run file</source>
        <translation>Als Laufdatei kopiert</translation>
    </message>
    <message>
        <source>Copied as a C++ program</source>
        <translation>Als C++-Programm kopiert</translation>
    </message>
    <message>
        <source>Copied as a Python loader</source>
        <translation>Als Python-Lader kopiert</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>The report was not written</source>
        <translation>Der Bericht wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Export for another computer</source>
        <translation>Für anderen Rechner exportieren</translation>
    </message>
    <message>
        <source>Bundle of runs (*.tar)</source>
        <translation>Bündel von Läufen (*.tar)</translation>
    </message>
    <message>
        <source>The runs were not exported</source>
        <translation>Die Läufe wurden nicht exportiert</translation>
    </message>
    <message>
        <source>Nothing was copied</source>
        <translation>Nichts wurde kopiert</translation>
    </message>
    <message>
        <source>The report was cancelled</source>
        <translation>Der Bericht wurde abgebrochen</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Draw or hide the run</source>
        <translation>Lauf zeichnen oder ausblenden</translation>
    </message>
    <message>
        <source>Alt Up, Alt Down</source>
        <translation>Alt Auf, Alt Ab</translation>
    </message>
    <message>
        <source>Move the run in the queue</source>
        <translation>Lauf in der Warteschlange verschieben</translation>
    </message>
    <message>
        <source>Pause or resume the live view</source>
        <translation>Live-Ansicht anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>Wheel, +, -</source>
        <translation>Mausrad, +, -</translation>
    </message>
    <message>
        <source>Zoom x</source>
        <translation>x zoomen</translation>
    </message>
    <message>
        <source>Shift Wheel, Up, Down</source>
        <translation>Umschalt Mausrad, Auf, Ab</translation>
    </message>
    <message>
        <source>Zoom y</source>
        <translation>y zoomen</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <source>Pan x</source>
        <translation>In x verschieben</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>Zoom to the selection</source>
        <translation>Auf den Rahmen zoomen</translation>
    </message>
    <message>
        <source>Double click, F</source>
        <translation>Doppelklick, F</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Jump to live</source>
        <translation>Zum Neuesten springen</translation>
    </message>
    <message>
        <source>F3, Shift F3</source>
        <translation>F3, Umschalt F3</translation>
    </message>
    <message>
        <source>Next, previous hit</source>
        <translation>Nächster, voriger Treffer</translation>
    </message>
    <message>
        <source>Ctrl C</source>
        <translation>Strg C</translation>
    </message>
    <message>
        <source>Copy lines</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>Ctrl %1</source>
        <translation>Strg %1</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Alt Left, Right, Up, Down</source>
        <translation>Alt Links, Rechts, Auf, Ab</translation>
    </message>
    <message>
        <source>Move the chart</source>
        <translation>Diagramm verschieben</translation>
    </message>
    <message>
        <source>Ctrl Up, Down, then Enter</source>
        <translation>Strg Auf, Ab, dann Eingabe</translation>
    </message>
    <message>
        <source>Set the learning rate</source>
        <translation>Lernrate setzen</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Menu of the chart</source>
        <translation>Menü des Diagramms</translation>
    </message>
</context>
<context>
    <name>StartChecklist</name>
    <message numerus="yes">
        <source>Start %n workers</source>
        <translation>
            <numerusform>%n Worker starten</numerusform>
            <numerusform>%n Worker starten</numerusform>
        </translation>
    </message>
    <message>
        <source>Rendezvous</source>
        <translation>Rendezvous</translation>
    </message>
    <message>
        <source>Load data</source>
        <translation>Daten laden</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
</context>
<context>
    <name>TrainingSource</name>
    <message>
        <source>A run starts from a folder of images (or its .tar), a table (.csv, .tsv, .npy), a text (.txt), weights (.safetensors, .pth), a TorchScript model (.pt), a plug-in (.so), a Python script (.py), another program that may be executed, or a run or sweep file (.json)</source>
        <translation>Ein Lauf beginnt mit einem Ordner von Bildern (oder dessen .tar), einer Tabelle (.csv, .tsv, .npy), einem Text (.txt), Gewichten (.safetensors, .pth), einem TorchScript-Modell (.pt), einem Plug-in (.so), einem Python-Skript (.py), einem anderen ausführbaren Programm oder einer Lauf- oder Sweep-Datei (.json)</translation>
    </message>
</context>
<context>
    <name>Workspaces</name>
    <message>
        <source>Folder of the workspace</source>
        <translation>Ordner des Arbeitsbereichs</translation>
    </message>
    <message>
        <source>This workspace cannot be opened</source>
        <translation>Dieser Arbeitsbereich lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Any runs in it stay as they are. Choose another folder for the workspace.</source>
        <translation>Seine Läufe, falls vorhanden, bleiben unverändert. Einen anderen Ordner für den Arbeitsbereich wählen.</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>format</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1st</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>%1nd</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>%1rd</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>%1th</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <translation>d. MMM HH:mm</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1&#xa0;%</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>noch %1 s</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>noch %1 min</translation>
    </message>
    <message>
        <source>%1 h left</source>
        <translation>noch %1 h</translation>
    </message>
</context>
<context>
    <name>status</name>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>best %1 %2</source>
        <translation>bester Wert %1 %2</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Restarting</source>
        <translation>Startet neu</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Stoppt</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::AddHostPanel</name>
    <message>
        <source>Copy fix</source>
        <translation>Abhilfe kopieren</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>Host hinzufügen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reach</source>
        <translation>Erreichbarkeit</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Ports</source>
        <translation>Ports</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Name of the host</source>
        <translation>Name des Hosts</translation>
    </message>
    <message>
        <source>same as the alias</source>
        <translation>wie der Alias</translation>
    </message>
    <message>
        <source>you</source>
        <translation>wie hier</translation>
    </message>
    <message>
        <source>agent, then id_ed25519</source>
        <translation>Agent, dann id_ed25519</translation>
    </message>
    <message>
        <source>chosen by route</source>
        <translation>nach Route</translation>
    </message>
    <message>
        <source>Address or network interface at which the other hosts of a run reach this one</source>
        <translation>Adresse oder Schnittstelle, unter der die anderen Hosts eines Laufs ihn erreichen</translation>
    </message>
    <message>
        <source>SSH alias</source>
        <translation>SSH-Alias</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Key file</source>
        <translation>Schlüsseldatei</translation>
    </message>
    <message>
        <source>Interface</source>
        <translation>Schnittstelle</translation>
    </message>
    <message>
        <source>Connects to</source>
        <translation>Verbindet mit</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>six checks</source>
        <translation>sechs Prüfungen</translation>
    </message>
    <message>
        <source>This host is new. Is this its key?</source>
        <translation>Dieser Host ist neu. Ist das sein Schlüssel?</translation>
    </message>
    <message>
        <source>Compare it with ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub on the host, or ask who runs it.</source>
        <translation>Mit ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub auf dem Host vergleichen oder dessen Administrator fragen.</translation>
    </message>
    <message>
        <source>Trust this key and continue</source>
        <translation>Schlüssel vertrauen und weiter</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Enter a name first</source>
        <translation>Erst einen Namen eingeben</translation>
    </message>
    <message>
        <source>Test the host first</source>
        <translation>Host erst testen</translation>
    </message>
    <message>
        <source>testing…</source>
        <translation>Test läuft…</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Test läuft…</translation>
    </message>
    <message>
        <source>%1 of %2 passed</source>
        <translation>%1 von %2 bestanden</translation>
    </message>
    <message>
        <source>Trust its key first</source>
        <translation>Erst dem Schlüssel vertrauen</translation>
    </message>
    <message>
        <source>“%1” must pass first</source>
        <translation>Erst muss „%1“ bestanden sein</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <source>Signing in…</source>
        <translation>Anmeldung…</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>from ~/.ssh/config, or user@host</source>
        <translation>aus ~/.ssh/config oder user@host</translation>
    </message>
    <message>
        <source>waits for its key</source>
        <translation>wartet auf den Schlüssel</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::AdvancedForm</name>
    <message>
        <source>Gradients, augmentation, checkpoints, failures, communication</source>
        <translation>Gradienten, Augmentierung, Checkpoints, Ausfälle, Kommunikation</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>Advanced (%1 changed)</source>
        <translation>Erweitert (%1 geändert)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ArchiveSheet</name>
    <message>
        <source>Archived runs</source>
        <translation>Archivierte Läufe</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>No archived runs. In the table, Del archives the selected runs.</source>
        <translation>Keine. Entf archiviert die in der Tabelle ausgewählten Läufe.</translation>
    </message>
    <message numerus="yes">
        <source>%n runs, %1</source>
        <translation>
            <numerusform>%n Lauf, %1</numerusform>
            <numerusform>%n Läufe, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deletes the points and checkpoints of %n runs and frees %1.</source>
        <translation>
            <numerusform>Punkte und Checkpoints von %n Lauf gehen verloren; gibt %1 frei.</numerusform>
            <numerusform>Punkte und Checkpoints von %n Läufen gehen verloren; gibt %1 frei.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n runs</source>
        <translation>
            <numerusform>%n Lauf löschen</numerusform>
            <numerusform>%n Läufe löschen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ArgumentField</name>
    <message>
        <source>not given</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>required</source>
        <translation>erforderlich</translation>
    </message>
    <message>
        <source>Not certain: %1</source>
        <translation>Nicht sicher: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ArgumentList</name>
    <message>
        <source>Not certain: %1</source>
        <translation>Nicht sicher: %1</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>A folder of the run’s own, so that runs do not overwrite each other</source>
        <translation>Ein eigener Ordner des Laufs, damit Läufe einander nicht überschreiben</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ArgumentPane</name>
    <message>
        <source>%1, line %2: %3</source>
        <translation>%1, Zeile %2: %3</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Search arguments</source>
        <translation>Argumente suchen</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Command of the script</source>
        <translation>Befehl des Skripts</translation>
    </message>
    <message>
        <source>More arguments</source>
        <translation>Weitere Argumente</translation>
    </message>
    <message>
        <source>any other words, as on a command line</source>
        <translation>beliebige Wörter, wie auf einer Befehlszeile</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen…</translation>
    </message>
    <message>
        <source>Its arguments were not read: %1</source>
        <translation>Die Argumente wurden nicht gelesen: %1</translation>
    </message>
    <message>
        <source>Not read: %1</source>
        <translation>Nicht gelesen: %1</translation>
    </message>
    <message>
        <source>Its settings are in %1</source>
        <translation>Die Einstellungen stehen in %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 names none</source>
        <translation>%1 nennt keine</translation>
    </message>
    <message numerus="yes">
        <source>%n of %1</source>
        <translation>
            <numerusform>%n von %1</numerusform>
            <numerusform>%n von %1</numerusform>
        </translation>
    </message>
    <message>
        <source>No script yet</source>
        <translation>Noch kein Skript</translation>
    </message>
    <message>
        <source>Drop a train.py on the window, or choose one: its arguments become fields here.</source>
        <translation>Eine train.py auf das Fenster ziehen oder wählen: Ihre Argumente werden hier zu Feldern.</translation>
    </message>
    <message>
        <source>Choose a script…</source>
        <translation>Skript wählen…</translation>
    </message>
    <message>
        <source>%1 goes to the first</source>
        <translation>%1 führt zum ersten</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::AskSheet</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::AxisEditor</name>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>%1: list or range</source>
        <translation>%1: Liste oder Bereich</translation>
    </message>
    <message>
        <source>%1: values, separated by commas</source>
        <translation>%1: Werte, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>%1: from</source>
        <translation>%1: von</translation>
    </message>
    <message>
        <source>%1: to</source>
        <translation>%1: bis</translation>
    </message>
    <message>
        <source>%1: how many values</source>
        <translation>%1: Anzahl der Werte</translation>
    </message>
    <message>
        <source>any</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>%1: step</source>
        <translation>%1: Schrittweite</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>%1: spacing</source>
        <translation>%1: Abstände</translation>
    </message>
    <message>
        <source>Number of values from end to end, for a grid. Empty: any value in the range.</source>
        <translation>Werte von einem Ende zum anderen, für ein Raster. Leer: beliebige Werte dazwischen werden gezogen.</translation>
    </message>
    <message>
        <source>From, from + step, and so on to the end. Empty: any value in the range.</source>
        <translation>Von, von + Schrittweite und so weiter bis zum anderen Ende. Leer: jeder Wert dazwischen.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Tick at least one value</source>
        <translation>Mindestens einen Wert ankreuzen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>The list is empty; enter values separated by commas</source>
        <translation>Die Liste ist leer; Werte durch Kommas getrennt eingeben</translation>
    </message>
    <message>
        <source>Step %1; %2</source>
        <translation>Schrittweite %1; %2</translation>
    </message>
    <message>
        <source>Range %1; %2</source>
        <translation>Bereich %1; %2</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>%1 must be greater than 0 on a log scale; 0.001 is a good start</source>
        <translation>%1 muss auf einer logarithmischen Skala größer als 0 sein; 0.001 ist ein guter Anfang</translation>
    </message>
    <message>
        <source>End is below start</source>
        <translation>Ende liegt unter dem Anfang</translation>
    </message>
    <message>
        <source>Both ends are the same; list the one value instead</source>
        <translation>Beide Enden sind gleich; stattdessen den einen Wert als Liste angeben</translation>
    </message>
    <message>
        <source>%1 values are not between 1 and %2</source>
        <translation>%1 Werte liegen nicht zwischen 1 und %2</translation>
    </message>
    <message>
        <source>Step: %1</source>
        <translation>Schrittweite: %1</translation>
    </message>
    <message>
        <source>Step must be greater than 0; leave it empty for any value</source>
        <translation>Schrittweite muss größer als 0 sein; leer lassen für beliebige Werte</translation>
    </message>
    <message>
        <source>normal distribution, mean %1, deviation %2</source>
        <translation>Normalverteilung, Mittelwert %1, Standardabweichung %2</translation>
    </message>
    <message>
        <source>a complete search for each value</source>
        <translation>die ganze Suche für jeden</translation>
    </message>
    <message>
        <source>only where %1 is %2</source>
        <translation>nur wo %1 = %2</translation>
    </message>
    <message>
        <source>in a grid: %1</source>
        <translation>im Raster: %1</translation>
    </message>
    <message>
        <source>any whole number between</source>
        <translation>jede ganze Zahl dazwischen</translation>
    </message>
    <message>
        <source>any number between</source>
        <translation>jede Zahl dazwischen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::BadFilesSheet</name>
    <message>
        <source>Unreadable files</source>
        <translation>Unlesbare Dateien</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Show in its folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Unreadable files of %1</source>
        <translation>Unlesbare Dateien von %1</translation>
    </message>
    <message>
        <source>Pictures in %1</source>
        <translation>Bilder in %1</translation>
    </message>
    <message>
        <source>Decoding every picture…</source>
        <translation>Jedes Bild wird decodiert…</translation>
    </message>
    <message>
        <source>The worker program was not found beside this one</source>
        <translation>Das Worker-Programm wurde neben diesem nicht gefunden</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>All %n pictures can be read.</source>
        <translation>
            <numerusform>%n Bild, und es ist lesbar.</numerusform>
            <numerusform>Alle %n Bilder sind lesbar.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files cannot be read.</source>
        <translation>
            <numerusform>%n Datei ist nicht lesbar.</numerusform>
            <numerusform>%n Dateien sind nicht lesbar.</numerusform>
        </translation>
    </message>
    <message>
        <source>The first %1 are listed.</source>
        <translation>Die ersten %1 sind aufgeführt.</translation>
    </message>
    <message numerus="yes">
        <source>%n pictures are there twice.</source>
        <translation>
            <numerusform>%n Bild ist doppelt vorhanden.</numerusform>
            <numerusform>%n Bilder sind doppelt vorhanden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are in training and in validation or test.</source>
        <translation>
            <numerusform>%n davon ist im Training und in Validierung oder Test.</numerusform>
            <numerusform>%n davon sind im Training und in Validierung oder Test.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::BatchCard</name>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>of the first trial</source>
        <translation>des ersten Trials</translation>
    </message>
    <message numerus="yes">
        <source>%1 per worker × %2 workers</source>
        <translation>
            <numerusform>%1 je Worker × %2 Worker</numerusform>
            <numerusform>%1 je Worker × %2 Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 × %2 accum.</source>
        <translation>%1 × %2 akkum.</translation>
    </message>
    <message>
        <source>%1 = %2 global</source>
        <translation>%1 = %2 global</translation>
    </message>
    <message>
        <source>%1 samples, %2 steps per epoch, evenly split</source>
        <translation>%1 Samples, %2 Schritte je Epoche, gleich verteilt</translation>
    </message>
    <message>
        <source>%1; %2 dropped, a different set each epoch.</source>
        <translation>%1; %2 entfallen, jede Epoche andere.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::BestOverTimeView</name>
    <message>
        <source>Trials</source>
        <translation>Trials</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Best score over</source>
        <translation>Bester Score über</translation>
    </message>
    <message>
        <source>Best score so far</source>
        <translation>Bester Score bisher</translation>
    </message>
    <message>
        <source>No scores yet</source>
        <translation>Noch keine Scores</translation>
    </message>
    <message>
        <source>The curve starts with the first score.</source>
        <translation>Der bisher beste Score wird ab dem ersten gezeichnet.</translation>
    </message>
    <message>
        <source>Time since the first trial</source>
        <translation>Zeit seit dem ersten Trial</translation>
    </message>
    <message>
        <source>Trials that ended</source>
        <translation>Beendete Trials</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>bester bisher</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>bester Wert %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::BestTrial</name>
    <message>
        <source>%1 with one seed</source>
        <translation>%1 mit einem Seed</translation>
    </message>
    <message>
        <source>%1 ± %2 over %3 seeds</source>
        <translation>%1 ± %2 über %3 Seeds</translation>
    </message>
    <message>
        <source>Best trial</source>
        <translation>Bester Trial</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Train longer</source>
        <translation>Verlängern</translation>
    </message>
    <message>
        <source>5 more epochs from its last checkpoint</source>
        <translation>5 weitere Epochen ab dem letzten Checkpoint</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <source>Lead over the runner-up</source>
        <translation>Vorsprung vor dem Zweiten</translation>
    </message>
    <message>
        <source>Pareto front</source>
        <translation>Pareto-Front</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Mean: %1</source>
        <translation>Mittelwert: %1</translation>
    </message>
    <message>
        <source>It is the best in both %1 and %2.</source>
        <translation>Er ist der beste in %1 und in %2.</translation>
    </message>
    <message>
        <source>Its means are the best in both %1 and %2.</source>
        <translation>Ihre Mittelwerte sind die besten von %1 und von %2.</translation>
    </message>
    <message>
        <source>No other trial beats the %1 on the Pareto front in both %2 and %3. This one contributes most to the hypervolume.</source>
        <translation>Kein anderer Trial schlägt die %1 auf der Front in %2 und %3 zugleich. Von diesen verlöre das Hypervolumen ohne diesen am meisten.</translation>
    </message>
    <message>
        <source>%1 better than the next configuration (%2).</source>
        <translation>%1 besser als die nächste Konfiguration (%2).</translation>
    </message>
    <message>
        <source>%1 That is within noise: more seeds may reverse it.</source>
        <translation>%1 Das liegt im Rauschen: Mehr Seeds können es umkehren.</translation>
    </message>
    <message>
        <source>%1 That is more than noise explains.</source>
        <translation>%1 Das ist mehr, als Rauschen erklärt.</translation>
    </message>
    <message>
        <source>No other configuration has a score yet.</source>
        <translation>Noch keine andere Konfiguration hat einen Score.</translation>
    </message>
    <message>
        <source>%1 better than %2 (%3). One seed each: repeat both before trusting a small difference.</source>
        <translation>%1 besser als %2 (%3). Je ein Seed: beide wiederholen, bevor ein kleiner Unterschied zählt.</translation>
    </message>
    <message>
        <source>Spread over the seeds</source>
        <translation>Streuung über die Seeds</translation>
    </message>
    <message>
        <source>The trials differ only in their seed, so any lead is chance: %1.</source>
        <translation>Die Trials unterscheiden sich nur im Seed, ein Vorsprung ist also Zufall: %1.</translation>
    </message>
    <message>
        <source>Mean of %1: %2</source>
        <translation>Mittel von %1: %2</translation>
    </message>
    <message>
        <source>No other configuration beats the %1 on the Pareto front in the means of both %2 and %3. This one contributes most to the hypervolume.</source>
        <translation>Keine andere Konfiguration schlägt die %1 auf der Front in beiden Mitteln, von %2 und von %3. Von diesen verlöre das Hypervolumen ohne diese am meisten.</translation>
    </message>
    <message>
        <source>%1 has the same score. More seeds may tell them apart.</source>
        <translation>%1 hat denselben Score. Weitere Seeds können zeigen, was besser ist.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CardCurves</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChangeList</name>
    <message numerus="yes">
        <source>%n fields changed</source>
        <translation>
            <numerusform>%n Feld geändert</numerusform>
            <numerusform>%n Felder geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 statt %2</translation>
    </message>
    <message>
        <source>Reset %1 to %2</source>
        <translation>%1 auf %2 zurücksetzen</translation>
    </message>
    <message>
        <source>No changes yet</source>
        <translation>Noch keine Änderungen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChartBar</name>
    <message>
        <source>Search charts</source>
        <translation>Diagramme suchen</translation>
    </message>
    <message>
        <source>Shows the charts whose series names contain all these words.  Ctrl+Shift+F</source>
        <translation>Zeigt die Diagramme, deren Messreihen alle diese Wörter im Namen haben.  Strg+Umschalt+F</translation>
    </message>
    <message>
        <source>Hidden charts; choose one to show it again</source>
        <translation>Ausgeblendete Diagramme; eines wählen, um es wieder zu zeigen</translation>
    </message>
    <message>
        <source>Saved views: the charts shown, their order, and how they are drawn</source>
        <translation>Gespeicherte Ansichten: welche Diagramme in welcher Reihenfolge und wie gezeichnet werden</translation>
    </message>
    <message>
        <source>Export charts or points</source>
        <translation>Diagramme oder Punkte exportieren</translation>
    </message>
    <message>
        <source>%1 of %2 charts</source>
        <translation>%1 von %2 Diagrammen</translation>
    </message>
    <message>
        <source>Hidden: %1</source>
        <translation>Ausgeblendet: %1</translation>
    </message>
    <message>
        <source>Hidden charts: %1</source>
        <translation>Ausgeblendete Diagramme: %1</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>View: %1, changed</source>
        <translation>Ansicht: %1, geändert</translation>
    </message>
    <message>
        <source>View: %1</source>
        <translation>Ansicht: %1</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save the changes</source>
        <translation>Änderungen speichern</translation>
    </message>
    <message>
        <source>Save as a new view…</source>
        <translation>Als neue Ansicht speichern…</translation>
    </message>
    <message>
        <source>Save view</source>
        <translation>Ansicht speichern</translation>
    </message>
    <message>
        <source>Name of the view; it replaces a view of the same name:</source>
        <translation>Name der Ansicht; eine gleichen Namens wird ersetzt:</translation>
    </message>
    <message>
        <source>Rename this view…</source>
        <translation>Ansicht umbenennen…</translation>
    </message>
    <message>
        <source>Rename view</source>
        <translation>Ansicht umbenennen</translation>
    </message>
    <message>
        <source>New name of “%1”:</source>
        <translation>Neuer Name von „%1“:</translation>
    </message>
    <message>
        <source>Delete this view</source>
        <translation>Ansicht löschen</translation>
    </message>
    <message>
        <source>Size of the charts</source>
        <translation>Größe der Diagramme</translation>
    </message>
    <message>
        <source>As many columns as fit</source>
        <translation>So viele Spalten wie passen</translation>
    </message>
    <message numerus="yes">
        <source>%n columns</source>
        <translation>
            <numerusform>%n Spalte</numerusform>
            <numerusform>%n Spalten</numerusform>
        </translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChartBoard</name>
    <message>
        <source>all workers</source>
        <translation>alle Worker</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChartDesk</name>
    <message>
        <source>Back to the standard charts</source>
        <translation>Die Diagramme sind wieder die des Standards</translation>
    </message>
    <message>
        <source>A saved view cannot be read</source>
        <translation>Eine gespeicherte Ansicht ist nicht lesbar</translation>
    </message>
    <message>
        <source>View “%1” saved</source>
        <translation>Ansicht „%1“ gespeichert</translation>
    </message>
    <message>
        <source>View renamed to “%1”</source>
        <translation>Ansicht in „%1“ umbenannt</translation>
    </message>
    <message>
        <source>View “%1” deleted</source>
        <translation>Ansicht „%1“ gelöscht</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChartHeader</name>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>Logarithmische y-Achse</translation>
    </message>
    <message>
        <source>Export chart or data</source>
        <translation>Diagramm oder Daten exportieren</translation>
    </message>
    <message>
        <source>Expand chart</source>
        <translation>Diagramm vergrößern</translation>
    </message>
    <message>
        <source>More about this chart</source>
        <translation>Mehr zu diesem Diagramm</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChartTooltip</name>
    <message>
        <source>+ %1 more</source>
        <translation>+ %1 weitere</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChartValues</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckCard</name>
    <message>
        <source>Will it run?</source>
        <translation>Läuft es?</translation>
    </message>
    <message>
        <source>Start with new weights</source>
        <translation>Mit neuen Gewichten starten</translation>
    </message>
    <message>
        <source>Keep the settings, but not the checkpoint</source>
        <translation>Die Einstellungen des Laufs ohne seinen Checkpoint</translation>
    </message>
    <message>
        <source>%1 to fix</source>
        <translation>%1 zu beheben</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Prüfung</translation>
    </message>
    <message numerus="yes">
        <source>Yes, with %n warnings</source>
        <translation>
            <numerusform>Ja, mit %n Warnung</numerusform>
            <numerusform>Ja, mit %n Warnungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckpointChoice</name>
    <message>
        <source>Start from</source>
        <translation>Start ab</translation>
    </message>
    <message>
        <source>, best</source>
        <translation>, bester</translation>
    </message>
    <message>
        <source>, last</source>
        <translation>, letzter</translation>
    </message>
    <message>
        <source>%1 of %2%3</source>
        <translation>%1 von %2%3</translation>
    </message>
    <message>
        <source>New weights</source>
        <translation>Neue Gewichte</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckpointRowButton</name>
    <message>
        <source>%1 at step %2%3%4%5</source>
        <translation>%1 bei Schritt %2%3%4%5</translation>
    </message>
    <message>
        <source>, best</source>
        <translation>, bester</translation>
    </message>
    <message>
        <source>, last</source>
        <translation>, letzter</translation>
    </message>
    <message>
        <source>, pinned</source>
        <translation>, angeheftet</translation>
    </message>
    <message>
        <source>step %1, saved %2
%3</source>
        <translation>Schritt %1, gespeichert %2
%3</translation>
    </message>
    <message>
        <source>best</source>
        <translation>Bestwert</translation>
    </message>
    <message>
        <source>last</source>
        <translation>zuletzt</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>on %1, and fetched</source>
        <translation>auf %1, und geholt</translation>
    </message>
    <message>
        <source>on %1; click to fetch it</source>
        <translation>auf %1; ein Klick holt ihn</translation>
    </message>
    <message>
        <source>fetched</source>
        <translation>geholt</translation>
    </message>
    <message>
        <source>, superseded</source>
        <translation>, überholt</translation>
    </message>
    <message>
        <source>superseded: the run has gone on from an earlier checkpoint</source>
        <translation>überholt: Der Lauf ist von einem früheren Checkpoint aus weitergegangen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckpointTable</name>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Score</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckpointsModel</name>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>best</source>
        <translation>Bestwert</translation>
    </message>
    <message>
        <source>last</source>
        <translation>zuletzt</translation>
    </message>
    <message>
        <source>superseded</source>
        <translation>überholt</translation>
    </message>
    <message>
        <source>periodic</source>
        <translation>periodisch</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Score</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Kept as</source>
        <translation>Behalten als</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>%1, fetched</source>
        <translation>%1, geholt</translation>
    </message>
    <message>
        <source>on %1; fetch it from the menu</source>
        <translation>auf %1; das Menü holt ihn</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckpointsPage</name>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pinned checkpoints are never deleted  P</source>
        <translation>Ein angehefteter Checkpoint wird nie automatisch gelöscht  P</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare the weights of two selected checkpoints, tensor by tensor  C</source>
        <translation>Die Gewichte zweier ausgewählter Checkpoints, Tensor für Tensor  C</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Prune…</source>
        <translation>Ausdünnen…</translation>
    </message>
    <message>
        <source>Delete checkpoints of the filtered runs by a rule</source>
        <translation>Löscht Checkpoints der gefilterten Läufe nach einer Regel</translation>
    </message>
    <message>
        <source>Pinned only</source>
        <translation>Nur angeheftete</translation>
    </message>
    <message>
        <source>No checkpoints</source>
        <translation>Keine Checkpoints</translation>
    </message>
    <message>
        <source>Runs save one at the end of each epoch, unless their run file says otherwise.</source>
        <translation>Läufe speichern am Ende jeder Epoche einen, sofern die Laufdatei nichts anderes vorgibt.</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints</source>
        <translation>
            <numerusform>%n Checkpoint</numerusform>
            <numerusform>%n Checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> of %n runs, %1</source>
        <translation>
            <numerusform> von %n Lauf, %1</numerusform>
            <numerusform> von %n Läufen, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>0 of %1 match</source>
        <translation>0 von %1 passen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Select one checkpoint whose file is here</source>
        <translation>Einen Checkpoint wählen, dessen Datei hier liegt</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChoicePicker</name>
    <message>
        <source>Recent</source>
        <translation>Zuletzt gewählt</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Space checks, Enter checks and closes</source>
        <translation>Leertaste wählt, Enter wählt und schließt</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>Nichts passt zu „%1“</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChoiceRows</name>
    <message>
        <source>%1 (not installed)</source>
        <translation>%1 (nicht installiert)</translation>
    </message>
    <message>
        <source>choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>choose a file</source>
        <translation>Datei wählen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ClassScores</name>
    <message>
        <source>Per class</source>
        <translation>Je Klasse</translation>
    </message>
    <message>
        <source>Scores of each class</source>
        <translation>Scores jeder Klasse</translation>
    </message>
    <message>
        <source>Per column</source>
        <translation>Je Spalte</translation>
    </message>
    <message>
        <source>Errors of each column</source>
        <translation>Fehler jeder Spalte</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ClassTable</name>
    <message>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Precision</translation>
    </message>
    <message>
        <source>Share of the samples predicted as this class that belong to it</source>
        <translation>Anteil der als diese Klasse vorhergesagten Samples, die ihr wirklich angehören</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>Share of this class&apos;s samples that were predicted as it</source>
        <translation>Anteil der Samples dieser Klasse, die als solche vorhergesagt wurden</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Harmonic mean of precision and recall</source>
        <translation>Harmonisches Mittel aus Precision und Recall</translation>
    </message>
    <message>
        <source>Support</source>
        <translation>Support</translation>
    </message>
    <message>
        <source>Number of samples of this class</source>
        <translation>Samples dieser Klasse</translation>
    </message>
    <message>
        <source>Root mean squared error, in the units of the data</source>
        <translation>Wurzel des mittleren quadratischen Fehlers, in der Einheit der Daten</translation>
    </message>
    <message>
        <source>Mean absolute error, in the units of the data</source>
        <translation>Mittlerer absoluter Fehler, in der Einheit der Daten</translation>
    </message>
    <message>
        <source>Coefficient of determination: 1 is perfect, 0 is no better than the mean</source>
        <translation>Bestimmtheitsmaß: 1 ist perfekt, 0 so gut wie der Mittelwert</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Probability from which on the label is given, chosen on the validation samples</source>
        <translation>Wahrscheinlichkeit, ab der das Label vergeben wird; auf den Validierungs-Samples gewählt</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ClusterPage</name>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Test all</source>
        <translation>Alle testen</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>Host hinzufügen</translation>
    </message>
    <message>
        <source>this computer only: this build has no support for remote hosts</source>
        <translation>nur dieser Rechner: ohne entfernte Hosts gebaut</translation>
    </message>
    <message>
        <source>Trainyard starts workers on other hosts over SSH. A bar has the colour of the run on the device; grey is everything else.</source>
        <translation>Worker auf anderen Hosts werden über SSH gestartet. Ein Balken hat die Farbe des Laufs auf dem Gerät; grau ist alles andere.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ColorSheet</name>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message numerus="yes">
        <source>The colour of %n runs in all lists and charts</source>
        <translation>
            <numerusform>Die Farbe von %n Lauf in allen Listen und Diagrammen</numerusform>
            <numerusform>Die Farbe von %n Läufen in allen Listen und Diagrammen</numerusform>
        </translation>
    </message>
    <message>
        <source>The colour of %1 in all lists and charts</source>
        <translation>Die Farbe von %1 in allen Listen und Diagrammen</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>Farbe %1</translation>
    </message>
    <message>
        <source>Colour %1, also used by %2</source>
        <translation>Farbe %1, die auch %2 hat</translation>
    </message>
    <message>
        <source>Custom colour</source>
        <translation>Eigene Farbe</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Pick…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Choose any colour, or pick one from the screen</source>
        <translation>Aus allen Farben oder vom Bildschirm</translation>
    </message>
    <message>
        <source>Custom:</source>
        <translation>Eigene:</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>The run&apos;s original colour</source>
        <translation>Die Farbe, die der Lauf beim Anlegen bekam</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Enter a colour such as #1f77b4</source>
        <translation>Farbe bitte in der Form #1f77b4 angeben</translation>
    </message>
    <message>
        <source>Colour by setting</source>
        <translation>Farbe nach Einstellung</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Runs with the same value get the same palette colour, in the order of the values</source>
        <translation>Läufe mit demselben Wert erhalten dieselbe Farbe der Palette, in der Reihenfolge der Werte</translation>
    </message>
    <message>
        <source>By setting:</source>
        <translation>Nach Einstellung:</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CommandEdit</name>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>no arguments</source>
        <translation>keine Argumente</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CommandField</name>
    <message>
        <source>Search runs, or type a command</source>
        <translation>Läufe suchen oder Befehl eingeben</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CommandPalette</name>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>Nichts passt zu „%1“</translation>
    </message>
    <message>
        <source>Search runs and commands</source>
        <translation>Läufe und Befehle suchen</translation>
    </message>
    <message>
        <source>Search runs, or type a command</source>
        <translation>Läufe suchen oder Befehl eingeben</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CompareTable</name>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1 (Baseline)</translation>
    </message>
    <message>
        <source>Timings</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, the baseline</source>
        <translation>%1, die Baseline</translation>
    </message>
    <message>
        <source>%1
Click to compare the others with it</source>
        <translation>%1
Klicken, um die anderen damit zu vergleichen</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n runs</source>
        <translation>
            <numerusform>%1, %n Lauf</numerusform>
            <numerusform>%1, %n Läufe</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CompareView</name>
    <message>
        <source>Nothing to compare</source>
        <translation>Nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Select two or more runs in the table.</source>
        <translation>In der Tabelle zwei oder mehr Läufe auswählen.</translation>
    </message>
    <message>
        <source>Compared runs</source>
        <translation>Verglichene Läufe</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>Nur Unterschiede</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Baseline</translation>
    </message>
    <message numerus="yes">
        <source>%n values differ</source>
        <translation>
            <numerusform>%n Wert verschieden</numerusform>
            <numerusform>%n Werte verschieden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, the first %2 of %3 runs</source>
        <translation>%1, die ersten %2 von %3 Läufen</translation>
    </message>
    <message>
        <source>Compare the newest</source>
        <translation>Neueste vergleichen</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>A column for each group of the table: mean ± standard deviation of its selected runs</source>
        <translation>Eine Spalte je Gruppe der Tabelle: Mittelwert ± Standardabweichung ihrer ausgewählten Läufe</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ConfigurationTable</name>
    <message>
        <source>Configurations</source>
        <translation>Konfigurationen</translation>
    </message>
    <message>
        <source>and so on, as far as the budget allows</source>
        <translation>und so weiter, soweit das Budget reicht</translation>
    </message>
    <message>
        <source>+ %1 more, chosen by the scores of these</source>
        <translation>+ %1 weitere, gewählt nach den Scores dieser</translation>
    </message>
    <message>
        <source>+ %1 more</source>
        <translation>+ %1 weitere</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ConfirmSheet</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ConfusionCard</name>
    <message>
        <source>Confusion</source>
        <translation>Konfusion</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Counts, or shares of the true class in percent</source>
        <translation>Anzahlen oder Anteile der wahren Klasse in Prozent</translation>
    </message>
    <message>
        <source>Export the confusion table</source>
        <translation>Konfusionsmatrix exportieren</translation>
    </message>
    <message>
        <source>Rows: true class, columns: predicted</source>
        <translation>Zeilen: wahr, Spalten: vorhergesagt</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ConfusionChart</name>
    <message>
        <source>Confusion table</source>
        <translation>Konfusionsmatrix</translation>
    </message>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n Klasse</numerusform>
            <numerusform>%n Klassen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, predicted correctly: %2 of %3 (%4)</source>
        <translation>%1, richtig vorhergesagt: %2 von %3 (%4)</translation>
    </message>
    <message>
        <source>%1, predicted as %2: %3 of %4 (%5)</source>
        <translation>%1, vorhergesagt als %2: %3 von %4 (%5)</translation>
    </message>
    <message>
        <source>rows: true class; columns: predicted class</source>
        <translation>wahre Klassen in Zeilen, vorhergesagte in Spalten</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>correct</source>
        <translation>richtig</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>falsch</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>Share of the true class</source>
        <translation>Anteil an der wahren Klasse</translation>
    </message>
    <message>
        <source>Share of this prediction</source>
        <translation>Anteil an dieser Vorhersage</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ContourView</name>
    <message>
        <source>x parameter</source>
        <translation>Parameter auf x</translation>
    </message>
    <message>
        <source>y parameter</source>
        <translation>Parameter auf y</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>One parameter</source>
        <translation>Ein Parameter</translation>
    </message>
    <message>
        <source>A contour plot needs a sweep over at least two parameters.</source>
        <translation>Eine Kontur braucht einen Sweep über mindestens zwei Parameter.</translation>
    </message>
    <message>
        <source>No scores yet</source>
        <translation>Noch keine Scores</translation>
    </message>
    <message>
        <source>The contour appears once trials have scores.</source>
        <translation>Die Kontur erscheint, sobald Trials einen Score haben.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CostCard</name>
    <message>
        <source>Cost</source>
        <translation>Aufwand</translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <translation>%1, von %2</translation>
    </message>
    <message>
        <source>%1, of %2 free</source>
        <translation>%1, von %2 frei</translation>
    </message>
    <message>
        <source>until the budget is used up</source>
        <translation>bis das Budget verbraucht ist</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>wird geprüft…</translation>
    </message>
    <message>
        <source>known after the first steps</source>
        <translation>nach den ersten Schritten bekannt</translation>
    </message>
    <message>
        <source>%1 per trial</source>
        <translation>%1 je Trial</translation>
    </message>
    <message>
        <source>Memory, est.</source>
        <translation>Speicher, ca.</translation>
    </message>
    <message>
        <source>Time, est.</source>
        <translation>Zeit, ca.</translation>
    </message>
    <message numerus="yes">
        <source>%n trials at a time, estimated from the throughput of the newest run with the same model, data and workers, or of an earlier sweep&apos;s trial</source>
        <translation>
            <numerusform>%n Trial zugleich, nach dem Durchsatz des neuesten Laufs mit gleichem Modell, Daten und Workern; möglichst eines Trials aus einem früheren Sweep</numerusform>
            <numerusform>%n Trials zugleich, nach dem Durchsatz des neuesten Laufs mit gleichem Modell, Daten und Workern; möglichst eines Trials aus einem früheren Sweep</numerusform>
        </translation>
    </message>
    <message>
        <source>Estimated from the throughput of the newest run with the same model, data and workers</source>
        <translation>Nach dem Durchsatz des neuesten Laufs mit gleichem Modell, Daten und Workern</translation>
    </message>
    <message>
        <source>Disk, est.</source>
        <translation>Platte, ca.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CurvesCard</name>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>ROC</source>
        <translation>ROC</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Precision</translation>
    </message>
    <message>
        <source>Reliability</source>
        <translation>Verlässlichkeit</translation>
    </message>
    <message>
        <source>How well the probabilities rank the samples of each class, and how far they can be believed</source>
        <translation>Wie gut die Wahrscheinlichkeiten die Samples jeder Klasse ordnen, und wie weit ihnen zu trauen ist</translation>
    </message>
    <message>
        <source>This evaluation has no such curve</source>
        <translation>Diese Auswertung hat keine solche Kurve</translation>
    </message>
    <message>
        <source>Share of others taken for it</source>
        <translation>Anteil der anderen, die dafür gehalten werden</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>Probability of the prediction</source>
        <translation>Wahrscheinlichkeit der Vorhersage</translation>
    </message>
    <message>
        <source>Share found</source>
        <translation>Gefundener Anteil</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Guessing</source>
        <translation>Raten</translation>
    </message>
    <message>
        <source>As probable as right</source>
        <translation>So wahrscheinlich wie richtig</translation>
    </message>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n Klasse</numerusform>
            <numerusform>%n Klassen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CurvesToolbar</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>Horizontale Achse</translation>
    </message>
    <message>
        <source>Auto y</source>
        <translation>Auto y</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>Vertikale Achse</translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation>Glätten</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Weight of the moving average; off at the left end. The raw curve stays visible, fainter.</source>
        <translation>Gewicht des gleitenden Mittels; ganz links aus. Die Rohkurve bleibt blasser sichtbar.</translation>
    </message>
    <message>
        <source>More drawing options</source>
        <translation>Weitere Darstellungen der Kurven</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>log x</translation>
    </message>
    <message>
        <source>± std</source>
        <translation>± Std.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Jump to live</source>
        <translation>Zum Neuesten springen</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>The live view is paused; points are still recorded. Click to catch up.  Space</source>
        <translation>Die Live-Ansicht ist angehalten; Punkte werden weiter aufgezeichnet. Klicken, um aufzuholen.  Leertaste</translation>
    </message>
    <message>
        <source>Newer points lie to the right of the visible range.  End</source>
        <translation>Neuere Punkte liegen rechts vom sichtbaren Bereich.  Ende</translation>
    </message>
    <message>
        <source>New points appear as they arrive; click to pause.  Space</source>
        <translation>Neue Punkte erscheinen sofort; klicken zum Anhalten.  Leertaste</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>events</source>
        <translation>Ereignisse</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CurvesView</name>
    <message>
        <source>The whole run; drag to choose the visible range</source>
        <translation>Der ganze Lauf; ziehen wählt den gezeigten Bereich</translation>
    </message>
    <message>
        <source>No value yet</source>
        <translation>Noch kein Wert</translation>
    </message>
    <message>
        <source>Validation runs at the end of each epoch.</source>
        <translation>Validiert wird am Ende jeder Epoche.</translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation>Kein Lauf ausgewählt</translation>
    </message>
    <message>
        <source>Select runs in the table to draw them.</source>
        <translation>Läufe in der Tabelle auswählen, um sie zu zeichnen.</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>The trial starts when an earlier one ends.</source>
        <translation>Der Trial startet, wenn ein früherer beendet ist.</translation>
    </message>
    <message>
        <source>No points</source>
        <translation>Keine Punkte</translation>
    </message>
    <message>
        <source>This run logged no %1.</source>
        <translation>Dieser Lauf hat %1 nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Chart moved</source>
        <translation>Diagramm verschoben</translation>
    </message>
    <message>
        <source>Y axis changed</source>
        <translation>y-Achse geändert</translation>
    </message>
    <message>
        <source>All charts shown</source>
        <translation>Alle Diagramme gezeigt</translation>
    </message>
    <message>
        <source>Chart shown</source>
        <translation>Diagramm gezeigt</translation>
    </message>
    <message>
        <source>A view named “%1” already exists</source>
        <translation>Eine Ansicht „%1“ gibt es schon</translation>
    </message>
    <message>
        <source>The run ended before it logged anything.</source>
        <translation>Bis zum Ende des Laufs wurde nichts aufgezeichnet.</translation>
    </message>
    <message>
        <source>All charts are hidden</source>
        <translation>Alle Diagramme sind ausgeblendet</translation>
    </message>
    <message>
        <source>The layout of this workspace hides them.</source>
        <translation>Das Layout dieses Arbeitsbereichs blendet sie aus.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>0 of %1 charts match</source>
        <translation>0 von %1 Diagrammen passen</translation>
    </message>
    <message>
        <source>No series has “%1” in its name.</source>
        <translation>Keine Messreihe hat „%1“ im Namen.</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>View “%1”</source>
        <translation>Ansicht „%1“</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>No curves yet</source>
        <translation>Noch keine Kurven</translation>
    </message>
    <message>
        <source>Start a run to see its curves here while it trains.</source>
        <translation>Sobald ein Lauf trainiert, erscheinen hier seine Kurven.</translation>
    </message>
    <message>
        <source>The first step logs it.</source>
        <translation>Er kommt mit dem ersten Schritt.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DataPage</name>
    <message>
        <source>settings: %1</source>
        <translation>Einstellungen: %1</translation>
    </message>
    <message>
        <source>Loading models and datasets…</source>
        <translation>Modelle und Datensätze werden geladen…</translation>
    </message>
    <message>
        <source>Data and models</source>
        <translation>Daten und Modelle</translation>
    </message>
    <message>
        <source>%1 of %2 ready to train on</source>
        <translation>%1 von %2 bereit zum Trainieren</translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n Modell</numerusform>
            <numerusform>%n Modelle</numerusform>
        </translation>
    </message>
    <message>
        <source>Datasets</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>This computer&apos;s worker</source>
        <translation>Worker dieses Rechners</translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>Matrix products</source>
        <translation>Matrixprodukte</translation>
    </message>
    <message>
        <source>Your own files</source>
        <translation>Eigene Dateien</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Not installed</source>
        <translation>Nicht installiert</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Train on %1</source>
        <translation>Auf %1 trainieren</translation>
    </message>
    <message>
        <source>Train %1</source>
        <translation>%1 trainieren</translation>
    </message>
    <message numerus="yes">
        <source>%Ln samples</source>
        <translation>
            <numerusform>%Ln Sample</numerusform>
            <numerusform>%Ln Samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln classes</source>
        <translation>
            <numerusform>%Ln Klasse</numerusform>
            <numerusform>%Ln Klassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln targets</source>
        <translation>
            <numerusform>%Ln Zielwert</numerusform>
            <numerusform>%Ln Zielwerte</numerusform>
        </translation>
    </message>
    <message>
        <source>Check…</source>
        <translation>Prüfen…</translation>
    </message>
    <message>
        <source>Decode all pictures of a folder, and list those that cannot be read</source>
        <translation>Alle Bilder eines Ordners decodieren und die unlesbaren auflisten</translation>
    </message>
    <message>
        <source>Check a folder of pictures</source>
        <translation>Ordner mit Bildern prüfen</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DatasetDownload</name>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Download %1</source>
        <translation>%1 herunterladen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Asking the server…</source>
        <translation>Server wird gefragt…</translation>
    </message>
    <message>
        <source>Cancelled. The downloaded part is kept; Download continues from there.</source>
        <translation>Abgebrochen. Der geladene Teil bleibt; „Herunterladen“ macht dort weiter.</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 von %3</translation>
    </message>
    <message>
        <source>No server delivered it. Check the network, then press Download again: it continues where it stopped.</source>
        <translation>Kein Server hat geliefert. Das Netz prüfen und noch einmal herunterladen: Es geht dort weiter, wo es aufgehört hat.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DeviceRow</name>
    <message>
        <source>%1: %2% busy, memory %3</source>
        <translation>%1: %2 % ausgelastet, Speicher %3</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DiffSheet</name>
    <message>
        <source>%1, %2 (step %3)</source>
        <translation>%1, %2 (Schritt %3)</translation>
    </message>
    <message>
        <source>Two checkpoints compared</source>
        <translation>Zwei Checkpoints im Vergleich</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reading the files</source>
        <translation>Dateien werden gelesen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Filter the tensors by name</source>
        <translation>Tensoren nach Namen filtern</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message numerus="yes">
        <source>The weights are equal: %n tensors</source>
        <translation>
            <numerusform>Die Gewichte sind gleich: %n Tensor</numerusform>
            <numerusform>Die Gewichte sind gleich: %n Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source> · %1 values are not finite</source>
        <translation> · %1 Werte sind nicht endlich</translation>
    </message>
    <message>
        <source>Show equal tensors</source>
        <translation>Gleiche Tensoren zeigen</translation>
    </message>
    <message>
        <source>Show optimizer and averages</source>
        <translation>Optimierer und Mittel zeigen</translation>
    </message>
    <message>
        <source>%1 of %2 tensors differ · all weights moved by %3 of their norm, %4 → %5 · largest change %6</source>
        <translation>%1 von %2 Tensoren verschieden · alle Gewichte um %3 ihrer Norm bewegt, %4 → %5 · größte Änderung %6</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DiffTable</name>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>different shape</source>
        <translation>andere Form</translation>
    </message>
    <message>
        <source>only in the first</source>
        <translation>nur im ersten</translation>
    </message>
    <message>
        <source>only in the second</source>
        <translation>nur im zweiten</translation>
    </message>
    <message>
        <source>from %1 to %2; grey: before, coloured: after</source>
        <translation>von %1 bis %2; grau vorher, farbig nachher</translation>
    </message>
    <message>
        <source>L2 norm of the difference, divided by the norm of the first: 0.01 is a change of 1%</source>
        <translation>L2-Norm der Differenz, bezogen auf die des ersten: 0.01 ist eine Änderung um ein Prozent</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Relative change</source>
        <translation>Relative Änderung</translation>
    </message>
    <message>
        <source>Largest change</source>
        <translation>Größte Änderung</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DifferenceList</name>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 von %2 auf %3</translation>
    </message>
    <message>
        <source>Same settings</source>
        <translation>Gleiche Einstellungen</translation>
    </message>
    <message>
        <source>+ %1 more</source>
        <translation>+ %1 weitere</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DistributionView</name>
    <message>
        <source>Distribution of scores</source>
        <translation>Verteilung der Scores</translation>
    </message>
    <message>
        <source>No scores yet</source>
        <translation>Noch keine Scores</translation>
    </message>
    <message>
        <source>The distribution appears once trials have scores.</source>
        <translation>Die Verteilung wird gezeichnet, sobald Trials einen Score haben.</translation>
    </message>
    <message>
        <source>Share of trials with at most this score</source>
        <translation>Anteil bis zu diesem Score</translation>
    </message>
    <message>
        <source>%1 trials</source>
        <translation>%1 Trials</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DraftOffer</name>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Settings from %1 that you have not started</source>
        <translation>Einstellungen von %1 wurden nicht gestartet</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <translation>d. MMM HH:mm</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DrawingCard</name>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Shown once the settings are valid</source>
        <translation>Erscheint, wenn die Einstellungen gültig sind</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DrawingWatch</name>
    <message numerus="yes">
        <source>Trainyard ended while drawing %Ln selected runs, so it did not select them again</source>
        <translation>
            <numerusform>Das Fenster wurde beendet, während es %Ln ausgewählten Lauf zeichnete; er ist deshalb nicht wieder ausgewählt</numerusform>
            <numerusform>Das Fenster wurde beendet, während es %Ln ausgewählte Läufe zeichnete; sie sind deshalb nicht wieder ausgewählt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DrawnNote</name>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Keep only the runs drawn so far</source>
        <translation>Es bei den schon gezeichneten Läufen belassen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DrawnRuns</name>
    <message>
        <source>Drawing %1 of %2 selected runs: %3 so far</source>
        <translation>%1 von %2 ausgewählten Läufen werden gezeichnet, bisher %3</translation>
    </message>
    <message>
        <source>Stopped: %1 of %2 selected runs are drawn</source>
        <translation>Gestoppt: %1 von %2 ausgewählten Läufen sind gezeichnet</translation>
    </message>
    <message>
        <source>%1 of %2 selected runs are drawn: the current one and the newest</source>
        <translation>%1 von %2 ausgewählten Läufen sind gezeichnet: der aktuelle und die neuesten</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DropZone</name>
    <message>
        <source>Sample</source>
        <translation>Sample</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::EarlierSweeps</name>
    <message>
        <source>Add an earlier sweep</source>
        <translation>Früheren Sweep hinzufügen</translation>
    </message>
    <message>
        <source>This workspace has no earlier sweep</source>
        <translation>Dieser Arbeitsbereich hat keinen früheren Sweep</translation>
    </message>
    <message>
        <source>Tries the best configurations of an earlier sweep first; a searcher that learns also uses its results</source>
        <translation>Seine besten Konfigurationen kommen zuerst, und ein lernendes Suchverfahren kennt seine Ergebnisse</translation>
    </message>
    <message>
        <source>Earlier sweep %1</source>
        <translation>Früherer Sweep %1</translation>
    </message>
    <message>
        <source>best </source>
        <translation>beste </translation>
    </message>
    <message>
        <source>Best configurations of earlier sweep %1</source>
        <translation>Beste Konfigurationen des früheren Sweeps %1</translation>
    </message>
    <message>
        <source>How many of its best configurations to try first</source>
        <translation>So viele seiner besten Konfigurationen kommen zuerst</translation>
    </message>
    <message>
        <source>Remove earlier sweep %1</source>
        <translation>Früheren Sweep %1 entfernen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::EnqueueSheet</name>
    <message>
        <source>Enqueue a configuration</source>
        <translation>Konfiguration einreihen</translation>
    </message>
    <message>
        <source>It starts next.</source>
        <translation>Sie startet als nächste.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Enqueue</source>
        <translation>Einreihen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::FetchJob</name>
    <message>
        <source>Fetching %1</source>
        <translation>%1 wird geholt</translation>
    </message>
    <message>
        <source>Click to cancel; the next fetch continues from here</source>
        <translation>Klicken bricht ab; was schon da ist, bleibt für das nächste Mal</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::FileDrop</name>
    <message>
        <source>Drop to open %1</source>
        <translation>Loslassen, um %1 zu öffnen</translation>
    </message>
    <message>
        <source>Drop to train on the images in %1</source>
        <translation>Loslassen, um mit den Bildern in %1 zu trainieren</translation>
    </message>
    <message>
        <source>Drop to train on the table %1</source>
        <translation>Loslassen, um mit der Tabelle %1 zu trainieren</translation>
    </message>
    <message>
        <source>Drop to train on the text %1</source>
        <translation>Loslassen, um mit dem Text %1 zu trainieren</translation>
    </message>
    <message>
        <source>Drop to train the model %1</source>
        <translation>Loslassen, um das Modell %1 zu trainieren</translation>
    </message>
    <message>
        <source>%1 cannot be used here</source>
        <translation>%1 ist hier nicht verwendbar</translation>
    </message>
    <message>
        <source>Drop to import the runs in %1</source>
        <translation>Loslassen, um die Läufe in %1 zu importieren</translation>
    </message>
    <message numerus="yes">
        <source>Drop to import the runs in %n files and folders</source>
        <translation>
            <numerusform>Loslassen, um die Läufe in %n Datei oder Ordner zu importieren</numerusform>
            <numerusform>Loslassen, um die Läufe in %n Dateien und Ordnern zu importieren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. You can also import logs of TensorBoard, W&amp;B and MLflow.</source>
        <translation>%1. Logs von TensorBoard, W&amp;B und MLflow werden importiert.</translation>
    </message>
    <message>
        <source>A run cannot start from %1. %2</source>
        <translation>Mit %1 beginnt kein Lauf. %2</translation>
    </message>
    <message>
        <source>Drop to run the program %1</source>
        <translation>Ablegen, um das Programm %1 laufen zu lassen</translation>
    </message>
    <message>
        <source>Drop to begin with the weights in %1</source>
        <translation>Loslassen, um mit den Gewichten in %1 zu beginnen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::FilterField</name>
    <message>
        <source>Filter: lr&lt;0.1 and tag:x</source>
        <translation>Filter: lr&lt;0.1 and tag:x</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Searches name, status, model, dataset, tags and notes.
lr&lt;0.1   val/accuracy&gt;0.9   train/loss.last&lt;0.2   lr in 0.01..0.1   status:failed   tag:x
Combine with “and”, “or”, “not” and brackets; a metric means its best value.  Ctrl+F</source>
        <translation>Durchsucht Name, Status, Modell, Datensatz, Tags und Notizen.
lr&lt;0.1   val/accuracy&gt;0.9   train/loss.last&lt;0.2   lr in 0.01..0.1   status:failed   tag:x
verknüpft mit „and“, „or“, „not“ und Klammern; eine Metrik steht für ihren besten Wert.  Strg+F</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::FirstConfigurations</name>
    <message>
        <source>Add a configuration</source>
        <translation>Konfiguration hinzufügen</translation>
    </message>
    <message>
        <source>Configurations to try before the searcher&apos;s own, such as a known good one</source>
        <translation>Konfigurationen, die vor denen des Suchverfahrens versucht werden, etwa eine bekannt gute</translation>
    </message>
    <message>
        <source>Change first configuration %1</source>
        <translation>Startkonfiguration %1 ändern</translation>
    </message>
    <message>
        <source>Remove first configuration %1</source>
        <translation>Startkonfiguration %1 entfernen</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::FormStrip</name>
    <message>
        <source>Slurm cluster</source>
        <translation>Slurm-Cluster</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>diesem Rechner</translation>
    </message>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>Trials over %1</source>
        <translation>Trials über %1</translation>
    </message>
    <message numerus="yes">
        <source>%n trials over %1</source>
        <translation>
            <numerusform>%n Trial über %1</numerusform>
            <numerusform>%n Trials über %1</numerusform>
        </translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Mehr Einstellungen</translation>
    </message>
    <message>
        <source>Fewer settings</source>
        <translation>Weniger Einstellungen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::HomeField</name>
    <message>
        <source>Supervised on</source>
        <translation>Liegt auf</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>This computer supervises the run and must stay on while it trains.</source>
        <translation>Dieser Rechner führt den Lauf und muss an bleiben, solange er trainiert.</translation>
    </message>
    <message>
        <source>The run and its checkpoints live on %1; you can shut this computer down.</source>
        <translation>Der Lauf und seine Checkpoints liegen auf %1: Dieser Rechner darf aus sein, das Training geht weiter.</translation>
    </message>
    <message>
        <source>%1 reaches the other hosts with its own keys.</source>
        <translation>%1 erreicht die anderen Hosts mit eigenen Schlüsseln.</translation>
    </message>
    <message>
        <source>This computer supervises the sweep and must stay on while it trains.</source>
        <translation>Dieser Rechner führt den Sweep und muss an bleiben, solange er trainiert.</translation>
    </message>
    <message>
        <source>The sweep and its trials live on %1; you can shut this computer down.</source>
        <translation>Der Sweep und seine Trials liegen auf %1: Dieser Rechner darf aus sein, das Training geht weiter.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::HomePage</name>
    <message>
        <source>Train your first model</source>
        <translation>Das erste Modell trainieren</translation>
    </message>
    <message>
        <source>Recent runs and sweeps</source>
        <translation>Letzte Läufe und Sweeps</translation>
    </message>
    <message>
        <source>Workspace %1</source>
        <translation>Arbeitsbereich %1</translation>
    </message>
    <message>
        <source>command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>new run</source>
        <translation>neuer Lauf</translation>
    </message>
    <message>
        <source>pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Train on Fashion-MNIST</source>
        <translation>Auf Fashion-MNIST trainieren</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Open a folder of images</source>
        <translation>Bildordner öffnen</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Sweep the learning rate</source>
        <translation>Sweep über die Lernrate</translation>
    </message>
    <message>
        <source>Set up a sweep</source>
        <translation>Einrichten</translation>
    </message>
    <message>
        <source>Train the same model with several learning rates, and see which one wins. You choose the range first.</source>
        <translation>Dasselbe Modell mit mehreren Lernraten trainieren und sehen, welche gewinnt. Der Bereich wird vorher gewählt.</translation>
    </message>
    <message>
        <source>Nothing to set up. Looking for datasets and devices…</source>
        <translation>Nichts einzurichten. Datensätze und Geräte werden gesucht…</translation>
    </message>
    <message>
        <source>A small network, 2 workers on this computer. The first point appears in about 2 seconds.</source>
        <translation>Ein kleines Netz, 2 Worker auf diesem Rechner. Der erste Punkt erscheint nach etwa 2 Sekunden.</translation>
    </message>
    <message>
        <source>Training needs trainyard-worker beside this program.</source>
        <translation>Training braucht trainyard-worker neben diesem Programm.</translation>
    </message>
    <message>
        <source>Train on %1</source>
        <translation>Auf %1 trainieren</translation>
    </message>
    <message numerus="yes">
        <source>Fashion-MNIST is not installed here, so this run uses a generated dataset. %n workers; the first point appears in about 2 seconds.</source>
        <translation>
            <numerusform>Fashion-MNIST ist hier nicht installiert, darum wird ein generierter Datensatz verwendet. %n Worker; der erste Punkt erscheint nach etwa 2 Sekunden.</numerusform>
            <numerusform>Fashion-MNIST ist hier nicht installiert, darum wird ein generierter Datensatz verwendet. %n Worker; der erste Punkt erscheint nach etwa 2 Sekunden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A small network on %1 images of clothes, %n workers. The first point appears in about 2 seconds.</source>
        <translation>
            <numerusform>Ein kleines Netz auf %1 Bildern von Kleidung, %n Worker. Der erste Punkt erscheint nach etwa 2 Sekunden.</numerusform>
            <numerusform>Ein kleines Netz auf %1 Bildern von Kleidung, %n Worker. Der erste Punkt erscheint nach etwa 2 Sekunden.</numerusform>
        </translation>
    </message>
    <message>
        <source>60,000</source>
        <translation>60.000</translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> and %n GPUs</source>
        <translation>
            <numerusform> und %n GPU</numerusform>
            <numerusform> und %n GPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to set up. This computer has %1.</source>
        <translation>Nichts einzurichten. Dieser Rechner hat %1.</translation>
    </message>
    <message>
        <source>Nothing to set up. %1 is installed, and this computer has %2.</source>
        <translation>Nichts einzurichten. %1 ist installiert, und dieser Rechner hat %2.</translation>
    </message>
    <message>
        <source>Train a model</source>
        <translation>Ein Modell trainieren</translation>
    </message>
    <message>
        <source>Ctrl %1</source>
        <translation>Strg %1</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>add a host</source>
        <translation>Host hinzufügen</translation>
    </message>
    <message>
        <source>Run your own script</source>
        <translation>Eigenes Skript ausführen</translation>
    </message>
    <message>
        <source>Choose a script</source>
        <translation>Skript wählen</translation>
    </message>
    <message>
        <source>A train.py of yours as it is, with live curves and restarts. You can also drop it on the window.</source>
        <translation>Die eigene train.py, wie sie ist, mit Kurven und Neustarts. Sie kann auch auf das Fenster gezogen werden.</translation>
    </message>
    <message>
        <source>Your own images, one folder per class or with a file of labels. You can also drop the folder on the window.</source>
        <translation>Eigene Bilder, ein Ordner je Klasse oder mit einer Datei von Labels. Der Ordner kann auch auf das Fenster gezogen werden.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::HomeTile</name>
    <message>
        <source>cats</source>
        <translation>Katzen</translation>
    </message>
    <message>
        <source>dogs</source>
        <translation>Hunde</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::HostList</name>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Ranks of %1</source>
        <translation>Ranks von %1</translation>
    </message>
    <message>
        <source>Trains</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>Spare</source>
        <translation>Reserve</translation>
    </message>
    <message>
        <source>Takes the place of a host that is lost</source>
        <translation>Ersetzt einen ausgefallenen Host</translation>
    </message>
    <message>
        <source>Use of %1</source>
        <translation>Verwendung von %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ImportSheet</name>
    <message>
        <source>Import runs</source>
        <translation>Läufe importieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Recorded by</source>
        <translation>Aufgezeichnet von</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Runs to import</source>
        <translation>Zu importierende Läufe</translation>
    </message>
    <message>
        <source>Choose files or a folder, or drop them here</source>
        <translation>Dateien oder einen Ordner auswählen oder hierher ziehen</translation>
    </message>
    <message>
        <source>TensorBoard event files, W&amp;B runs, MLflow&apos;s mlruns or mlflow.db, CSV or JSON with a step or an epoch (Lightning, Hugging Face, Keras, OpenMMLab, Ray), logs that print metrics, and runs exported from another computer. Trainyard never changes these files.</source>
        <translation>Ereignisdateien von TensorBoard, Läufe von W&amp;B, mlruns oder mlflow.db von MLflow, CSV oder JSON mit Schritt oder Epoche (Lightning, Hugging Face, Keras, OpenMMLab, Ray), Ausgaben mit Metriken sowie Läufe, die für einen anderen Rechner exportiert wurden. Die Dateien werden nur gelesen, nie geändert.</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>Dateien auswählen…</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner auswählen…</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Files from other programs</source>
        <translation>Dateien anderer Programme</translation>
    </message>
    <message>
        <source>Folder with runs from other programs</source>
        <translation>Ordner mit Läufen anderer Programme</translation>
    </message>
    <message>
        <source>imported before</source>
        <translation>schon importiert</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message numerus="yes">
        <source>%n runs found</source>
        <translation>
            <numerusform>%n Lauf gefunden</numerusform>
            <numerusform>%n Läufe gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Zeigen</translation>
    </message>
    <message numerus="yes">
        <source>Import %n runs</source>
        <translation>
            <numerusform>%n Lauf importieren</numerusform>
            <numerusform>%n Läufe importieren</numerusform>
        </translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>wird gelesen…</translation>
    </message>
    <message>
        <source>not imported yet</source>
        <translation>noch nicht importiert</translation>
    </message>
    <message>
        <source>Drop files or a folder here</source>
        <translation>Dateien oder einen Ordner hier ablegen</translation>
    </message>
    <message>
        <source>Drop area</source>
        <translation>Platz für Dateien</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ImportanceView</name>
    <message>
        <source>Importance</source>
        <translation>Wichtigkeit</translation>
    </message>
    <message>
        <source>Not enough trials</source>
        <translation>Zu wenige Trials</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Share of importance</source>
        <translation>Anteil der Wichtigkeit</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Explains %1% of whether a trial ranks in the top tenth (PED-ANOVA); %2 in 80% of bootstrap samples</source>
        <translation>Erklärt zu %1 %, ob ein Trial zum besten Zehntel gehört (PED-ANOVA); %2 in 80 % der Bootstrap-Stichproben</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message numerus="yes">
        <source>Importance · %n trials</source>
        <translation>
            <numerusform>Wichtigkeit · %n Trial</numerusform>
            <numerusform>Wichtigkeit · %n Trials</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: too few to tell</source>
        <translation>%1: zu wenige für eine Aussage</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::Inspector</name>
    <message>
        <source>No run selected</source>
        <translation>Kein Lauf ausgewählt</translation>
    </message>
    <message>
        <source>Select a run to see its progress, checkpoints and workers.</source>
        <translation>Einen Lauf auswählen, um Fortschritt, Checkpoints und Worker zu sehen.</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Export the best checkpoint, or the points</source>
        <translation>Den besten Checkpoint oder die Punkte exportieren</translation>
    </message>
    <message>
        <source>Test samples</source>
        <translation>Test-Samples</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Last values</source>
        <translation>Letzte Werte</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Notes of the run</source>
        <translation>Notizen zum Lauf</translation>
    </message>
    <message>
        <source>Fork of</source>
        <translation>Fork von</translation>
    </message>
    <message>
        <source>Lineage</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>a run that is archived or deleted</source>
        <translation>einem archivierten oder gelöschten Lauf</translation>
    </message>
    <message>
        <source>Show the run it was forked from</source>
        <translation>Den Lauf zeigen, von dem er geforkt wurde</translation>
    </message>
    <message>
        <source>Add notes</source>
        <translation>Notizen hinzufügen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message numerus="yes">
        <source>%n more…</source>
        <translation>
            <numerusform>%n weiterer…</numerusform>
            <numerusform>%n weitere…</numerusform>
        </translation>
    </message>
    <message>
        <source>All of them are on the Model tab</source>
        <translation>Alle stehen im Reiter „Modell“</translation>
    </message>
    <message>
        <source>%1, checkpoint of step %2</source>
        <translation>%1, Checkpoint von Schritt %2</translation>
    </message>
    <message>
        <source>Differs from %1</source>
        <translation>Unterschiede zu %1</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>Add tags</source>
        <translation>Tags hinzufügen</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1, best checkpoint</source>
        <translation>%1, bester Checkpoint</translation>
    </message>
    <message>
        <source>Accuracy, 95% interval</source>
        <translation>Genauigkeit (95 %)</translation>
    </message>
    <message>
        <source>%1–%2</source>
        <translation>%1–%2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::KeysCard</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>press new keys in a field to change a shortcut</source>
        <translation>zum Ändern im Feld andere Tasten drücken</translation>
    </message>
    <message>
        <source>Keys of %1</source>
        <translation>Tasten von %1</translation>
    </message>
    <message>
        <source>Remove the keys of %1</source>
        <translation>Tasten von %1 entfernen</translation>
    </message>
    <message>
        <source>Reset the keys of %1</source>
        <translation>Tasten von %1 zurücksetzen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LayerLocks</name>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>%1 is frozen; train it</source>
        <translation>%1 ist eingefroren; trainieren</translation>
    </message>
    <message>
        <source>%1 is frozen in part; freeze it</source>
        <translation>%1 ist teilweise eingefroren; einfrieren</translation>
    </message>
    <message>
        <source>%1 is trained; freeze it</source>
        <translation>%1 wird trainiert; einfrieren</translation>
    </message>
    <message>
        <source>%1 of %2 parameters are trained</source>
        <translation>%1 von %2 Parametern werden trainiert</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LineageSheet</name>
    <message>
        <source>deleted run</source>
        <translation>gelöschter Lauf</translation>
    </message>
    <message>
        <source>sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>trial %1</source>
        <translation>Trial %1</translation>
    </message>
    <message>
        <source>fork</source>
        <translation>Fork</translation>
    </message>
    <message>
        <source>fork of step %1</source>
        <translation>Fork bei Schritt %1</translation>
    </message>
    <message>
        <source>resumed from step %1</source>
        <translation>fortgesetzt ab Schritt %1</translation>
    </message>
    <message>
        <source>adopted trial %1 at %2</source>
        <translation>übernahm Trial %1 bei %2</translation>
    </message>
    <message>
        <source>Lineage</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Lineage of the run</source>
        <translation>Herkunft des Laufs</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message numerus="yes">
        <source>%n more trials of the sweep are not connected to it</source>
        <translation>
            <numerusform>%n weiterer Trial des Sweeps hängt nicht mit ihm zusammen</numerusform>
            <numerusform>%n weitere Trials des Sweeps hängen nicht mit ihm zusammen</numerusform>
        </translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was sich änderte</translation>
    </message>
    <message>
        <source>Not forked, resumed or swept.</source>
        <translation>Weder Fork noch fortgesetzt noch Teil eines Sweeps.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LoadSegments</name>
    <message>
        <source>Memory in use on this computer</source>
        <translation>Belegter Arbeitsspeicher dieses Rechners</translation>
    </message>
    <message>
        <source>Data that this computer receives and sends, over all network interfaces</source>
        <translation>Was dieser Rechner über alle Netzwerkschnittstellen empfängt und sendet</translation>
    </message>
    <message>
        <source>CPU %1%</source>
        <translation>CPU %1 %</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1: the disk is full</source>
        <translation>%1: Die Platte ist voll</translation>
    </message>
    <message>
        <source>GPU %1%  %2</source>
        <translation>GPU %1 %  %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LocalHostCard</name>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message numerus="yes">
        <source>CPU, %n cores</source>
        <translation>
            <numerusform>CPU, %n Kern</numerusform>
            <numerusform>CPU, %n Kerne</numerusform>
        </translation>
    </message>
    <message>
        <source>LibTorch %1, %2</source>
        <translation>LibTorch %1, %2</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1 von %2 frei</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LogsView</name>
    <message>
        <source>Search the log</source>
        <translation>Log durchsuchen</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Warn</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Mitlaufen</translation>
    </message>
    <message>
        <source>Keep the newest line in view</source>
        <translation>Die neueste Zeile im Blick behalten</translation>
    </message>
    <message>
        <source>Copy the visible lines</source>
        <translation>Die gezeigten Zeilen kopieren</translation>
    </message>
    <message>
        <source>Log lines</source>
        <translation>Log-Zeilen</translation>
    </message>
    <message>
        <source>Selected line</source>
        <translation>Die gewählte Zeile</translation>
    </message>
    <message numerus="yes">
        <source>%n hits</source>
        <translation>
            <numerusform>%n Treffer</numerusform>
            <numerusform>%n Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation>Kein Lauf ausgewählt</translation>
    </message>
    <message>
        <source>%1 has written no log yet</source>
        <translation>%1 hat noch kein Log geschrieben</translation>
    </message>
    <message>
        <source>%1 of %2 · %3, %4 · all ranks merged by time</source>
        <translation>%1 von %2 · %3, %4 · alle Ranks nach Zeit gemischt</translation>
    </message>
    <message numerus="yes">
        <source>%1 lines</source>
        <translation>
            <numerusform>%1 Zeile</numerusform>
            <numerusform>%1 Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n Fehler</numerusform>
            <numerusform>%n Fehler</numerusform>
        </translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Supervisor</source>
        <translation>Supervisor</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n lines</source>
        <translation>
            <numerusform>%n Zeile kopiert</numerusform>
            <numerusform>%n Zeilen kopiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Logs of all selected runs</source>
        <translation>Logs aller ausgewählten Läufe</translation>
    </message>
    <message>
        <source>The selected runs have written no log yet</source>
        <translation>Die ausgewählten Läufe haben noch kein Log geschrieben</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LrCurve</name>
    <message>
        <source>Loss over the learning rate</source>
        <translation>Loss über der Lernrate</translation>
    </message>
    <message>
        <source>Drag to choose learning rates for a sweep, or use the arrow keys</source>
        <translation>Ziehen wählt Lernraten für einen Sweep; die Pfeiltasten ebenso</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>Von %1 bis %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LrField</name>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Size of each step</source>
        <translation>Größe jedes Schritts</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>Sweep: vary Learning rate</source>
        <translation>Sweep: Lernrate variieren</translation>
    </message>
    <message>
        <source>Try several learning rates</source>
        <translation>Mehrere Lernraten versuchen</translation>
    </message>
    <message>
        <source>No values</source>
        <translation>Keine Werte</translation>
    </message>
    <message>
        <source>Drawn for each trial</source>
        <translation>Für jeden Trial gezogen</translation>
    </message>
    <message numerus="yes">
        <source>%n values, one trial each</source>
        <translation>
            <numerusform>%n Wert, ein Trial</numerusform>
            <numerusform>%n Werte, je ein Trial</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n values</source>
        <translation>
            <numerusform>%n Wert</numerusform>
            <numerusform>%n Werte</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LrFinder</name>
    <message>
        <source>Find a learning rate</source>
        <translation>Lernrate finden</translation>
    </message>
    <message>
        <source>Trains a copy of this run for a hundred steps with a rising learning rate</source>
        <translation>Trainiert eine Kopie dieses Laufs hundert Schritte lang mit steigender Lernrate</translation>
    </message>
    <message>
        <source>Sweep from %1 to %2</source>
        <translation>Sweep von %1 bis %2</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Zurück zu %1</translation>
    </message>
    <message>
        <source>Fix the highlighted fields first.</source>
        <translation>Erst die markierten Felder korrigieren.</translation>
    </message>
    <message>
        <source>The run file cannot be written: %1</source>
        <translation>Die Laufdatei lässt sich nicht schreiben: %1</translation>
    </message>
    <message>
        <source>Training with a rising learning rate…</source>
        <translation>Training mit steigender Lernrate…</translation>
    </message>
    <message>
        <source>The loss does not fall at any learning rate: check the data and the model.</source>
        <translation>Der Loss fällt bei keiner Lernrate: Daten und Modell prüfen.</translation>
    </message>
    <message>
        <source>%1: the loss falls fastest there, and is lowest at %2.</source>
        <translation>%1: Dort fällt der Loss am schnellsten; am niedrigsten ist er bei %2.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::MainWindow</name>
    <message>
        <source>%1 – Trainyard</source>
        <translation>%1 – Trainyard</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Open a run or sweep file</source>
        <translation>Lauf- oder Sweep-Datei öffnen</translation>
    </message>
    <message>
        <source>Run files (*.json);;All files (*)</source>
        <translation>Laufdateien (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The workspace cannot be read</source>
        <translation>Der Arbeitsbereich lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>%1 · Ctrl+Z to undo</source>
        <translation>%1 · Strg+Z macht es rückgängig</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>Nichts rückgängig zu machen</translation>
    </message>
    <message>
        <source>While you were away: %1</source>
        <translation>Inzwischen: %1</translation>
    </message>
    <message>
        <source>Folder of images, with a folder for each class</source>
        <translation>Bildordner mit einem Ordner je Klasse</translation>
    </message>
    <message>
        <source>The file was not opened</source>
        <translation>Die Datei wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Gehe zu %1</translation>
    </message>
    <message>
        <source>Script to run</source>
        <translation>Skript zum Ausführen</translation>
    </message>
    <message>
        <source>Python scripts (*.py)</source>
        <translation>Python-Skripte (*.py)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::MetricCard</name>
    <message>
        <source>Jump to live</source>
        <translation>Zum Neuesten springen</translation>
    </message>
    <message>
        <source>Chart of %1</source>
        <translation>Diagramm von %1</translation>
    </message>
    <message>
        <source>smoothed %1, raw behind</source>
        <translation>geglättet %1, roh dahinter</translation>
    </message>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>geglättet</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>mean ± std of %1</source>
        <translation>Mittelwert ± Std.-Abw. von %1</translation>
    </message>
    <message>
        <source>Smoothed %1, then raw</source>
        <translation>Geglättet %1, dann roh</translation>
    </message>
    <message>
        <source>fixed y</source>
        <translation>festes y</translation>
    </message>
    <message>
        <source>Drag up or down to change it</source>
        <translation>Zum Ändern auf oder ab ziehen</translation>
    </message>
    <message>
        <source>%1: %2, step %3</source>
        <translation>%1: %2, Schritt %3</translation>
    </message>
    <message>
        <source>Click again to let go</source>
        <translation>Noch ein Klick löst es</translation>
    </message>
    <message>
        <source>%1: no points yet</source>
        <translation>%1: noch keine Punkte</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n curves from %2 to %3, values from %4 to %5</source>
        <translation>
            <numerusform>%1: %n Kurve von %2 bis %3, Werte von %4 bis %5</numerusform>
            <numerusform>%1: %n Kurven von %2 bis %3, Werte von %4 bis %5</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::MiniBar</name>
    <message>
        <source>%1%</source>
        <translation>%1&#xa0;%</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ModelExport</name>
    <message>
        <source>Exporting %1</source>
        <translation>%1 wird exportiert</translation>
    </message>
    <message>
        <source>Click to cancel and discard the file</source>
        <translation>Klicken bricht ab; von der Datei bleibt dann nichts</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ModelView</name>
    <message>
        <source>This checkpoint is on the run&apos;s host</source>
        <translation>Dieser Checkpoint liegt auf dem Host seines Laufs</translation>
    </message>
    <message>
        <source>Fetch it to see its parameters, or to export, try or fork it.</source>
        <translation>Geholt zeigt er seine Parameter und lässt sich exportieren, ausprobieren und forken.</translation>
    </message>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>last</source>
        <translation>letzte</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>No checkpoint yet</source>
        <translation>Noch kein Checkpoint</translation>
    </message>
    <message>
        <source>A run saves its first checkpoint at the end of its first epoch.</source>
        <translation>Ein Lauf speichert seinen ersten Checkpoint am Ende der ersten Epoche.</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Filter the parameters by name</source>
        <translation>Parameter nach Namen filtern</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>wird gelesen…</translation>
    </message>
    <message>
        <source>%1 tensors, %2 values; checksums match</source>
        <translation>%1 Tensoren, %2 Werte; Prüfsummen stimmen</translation>
    </message>
    <message>
        <source>Its checkpoints are on its host</source>
        <translation>Seine Checkpoints liegen auf seinem Host</translation>
    </message>
    <message>
        <source>fetched</source>
        <translation>geholt</translation>
    </message>
    <message>
        <source>They appear here once the run has saved one and its host has reported it.</source>
        <translation>Sie stehen hier, sobald er einen gespeichert und sein Host davon berichtet hat.</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>on %1, %2</source>
        <translation>auf %1, %2</translation>
    </message>
    <message>
        <source>What the program saves appears here once it is complete: .pt, .ckpt, .safetensors and others, from its folder and from those that its arguments name.</source>
        <translation>Was das Programm speichert, erscheint hier, sobald es vollständig ist: .pt, .ckpt, .safetensors und andere, aus seinem Ordner und aus denen, die seine Argumente nennen.</translation>
    </message>
    <message>
        <source>the program’s own files, which stay where they are, %1</source>
        <translation>eigene Dateien des Programms, die bleiben, wo sie sind, %1</translation>
    </message>
    <message>
        <source>%1 tensors, %2 values</source>
        <translation>%1 Tensoren, %2 Werte</translation>
    </message>
    <message>
        <source>keeps best, newest and pinned, %1</source>
        <translation>bleiben: beste, neueste, angeheftete, %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::NewRunFooter</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start  Ctrl+Enter</source>
        <translation>Starten  Strg+Eingabe</translation>
    </message>
    <message numerus="yes">
        <source>Start %n trials</source>
        <translation>
            <numerusform>%n Trial starten</numerusform>
            <numerusform>%n Trials starten</numerusform>
        </translation>
    </message>
    <message>
        <source>Start sweep</source>
        <translation>Sweep starten</translation>
    </message>
    <message>
        <source>Start it as soon as this computer has room for it  Ctrl+Shift+Enter</source>
        <translation>Starten, sobald auf diesem Rechner Platz ist  Strg+Umschalt+Eingabe</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Save sweep file</source>
        <translation>Sweep-Datei speichern</translation>
    </message>
    <message>
        <source>Save run file</source>
        <translation>Laufdatei speichern</translation>
    </message>
    <message>
        <source>The queue is only for runs that live on this computer</source>
        <translation>Die Warteschlange ist für Läufe, die auf diesem Rechner liegen</translation>
    </message>
    <message numerus="yes">
        <source>%n to fix</source>
        <translation>
            <numerusform>%n zu beheben</numerusform>
            <numerusform>%n zu beheben</numerusform>
        </translation>
    </message>
    <message>
        <source>Go to the first field in error</source>
        <translation>Zum ersten Feld mit Fehler</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::NewRunHeader</name>
    <message>
        <source>Start from</source>
        <translation>Start ab</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>Name des Laufs</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::NewRunSheet</name>
    <message>
        <source>Length must exceed the checkpoint&apos;s %1 epochs</source>
        <translation>Länge muss über den %1 Epochen des Checkpoints liegen</translation>
    </message>
    <message>
        <source>Length must exceed the checkpoint&apos;s %1 steps</source>
        <translation>Länge muss über den %1 Schritten des Checkpoints liegen</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>Loading models and datasets…</source>
        <translation>Modelle und Datensätze werden geladen…</translation>
    </message>
    <message>
        <source>Name %1</source>
        <translation>Name: %1</translation>
    </message>
    <message>
        <source> (and %1 more)</source>
        <translation> (und %1 weitere)</translation>
    </message>
    <message>
        <source>New sweep</source>
        <translation>Neuer Sweep</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>Fork</translation>
    </message>
    <message>
        <source>Save sweep file</source>
        <translation>Sweep-Datei speichern</translation>
    </message>
    <message>
        <source>Save run file</source>
        <translation>Laufdatei speichern</translation>
    </message>
    <message>
        <source>Copied the command</source>
        <translation>Befehl kopiert</translation>
    </message>
    <message>
        <source>Run files (*.trainyard.json *.json)</source>
        <translation>Laufdateien (*.trainyard.json *.json)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>The checkpoint does not fit; start with new weights, or restore the model&apos;s settings</source>
        <translation>Der Checkpoint passt nicht; mit neuen Gewichten starten oder das Modell zurücksetzen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::OverviewStrip</name>
    <message>
        <source>Overview of the selected runs and the visible range</source>
        <translation>Übersicht der ausgewählten Läufe mit dem sichtbaren Bereich</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ParallelView</name>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parallel coordinates of the trials</source>
        <translation>Parallele Koordinaten der Trials</translation>
    </message>
    <message>
        <source>Drag along an axis to filter; Shift adds a brush, Esc clears them</source>
        <translation>Zum Filtern an einer Achse ziehen; Umschalt fügt einen Bereich hinzu, Esc entfernt alle</translation>
    </message>
    <message>
        <source>No trials yet</source>
        <translation>Noch keine Trials</translation>
    </message>
    <message>
        <source>Each trial is drawn as a line across the parameter axes.</source>
        <translation>Jeder Trial wird eine Linie von Parameter zu Parameter.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ParamField</name>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>%1 is not %2</source>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>keine ganze Zahl</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>all classes weigh the same</source>
        <translation>alle Klassen zählen gleich</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>“%1” can mean %2 or %3; type one of them</source>
        <translation>„%1“ kann %2 oder %3 heißen; eins davon eingeben</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ParetoView</name>
    <message>
        <source>Other series</source>
        <translation>Andere Messreihe</translation>
    </message>
    <message>
        <source>No two series yet</source>
        <translation>Noch keine zwei Messreihen</translation>
    </message>
    <message>
        <source>The plot compares trials by the score and another series, once they have logged both.</source>
        <translation>Trials, die den Score und eine weitere Messreihe gemessen haben, werden nach beiden verglichen.</translation>
    </message>
    <message>
        <source>Pareto front: %1 of %2 trials, hypervolume %3</source>
        <translation>Pareto-Front: %1 von %2 Trials, Hypervolumen %3</translation>
    </message>
    <message>
        <source>%1, larger is better</source>
        <translation>%1, größer ist besser</translation>
    </message>
    <message>
        <source>%1, smaller is better</source>
        <translation>%1, kleiner ist besser</translation>
    </message>
    <message>
        <source>front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>front of %1</source>
        <translation>Front mit %1</translation>
    </message>
    <message>
        <source>%1, mean of %2 seeds</source>
        <translation>%1, Mittel aus %2 Seeds</translation>
    </message>
    <message>
        <source>Pareto front: %1 of %2 configurations, hypervolume %3</source>
        <translation>Pareto-Front: %1 von %2 Konfigurationen, Hypervolumen %3</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::PathField</name>
    <message>
        <source>Browse…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>%1 auswählen</translation>
    </message>
    <message>
        <source>Browse…, or drop one on the field</source>
        <translation>Auswählen… oder auf das Feld ziehen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::Plot</name>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 von %2 bis %3</translation>
    </message>
    <message>
        <source>%1: %2; %3</source>
        <translation>%1: %2; %3</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::PredictionBars</name>
    <message>
        <source>Predictions</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>true class: %1</source>
        <translation>wahre Klasse: %1</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1&#xa0;%</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::Preset</name>
    <message>
        <source>First run</source>
        <translation>Erster Lauf</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>Small ConvNet</source>
        <translation>Kleines ConvNet</translation>
    </message>
    <message>
        <source>ResNet-18</source>
        <translation>ResNet-18</translation>
    </message>
    <message>
        <source>Regression</source>
        <translation>Regression</translation>
    </message>
    <message>
        <source>Small GPT</source>
        <translation>Kleines GPT</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::PreviewFacts</name>
    <message>
        <source>The checkpoint does not fit: %1</source>
        <translation>Der Checkpoint passt nicht: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::PreviewPane</name>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>wird geprüft…</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>balanced, %1 each</source>
        <translation>ausgewogen, je %1</translation>
    </message>
    <message>
        <source>balanced, %1 to %2 each</source>
        <translation>ausgewogen, je %1 bis %2</translation>
    </message>
    <message>
        <source>unbalanced, %1 to %2 each</source>
        <translation>unausgewogen, je %1 bis %2</translation>
    </message>
    <message>
        <source>points in a plane</source>
        <translation>Punkte in der Ebene</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>Draw rare classes more often</source>
        <translation>Seltene Klassen öfter ziehen</translation>
    </message>
    <message>
        <source>Let rare classes weigh more</source>
        <translation>Seltene Klassen stärker gewichten</translation>
    </message>
    <message>
        <source>Balance</source>
        <translation>Ausgleichen</translation>
    </message>
    <message>
        <source>Let rare classes count for more</source>
        <translation>Seltene Klassen mehr zählen lassen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::PrintedNames</name>
    <message>
        <source>“%1” is a metric; click to change that</source>
        <translation>„%1“ ist eine Metrik; Klick, um das zu ändern</translation>
    </message>
    <message>
        <source>Click to take “%1” as a metric</source>
        <translation>Klick, um „%1“ als Metrik zu zählen</translation>
    </message>
    <message>
        <source>Metrics of this line</source>
        <translation>Metriken dieser Zeile</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ProgramFields</name>
    <message>
        <source>“%1” is not NAME=VALUE</source>
        <translation>„%1“ ist nicht NAME=WERT</translation>
    </message>
    <message>
        <source>Resume with</source>
        <translation>Fortsetzen mit</translation>
    </message>
    <message>
        <source>Words that are added when there is a checkpoint to go on from: --resume {checkpoint}</source>
        <translation>Wörter, die hinzukommen, wenn es einen Checkpoint zum Fortsetzen gibt: --resume {checkpoint}</translation>
    </message>
    <message>
        <source>--resume {checkpoint}</source>
        <translation>--resume {checkpoint}</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Variables of its environment: NAME=VALUE, separated by blanks</source>
        <translation>Variablen der Umgebung: NAME=WERT, durch Leerzeichen getrennt</translation>
    </message>
    <message>
        <source>NAME=VALUE …</source>
        <translation>NAME=WERT …</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <source>Names of variables that are taken from here and written nowhere</source>
        <translation>Namen von Variablen, die von hier genommen und nirgends gespeichert werden</translation>
    </message>
    <message>
        <source>HF_TOKEN …</source>
        <translation>HF_TOKEN …</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>Schreibweise</translation>
    </message>
    <message>
        <source>How arguments are written; auto: as the script&apos;s package takes them</source>
        <translation>Schreibweise der Argumente; auto: wie das Paket des Skripts sie erwartet</translation>
    </message>
    <message>
        <source>Stop grace</source>
        <translation>Stoppfrist</translation>
    </message>
    <message>
        <source>Time from the request to stop until the program is killed; longer while it saves</source>
        <translation>Zeit vom Stoppen bis zum Beenden des Programms mit Gewalt; länger, solange es speichert</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>snapshot: the script&apos;s project as it is at the start; inPlace: as it is then, changes and all; shared: on a file system that all hosts share</source>
        <translation>snapshot: das Projekt des Skripts, wie es beim Start ist; inPlace: wie es jeweils ist, samt Änderungen; shared: auf einem Dateisystem, das alle Hosts teilen</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>Vorbereiten</translation>
    </message>
    <message>
        <source>Shell text that is run once on each host; the program gets the environment it makes</source>
        <translation>Shell-Text, der auf jedem Host einmal läuft; das Programm bekommt die Umgebung, die er herstellt</translation>
    </message>
    <message>
        <source>module load cuda</source>
        <translation>module load cuda</translation>
    </message>
    <message>
        <source>Preload</source>
        <translation>Vorladen</translation>
    </message>
    <message>
        <source>Packages that are imported once for many starts: auto, off, or their names</source>
        <translation>Pakete, die einmal für viele Starts importiert werden: auto, off oder ihre Namen</translation>
    </message>
    <message>
        <source>Config file</source>
        <translation>Konfig-Datei</translation>
    </message>
    <message>
        <source>A YAML, JSON or TOML file: the program gets a copy with the values below</source>
        <translation>Eine YAML-, JSON- oder TOML-Datei: Das Programm bekommt eine Kopie mit den Werten darunter</translation>
    </message>
    <message>
        <source>base.yaml</source>
        <translation>base.yaml</translation>
    </message>
    <message>
        <source>Config flag</source>
        <translation>Konfig-Option</translation>
    </message>
    <message>
        <source>The argument that gets the path of the copy</source>
        <translation>Das Argument, das den Pfad der Kopie bekommt</translation>
    </message>
    <message>
        <source>config</source>
        <translation>config</translation>
    </message>
    <message>
        <source>Config values</source>
        <translation>Konfig-Werte</translation>
    </message>
    <message>
        <source>What changes in the copy: NAME=VALUE, separated by blanks</source>
        <translation>Was sich in der Kopie ändert: NAME=WERT, durch Leerzeichen getrennt</translation>
    </message>
    <message>
        <source>train.lr=0.1 …</source>
        <translation>train.lr=0.1 …</translation>
    </message>
    <message>
        <source>Printed metrics</source>
        <translation>Metriken der Ausgabe</translation>
    </message>
    <message>
        <source>+NAME takes a printed number as a metric, -NAME drops it; others are regular expressions with the group value</source>
        <translation>+NAME zählt eine ausgegebene Zahl als Metrik, -NAME lässt sie weg; anderes sind reguläre Ausdrücke mit der Gruppe value</translation>
    </message>
    <message>
        <source>&apos;+grad norm&apos; -tokens …</source>
        <translation>&apos;+grad norm&apos; -tokens …</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ProgramForm</name>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>Klassifikation</translation>
    </message>
    <message>
        <source>Regression</source>
        <translation>Regression</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>drop a train.py, or type -m and a module</source>
        <translation>train.py ablegen, oder -m und ein Modul</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>Interpreter</translation>
    </message>
    <message>
        <source>found beside the script</source>
        <translation>neben dem Skript gefunden</translation>
    </message>
    <message>
        <source>A Python, the folder of a virtual environment, or conda:NAME</source>
        <translation>Ein Python, der Ordner einer virtuellen Umgebung oder conda:NAME</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>the script&apos;s project</source>
        <translation>das Projekt des Skripts</translation>
    </message>
    <message>
        <source>Where it runs, so that its relative paths mean what they mean to you</source>
        <translation>Arbeitsordner des Programms, auf den sich relative Pfade beziehen</translation>
    </message>
    <message>
        <source>a series, such as val/loss</source>
        <translation>eine Messreihe wie val/loss</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>die Datei gibt es nicht</translation>
    </message>
    <message>
        <source>is a folder; choose the script in it</source>
        <translation>ist ein Ordner; das Skript darin wählen</translation>
    </message>
    <message>
        <source>there is no such folder</source>
        <translation>den Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Command line: %1</source>
        <translation>Befehlszeile: %1</translation>
    </message>
    <message>
        <source>More arguments: %1</source>
        <translation>Weitere Argumente: %1</translation>
    </message>
    <message>
        <source>a word without a flag; arguments can only vary by name</source>
        <translation>ein Wort ohne Namen; nur benannte Argumente können variieren</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>Sweep: %1</translation>
    </message>
    <message>
        <source>choose a script</source>
        <translation>ein Skript wählen</translation>
    </message>
    <message>
        <source>a series, such as %1</source>
        <translation>eine Messreihe, etwa %1</translation>
    </message>
    <message>
        <source>by which series are its trials compared? Name one that the program reports</source>
        <translation>Nach welcher Messreihe werden die Trials verglichen? Eine nennen, die das Programm meldet</translation>
    </message>
    <message>
        <source>%1 goes to the scheduler</source>
        <translation>%1 führt zum Scheduler</translation>
    </message>
    <message>
        <source>none: no script of Python</source>
        <translation>keiner: kein Python-Skript</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ProgramLooker</name>
    <message>
        <source>%1 does not answer as a Python does</source>
        <translation>%1 antwortet nicht wie ein Python</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ProgramSection</name>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Copy the command line</source>
        <translation>Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>Interpreter</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>.venv or venv beside the script or above it, the active environment, or python3</source>
        <translation>.venv oder venv neben dem Skript oder darüber, die aktive Umgebung oder python3</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Variable of its environment</source>
        <translation>Variable der Umgebung</translation>
    </message>
    <message>
        <source>Stop grace</source>
        <translation>Stoppfrist</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>Vorbereiten</translation>
    </message>
    <message>
        <source>Preload</source>
        <translation>Vorladen</translation>
    </message>
    <message>
        <source>Config file</source>
        <translation>Konfig-Datei</translation>
    </message>
    <message>
        <source>secret</source>
        <translation>geheim</translation>
    </message>
    <message>
        <source>Python %1</source>
        <translation>Python %1</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>Commit</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1, geändert</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>Treiber</translation>
    </message>
    <message numerus="yes">
        <source>%n packages</source>
        <translation>
            <numerusform>%n Paket</numerusform>
            <numerusform>%n Pakete</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ProgressLine</name>
    <message>
        <source>In progress</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>%1% done</source>
        <translation>%1 % fertig</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::PruneSheet</name>
    <message>
        <source>Prune checkpoints</source>
        <translation>Checkpoints ausdünnen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Checkpoints to delete</source>
        <translation>Checkpoints, die gelöscht werden</translation>
    </message>
    <message numerus="yes">
        <source>In the %n filtered runs</source>
        <translation>
            <numerusform>Von dem %n gefilterten Lauf</numerusform>
            <numerusform>Von den %n gefilterten Läufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In all %n runs</source>
        <translation>
            <numerusform>Von dem %n Lauf</numerusform>
            <numerusform>Von allen %n Läufen</numerusform>
        </translation>
    </message>
    <message>
        <source>; pinned checkpoints stay, and so do those of active runs and sweeps.</source>
        <translation>; angeheftete Checkpoints bleiben, ebenso die aktiver Läufe und Sweeps.</translation>
    </message>
    <message>
        <source>Keep the best of each run</source>
        <translation>Die besten jedes Laufs behalten</translation>
    </message>
    <message>
        <source>Keep the newest of each run</source>
        <translation>Die neuesten jedes Laufs behalten</translation>
    </message>
    <message>
        <source>Only those older than this many days</source>
        <translation>Nur solche, die älter als so viele Tage sind</translation>
    </message>
    <message>
        <source>any age</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source> days</source>
        <translation> Tage</translation>
    </message>
    <message>
        <source>Keep the best</source>
        <translation>Beste behalten</translation>
    </message>
    <message>
        <source>the newest</source>
        <translation>neueste</translation>
    </message>
    <message>
        <source>older than</source>
        <translation>älter als</translation>
    </message>
    <message>
        <source>Also prune stopped, failed and interrupted runs; their newest checkpoint stays</source>
        <translation>Auch von gestoppten, fehlgeschlagenen oder unterbrochenen Läufen; deren neuester bleibt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Nothing to delete</source>
        <translation>Nichts zu löschen</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints, frees %1</source>
        <translation>
            <numerusform>%n Checkpoint, gibt %1 frei</numerusform>
            <numerusform>%n Checkpoints, gibt %1 frei</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 more stay on the disk because forks, trials or the queue need them</source>
        <translation>%1 weitere werden von Forks, Trials oder der Warteschlange gebraucht und bleiben für diese auf der Platte</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n checkpoints</source>
        <translation>
            <numerusform>%n Checkpoint löschen</numerusform>
            <numerusform>%n Checkpoints löschen</numerusform>
        </translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::QueueActions</name>
    <message>
        <source>The queue was not changed</source>
        <translation>Die Warteschlange wurde nicht geändert</translation>
    </message>
    <message>
        <source>The run was not queued</source>
        <translation>Der Lauf wurde nicht eingereiht</translation>
    </message>
    <message>
        <source>Queued: %1, starts now</source>
        <translation>Eingereiht: %1, startet jetzt</translation>
    </message>
    <message>
        <source>Queued: %1, %2 in line</source>
        <translation>Eingereiht: %1, als %2</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>Removed %1 from the queue</source>
        <translation>%1 aus der Warteschlange entfernt</translation>
    </message>
    <message>
        <source>The run did not start</source>
        <translation>Der Lauf ist nicht gestartet</translation>
    </message>
    <message>
        <source>Queued again</source>
        <translation>Wartet wieder</translation>
    </message>
    <message>
        <source>Queue resumed</source>
        <translation>Die Warteschlange läuft weiter</translation>
    </message>
    <message>
        <source>The sweep was not queued</source>
        <translation>Der Sweep wurde nicht eingereiht</translation>
    </message>
    <message>
        <source>The sweep did not start</source>
        <translation>Der Sweep ist nicht gestartet</translation>
    </message>
    <message>
        <source>Queue paused; active runs continue</source>
        <translation>Die Warteschlange ist angehalten; was läuft, läuft weiter</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::QueueModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, %2 in line: %3</source>
        <translation>%1, als %2: %3</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>Abgelehnt: %1</translation>
    </message>
    <message>
        <source>Sweep · %1</source>
        <translation>Sweep · %1</translation>
    </message>
    <message>
        <source>Sweep %1</source>
        <translation>Sweep %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::QueuePanel</name>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source> slot</source>
        <translation> Slot</translation>
    </message>
    <message>
        <source> slots</source>
        <translation> Slots</translation>
    </message>
    <message>
        <source>Slots of the queue</source>
        <translation>Slots der Warteschlange</translation>
    </message>
    <message>
        <source>The queue starts a run while fewer runs and sweeps than this are active</source>
        <translation>Die Warteschlange startet einen Lauf, solange weniger Läufe und Sweeps als hier angegeben aktiv sind</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>Jetzt starten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>Aus der Warteschlange entfernen</translation>
    </message>
    <message>
        <source>paused, %1 waiting</source>
        <translation>angehalten, %1 warten</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 warten</translation>
    </message>
    <message>
        <source>Resume the queue</source>
        <translation>Warteschlange fortsetzen</translation>
    </message>
    <message>
        <source>Pause the queue: start nothing new</source>
        <translation>Warteschlange anhalten: nichts Neues starten</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Put it back in the queue, at its place</source>
        <translation>Er wartet wieder an seinem Platz</translation>
    </message>
    <message>
        <source>Start it without waiting any longer</source>
        <translation>Starten, worauf er auch wartet</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::Rail</name>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RailButton</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RankTable</name>
    <message>
        <source>rank %1, holds up</source>
        <translation>Rank %1, hält auf</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>100% is one core; over the last second</source>
        <translation>100 % ist ein Kern; die letzte Sekunde</translation>
    </message>
    <message>
        <source>Time lost waiting: in collectives, beyond the rank that spends least there, and while regrouping</source>
        <translation>Beim Warten verlorene Zeit: in Kollektiven über den kürzesten Rank hinaus und bei der Neubildung der Gruppe</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Now in</source>
        <translation>Gerade in</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RankTimelineView</name>
    <message>
        <source>Timeline of the ranks</source>
        <translation>Zeitachse der Ranks</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Zoom the lanes to see the means of that period</source>
        <translation>Spuren zoomen, um die Mittel einer anderen Zeit zu sehen</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>Zeitachse exportieren</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>Means from %1 to %2</source>
        <translation>Mittelwerte von %1 bis %2</translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation>Kein Lauf ausgewählt</translation>
    </message>
    <message>
        <source>Select a run in the table.</source>
        <translation>Einen Lauf in der Tabelle auswählen.</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>Timings appear once the ranks train.</source>
        <translation>Die Ranks werden gemessen, sobald sie trainieren.</translation>
    </message>
    <message>
        <source>No timeline</source>
        <translation>Keine Zeitachse</translation>
    </message>
    <message>
        <source>This run has no timings of its ranks: it was too short, imported, or trained by an older version.</source>
        <translation>Dieser Lauf hat von seinen Ranks nichts aufgezeichnet: Er war zu kurz, ist importiert oder von einer älteren Version trainiert.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RatesCard</name>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Swap ends</source>
        <translation>Enden tauschen</translation>
    </message>
    <message>
        <source>No values to try</source>
        <translation>Keine Werte zum Versuchen</translation>
    </message>
    <message>
        <source>Learning rate: %1</source>
        <translation>Lernrate: %1</translation>
    </message>
    <message>
        <source>by epoch</source>
        <translation>nach Epoche</translation>
    </message>
    <message>
        <source>ends of its range, by epoch</source>
        <translation>die Enden ihres Bereichs, nach Epoche</translation>
    </message>
    <message numerus="yes">
        <source>%n values, by epoch</source>
        <translation>
            <numerusform>%n Wert, nach Epoche</numerusform>
            <numerusform>%n Werte, nach Epoche</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ReachFields</name>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>Others, too</source>
        <translation>Auch andere</translation>
    </message>
    <message>
        <source>No encryption</source>
        <translation>Ohne Verschlüsselung</translation>
    </message>
    <message>
        <source>Who can reach it</source>
        <translation>Wer ihn erreicht</translation>
    </message>
    <message>
        <source>Reached from</source>
        <translation>Erreichbar von</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>0.0.0.0: every address of this computer</source>
        <translation>0.0.0.0: jede Adresse dieses Computers</translation>
    </message>
    <message>
        <source>Certificate</source>
        <translation>Zertifikat</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Everything travels in the clear: who can listen on the network can read the requests, the answers and the token, and use it.</source>
        <translation>Alles geht unverschlüsselt über das Netz: Wer dort mithört, kann Anfragen, Antworten und Token lesen und ihn benutzen.</translation>
    </message>
    <message>
        <source>Whoever has the token can ask it, from any computer that reaches this one.</source>
        <translation>Wer den Token hat, kann ihn fragen, von jedem Computer, der diesen erreicht.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RecentRunRow</name>
    <message>
        <source>Open run %1, %2</source>
        <translation>Lauf %1 öffnen, %2</translation>
    </message>
    <message>
        <source>Open sweep %1, %2</source>
        <translation>Sweep %1 öffnen, %2</translation>
    </message>
    <message>
        <source>%1 %2%</source>
        <translation>%1 %2 %</translation>
    </message>
    <message numerus="yes">
        <source>Sweep, %n trials, %1, %2</source>
        <translation>
            <numerusform>Sweep, %n Trial, %1, %2</numerusform>
            <numerusform>Sweep, %n Trials, %1, %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Imported from %1</source>
        <translation>Importiert aus %1</translation>
    </message>
    <message numerus="yes">
        <source>Sweep, %n trials, %1</source>
        <translation>
            <numerusform>Sweep, %n Trial, %1</numerusform>
            <numerusform>Sweep, %n Trials, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RecentRuns</name>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>Runs you start appear here with their curve and best value. Everything stays on this computer.</source>
        <translation>Gestartete Läufe erscheinen hier mit Kurve und bestem Wert. Alles bleibt auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Open a run file</source>
        <translation>Laufdatei öffnen</translation>
    </message>
    <message>
        <source>A run or sweep file, shown in the New run sheet before anything starts  Ctrl+O</source>
        <translation>Eine Lauf- oder Sweep-Datei, gezeigt im Blatt „Neuer Lauf“, bevor etwas startet  Strg+O</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RehearsalSheet</name>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>Rank %1 on %2</source>
        <translation>Rank %1 auf %2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Rehearse a lost worker</source>
        <translation>Ausfall eines Workers proben</translation>
    </message>
    <message>
        <source>Kills one worker of %1, as a crash would. The run replaces it and uses up one restart.</source>
        <translation>Beendet einen Worker von %1 wie bei einem Absturz. Der Lauf ersetzt ihn und verbraucht dabei einen Neustart.</translation>
    </message>
    <message>
        <source>Worker to kill</source>
        <translation>Worker, der beendet wird</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Kill the worker</source>
        <translation>Worker beenden</translation>
    </message>
    <message>
        <source>The rehearsal failed</source>
        <translation>Die Probe ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>%1 is killed</source>
        <translation>%1 wird beendet</translation>
    </message>
    <message>
        <source>The loss is noticed</source>
        <translation>Der Ausfall wird bemerkt</translation>
    </message>
    <message>
        <source>A new group forms</source>
        <translation>Eine neue Gruppe entsteht</translation>
    </message>
    <message>
        <source>The next step is done</source>
        <translation>Der nächste Schritt ist getan</translation>
    </message>
    <message>
        <source>Recovered in %1, no step was lost</source>
        <translation>Nach %1 wieder im Training, kein Schritt ging verloren</translation>
    </message>
    <message numerus="yes">
        <source>Recovered in %1, %n steps are repeated</source>
        <translation>
            <numerusform>Nach %1 wieder im Training, %n Schritt wird wiederholt</numerusform>
            <numerusform>Nach %1 wieder im Training, %n Schritte werden wiederholt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 killed after step %2</source>
        <translation>%1 beendet nach Schritt %2</translation>
    </message>
    <message>
        <source>Loss noticed</source>
        <translation>Ausfall bemerkt</translation>
    </message>
    <message>
        <source>New group formed</source>
        <translation>Neue Gruppe gebildet</translation>
    </message>
    <message>
        <source>Next step done</source>
        <translation>Nächster Schritt getan</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RemoteHostCard</name>
    <message>
        <source>Not tested</source>
        <translation>Nicht getestet</translation>
    </message>
    <message>
        <source>Test %1</source>
        <translation>%1 testen</translation>
    </message>
    <message>
        <source>More about %1</source>
        <translation>Mehr zu %1</translation>
    </message>
    <message>
        <source>Test the host to see its processor, memory and devices.</source>
        <translation>Host testen, um Prozessor, Speicher und Geräte zu sehen.</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Test läuft…</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n cores</source>
        <translation>
            <numerusform>%1, %n Kern</numerusform>
            <numerusform>%1, %n Kerne</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 memory free</source>
        <translation>%1 von %2 Speicher frei</translation>
    </message>
    <message>
        <source>%1 disk free</source>
        <translation>%1 Platte frei</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation>Nicht bereit</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RemoteHosts</name>
    <message>
        <source>this computer; add hosts to train on several</source>
        <translation>dieser Rechner; Hosts hinzufügen, um auf mehreren zu trainieren</translation>
    </message>
    <message numerus="yes">
        <source>%n hosts</source>
        <translation>
            <numerusform>%n Host</numerusform>
            <numerusform>%n Hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ReplicaChip</name>
    <message>
        <source>Replica %1</source>
        <translation>Replik %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 answered · %n restarts</source>
        <translation>
            <numerusform>%1 beantwortet · %n Neustart</numerusform>
            <numerusform>%1 beantwortet · %n Neustarts</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, process %2</source>
        <translation>%1, Prozess %2</translation>
    </message>
    <message>
        <source>Kill for a rehearsal…</source>
        <translation>Zur Probe töten…</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ReportJob</name>
    <message>
        <source>Writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message>
        <source>Cancel; the file stays as it was</source>
        <translation>Abbrechen; die Datei bleibt, wie sie war</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ResumeSheet</name>
    <message>
        <source>Resume with changes</source>
        <translation>Mit Änderungen fortsetzen</translation>
    </message>
    <message>
        <source>%1 continues from its last good checkpoint. The training itself stays as it is; to change it, fork the run.</source>
        <translation>%1 wird ab dem letzten guten Checkpoint fortgesetzt. Was trainiert wird, bleibt gleich; anders geht es mit einem Fork.</translation>
    </message>
    <message>
        <source>Settings you can change</source>
        <translation>Was sich ändern darf</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>No other host is known: add one on the Cluster page</source>
        <translation>Kein anderer Host ist bekannt: auf der Seite Cluster hinzufügen</translation>
    </message>
    <message>
        <source>Separated by commas; known hosts: local, %1</source>
        <translation>Durch Kommas getrennt; bekannt sind local, %1</translation>
    </message>
    <message>
        <source>Spare hosts</source>
        <translation>Ersatz-Hosts</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>A spare replaces a host that is lost, or that cannot be used at the start</source>
        <translation>Einer ersetzt einen Host, der ausfällt oder beim Start nicht nutzbar ist</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>There is no host %1: add it on the Cluster page</source>
        <translation>Es gibt keinen Host %1: auf der Seite Cluster hinzufügen</translation>
    </message>
    <message>
        <source>There is no host %1: did you mean %2?</source>
        <translation>Es gibt keinen Host %1: War %2 gemeint?</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunActions</name>
    <message>
        <source>The run did not start</source>
        <translation>Der Lauf ist nicht gestartet</translation>
    </message>
    <message>
        <source>The sweep did not start</source>
        <translation>Der Sweep ist nicht gestartet</translation>
    </message>
    <message>
        <source>The run was not stopped</source>
        <translation>Der Lauf wurde nicht gestoppt</translation>
    </message>
    <message>
        <source>The sweep was not stopped</source>
        <translation>Der Sweep wurde nicht gestoppt</translation>
    </message>
    <message>
        <source>The sweep was not changed</source>
        <translation>Der Sweep wurde nicht geändert</translation>
    </message>
    <message>
        <source>The run could not be resumed</source>
        <translation>Der Lauf ließ sich nicht fortsetzen</translation>
    </message>
    <message>
        <source>Paused after step %1</source>
        <translation>Angehalten nach Schritt %1</translation>
    </message>
    <message>
        <source>Resumed after step %1</source>
        <translation>Weiter nach Schritt %1</translation>
    </message>
    <message>
        <source>Saved step %1</source>
        <translation>Schritt %1 gespeichert</translation>
    </message>
    <message>
        <source>Learning rate %1 after step %2</source>
        <translation>Lernrate %1 nach Schritt %2</translation>
    </message>
    <message>
        <source>%1 workers after step %2</source>
        <translation>%1 Worker nach Schritt %2</translation>
    </message>
    <message>
        <source>The run was not paused</source>
        <translation>Der Lauf wurde nicht angehalten</translation>
    </message>
    <message>
        <source>No checkpoint was saved</source>
        <translation>Es wurde kein Checkpoint gespeichert</translation>
    </message>
    <message>
        <source>The learning rate was not changed</source>
        <translation>Die Lernrate wurde nicht geändert</translation>
    </message>
    <message>
        <source>The number of workers was not changed</source>
        <translation>Die Zahl der Worker wurde nicht geändert</translation>
    </message>
    <message>
        <source>Renamed</source>
        <translation>Umbenannt</translation>
    </message>
    <message>
        <source>Tags saved</source>
        <translation>Tags gespeichert</translation>
    </message>
    <message>
        <source>Notes saved</source>
        <translation>Notizen gespeichert</translation>
    </message>
    <message numerus="yes">
        <source>%n runs archived</source>
        <translation>
            <numerusform>%n Lauf archiviert</numerusform>
            <numerusform>%n Läufe archiviert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs restored</source>
        <translation>
            <numerusform>%n Lauf wiederhergestellt</numerusform>
            <numerusform>%n Läufe wiederhergestellt</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was changed</source>
        <translation>Nichts wurde geändert</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>Not all runs were deleted</source>
        <translation>Nicht alle Läufe wurden gelöscht</translation>
    </message>
    <message numerus="yes">
        <source>%n runs deleted, %1 freed</source>
        <translation>
            <numerusform>%n Lauf gelöscht, %1 freigegeben</numerusform>
            <numerusform>%n Läufe gelöscht, %1 freigegeben</numerusform>
        </translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>Exportiert nach %1</translation>
    </message>
    <message>
        <source>The export was cancelled</source>
        <translation>Der Export wurde abgebrochen</translation>
    </message>
    <message>
        <source>Nothing was exported</source>
        <translation>Nichts wurde exportiert</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints pinned</source>
        <translation>
            <numerusform>%n Checkpoint angeheftet</numerusform>
            <numerusform>%n Checkpoints angeheftet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints unpinned</source>
        <translation>
            <numerusform>%n Checkpoint gelöst</numerusform>
            <numerusform>%n Checkpoints gelöst</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was pinned</source>
        <translation>Nichts wurde angeheftet</translation>
    </message>
    <message>
        <source>Not all checkpoints were deleted</source>
        <translation>Nicht alle Checkpoints wurden gelöscht</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints deleted, %1 freed</source>
        <translation>
            <numerusform>%n Checkpoint gelöscht, %1 freigegeben</numerusform>
            <numerusform>%n Checkpoints gelöscht, %1 freigegeben</numerusform>
        </translation>
    </message>
    <message>
        <source>; %1</source>
        <translation>; %1</translation>
    </message>
    <message>
        <source>Fetched %1 from %2</source>
        <translation>%1 von %2 geholt</translation>
    </message>
    <message>
        <source>%1 was removed from the list; it stays on %2</source>
        <translation>%1 ist von der Liste genommen und bleibt auf %2</translation>
    </message>
    <message>
        <source>The job was not submitted</source>
        <translation>Der Job wurde nicht abgegeben</translation>
    </message>
    <message>
        <source>The transfer was cancelled; Fetch continues it</source>
        <translation>Die Übertragung wurde abgebrochen; Holen setzt sie fort</translation>
    </message>
    <message>
        <source>Nothing was fetched</source>
        <translation>Nichts wurde geholt</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>Fetched step %1 of %2</source>
        <translation>Schritt %1 von %2 geholt</translation>
    </message>
    <message numerus="yes">
        <source>Colour of %n runs changed</source>
        <translation>
            <numerusform>Farbe von %n Lauf geändert</numerusform>
            <numerusform>Farbe von %n Läufen geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>The stacks of all ranks are in their logs</source>
        <translation>Die Stacks aller Ranks stehen in ihren Logs</translation>
    </message>
    <message>
        <source>No stacks were taken</source>
        <translation>Es wurden keine Stacks ausgegeben</translation>
    </message>
    <message>
        <source>“%1” is a metric of this run from now on</source>
        <translation>„%1“ zählt bei diesem Lauf ab jetzt als Metrik</translation>
    </message>
    <message>
        <source>“%1” is no metric of this run from now on</source>
        <translation>„%1“ zählt bei diesem Lauf ab jetzt nicht mehr als Metrik</translation>
    </message>
    <message>
        <source>“%1” is a metric of this run if it looks like one</source>
        <translation>„%1“ zählt bei diesem Lauf als Metrik, falls es danach aussieht</translation>
    </message>
    <message>
        <source>The run had already ended</source>
        <translation>Der Lauf war schon zu Ende</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunBanner</name>
    <message>
        <source>Free space…</source>
        <translation>Platz schaffen…</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>bei Schritt %1</translation>
    </message>
    <message>
        <source>The run failed without a message; its log may say more</source>
        <translation>Der Lauf ist ohne Meldung fehlgeschlagen; sein Log sagt vielleicht mehr</translation>
    </message>
    <message>
        <source>%1 could not be continued, and is finished as before</source>
        <translation>%1 konnte nicht fortgesetzt werden und ist fertig wie zuvor</translation>
    </message>
    <message>
        <source>Continue with this data…</source>
        <translation>Mit diesen Daten weitertrainieren…</translation>
    </message>
    <message>
        <source>Train on this data…</source>
        <translation>Auf diesen Daten trainieren…</translation>
    </message>
    <message>
        <source>The supervisor crashed or the computer restarted. There is no checkpoint yet.</source>
        <translation>Der Supervisor ist abgestürzt oder der Rechner wurde neu gestartet. Es gibt noch keinen Checkpoint.</translation>
    </message>
    <message>
        <source>The supervisor crashed or the computer restarted. Last checkpoint: step %1.</source>
        <translation>Der Supervisor ist abgestürzt oder der Rechner wurde neu gestartet. Letzter Checkpoint: Schritt %1.</translation>
    </message>
    <message>
        <source>%1 was interrupted at step %2</source>
        <translation>%1 wurde bei Schritt %2 unterbrochen</translation>
    </message>
    <message>
        <source>Last known: %1, step %2.</source>
        <translation>Zuletzt bekannt: %1, Schritt %2.</translation>
    </message>
    <message>
        <source>Nothing is known about it yet.</source>
        <translation>Über ihn ist noch nichts bekannt.</translation>
    </message>
    <message>
        <source>The run continues without the link; Trainyard keeps trying to reconnect.</source>
        <translation>Der Lauf braucht die Verbindung nicht; sie wird von selbst wieder versucht.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunChecks</name>
    <message>
        <source>checking…</source>
        <translation>wird geprüft…</translation>
    </message>
    <message>
        <source>known once the settings are valid</source>
        <translation>bekannt, wenn die Einstellungen gültig sind</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>skips %1 of %2 samples</source>
        <translation>%1 von %2 Samples sind ausgelassen</translation>
    </message>
    <message>
        <source>Data and model</source>
        <translation>Daten und Modell</translation>
    </message>
    <message>
        <source>see above</source>
        <translation>siehe oben</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>fits the model</source>
        <translation>passt zum Modell</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message numerus="yes">
        <source>%n trials, every field valid</source>
        <translation>
            <numerusform>%n Trial, alle Felder gültig</numerusform>
            <numerusform>%n Trials, alle Felder gültig</numerusform>
        </translation>
    </message>
    <message>
        <source>every field valid</source>
        <translation>alle Felder gültig</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>needs about %1, %2 free</source>
        <translation>braucht etwa %1, %2 frei</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>%1 free in the workspace</source>
        <translation>%1 frei im Arbeitsbereich</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>the job&apos;s nodes</source>
        <translation>die der Knoten des Jobs</translation>
    </message>
    <message numerus="yes">
        <source>asking %n hosts…</source>
        <translation>
            <numerusform>fragt %n Host…</numerusform>
            <numerusform>fragt %n Hosts…</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 asks for a password at the start</source>
        <translation>%1 fragt beim Start nach einem Passwort</translation>
    </message>
    <message>
        <source>%1: see above</source>
        <translation>%1: siehe oben</translation>
    </message>
    <message numerus="yes">
        <source>%n hosts</source>
        <translation>
            <numerusform>%n Host</numerusform>
            <numerusform>%n Hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>shared with %n running runs</source>
        <translation>
            <numerusform>geteilt mit %n aktiven Lauf</numerusform>
            <numerusform>geteilt mit %n aktiven Läufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers share %1</source>
        <translation>
            <numerusform>%n Worker teilt sich %1</numerusform>
            <numerusform>%n Worker teilen sich %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers on %1</source>
        <translation>
            <numerusform>%n Worker auf %1</numerusform>
            <numerusform>%n Worker auf %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Ports</source>
        <translation>Ports</translation>
    </message>
    <message>
        <source>none needed: workers connect over pipes</source>
        <translation>keine nötig: Verbindung über Pipes</translation>
    </message>
    <message>
        <source>none needed on one host</source>
        <translation>auf einem Host keine nötig</translation>
    </message>
    <message>
        <source>known once the hosts are reached</source>
        <translation>bekannt, sobald die Hosts erreicht sind</translation>
    </message>
    <message>
        <source>the hosts reach one another</source>
        <translation>die Hosts erreichen einander</translation>
    </message>
    <message>
        <source>marked in the form</source>
        <translation>im Formular markiert</translation>
    </message>
    <message numerus="yes">
        <source>%n to fix, marked in the form</source>
        <translation>
            <numerusform>%n zu beheben, im Formular markiert</numerusform>
            <numerusform>%n zu beheben, im Formular markiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>Interpreter</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>Python %1</source>
        <translation>Python %1</translation>
    </message>
    <message>
        <source>Python %1, torch %2</source>
        <translation>Python %1, torch %2</translation>
    </message>
    <message>
        <source>each host has its own</source>
        <translation>jeder Host hat seinen eigenen</translation>
    </message>
    <message>
        <source>this Python has no %1</source>
        <translation>diesem Python fehlt %1</translation>
    </message>
    <message>
        <source>no syntax error</source>
        <translation>kein Syntaxfehler</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>trials would overwrite each other: set %1 to {output}</source>
        <translation>Trials würden einander überschreiben: %1 auf {output} setzen</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neustart</translation>
    </message>
    <message>
        <source>from the beginning</source>
        <translation>von vorn</translation>
    </message>
    <message>
        <source>adds %1</source>
        <translation>fügt %1 hinzu</translation>
    </message>
    <message>
        <source>%1 of %2 tensors fit</source>
        <translation>%1 von %2 Tensoren passen</translation>
    </message>
    <message>
        <source>%1; the head is new</source>
        <translation>%1; der Kopf ist neu</translation>
    </message>
    <message numerus="yes">
        <source>%1; the head keeps %n classes</source>
        <translation>
            <numerusform>%1; der Kopf behält %n Klasse</numerusform>
            <numerusform>%1; der Kopf behält %n Klassen</numerusform>
        </translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>train %1, validation %2</source>
        <translation>Training %1, Validierung %2</translation>
    </message>
    <message>
        <source>train %1, validation %2, test %3 once at the end</source>
        <translation>Training %1, Val. %2, Test %3 einmal am Ende</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunControls</name>
    <message numerus="yes">
        <source>Continue for %n more epochs</source>
        <translation>
            <numerusform>Um %n Epoche verlängern</numerusform>
            <numerusform>Um %n Epochen verlängern</numerusform>
        </translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Stoppt…</translation>
    </message>
    <message numerus="yes">
        <source>%n more epochs</source>
        <translation>
            <numerusform>%n weitere Epoche</numerusform>
            <numerusform>%n weitere Epochen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Train for %n more epochs from the last checkpoint</source>
        <translation>
            <numerusform>%n weitere Epoche ab dem letzten Checkpoint trainieren</numerusform>
            <numerusform>%n weitere Epochen ab dem letzten Checkpoint trainieren</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunDelegate</name>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schr. %1</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>Name des Laufs</translation>
    </message>
    <message>
        <source>no link</source>
        <translation>keine Verb.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunForm</name>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>Klassifikation</translation>
    </message>
    <message>
        <source>Regression</source>
        <translation>Regression</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>per worker</source>
        <translation>je Worker</translation>
    </message>
    <message>
        <source>global</source>
        <translation>global</translation>
    </message>
    <message>
        <source>Batch size is</source>
        <translation>Batchgröße gilt</translation>
    </message>
    <message>
        <source>per worker: samples per step on each rank; global: on all ranks together</source>
        <translation>je Worker: Samples jedes Ranks in einem Schritt; global: Samples aller Ranks zusammen</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>Akkumulation</translation>
    </message>
    <message>
        <source>accum.</source>
        <translation>akkum.</translation>
    </message>
    <message>
        <source>Backward passes per optimizer step</source>
        <translation>Rückwärtsdurchläufe je Optimiererschritt</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Lernratenplan</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Unit of length</source>
        <translation>Einheit der Länge</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message numerus="yes">
        <source>%n fields cannot be read</source>
        <translation>
            <numerusform>%n Feld ist nicht lesbar</numerusform>
            <numerusform>%n Felder sind nicht lesbar</numerusform>
        </translation>
    </message>
    <message>
        <source>Learning rate: %1</source>
        <translation>Lernrate: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>Sweep: %1</translation>
    </message>
    <message>
        <source>Learning rate %1</source>
        <translation>Lernrate %1</translation>
    </message>
    <message>
        <source>set %1 to %2</source>
        <translation>%1 auf %2 setzen</translation>
    </message>
    <message>
        <source>trial %1: %2 %3</source>
        <translation>Trial %1: %2 %3</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>What the model predicts: classes, numbers, the next token of a text, or any number of labels; or a program of your own</source>
        <translation>Was das Modell vorhersagt: Klassen, Zahlen, das nächste Token eines Textes oder beliebig viele Labels; oder ein eigenes Programm</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunHeader</name>
    <message>
        <source>What is left on %1 cannot be seen</source>
        <translation>Was auf %1 noch läuft, ist nicht zu sehen</translation>
    </message>
    <message numerus="yes">
        <source>%n processes left</source>
        <translation>
            <numerusform>%n Prozess übrig</numerusform>
            <numerusform>%n Prozesse übrig</numerusform>
        </translation>
    </message>
    <message>
        <source>Imported from %1</source>
        <translation>Importiert aus %1</translation>
    </message>
    <message>
        <source>Colour of the run</source>
        <translation>Farbe des Laufs</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunLegend</name>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message numerus="yes">
        <source>%n more…</source>
        <translation>
            <numerusform>%n weiterer…</numerusform>
            <numerusform>%n weitere…</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs to show in the charts</source>
        <translation>Läufe in den Diagrammen</translation>
    </message>
    <message>
        <source>%1
Click to hide or show it, with Ctrl to show it alone</source>
        <translation>%1
Ein Klick blendet aus oder ein, mit Strg nur diesen zeigen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunNotices</name>
    <message>
        <source>best %1 %2</source>
        <translation>bester Wert %1 %2</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message numerus="yes">
        <source>%n trials</source>
        <translation>
            <numerusform>%n Trial</numerusform>
            <numerusform>%n Trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunProgress</name>
    <message>
        <source>epoch %1 of %2</source>
        <translation>Epoche %1 von %2</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 Samples/s</translation>
    </message>
    <message>
        <source>est. %1 left</source>
        <translation>noch ca. %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>seit %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RungsView</name>
    <message>
        <source>Rungs</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>No trial was stopped early</source>
        <translation>Kein Trial wurde früh gestoppt</translation>
    </message>
    <message>
        <source>No trial of this sweep was stopped early. A scheduler such as ASHA stops the weaker ones.</source>
        <translation>Kein Trial dieses Sweeps wurde vor seinem Ende gestoppt. Ein Scheduler wie asha stoppt die schlechteren früh.</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>cut-off of a rung</source>
        <translation>Schnitt einer Stufe</translation>
    </message>
    <message>
        <source>stopped there</source>
        <translation>dort gestoppt</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunsModel</name>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 ± %3 over %n runs</source>
        <translation>
            <numerusform>%1: %2 ± %3 über %n Lauf</numerusform>
            <numerusform>%1: %2 ± %3 über %n Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n runs</source>
        <translation>
            <numerusform>%1, %n Lauf</numerusform>
            <numerusform>%1, %n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunsPage</name>
    <message>
        <source>Views of the selected runs</source>
        <translation>Ansichten der ausgewählten Läufe</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunsPanel</name>
    <message numerus="yes">
        <source>The database has lost %n runs</source>
        <translation>
            <numerusform>Die Aufzeichnung von %n Lauf ist verloren</numerusform>
            <numerusform>Die Aufzeichnung von %n Läufen ist verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>Their folders still exist. To bring them back, run in a terminal: %1</source>
        <translation>Ihre Ordner sind noch da. Dieser Befehl stellt sie im Terminal wieder her: %1</translation>
    </message>
    <message>
        <source>Group the runs</source>
        <translation>Läufe gruppieren</translation>
    </message>
    <message>
        <source>Choose the columns</source>
        <translation>Spalten wählen</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n ausgewählt</numerusform>
            <numerusform>%n ausgewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 match</source>
        <translation>%1 von %2 passen</translation>
    </message>
    <message>
        <source>0 of %1 match</source>
        <translation>0 von %1 passen</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>No run matches the filter “%1”.</source>
        <translation>Kein Lauf passt zum Filter „%1“.</translation>
    </message>
    <message numerus="yes">
        <source>Select these %n runs</source>
        <translation>
            <numerusform>Diesen %n Lauf auswählen</numerusform>
            <numerusform>Diese %n Läufe auswählen</numerusform>
        </translation>
    </message>
    <message>
        <source>Draw them with their mean ± std</source>
        <translation>Mit Mittelwert ± Std.-Abw. zeichnen</translation>
    </message>
    <message>
        <source>%1 is running; stop it before archiving</source>
        <translation>%1 läuft; vor dem Archivieren stoppen</translation>
    </message>
    <message numerus="yes">
        <source>%n runs are still training; stop them before archiving</source>
        <translation>
            <numerusform>%n Lauf trainiert noch; vor dem Archivieren stoppen</numerusform>
            <numerusform>%n Läufe trainieren noch; vor dem Archivieren stoppen</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs appear here once you start them. Drop logs of TensorBoard, W&amp;B or MLflow here to import them.</source>
        <translation>Gestartete Läufe erscheinen hier. Zum Importieren Logs von TensorBoard, W&amp;B oder MLflow hierher ziehen.</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>Gespeicherte Filter</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunsView</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Columns of the runs</source>
        <translation>Spalten der Läufe</translation>
    </message>
    <message>
        <source>Standard columns</source>
        <translation>Standardspalten</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>Nach links</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>Nach rechts</translation>
    </message>
    <message>
        <source>Choose the columns</source>
        <translation>Spalten wählen</translation>
    </message>
    <message>
        <source>Group the runs</source>
        <translation>Läufe gruppieren</translation>
    </message>
    <message>
        <source>Choose the columns…</source>
        <translation>Spalten wählen…</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SampleCard</name>
    <message>
        <source>Drop or paste an image, a row or a text</source>
        <translation>Bild, Zeile oder Text ablegen oder einfügen</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Choose a sample</source>
        <translation>Sample auswählen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SampleGallery</name>
    <message>
        <source>is %1</source>
        <translation>ist %1</translation>
    </message>
    <message>
        <source>%1, is %2</source>
        <translation>%1, ist %2</translation>
    </message>
    <message>
        <source>Most wrong</source>
        <translation>Klarste Fehler</translation>
    </message>
    <message>
        <source>Show the most wrong of all</source>
        <translation>Die klarsten Fehler insgesamt zeigen</translation>
    </message>
    <message>
        <source>The samples cannot be shown: %1</source>
        <translation>Die Samples lassen sich nicht zeigen: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SampleList</name>
    <message>
        <source>loss %1</source>
        <translation>Loss %1</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>Sample %1</translation>
    </message>
    <message>
        <source>predicted: %1</source>
        <translation>vorhergesagt: %1</translation>
    </message>
    <message>
        <source>true class: %1</source>
        <translation>wahre Klasse: %1</translation>
    </message>
    <message>
        <source>target: %1</source>
        <translation>Zielwert: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SampleTrial</name>
    <message>
        <source>Try a sample</source>
        <translation>Ein Sample ausprobieren</translation>
    </message>
    <message>
        <source>Choose an image or a table to predict</source>
        <translation>Bild oder Tabelle zum Vorhersagen auswählen</translation>
    </message>
    <message>
        <source>Choose a file to predict</source>
        <translation>Datei zum Vorhersagen auswählen</translation>
    </message>
    <message>
        <source>Drop or paste an image, a row or a text</source>
        <translation>Bild, Zeile oder Text ablegen oder einfügen</translation>
    </message>
    <message>
        <source>File, row, or validation/17</source>
        <translation>Datei, Zeile oder validation/17</translation>
    </message>
    <message>
        <source>Sample to predict</source>
        <translation>Vorherzusagendes Sample</translation>
    </message>
    <message>
        <source>Drop or paste the beginning of a text</source>
        <translation>Textanfang ablegen oder einfügen</translation>
    </message>
    <message>
        <source>Beginning of a text</source>
        <translation>Anfang eines Textes</translation>
    </message>
    <message>
        <source>Images and tables (*.png *.jpg *.jpeg *.csv)</source>
        <translation>Bilder und Tabellen (*.png *.jpg *.jpeg *.csv)</translation>
    </message>
    <message>
        <source>There is no checkpoint to try yet. The run saves the first one at the end of its first epoch.</source>
        <translation>Es gibt noch keinen Checkpoint, der gefragt werden könnte. Der erste wird am Ende der ersten Epoche gespeichert.</translation>
    </message>
    <message>
        <source>predicting…</source>
        <translation>wird gefragt…</translation>
    </message>
    <message>
        <source>Previous row</source>
        <translation>Vorige Zeile</translation>
    </message>
    <message>
        <source>Next row</source>
        <translation>Nächste Zeile</translation>
    </message>
    <message>
        <source>predicted in %1 ms</source>
        <translation>beantwortet in %1 ms</translation>
    </message>
    <message>
        <source>Row %1 of %2</source>
        <translation>Zeile %1 von %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SamplesCard</name>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Augmented</source>
        <translation>Augmentiert</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Another picture</source>
        <translation>Anderes Bild</translation>
    </message>
    <message>
        <source>As they are stored; one picture in 24 random draws; or the first batch as the model sees it, with its labels</source>
        <translation>Wie sie gespeichert sind; ein Bild in 24 zufälligen Ziehungen; oder der erste Batch, wie ihn das Modell sieht, mit seinen Labels</translation>
    </message>
    <message>
        <source>Drawing…</source>
        <translation>Wird gezogen…</translation>
    </message>
    <message>
        <source>None of these pictures can be read</source>
        <translation>Keines dieser Bilder ist lesbar</translation>
    </message>
    <message>
        <source>No augmentation is set: each epoch sees the picture as it is. It is under “More settings”, “Advanced”.</source>
        <translation>Keine Augmentierung eingestellt: Jede Epoche sieht das Bild, wie es ist. Sie steht unter „Mehr Einstellungen“, „Erweitert“.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SamplesToolbar</name>
    <message>
        <source>, best</source>
        <translation>, bester</translation>
    </message>
    <message>
        <source>, last</source>
        <translation>, letzter</translation>
    </message>
    <message>
        <source>Checkpoint to show</source>
        <translation>Betrachteter Checkpoint</translation>
    </message>
    <message>
        <source>Checkpoint to compare with</source>
        <translation>Checkpoint zum Vergleichen</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Part of the dataset</source>
        <translation>Teil des Datensatzes</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>Vergleich…</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neuester</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop evaluating</source>
        <translation>Messung abbrechen</translation>
    </message>
    <message>
        <source>Evaluate the chosen checkpoint on this part of the dataset</source>
        <translation>Den gewählten Checkpoint auf diesem Teil des Datensatzes auswerten</translation>
    </message>
    <message>
        <source>There is no checkpoint to evaluate yet</source>
        <translation>Es gibt noch keinen Checkpoint zum Auswerten</translation>
    </message>
    <message>
        <source>This run held out no samples for a test. Set its Test share to hold some out.</source>
        <translation>Dieser Lauf hat keine Samples für einen Test behalten. Mit einem Testanteil werden welche behalten.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SamplesView</name>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation>Kein Lauf ausgewählt</translation>
    </message>
    <message>
        <source>Select a run in the table to see what it gets wrong.</source>
        <translation>Einen Lauf in der Tabelle auswählen, um seine Fehler zu sehen.</translation>
    </message>
    <message>
        <source>An imported run</source>
        <translation>Ein importierter Lauf</translation>
    </message>
    <message>
        <source>It was imported from %1, with its curves but without its model, so there is nothing to evaluate.</source>
        <translation>Er wurde aus %1 importiert. Seine Kurven sind hier; sein Modell liegt bei dem Programm, das ihn trainiert hat. Auszuwerten oder zu fragen gibt es darum nichts.</translation>
    </message>
    <message>
        <source>The evaluation cannot be read</source>
        <translation>Die Auswertung lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>No validation yet</source>
        <translation>Noch keine Validierung</translation>
    </message>
    <message>
        <source>The confusion table appears after the first validation. You can try samples from the first checkpoint on.</source>
        <translation>Die Konfusionsmatrix kommt mit der ersten Validierung; Samples lassen sich ab dem ersten Checkpoint ausprobieren.</translation>
    </message>
    <message>
        <source>No checkpoint</source>
        <translation>Kein Checkpoint</translation>
    </message>
    <message>
        <source>This run ended before its first validation and its first checkpoint, so there is no model to try.</source>
        <translation>Dieser Lauf endete vor seiner ersten Validierung und seinem ersten Checkpoint; es gibt kein Modell zum Betrachten.</translation>
    </message>
    <message>
        <source>Confusion of %1, %2 samples, step %3</source>
        <translation>Konfusion auf %1, %2 Samples, Schritt %3</translation>
    </message>
    <message>
        <source>a confusion table holds at most 1,000 classes</source>
        <translation>Konfusionsmatrix nur bis 1.000 Klassen</translation>
    </message>
    <message>
        <source>Evaluating…</source>
        <translation>Wird ausgewertet…</translation>
    </message>
    <message>
        <source>Not evaluated yet</source>
        <translation>Noch nicht ausgewertet</translation>
    </message>
    <message>
        <source>The worker evaluates the checkpoint; this may take a while.</source>
        <translation>Der Worker wertet den Checkpoint aus; das kann dauern.</translation>
    </message>
    <message>
        <source>The run evaluates its validation samples as it trains, and the test samples at its end. You can evaluate anything else here.</source>
        <translation>Der Lauf wertet die Validierungs-Samples beim Trainieren aus und die Test-Samples am Ende. Alles andere wird auf Wunsch ausgewertet.</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Least sure</source>
        <translation>Am unsichersten</translation>
    </message>
    <message>
        <source>Confused</source>
        <translation>Verwechselt</translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <translation>%1 von %2, %3</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Mistakes</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Most wrong</source>
        <translation>Klarste Fehler</translation>
    </message>
    <message>
        <source>Largest losses</source>
        <translation>Größte Losses</translation>
    </message>
    <message>
        <source>no mistakes, or this run kept no samples</source>
        <translation>nichts ist falsch, oder dieser Lauf hat keine Samples behalten</translation>
    </message>
    <message>
        <source>the largest loss first</source>
        <translation>nach Loss</translation>
    </message>
    <message>
        <source>The checkpoint was not evaluated</source>
        <translation>Der Checkpoint wurde nicht ausgewertet</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>Its model is on %1</source>
        <translation>Sein Modell liegt auf %1</translation>
    </message>
    <message>
        <source>Fetch one of its checkpoints on the Model tab to see what it gets wrong and to try it.</source>
        <translation>Im Tab Modell einen seiner Checkpoints holen, um zu sehen, was er falsch macht, und ihn auszuprobieren.</translation>
    </message>
    <message>
        <source>Curves of %1, step %2</source>
        <translation>Kurven von %1, Schritt %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ScaleSheet</name>
    <message>
        <source>Scale %1</source>
        <translation>%1 skalieren</translation>
    </message>
    <message>
        <source>A replica is added while requests wait too long, and one ends after half a minute with little to do. With none at rest, the first request waits for a start.</source>
        <translation>Eine Replik kommt hinzu, solange Anfragen zu lange warten; eine endet nach einer halben Minute mit wenig Arbeit. Ohne eine in Ruhe wartet die erste Anfrage auf den Start.</translation>
    </message>
    <message>
        <source>At rest</source>
        <translation>In Ruhe</translation>
    </message>
    <message>
        <source>Under load</source>
        <translation>Unter Last</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalieren</translation>
    </message>
    <message numerus="yes">
        <source>It takes no new requests from now on. The %n it has accepted are finished within %1 s at most; then its processes end, and are counted. It can be started again at the same address.</source>
        <translation>
            <numerusform>Ab jetzt nimmt er keine neuen Anfragen an. Die %n angenommene wird in höchstens %1 s beendet; dann enden seine Prozesse und werden gezählt. Er kann unter derselben Adresse wieder gestartet werden.</numerusform>
            <numerusform>Ab jetzt nimmt er keine neuen Anfragen an. Die %n angenommenen werden in höchstens %1 s beendet; dann enden seine Prozesse und werden gezählt. Er kann unter derselben Adresse wieder gestartet werden.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation>%1 stoppen</translation>
    </message>
    <message>
        <source>Stop the service</source>
        <translation>Dienst stoppen</translation>
    </message>
    <message>
        <source>Ends its process as a crash would. What it was computing goes to another replica, so that no accepted request is lost, and a new process takes its place.</source>
        <translation>Beendet ihren Prozess wie ein Absturz. Was sie gerade rechnet, geht an eine andere Replik, so dass keine angenommene Anfrage verloren geht, und ein neuer Prozess nimmt ihren Platz ein.</translation>
    </message>
    <message>
        <source>It is the only one: requests wait until the new one is ready.</source>
        <translation>Sie ist die einzige: Anfragen warten, bis die neue bereit ist.</translation>
    </message>
    <message>
        <source>Kill replica %1 of %2</source>
        <translation>Replik %1 von %2 töten</translation>
    </message>
    <message>
        <source>Kill the replica</source>
        <translation>Replik töten</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ScalingSheet</name>
    <message numerus="yes">
        <source>%n runs are training and would distort the result: wait for them, or stop them</source>
        <translation>
            <numerusform>%n Lauf trainiert gerade und würde mitgemessen: abwarten oder stoppen</numerusform>
            <numerusform>%n Läufe trainieren gerade und würden mitgemessen: abwarten oder stoppen</numerusform>
        </translation>
    </message>
    <message>
        <source>Trains for %1 s with each number of workers, and keeps nothing.</source>
        <translation>Jede Zahl von Workern trainiert %1 s; nichts wird behalten.</translation>
    </message>
    <message>
        <source>Scaling of %1</source>
        <translation>Skalierung von %1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Numbers of workers</source>
        <translation>Zahlen von Workern</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>New run with this…</source>
        <translation>Neuer Lauf damit…</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message numerus="yes">
        <source>Measuring %n workers…</source>
        <translation>
            <numerusform>%n Worker wird gemessen…</numerusform>
            <numerusform>%n Worker werden gemessen…</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped before the first measurement ended.</source>
        <translation>Gestoppt, bevor etwas gemessen war.</translation>
    </message>
    <message>
        <source>The workers share the samples of a step.</source>
        <translation>Die Samples eines Schritts werden auf die Worker verteilt.</translation>
    </message>
    <message>
        <source>Each worker takes the same number of samples a step.</source>
        <translation>Jeder Worker nimmt je Schritt gleich viele Samples.</translation>
    </message>
    <message numerus="yes">
        <source>on this computer, %n cores</source>
        <translation>
            <numerusform>auf diesem Computer, %n Kern</numerusform>
            <numerusform>auf diesem Computer, %n Kerne</numerusform>
        </translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>Speed by number of workers</source>
        <translation>Tempo nach Zahl der Worker</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>Ideally %1 samples/s</source>
        <translation>Im Idealfall %1 Samples/s</translation>
    </message>
    <message>
        <source>%1 samples/s, %2 of the ideal</source>
        <translation>%1 Samples/s, %2 des Ideals</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ScalingTable</name>
    <message>
        <source>%1 ✓</source>
        <translation>%1 ✓</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Engpass</translation>
    </message>
    <message>
        <source>Straggler</source>
        <translation>Nachzügler</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ScatterView</name>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>log x</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>Logarithmische x-Achse</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>log y</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>Logarithmische y-Achse</translation>
    </message>
    <message>
        <source>No trials yet</source>
        <translation>Noch keine Trials</translation>
    </message>
    <message>
        <source>Each trial is drawn as a dot: its score against a parameter.</source>
        <translation>Jeder Trial wird ein Punkt: ein Parameter gegen seinen Score.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServePage</name>
    <message>
        <source>Nothing is served yet</source>
        <translation>Noch kein Dienst</translation>
    </message>
    <message>
        <source>A service answers requests with a checkpoint: from a phone, a notebook or a script, over HTTP. Choose “Serve…” beside any checkpoint, or begin here. It stays on this computer, behind a token, until you say otherwise.</source>
        <translation>Ein Dienst beantwortet Anfragen mit einem Checkpoint: von einem Telefon, einem Notebook oder einem Skript, über HTTP. „Bereitstellen…“ steht neben jedem Checkpoint; oder hier beginnen. Ohne andere Angabe bleibt er auf diesem Computer, hinter einem Token.</translation>
    </message>
    <message>
        <source>Serve a checkpoint…</source>
        <translation>Checkpoint bereitstellen…</translation>
    </message>
    <message>
        <source>Serve…</source>
        <translation>Bereitstellen…</translation>
    </message>
    <message>
        <source>Serve another checkpoint</source>
        <translation>Einen weiteren Checkpoint bereitstellen</translation>
    </message>
    <message>
        <source>Services</source>
        <translation>Dienste</translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n läuft</numerusform>
            <numerusform>%n laufen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServeSheet</name>
    <message>
        <source>Serve a checkpoint</source>
        <translation>Checkpoint bereitstellen</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>TorchScript or checkpoint file</source>
        <translation>TorchScript- oder Checkpoint-Datei</translation>
    </message>
    <message>
        <source>As</source>
        <translation>Als</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>Bekommt</translation>
    </message>
    <message>
        <source>All requests, once it is checked</source>
        <translation>Alle Anfragen, sobald sie geprüft ist</translation>
    </message>
    <message>
        <source>A tenth of the requests, as a canary</source>
        <translation>Ein Zehntel der Anfragen, als Canary</translation>
    </message>
    <message>
        <source>Copies of the requests, as a shadow</source>
        <translation>Kopien der Anfragen, als Schatten</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Replicas at rest</source>
        <translation>Repliken in Ruhe</translation>
    </message>
    <message>
        <source>Replicas under load</source>
        <translation>Repliken unter Last</translation>
    </message>
    <message>
        <source>at rest, up to</source>
        <translation>in Ruhe, bis zu</translation>
    </message>
    <message>
        <source>under load</source>
        <translation>unter Last</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Repliken</translation>
    </message>
    <message>
        <source> samples at most</source>
        <translation> Samples höchstens</translation>
    </message>
    <message>
        <source>A free replica takes what waits, up to as many; it waits for no more</source>
        <translation>Eine freie Replik nimmt, was wartet, bis zu so vielen; auf mehr wartet sie nicht</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>A free one is chosen, and kept when the service is started again</source>
        <translation>Ein freier wird gewählt und bleibt, wenn der Dienst wieder startet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>Eine Datei…</translation>
    </message>
    <message>
        <source>A new service</source>
        <translation>Neuer Dienst</translation>
    </message>
    <message>
        <source>A new version of %1</source>
        <translation>Neue Version von %1</translation>
    </message>
    <message>
        <source>A service with this name runs already</source>
        <translation>Ein Dienst mit diesem Namen läuft schon</translation>
    </message>
    <message>
        <source>Letters, digits, “-”, “_” and “.” only</source>
        <translation>Nur Buchstaben, Ziffern, „-“, „_“ und „.“</translation>
    </message>
    <message>
        <source>A port is a number from 1 to %1</source>
        <translation>Ein Port ist eine Zahl von 1 bis %1</translation>
    </message>
    <message>
        <source>Choose a checkpoint, or a TorchScript file.</source>
        <translation>Einen Checkpoint oder eine TorchScript-Datei wählen.</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 gibt es nicht</translation>
    </message>
    <message>
        <source>Serve it</source>
        <translation>Bereitstellen</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Loading and checking…</source>
        <translation>Wird geladen und geprüft…</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceActions</name>
    <message>
        <source>%1 could not be started</source>
        <translation>%1 konnte nicht gestartet werden</translation>
    </message>
    <message>
        <source>%1 keeps its version</source>
        <translation>%1 behält seine Version</translation>
    </message>
    <message>
        <source>%1 finishes what it has accepted, and ends</source>
        <translation>%1 beendet, was angenommen ist, und hört auf</translation>
    </message>
    <message>
        <source>%1 could not be stopped</source>
        <translation>%1 konnte nicht gestoppt werden</translation>
    </message>
    <message>
        <source>%1 answers with the new version</source>
        <translation>%1 antwortet mit der neuen Version</translation>
    </message>
    <message>
        <source>%1 answers with the former version again</source>
        <translation>%1 antwortet wieder mit der vorherigen Version</translation>
    </message>
    <message>
        <source>The canary of %1 gets %2 of the requests</source>
        <translation>Der Canary von %1 bekommt %2 der Anfragen</translation>
    </message>
    <message>
        <source>The canary of %1 has ended</source>
        <translation>Der Canary von %1 ist beendet</translation>
    </message>
    <message>
        <source>The canary of %1 keeps its share</source>
        <translation>Der Canary von %1 behält seinen Anteil</translation>
    </message>
    <message numerus="yes">
        <source>%1 keeps %n replicas</source>
        <translation>
            <numerusform>%1 hält %n Replik</numerusform>
            <numerusform>%1 hält %n Repliken</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 keeps %2 to %3 replicas</source>
        <translation>%1 hält %2 bis %3 Repliken</translation>
    </message>
    <message>
        <source>%1 could not be scaled</source>
        <translation>%1 konnte nicht skaliert werden</translation>
    </message>
    <message>
        <source>Replica %1 of %2 was killed; another takes its place</source>
        <translation>Replik %1 von %2 wurde getötet; eine neue nimmt ihren Platz ein</translation>
    </message>
    <message>
        <source>Replica %1 of %2 could not be killed</source>
        <translation>Replik %1 von %2 konnte nicht getötet werden</translation>
    </message>
    <message>
        <source>%1 has the version %2</source>
        <translation>%1 hat die Version %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceBoard</name>
    <message>
        <source>Scale…</source>
        <translation>Skalieren…</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>Stoppen…</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Wieder starten</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Repliken</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Address copied</source>
        <translation>Adresse kopiert</translation>
    </message>
    <message>
        <source>The service does not answer</source>
        <translation>Der Dienst antwortet nicht</translation>
    </message>
    <message numerus="yes">
        <source>It finishes %n requests, then ends</source>
        <translation>
            <numerusform>Er beendet noch %n Anfrage und hört dann auf</numerusform>
            <numerusform>Er beendet noch %n Anfragen und hört dann auf</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message numerus="yes">
        <source>Stopped, %n processes left</source>
        <translation>
            <numerusform>Gestoppt, %n Prozess übrig</numerusform>
            <numerusform>Gestoppt, %n Prozesse übrig</numerusform>
        </translation>
    </message>
    <message>
        <source>The model is loaded and warmed up</source>
        <translation>Das Modell wird geladen und aufgewärmt</translation>
    </message>
    <message>
        <source>It answers, but not all is well</source>
        <translation>Er antwortet, aber nicht alles ist in Ordnung</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>Requests per second in the last ten seconds</source>
        <translation>Anfragen je Sekunde in den letzten zehn Sekunden</translation>
    </message>
    <message>
        <source>Half of the answers take no longer</source>
        <translation>Die Hälfte der Antworten dauert höchstens so lange</translation>
    </message>
    <message>
        <source>One answer in a hundred takes longer</source>
        <translation>Eine von hundert Antworten dauert länger</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>Requests that a replica computes</source>
        <translation>Anfragen, die eine Replik rechnet</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartend</translation>
    </message>
    <message>
        <source>Requests in the queue</source>
        <translation>Anfragen in der Warteschlange</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>beantwortet</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Answers with a status of 500 or more; %1 more were refused as wrong</source>
        <translation>Antworten mit Status 500 oder mehr; %1 weitere wurden als falsch abgelehnt</translation>
    </message>
    <message>
        <source>restarts</source>
        <translation>Neustarts</translation>
    </message>
    <message>
        <source>Replicas that ended and were replaced</source>
        <translation>Repliken, die endeten und ersetzt wurden</translation>
    </message>
    <message>
        <source>The link to its host is lost; the service goes on there</source>
        <translation>Die Verbindung zum Host ist abgebrochen; dort läuft der Dienst weiter</translation>
    </message>
    <message numerus="yes">
        <source>%n at all times</source>
        <translation>
            <numerusform>stets %n</numerusform>
            <numerusform>stets %n</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 to %2, as requests come</source>
        <translation>%1 bis %2, je nach Anfragen</translation>
    </message>
    <message>
        <source>It lives on %1; this address is forwarded there</source>
        <translation>Er läuft auf %1; diese Adresse wird dorthin weitergeleitet</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceCharts</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 of %2 requests</source>
        <translation>%1 von %2 Anfragen</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 min</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Requests in the histogram</source>
        <translation>Anfragen im Histogramm</translation>
    </message>
    <message>
        <source>Requests of the last minute, or all since the start</source>
        <translation>Anfragen der letzten Minute oder alle seit dem Start</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Requests per second</source>
        <translation>Anfragen je Sekunde</translation>
    </message>
    <message>
        <source>Milliseconds</source>
        <translation>Millisekunden</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Share of the requests, %</source>
        <translation>Anteil der Anfragen, %</translation>
    </message>
    <message>
        <source>Latency histogram</source>
        <translation>Latenz-Histogramm</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message>
        <source>10 min</source>
        <translation>10 min</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 Stunde</translation>
    </message>
    <message>
        <source>1 day</source>
        <translation>1 Tag</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 Tage</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Time that the charts show</source>
        <translation>Zeitraum der Diagramme</translation>
    </message>
    <message>
        <source>The last minutes second by second, or what the service has kept: points of ten seconds for an hour, of a minute for a day, of ten minutes for 30 days</source>
        <translation>Die letzten Minuten Sekunde für Sekunde, oder was der Dienst behalten hat: für eine Stunde Punkte von zehn Sekunden, für einen Tag von einer Minute, für 30 Tage von zehn Minuten</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>per second</source>
        <translation>je Sekunde</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceList</name>
    <message numerus="yes">
        <source>%n processes left</source>
        <translation>
            <numerusform>%n Prozess übrig</numerusform>
            <numerusform>%n Prozesse übrig</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · p50 %2 · p99 %3</source>
        <translation>%1 · p50 %2 · p99 %3</translation>
    </message>
    <message>
        <source>%1 · on %2</source>
        <translation>%1 · auf %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceTrial</name>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Model to ask</source>
        <translation>Gefragtes Modell</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>Kopieren als</translation>
    </message>
    <message>
        <source>The same question for a terminal or a script; the token stays in its file</source>
        <translation>Dieselbe Frage für ein Terminal oder ein Skript; der Token bleibt in seiner Datei</translation>
    </message>
    <message>
        <source>%1 copied</source>
        <translation>%1 kopiert</translation>
    </message>
    <message>
        <source>Choose a picture, a table or a text to send</source>
        <translation>Bild, Tabelle oder Text zum Senden wählen</translation>
    </message>
    <message>
        <source>Choose a file to send</source>
        <translation>Datei zum Senden wählen</translation>
    </message>
    <message>
        <source>File, row or text; Enter sends it</source>
        <translation>Datei, Zeile oder Text; Enter sendet</translation>
    </message>
    <message>
        <source>Sample to send</source>
        <translation>Sample zum Senden</translation>
    </message>
    <message>
        <source>Images, tables and texts (*.png *.jpg *.jpeg *.csv *.txt)</source>
        <translation>Bilder, Tabellen und Texte (*.png *.jpg *.jpeg *.csv *.txt)</translation>
    </message>
    <message>
        <source>The service does not run. Start it again, then ask.</source>
        <translation>Der Dienst läuft nicht. Erst wieder starten, dann fragen.</translation>
    </message>
    <message>
        <source>asking…</source>
        <translation>fragt…</translation>
    </message>
    <message>
        <source>answered in %1 ms</source>
        <translation>in %1 ms beantwortet</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>higher-contrast borders</source>
        <translation>kontrastreichere Ränder</translation>
    </message>
    <message>
        <source>More contrast</source>
        <translation>Mehr Kontrast</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>when a run ends while another window is in front</source>
        <translation>wenn ein Lauf endet, während ein anderes Fenster vorn ist</translation>
    </message>
    <message>
        <source>Desktop notices</source>
        <translation>Desktop-Benachrichtigungen</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>takes effect at the next start</source>
        <translation>ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Locations</source>
        <translation>Speicherorte</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>Runs and points</source>
        <translation>Läufe und Punkte</translation>
    </message>
    <message>
        <source>Worker program</source>
        <translation>Worker-Programm</translation>
    </message>
    <message>
        <source>Open the workspace&apos;s folder</source>
        <translation>Ordner des Arbeitsbereichs öffnen</translation>
    </message>
    <message>
        <source>Each workspace is a folder. To open another one, use trainyard --workspace DIR or the menu at the workspace&apos;s name.</source>
        <translation>Ein anderer Arbeitsbereich ist ein anderer Ordner: trainyard --workspace ORDNER oder das Menü am Namen des Arbeitsbereichs.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SignInSheet</name>
    <message>
        <source>Sign in to %1</source>
        <translation>An %1 anmelden</translation>
    </message>
    <message>
        <source>Only ssh receives it, and it is stored nowhere. The connection stays open for the runs you start.</source>
        <translation>Die Eingabe geht nur an ssh und wird nirgends aufbewahrt. Die Verbindung bleibt für das offen, was danach startet.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SlurmFields</name>
    <message>
        <source>A Slurm job cannot start from a checkpoint</source>
        <translation>Ein Job von Slurm beginnt ohne Checkpoint</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partition</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>GPUs per node</source>
        <translation>GPUs je Knoten</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Zeitlimit</translation>
    </message>
    <message>
        <source>Requeue</source>
        <translation>Neu einreihen</translation>
    </message>
    <message>
        <source>Requeue the job when it is preempted or loses a node</source>
        <translation>Erneut einreihen, wenn er verdrängt wird oder einen Knoten verliert</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>unbegrenzt</translation>
    </message>
    <message>
        <source>Training runs inside the Slurm job; you can shut this computer down. The workspace must be on a file system that the nodes share.</source>
        <translation>Der Lauf trainiert im Job weiter, auch wenn dieser Rechner aus ist. Der Arbeitsbereich muss auf einem Dateisystem liegen, das sich die Knoten teilen.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SourcesSection</name>
    <message>
        <source>Metrics file</source>
        <translation>Metrik-Datei</translation>
    </message>
    <message>
        <source>TensorBoard files</source>
        <translation>TensorBoard-Dateien</translation>
    </message>
    <message>
        <source>W&amp;B files</source>
        <translation>W&amp;B-Dateien</translation>
    </message>
    <message>
        <source>MLflow files</source>
        <translation>MLflow-Dateien</translation>
    </message>
    <message>
        <source>JSON log</source>
        <translation>JSON-Log</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV-Tabelle</translation>
    </message>
    <message>
        <source>Printed lines</source>
        <translation>Ausgegebene Zeilen</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n Punkt</numerusform>
            <numerusform>%n Punkte</numerusform>
        </translation>
    </message>
    <message>
        <source>curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Feeds the curves: the best source that has spoken</source>
        <translation>Speist die Kurven: die beste Quelle, die etwas gemeldet hat</translation>
    </message>
    <message>
        <source>Show the curves of %1, too</source>
        <translation>Auch die Kurven von %1 zeigen</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::Sparkline</name>
    <message>
        <source>Trend</source>
        <translation>Trend</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::StatusStrip</name>
    <message>
        <source>Ready · no account, no telemetry</source>
        <translation>Bereit · kein Konto, keine Telemetrie</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 aktiv</translation>
    </message>
    <message>
        <source>%1 queued</source>
        <translation>%1 eingereiht</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>fortgesetzt</translation>
    </message>
    <message>
        <source>%1, %2 ago</source>
        <translation>%1, vor %2</translation>
    </message>
    <message>
        <source>%1 · Cancel</source>
        <translation>%1 · Abbrechen</translation>
    </message>
    <message>
        <source>%1, %2% · Cancel</source>
        <translation>%1, %2 % · Abbrechen</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SteeringView</name>
    <message>
        <source>No requests yet</source>
        <translation>Noch keine Eingriffe</translation>
    </message>
    <message>
        <source>Requests to stop or add trials, or to restrict the space, are listed here with their time and author.</source>
        <translation>Hier stehen Eingriffe mit Zeit und Urheber: Trials stoppen oder hinzufügen, den Suchraum einschränken.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Eingriff</translation>
    </message>
    <message>
        <source>Requests to the sweep</source>
        <translation>Was vom Sweep verlangt wurde</translation>
    </message>
    <message>
        <source>d MMM HH:mm:ss</source>
        <translation>d. MMM HH:mm:ss</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::StopRules</name>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Add a stop rule</source>
        <translation>Stoppregel hinzufügen</translation>
    </message>
    <message>
        <source>A trial saves and ends once a series passes a limit</source>
        <translation>Ein Trial speichert und endet, sobald eine Messreihe eine Grenze überschreitet</translation>
    </message>
    <message>
        <source>The series that ends a trial: one from the list, or one that a program reports</source>
        <translation>Die Messreihe, die einen Trial beendet: eine der Liste oder eine, die ein Programm meldet</translation>
    </message>
    <message>
        <source>is below</source>
        <translation>ist unter</translation>
    </message>
    <message>
        <source>is above</source>
        <translation>ist über</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>The trial saves and ends once a value passes this</source>
        <translation>Der Trial speichert und endet, wenn ein Wert jenseits liegt</translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>Earlier values do not count</source>
        <translation>Frühere Werte zählen nicht</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>Stop rule %1: series</source>
        <translation>Stoppregel %1: Messreihe</translation>
    </message>
    <message>
        <source>Stop rule %1: above or below</source>
        <translation>Stoppregel %1: über oder unter</translation>
    </message>
    <message>
        <source>Stop rule %1: limit</source>
        <translation>Stoppregel %1: Grenze</translation>
    </message>
    <message>
        <source>Stop rule %1: after</source>
        <translation>Stoppregel %1: nach</translation>
    </message>
    <message>
        <source>Remove stop rule %1</source>
        <translation>Stoppregel %1 entfernen</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>is not a number, found “%1”</source>
        <translation>ist keine Zahl, gefunden: „%1“</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Stop rule %1</source>
        <translation>Stoppregel %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::StopSheet</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Sofort stoppen</translation>
    </message>
    <message>
        <source>Stop at the next checkpoint</source>
        <translation>Beim nächsten Checkpoint stoppen</translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation>%1 stoppen</translation>
    </message>
    <message numerus="yes">
        <source>Stop %n programs</source>
        <translation>
            <numerusform>%n Programm stoppen</numerusform>
            <numerusform>%n Programme stoppen</numerusform>
        </translation>
    </message>
    <message>
        <source>At the next checkpoint: it goes on until it has saved, and ends within about a second. Now: it is asked to end, and has %1 s to save if it can.</source>
        <translation>Beim nächsten Checkpoint: Es läuft weiter, bis es gespeichert hat, und endet nach etwa einer Sekunde. Sofort: Es wird aufgefordert, sich zu beenden, und hat %1 s, um zu speichern, falls es das kann.</translation>
    </message>
    <message>
        <source>Unless a program saves when it is asked to end, what it has done since its newest checkpoint is lost.</source>
        <translation>Was ein Programm seit seinem neuesten Checkpoint getan hat, geht verloren, falls es beim Beenden nicht speichert.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepCards</name>
    <message>
        <source>as many as the budget allows</source>
        <translation>so viele, wie das Budget erlaubt</translation>
    </message>
    <message>
        <source>%1 (%2 configurations × %3 seeds)</source>
        <translation>%1 (%2 Konfigurationen × %3 Seeds)</translation>
    </message>
    <message>
        <source>%1, rungs at epoch %2</source>
        <translation>%1, Stufen bei Epoche %2</translation>
    </message>
    <message>
        <source>%1, rungs at step %2</source>
        <translation>%1, Stufen bei Schritt %2</translation>
    </message>
    <message>
        <source>at most %1, typically %2</source>
        <translation>höchstens %1, typisch %2</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>Konfigurationen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Searcher</source>
        <translation>Suchverfahren</translation>
    </message>
    <message>
        <source>%1, automatic</source>
        <translation>%1, automatisch</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Epochs, est.</source>
        <translation>Epochen, ca.</translation>
    </message>
    <message>
        <source>Steps, est.</source>
        <translation>Schritte, ca.</translation>
    </message>
    <message>
        <source>Typically: if trials keep the rank that they start with</source>
        <translation>Typisch: von Trials, die so gut bleiben, wie sie beginnen</translation>
    </message>
    <message>
        <source>Samples, est.</source>
        <translation>Samples, ca.</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>Trials that train side by side, and their cores</source>
        <translation>Trials, die nebeneinander trainieren, und ihre Kerne</translation>
    </message>
    <message>
        <source>Compared by</source>
        <translation>Verglichen nach</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>The result is the Pareto front: the trials that no other beats in both</source>
        <translation>Ergebnis ist die Front beider: was kein anderer Trial schlägt</translation>
    </message>
    <message>
        <source>Chooses %1: %2.</source>
        <translation>Gewählt: %1 (%2).</translation>
    </message>
    <message>
        <source>shown when the settings are valid</source>
        <translation>erscheint, wenn die Einstellungen gültig sind</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepControls</name>
    <message>
        <source>Remove from the list</source>
        <translation>Von der Liste nehmen</translation>
    </message>
    <message>
        <source>Pause: start no new trials</source>
        <translation>Anhalten: nichts Neues beginnen</translation>
    </message>
    <message>
        <source>Steer the sweep</source>
        <translation>In den Sweep eingreifen</translation>
    </message>
    <message>
        <source>auto slots</source>
        <translation>auto Slots</translation>
    </message>
    <message>
        <source> slot</source>
        <translation> Slot</translation>
    </message>
    <message>
        <source> slots</source>
        <translation> Slots</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>How many trials train side by side; auto: as many as the cores allow</source>
        <translation>Wie viele Trials nebeneinander trainieren; auto: so viele, wie die Kerne erlauben</translation>
    </message>
    <message>
        <source>Resume: start trials again</source>
        <translation>Fortsetzen: wieder Trials beginnen</translation>
    </message>
    <message>
        <source>Now %1</source>
        <translation>Derzeit %1</translation>
    </message>
    <message>
        <source>Add trials…</source>
        <translation>Trials hinzufügen…</translation>
    </message>
    <message>
        <source>Enqueue a configuration…</source>
        <translation>Konfiguration einreihen…</translation>
    </message>
    <message>
        <source>Restrict to brushes</source>
        <translation>Auf Bereiche einschränken</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Auslaufen lassen</translation>
    </message>
    <message>
        <source>Start no new trials; running ones train to their end</source>
        <translation>Keine neuen Trials starten; laufende trainieren zu Ende</translation>
    </message>
    <message>
        <source>Add trials</source>
        <translation>Trials hinzufügen</translation>
    </message>
    <message>
        <source>Configurations to add:</source>
        <translation>Hinzuzufügende Konfigurationen:</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Bericht…</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepFields</name>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>Searcher</source>
        <translation>Suchverfahren</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>Stop rules</source>
        <translation>Stoppregeln</translation>
    </message>
    <message>
        <source>Try first</source>
        <translation>Zuerst versuchen</translation>
    </message>
    <message>
        <source>Warm start</source>
        <translation>Warmstart</translation>
    </message>
    <message>
        <source>Budget, failures, checkpoints</source>
        <translation>Budget, Fehlschläge, Checkpoints</translation>
    </message>
    <message>
        <source>Budget, failures, checkpoints (%1 changed)</source>
        <translation>Budget, Fehlschläge, Checkpoints (%1 geändert)</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message numerus="yes">
        <source>%n options cannot be read</source>
        <translation>
            <numerusform>%n Option ist nicht lesbar</numerusform>
            <numerusform>%n Optionen sind nicht lesbar</numerusform>
        </translation>
    </message>
    <message>
        <source>how many</source>
        <translation>wie viele</translation>
    </message>
    <message>
        <source>Do not vary %1</source>
        <translation>%1 nicht variieren</translation>
    </message>
    <message>
        <source>Chooses %1: %2.</source>
        <translation>Gewählt: %1 (%2).</translation>
    </message>
    <message>
        <source>First configuration %1, %2</source>
        <translation>Startkonfiguration %1, %2</translation>
    </message>
    <message>
        <source>Earlier sweep %1</source>
        <translation>Früherer Sweep %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepHeader</name>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>%1 von %2 fertig</translation>
    </message>
    <message>
        <source>%1; the highest %2 is the best</source>
        <translation>%1; am besten ist der größte Wert von %2</translation>
    </message>
    <message>
        <source>%1; the lowest %2 is the best</source>
        <translation>%1; am besten ist der kleinste Wert von %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepView</name>
    <message>
        <source>Trial %1</source>
        <translation>Trial %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepsPage</name>
    <message>
        <source>No sweeps yet</source>
        <translation>Noch keine Sweeps</translation>
    </message>
    <message>
        <source>A sweep trains one model with several settings and shows which one wins. In a new run, the toggle to the right of a field varies it.</source>
        <translation>Ein Sweep trainiert ein Modell mit mehreren Einstellungen und zeigt, welche gewinnt. Jedes Feld eines neuen Laufs wird mit dem Schalter rechts daneben zur Achse.</translation>
    </message>
    <message>
        <source>New sweep</source>
        <translation>Neuer Sweep</translation>
    </message>
    <message>
        <source>Views of the parameters</source>
        <translation>Ansichten der Parameter</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Contour</source>
        <translation>Kontur</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>Wichtigkeit</translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation>Pareto</translation>
    </message>
    <message>
        <source>Views of the trials</source>
        <translation>Ansichten der Trials</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Rungs</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Steering</source>
        <translation>Eingriffe</translation>
    </message>
    <message>
        <source>Nothing is known about it yet.</source>
        <translation>Über ihn ist noch nichts bekannt.</translation>
    </message>
    <message numerus="yes">
        <source>Last known: %1, %n trials.</source>
        <translation>
            <numerusform>Zuletzt bekannt: %1, %n Trial.</numerusform>
            <numerusform>Zuletzt bekannt: %1, %n Trials.</numerusform>
        </translation>
    </message>
    <message>
        <source>The sweep continues without the link; Trainyard keeps trying to reconnect.</source>
        <translation>Der Sweep geht ohne die Verbindung weiter; Trainyard versucht weiter, sie herzustellen.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TensorTable</name>
    <message>
        <source>%1
from %2 to %3</source>
        <translation>%1
von %2 bis %3</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>Norm</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>No trial has started</source>
        <translation>Noch kein Trial gestartet</translation>
    </message>
    <message>
        <source>Each trial is drawn as a bar from its start to its end.</source>
        <translation>Jeder Trial wird ein Balken von Anfang bis Ende.</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>Slot</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Time since the first trial</source>
        <translation>Zeit seit dem ersten Trial</translation>
    </message>
    <message>
        <source>from (s)</source>
        <translation>von (s)</translation>
    </message>
    <message>
        <source>to (s)</source>
        <translation>bis (s)</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TopBar</name>
    <message>
        <source>Workspace %1</source>
        <translation>Arbeitsbereich %1</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Where runs can train: the Cluster page  %1</source>
        <translation>Wo Läufe trainieren können: die Seite „Cluster“  %1</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>Arbeitsbereiche</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln Lauf</numerusform>
            <numerusform>%Ln Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TrialCurves</name>
    <message>
        <source>all trials</source>
        <translation>alle Trials</translation>
    </message>
    <message>
        <source>%1 of %2 trials</source>
        <translation>%1 von %2 Trials</translation>
    </message>
    <message>
        <source>best %1 of %2 trials</source>
        <translation>beste %1 von %2 Trials</translation>
    </message>
    <message>
        <source>Group the curves</source>
        <translation>Kurven gruppieren</translation>
    </message>
    <message>
        <source>Each trial</source>
        <translation>Jeder Trial</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>Konfigurationen</translation>
    </message>
    <message>
        <source>By %1</source>
        <translation>Nach %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TrialList</name>
    <message>
        <source>adopted trial %1 at epoch %2</source>
        <translation>übernahm Trial %1 bei Epoche %2</translation>
    </message>
    <message>
        <source>adopted trial %1 at step %2</source>
        <translation>übernahm Trial %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TrialPane</name>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>Filter: lr&lt;0.1 and status:stopped</source>
        <translation>Filter: lr&lt;0.1 and status:stopped</translation>
    </message>
    <message>
        <source>Filter the trials</source>
        <translation>Trials filtern</translation>
    </message>
    <message>
        <source>lr&lt;0.1   val/accuracy&gt;0.9   lr in 0.01..0.1   status:failed
Combine with “and”; a series means its best value</source>
        <translation>lr&lt;0.1   val/accuracy&gt;0.9   lr in 0.01..0.1   status:failed
verknüpft mit „and“; eine Messreihe steht für ihren besten Wert</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Show all trials  Esc</source>
        <translation>Alle Trials zeigen  Esc</translation>
    </message>
    <message>
        <source>%1 of %2 trials</source>
        <translation>%1 von %2 Trials</translation>
    </message>
    <message>
        <source>, by the brush on %1</source>
        <translation>, nach dem Bereich auf %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TrialTable</name>
    <message>
        <source>Trials</source>
        <translation>Trials</translation>
    </message>
    <message>
        <source>Order paused</source>
        <translation>Reihenfolge angehalten</translation>
    </message>
    <message>
        <source>The rows are sorted again when the pointer leaves the table</source>
        <translation>Die Zeilen werden neu sortiert, sobald der Zeiger die Tabelle verlässt</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TrialsModel</name>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <source>%1; no other trial beats it in both series</source>
        <translation>%1; kein anderer Trial schlägt ihn in beiden Messreihen</translation>
    </message>
    <message>
        <source>Not used by this trial</source>
        <translation>Dieser Trial hat es nicht</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>Trial</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::UnitField</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::UsualOptimizer</name>
    <message>
        <source>%1 is usually trained with %2 and a learning rate of %3.</source>
        <translation>%1 wird meist mit %2 und der Lernrate %3 trainiert.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ValuesSheet</name>
    <message>
        <source>Values of %1</source>
        <translation>Werte von %1</translation>
    </message>
    <message>
        <source>%1 rows so far</source>
        <translation>%1 Zeilen, Stand jetzt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Copy selected</source>
        <translation>Auswahl kopieren</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alle kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::VaryToggle</name>
    <message>
        <source>Vary %1</source>
        <translation>%1 variieren</translation>
    </message>
    <message>
        <source>Vary %1: try several values, one trial each (Alt+V)</source>
        <translation>%1 variieren: mehrere Werte versuchen, je ein Trial (Alt+V)</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::VersionCard</name>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>New version…</source>
        <translation>Neue Version…</translation>
    </message>
    <message>
        <source>Promote</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Roll back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>To the canary</source>
        <translation>An den Canary</translation>
    </message>
    <message>
        <source>Share of the canary, percent</source>
        <translation>Anteil des Canary in Prozent</translation>
    </message>
    <message>
        <source>The share of the requests that the canary answers; at 0 it ends</source>
        <translation>Der Anteil der Anfragen, die der Canary beantwortet; bei 0 endet er</translation>
    </message>
    <message>
        <source>%1 answers all requests from now on</source>
        <translation>%1 beantwortet ab jetzt alle Anfragen</translation>
    </message>
    <message>
        <source>There is neither a canary nor a shadow: add a new version first</source>
        <translation>Weder ein Canary noch ein Schatten ist da: erst eine neue Version hinzufügen</translation>
    </message>
    <message>
        <source>%1, which is still warm, answers again</source>
        <translation>%1, die noch warm ist, antwortet wieder</translation>
    </message>
    <message>
        <source>There is no former version to go back to</source>
        <translation>Es gibt keine vorherige Version</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::VersionTable</name>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ViewPanel</name>
    <message>
        <source>Export chart or data</source>
        <translation>Diagramm oder Daten exportieren</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::WaitingPlot</name>
    <message>
        <source>No points yet</source>
        <translation>Noch keine Punkte</translation>
    </message>
    <message>
        <source>The curve starts with the first value of %1.</source>
        <translation>Die Kurve beginnt mit dem ersten Wert von %1.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::WeightRows</name>
    <message>
        <source>Quick head</source>
        <translation>Schneller Kopf</translation>
    </message>
    <message>
        <source>random weights</source>
        <translation>zufällige Gewichte</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message numerus="yes">
        <source>%n epochs of the last layer alone, in seconds</source>
        <translation>
            <numerusform>%n Epoche allein der letzten Schicht, in Sekunden</numerusform>
            <numerusform>%n Epochen allein der letzten Schicht, in Sekunden</numerusform>
        </translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Use %1 pixels</source>
        <translation>%1 Pixel verwenden</translation>
    </message>
    <message>
        <source>The file has weights of %1, made for pictures of %2 × %2 pixels.</source>
        <translation>Die Datei hat Gewichte von %1, für Bilder von %2 × %2 Pixeln.</translation>
    </message>
    <message>
        <source>The file has weights of %1.</source>
        <translation>Die Datei hat Gewichte von %1.</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>The pictures have %1 × %2 pixels. At %3 × %3 a model that begins with weights, such as torchvision&apos;s, learns from few of them.</source>
        <translation>Die Bilder haben %1 × %2 Pixel. Mit %3 × %3 lernt ein Modell, das mit Gewichten beginnt, etwa denen von torchvision, aus wenigen davon.</translation>
    </message>
    <message>
        <source>Choose weights…</source>
        <translation>Gewichte wählen…</translation>
    </message>
    <message>
        <source>Start a run that trains the last layer alone, on what the rest of the model says of each sample, computed once. AdamW takes the place of SGD. Then “Train on from here” trains all of it.</source>
        <translation>Einen Lauf starten, der allein die letzte Schicht trainiert, mit den einmal berechneten Ausgaben des übrigen Modells. AdamW tritt an die Stelle von SGD. „Von hier weitertrainieren“ trainiert danach das ganze.</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::WhereFields</name>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>All hosts: %1</source>
        <translation>Alle Hosts: %1</translation>
    </message>
    <message>
        <source>Slurm cluster</source>
        <translation>Slurm-Cluster</translation>
    </message>
    <message>
        <source>Choose hosts…</source>
        <translation>Hosts auswählen…</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::WorkerList</name>
    <message>
        <source>rank %1: %2, %3</source>
        <translation>Rank %1: %2, %3</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>Sync</translation>
    </message>
    <message>
        <source>rank %1, process %2, %3
memory %4
now: %5</source>
        <translation>Rank %1, Prozess %2, %3
Speicher %4
jetzt: %5</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ui::YRangeSheet</name>
    <message>
        <source>Y range of %1</source>
        <translation>y-Bereich von %1</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>Höchster</translation>
    </message>
    <message>
        <source>Lowest</source>
        <translation>Niedrigster</translation>
    </message>
    <message>
        <source>Fit to the points</source>
        <translation>An die Punkte anpassen</translation>
    </message>
    <message>
        <source>Drop the typed range and fit the axis to the points</source>
        <translation>Hebt den eingegebenen Bereich auf; die Achse passt sich an</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
</context>
</TS>
