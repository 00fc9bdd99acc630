/** What is said of requests, and of what is kept: documents, runs, evaluations, schedules, shares. */
export const server = {
  'There is no approval {}.': 'Es gibt keine Freigabe {}.',
  'The context key "{}" is not accepted over HTTP. The operator can allow it with server.allowContextKeys in the configuration.':
    'Der Kontextschlüssel „{}“ wird über HTTP nicht angenommen. Der Betreiber kann ihn mit server.allowContextKeys in der Konfiguration erlauben.',
  'The disk of the store is full.': 'Die Festplatte des Speichers ist voll.',
  'The store is read-only.': 'Der Speicher lässt sich nur lesen.',
  'The store cannot be written. The reason is in the log of the server.':
    'Der Speicher lässt sich nicht schreiben. Der Grund steht im Protokoll des Servers.',
  'There is no conversation {}.': 'Es gibt kein Gespräch {}.',
  'There is no conversation "{}".': 'Es gibt kein Gespräch „{}“.',
  'There is no turn {} in conversation {}.': 'Es gibt keine Frage {} im Gespräch {}.',
  'A conversation cannot be continued without memory; choose one of the two.':
    'Ein Gespräch lässt sich ohne Gedächtnis nicht fortsetzen; wählen Sie eines von beiden.',
  'There is no database {}.': 'Es gibt keine Datenbank {}.',
  '{} does not tell its tables.': '{} nennt seine Tabellen nicht.',
  'The query failed.': 'Die Abfrage ist fehlgeschlagen.',
  '{} did not answer within {} s; ask for less (a filter, fewer joins), or try again later.':
    '{} hat nicht binnen {} s geantwortet; fragen Sie nach weniger (ein Filter, weniger Joins), oder versuchen Sie es später noch einmal.',
  'There is no table {}.': 'Es gibt keine Tabelle {}.',
  '{} holds numbers; “{}” is none. Write it as 1234.5.':
    '{} enthält Zahlen; „{}“ ist keine. Schreiben Sie sie als 1234.5.',
  'The filter “{}” cannot be read; write column:how:value, and for how one of {}.':
    'Der Filter „{}“ lässt sich nicht lesen; schreiben Sie Spalte:wie:Wert, und für „wie“ eines von {}.',
  'This link is closed: whoever made it may not use a source any more that is in it. Once they may again, it is open again.':
    'Dieser Link ist geschlossen: Wer ihn gemacht hat, darf eine Quelle nicht mehr benutzen, die darin vorkommt. Sobald das wieder erlaubt ist, ist er wieder offen.',
  'There is no column {}; there are: {}.': 'Es gibt keine Spalte {}; es gibt: {}.',
  '{} was sent here and is not kept; send it again.':
    '{} wurde hierher gesendet und nicht aufbewahrt; senden Sie es noch einmal.',
  '{} is not there any more.': '{} gibt es nicht mehr.',
  'The document has no such passage; it may have changed since.':
    'Diese Stelle hat das Dokument nicht; vielleicht hat es sich seither geändert.',
  'There is no document {}.': 'Es gibt kein Dokument {}.',
  'Send at least one file, as multipart/form-data.': 'Senden Sie mindestens eine Datei, als multipart/form-data.',
  'Of {} {} bytes are missing still; send them first.': 'Von {} fehlen noch {} Byte; senden Sie sie zuerst.',
  'This is no whole multipart/form-data: {}.': 'Das ist kein vollständiges multipart/form-data: {}.',
  'These are more than {} files; send them in several requests.':
    'Das sind mehr als {} Dateien; senden Sie sie in mehreren Anfragen.',
  '{} is larger than {} MB, the most that is taken.': '{} ist größer als {} MB; mehr wird nicht angenommen.',
  'There are no files of a kind that can be read in {}.': 'In {} gibt es keine Dateien, die sich lesen lassen.',
  'There are no files in this collection; send them again.':
    'In dieser Sammlung sind keine Dateien; senden Sie sie noch einmal.',
  '{} changed while it was read; ask again.': '{} hat sich geändert, während es gelesen wurde; fragen Sie noch einmal.',
  '{} is not kept as a file; its text is.': '{} ist nicht als Datei aufbewahrt, nur sein Text.',
  '{} has changed since it was read; have it read again.':
    '{} hat sich geändert, seit es gelesen wurde; lassen Sie es neu lesen.',
  'This was done, and what it made is gone since; send it with a new Idempotency-Key to make another.':
    'Das wurde getan, und was dabei entstand, gibt es nicht mehr; senden Sie es mit einem neuen Idempotency-Key, um es neu anzulegen.',
  'This was done, and is not done again; its answer was too large to be kept. Look up what came of it.':
    'Das wurde getan und wird nicht noch einmal getan; die Antwort war zu groß, um aufbewahrt zu werden. Sehen Sie nach, was daraus wurde.',
  'The value is empty; erase the field with DELETE.': 'Der Wert ist leer; löschen Sie das Feld mit DELETE.',
  'This cursor is none that a list gave; leave it out to begin anew.':
    'Diesen Cursor hat keine Liste gegeben; lassen Sie ihn weg, um von vorn zu beginnen.',
  'Last-Event-ID is none that this stream gave; leave it out to begin anew.':
    'Diese Last-Event-ID hat der Strom nicht gegeben; lassen Sie sie weg, um von vorn zu beginnen.',
  'There is no run {}.': 'Es gibt keinen Lauf {}.',
  'This run has no plan yet.': 'Dieser Lauf hat noch keinen Plan.',
  'Run {} is {}; it can be done again when it is over.':
    'Der Lauf {} ist im Stand „{:}“; erneut begonnen werden kann er, wenn er zu Ende ist.',
  'The server stops. Run {} goes on; its answer will be at /runs/{}.':
    'Der Server hält an. Der Lauf {} geht weiter; seine Antwort steht dann unter /runs/{}.',
  'There is no such hook, or this is not its secret or signature.':
    'Diesen Aufruf gibt es nicht, oder Geheimnis oder Signatur stimmen nicht.',
  'Nothing was started. {}': 'Nichts wurde begonnen. {:}',
  'The body is no text in UTF-8; send it in UTF-8, and sign those bytes.':
    'Der Inhalt ist kein Text in UTF-8; senden Sie ihn in UTF-8, und signieren Sie diese Bytes.',
  'Say when with one of cron (and its zone), at and hook.':
    'Sagen Sie mit genau einem von cron (und seiner Zone), at und hook, wann.',
  'A schedule takes no "{}".': 'Ein Zeitplan kennt kein „{}“.',
  'Say {} once in the query; it is there several times.': 'Sagen Sie {} einmal in der Anfrage; es steht mehrmals da.',
  'The request is not valid: {}.': 'Die Anfrage ist nicht gültig: {}.',
  'Request {}: {}': 'Anfrage {}: {:}',
  'There is nothing here; see /openapi.json.': 'Hier ist nichts; siehe /openapi.json.',
  'This address takes {} alone.': 'Diese Adresse nimmt nur {}.',
  'The request is larger than the server takes.': 'Die Anfrage ist größer, als der Server annimmt.',
  'This address does not take the media type of the request; /openapi.json says which, mostly application/json.':
    'Diese Adresse nimmt den Medientyp der Anfrage nicht; /openapi.json sagt, welchen, meist application/json.',
  'The request names no host.': 'Die Anfrage nennt keinen Host.',
  'The request did not come to its end in time; send it again.':
    'Die Anfrage kam nicht rechtzeitig zu ihrem Ende; senden Sie sie noch einmal.',
  'The headers are larger than the server takes.': 'Die Kopfzeilen sind größer, als der Server annimmt.',
  'This is no HTTP request.': 'Das ist keine HTTP-Anfrage.',
  'Lists and objects of a body may lie {} deep in each other, and no deeper.':
    'Listen und Objekte dürfen {} Ebenen tief ineinander liegen, und nicht tiefer.',
  'Something is wrong on the server; its log says more of the request {}.':
    'Auf dem Server ging etwas schief; sein Protokoll sagt mehr zur Anfrage {}.',
  'There is no MCP server {}.': 'Es gibt keinen MCP-Server {}.',
  'What {} offers has changed meanwhile; look at it again.':
    'Was {} anbietet, hat sich inzwischen geändert; sehen Sie es noch einmal an.',
  'There is no skill {} of yours.': 'Sie haben keine Fertigkeit {}.',
  'This is a version of "{}": its name has to stay so.': 'Das ist eine Fassung von „{}“: Der Name muss so bleiben.',
  'There is no team {}.': 'Es gibt kein Team {}.',
  'The team {} is not used. Mend it, and have it tried again.':
    'Das Team {} ist nicht in Gebrauch. Ändern Sie es, und lassen Sie es noch einmal prüfen.',
  'A team cannot be called "{}": {}.': 'Ein Team kann nicht „{}“ heißen: {}.',
  'You have no team {}.': 'Sie haben kein Team {}.',
  'Others ask for “{}” by its name. Stop sharing it first: "teams share {} --off".':
    'Andere fragen „{}“ unter diesem Namen. Teilen Sie es erst nicht mehr: „teams share {} --off“.',
  'A version of “{}” is in trial. Rename the team when that is over.':
    'Eine Fassung von „{}“ ist im Probelauf. Benennen Sie das Team um, wenn der vorbei ist.',
  '“{}” was changed meanwhile, or another team is called “{}” by now. Try again.':
    '„{}“ wurde inzwischen geändert, oder ein anderes Team heißt jetzt „{}“. Versuchen Sie es noch einmal.',
  'The team “{}” works with “{}” by its name. Take it out there first.':
    'Das Team „{}“ arbeitet mit „{}“ unter diesem Namen. Nehmen Sie es dort erst heraus.',
  'There is no version {} of {} that is yours and ready.': 'Von {2} haben Sie keine Fassung {1}, die bereit ist.',
  'This is no team: {}.': 'Das ist kein Team: {}.',
  'The team “{}” cannot be used here. {}': 'Das Team „{}“ lässt sich hier nicht benutzen. {:}',
  'The team “{}” is not used, since it did not pass its checks. {}':
    'Das Team „{}“ wird nicht benutzt, da es seine Prüfungen nicht bestand. {:}',
  'The header {} has to be a number of bytes, 0 or more.':
    'Die Kopfzeile {} muss eine Zahl von Bytes sein, 0 oder mehr.',
  'Upload-Metadata has to be names, each with its value in base64 after a space.':
    'Upload-Metadata muss aus Namen bestehen, jeder mit seinem Wert in Base64 hinter einem Leerzeichen.',
  'A fingerprint has 500 characters at most.': 'Ein Fingerabdruck hat höchstens 500 Zeichen.',
  'Only {} bytes are missing of this file, and more came.': 'Von dieser Datei fehlen nur {} Byte, und es kamen mehr.',
  'The connection broke off; go on from where the upload is.':
    'Die Verbindung brach ab; machen Sie dort weiter, wo der Upload steht.',
  'The next piece begins at {}; ask for the upload and go on from there.':
    'Das nächste Stück beginnt bei {}; fragen Sie nach dem Stand des Uploads, und machen Sie dort weiter.',
  'This server speaks tus {}; send Tus-Resumable: {}.': 'Dieser Server spricht tus {}; senden Sie Tus-Resumable: {}.',
  'This question came with files of its own, which a test does not have; add them to the documents and ask again.':
    'Diese Frage kam mit eigenen Dateien, die ein Test nicht hat; fügen Sie sie den Dokumenten hinzu, und fragen Sie noch einmal.',
  'There is no set {}.': 'Es gibt keinen Fragensatz {}.',
  'There are no cases yet; add a file of them, or make a test of an answer.':
    'Noch gibt es keine Fälle; fügen Sie eine Datei mit Fällen hinzu, oder machen Sie aus einer Antwort einen Test.',
  'An evaluation of yours is under way; wait for its end, or cancel it.':
    'Eine Ihrer Prüfungen läuft noch; warten Sie, bis sie zu Ende ist, oder brechen Sie sie ab.',
  '{} evaluations are the most; remove one first.': '{} Prüfungen sind das Höchste; entfernen Sie zuerst eine.',
  'There is no evaluation {}.': 'Es gibt keine Prüfung {}.',
  'This evaluation is over already.': 'Diese Prüfung ist schon zu Ende.',
  'This evaluation is under way; cancel it first.': 'Diese Prüfung läuft noch; brechen Sie sie zuerst ab.',
  '{} cases are the most; remove a set first.': '{} Fälle sind das Höchste; entfernen Sie zuerst einen Fragensatz.',
  'There is no {} {}.': 'Das gibt es nicht: {} {}.',
  'There is no case in {}.': 'In {} ist kein Fall.',
  '{}, line {}: {}.': '{}, Zeile {}: {:}.',
  'A set and a case have names of at most {} plain characters: {}…':
    'Fragensätze und Fälle haben Namen von höchstens {} einfachen Zeichen: {}…',
  'The case {} names sources of its own ("{}"); here, what is connected is asked. Take that out, or say that it does not matter.':
    'Der Fall {} nennt eigene Quellen („{}“); hier wird gefragt, was verbunden ist. Nehmen Sie das heraus, oder sagen Sie, dass es nicht darauf ankommt.',
  'Its run was erased.': 'Sein Lauf wurde gelöscht.',
  '{} is no evaluation; write one with "tutti eval FILE --json > {}".':
    '{} ist keine Prüfung; schreiben Sie eine mit „tutti eval FILE --json > {}“.',
  '{} schedules are the most; remove one first.': '{} Zeitpläne sind das Höchste; entfernen Sie zuerst einen.',
  'A hook has no time, and what has one is no hook; make another schedule.':
    'Was ein Programm auslöst, hat keine Zeit, und was eine hat, löst kein Programm aus; legen Sie einen anderen Zeitplan an.',
  'There is no schedule {}.': 'Es gibt keinen Zeitplan {}.',
  'There is no time zone "{}"; write one such as Europe/Berlin.':
    'Es gibt keine Zeitzone „{}“; schreiben Sie eine wie Europe/Berlin.',
  'That time never comes (again); name a later one.': 'Dieser Zeitpunkt kommt nicht (mehr); nennen Sie einen späteren.',
  '"{}" is no cron line: write minute, hour, day of the month, month and day of the week, such as "0 8 * * MON-FRI".':
    '„{}“ ist keine Cron-Zeile: Schreiben Sie Minute, Stunde, Tag des Monats, Monat und Wochentag, etwa „0 8 * * MON-FRI“.',
  '{} The schedule is paused, and it was not asked.': '{:} Der Zeitplan ist angehalten, und es wurde nicht gefragt.',
  '{}; it was not asked.': '{:}; es wurde nicht gefragt.',
  'The run was erased.': 'Der Lauf wurde gelöscht.',
  'The webhook did not take the answer: {}.': 'Der Webhook hat die Antwort nicht angenommen: {:}.',
  'This webhook cannot be reached: {}': 'Dieser Webhook ist nicht zu erreichen: {:}',
  'This is no pair to keep: {}.': 'Dieses Paar lässt sich nicht behalten: {:}.',
  'the run did not answer its question': 'Der Lauf hat seine Frage nicht beantwortet',
  'the answer does not come of one query alone': 'Die Antwort kommt nicht aus einer Abfrage allein',
  'its task was changed by hand': 'Die Aufgabe wurde von Hand geändert',
  'words such as "my" mean something else for others': 'Wörter wie „my“ bedeuten für andere etwas anderes',
  'the query names days that the question does not name in full; on another day it would be wrong':
    'Die Abfrage nennt Tage, die die Frage nicht ganz nennt; an einem anderen Tag wäre sie falsch',
  'The database "{}" has no terms yet. Write them with "tutti db describe --to FILE", and name the file as terms: in the configuration.':
    'Die Datenbank „{}“ hat noch keine Begriffe. Schreiben Sie sie mit „tutti db describe --to FILE“, und nennen Sie die Datei als terms: in der Konfiguration.',
  'This cannot be a verified question: {}': 'Das kann keine geprüfte Frage sein: {:}',
  'This server takes its set-up from its program alone.': 'Dieser Server wird nur durch sein Programm eingerichtet.',
  'Sources are connected on the machine of the server alone, since that opens files and addresses there. Open it at 127.0.0.1 there, or set "server": { "setup": true } in the configuration.':
    'Quellen werden nur auf dem Rechner des Servers verbunden, da das dort Dateien und Adressen öffnet. Öffnen Sie Tutti dort unter 127.0.0.1, oder setzen Sie "server": { "setup": true } in der Konfiguration.',
  '{} Nothing was kept.': '{:} Nichts wurde behalten.',
  'The configuration has a database {} already; choose another name.':
    'In der Konfiguration gibt es schon eine Datenbank {}; wählen Sie einen anderen Namen.',
  'It was not connected on this page; what stands in the environment or a file is taken out there.':
    'Das wurde nicht auf dieser Seite verbunden; was in der Umgebung oder einer Datei steht, nehmen Sie dort heraus.',
  'There is no artifact {}.': 'Es gibt keine Datei {}.',
  'There is no artifact {}. Without a data folder they are kept for a while, until the program ends.':
    'Es gibt keine Datei {}. Ohne Datenordner werden Dateien nur eine Weile aufbewahrt, bis das Programm endet.',
  'Response {} is of no conversation; send what was said before.':
    'Die Antwort {} gehört zu keinem Gespräch; senden Sie, was davor gesagt wurde.',
  '{}; see to those first.': '{:}; kümmern Sie sich zuerst darum.',
  'Mend that first; nothing was changed.': 'Beheben Sie das zuerst; nichts wurde geändert.',
} as const
