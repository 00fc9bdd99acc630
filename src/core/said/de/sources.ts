/** What is said of databases, documents and files. */
export const sources = {
  'This address is internal, or its host name is unknown. The operator can allow an internal host with http.allowHosts in the configuration.':
    'Diese Adresse ist intern, oder ihr Hostname ist unbekannt. Der Betreiber kann einen internen Host mit http.allowHosts in der Konfiguration erlauben.',
  'There is no such file in a folder that the operator allows. The operator can allow a folder with server.databaseFolders in the configuration, or name the database there.':
    'In keinem Ordner, den der Betreiber erlaubt, gibt es eine solche Datei. Der Betreiber kann einen Ordner mit server.databaseFolders in der Konfiguration erlauben oder die Datenbank dort nennen.',
  'This is a file of Tutti itself, so it cannot be connected.':
    'Das ist eine Datei von Tutti selbst und lässt sich nicht verbinden.',
  'Name user, password and host in the PostgreSQL address, and no option but sslmode: postgres://user:password@host/database?sslmode=require.':
    'Nennen Sie in der PostgreSQL-Adresse Benutzer, Passwort und Host und keine Option außer sslmode: postgres://user:password@host/database?sslmode=require.',
  'There is no database "{}". There is: {}.': 'Es gibt keine Datenbank „{}“. Es gibt: {}.',
  'No database is open to you. {}': 'Ihnen steht keine Datenbank offen. {:}',
  'No API is open to you. {}': 'Ihnen steht keine API offen. {:}',
  'An admin can give you one (Admin, Access).': 'Ein Admin kann Ihnen eine geben (Verwaltung, Zugriff).',
  'Add some on the page Documents, or have an admin give you a collection.':
    'Fügen Sie auf der Seite Dokumente welche hinzu, oder lassen Sie sich von einem Admin eine Sammlung geben.',
  'No database is configured.': 'Es ist keine Datenbank eingerichtet.',
  'Name one with the option databases, or in the configuration.':
    'Nennen Sie eine mit der Option databases oder in der Konfiguration.',
  'Name its OpenAPI document with the option apis, or in the configuration.':
    'Nennen Sie ihr OpenAPI-Dokument mit der Option apis oder in der Konfiguration.',
  'No documents have been added. {}': 'Es sind noch keine Dokumente da. {:}',
  'Name them with the option documents.': 'Nennen Sie sie mit der Option documents.',
  'The query took longer than {} s and was stopped; make it narrower (a filter, fewer joins) and try again.':
    'Die Abfrage dauerte länger als {} s und wurde angehalten; machen Sie sie enger (ein Filter, weniger Joins), und versuchen Sie es noch einmal.',
  'The query was cancelled.': 'Die Abfrage wurde abgebrochen.',
  'The query is empty.': 'Die Abfrage ist leer.',
  'The query contains a NUL character.': 'Die Abfrage enthält ein NUL-Zeichen.',
  'The query contains a NUL character; remove it.': 'Die Abfrage enthält ein NUL-Zeichen; entfernen Sie es.',
  'Only SELECT queries can be run here.': 'Hier laufen nur SELECT-Abfragen.',
  'The query was stopped before it began.': 'Die Abfrage wurde angehalten, bevor sie begann.',
  'The result is larger than 64 MB; select fewer or shorter columns, or fewer rows.':
    'Das Ergebnis ist größer als 64 MB; wählen Sie weniger oder kürzere Spalten oder weniger Zeilen.',
  'The connection to MySQL broke: {}': 'Die Verbindung zu MySQL brach ab: {}',
  'The connection to PostgreSQL broke: {}': 'Die Verbindung zu PostgreSQL brach ab: {}',
  'The SQLite process cannot be used: {}': 'Der SQLite-Prozess lässt sich nicht benutzen: {:}',
  'The SQLite process was lost: {}.': 'Der SQLite-Prozess ging verloren: {}.',
  'MCP server "{}" answered mcp_db_query in a form that is not understood; expected {success, columns, data, row_count, error}.':
    'Der MCP-Server „{}“ hat mcp_db_query in einer Form beantwortet, die nicht verstanden wird; erwartet: {success, columns, data, row_count, error}.',
  'A database address is not understood; use sqlite:path/to/file.db, postgres://user:password@host/database or mysql://user:password@host/database.':
    'Eine Datenbankadresse wird nicht verstanden; schreiben Sie sqlite:pfad/zur/datei.db, postgres://name:passwort@host/datenbank oder mysql://name:passwort@host/datenbank.',
  '"{}:" is not understood; use sqlite:path/to/file.db, postgres://user:password@host/database or mysql://user:password@host/database.':
    '„{}:“ wird nicht verstanden; schreiben Sie sqlite:pfad/zur/datei.db, postgres://name:passwort@host/datenbank oder mysql://name:passwort@host/datenbank.',
  'The database URL is malformed; special characters in user and password must be percent-encoded.':
    'Die Datenbankadresse ist falsch geschrieben; Sonderzeichen in Name und Passwort müssen prozentkodiert sein.',
  'The database URL does not name a database: {}//host/database.':
    'Die Datenbankadresse nennt keine Datenbank: {}//host/datenbank.',
  'The SQLite address does not name a file: sqlite:path/to/file.db.':
    'Die SQLite-Adresse nennt keine Datei: sqlite:pfad/zur/datei.db.',
  '{} is malformed; it has two slashes before its host (scheme://host), and special characters in user and password must be percent-encoded, such as %40 for @, %2F for /, %23 for # and %25 for %.':
    '{} ist falsch geschrieben; vor dem Host stehen zwei Schrägstriche (schema://host), und Sonderzeichen in Name und Passwort müssen prozentkodiert sein, etwa %40 für @, %2F für /, %23 für # und %25 für %.',
  'MySQL at {} refused user "{}"; check user, password and rights on database "{}".':
    'MySQL auf {} hat „{}“ abgewiesen; prüfen Sie Name, Passwort und Rechte an der Datenbank „{}“.',
  'MySQL at {} has no database "{}".': 'MySQL auf {} hat keine Datenbank „{}“.',
  'PostgreSQL at {} refused user "{}"; check user and password of database "{}".':
    'PostgreSQL auf {} hat „{}“ abgewiesen; prüfen Sie Name und Passwort der Datenbank „{}“.',
  'PostgreSQL at {} has no database "{}".': 'PostgreSQL auf {} hat keine Datenbank „{}“.',
  'The user "{}" of the database "{}" is {}, so a query that got past the other walls could reach files and programs of the server. Log in as a role that can only read: {} Or write "allowSuperuser: true" for this database under "databases" in the configuration file.':
    '„{}“ an der Datenbank „{}“ ist {}; eine Abfrage, die an den anderen Mauern vorbeikäme, könnte Dateien und Programme des Servers erreichen. Melden Sie sich mit einer Rolle an, die nur lesen kann: {} Oder schreiben Sie für diese Datenbank „allowSuperuser: true“ unter „databases“ in die Konfigurationsdatei.',
  'The account {} of the database "{}" has the right {} on the whole server, so a query that got past the other walls could reach files of the server. Log in with an account that can only read: {} Or write "allowSuperuser: true" for this database under "databases" in the configuration file.':
    'Das Konto {} der Datenbank „{}“ hat das Recht {} am ganzen Server; eine Abfrage, die an den anderen Mauern vorbeikäme, könnte Dateien des Servers erreichen. Melden Sie sich mit einem Konto an, das nur lesen kann: {} Oder schreiben Sie für diese Datenbank „allowSuperuser: true“ unter „databases“ in die Konfigurationsdatei.',
  '{} is not an SQLite database, or it is encrypted.': '{} ist keine SQLite-Datenbank, oder sie ist verschlüsselt.',
  '{} is damaged: {}.': '{} ist beschädigt: {}.',
  'The SQLite database {} cannot be opened: {}': 'Die SQLite-Datenbank {} lässt sich nicht öffnen: {:}',
  'Cannot open the SQLite database {}: {}.': 'Die SQLite-Datenbank {} lässt sich nicht öffnen: {:}.',
  'there is no such file': 'diese Datei gibt es nicht',
  'it may not be read ({})': 'sie darf nicht gelesen werden ({})',
  'it is a directory': 'das ist ein Ordner',
  'it is not a file': 'das ist keine Datei',
  'SELECT … INTO creates a table; only reading is allowed. Leave INTO out.':
    'SELECT … INTO legt eine Tabelle an; erlaubt ist nur Lesen. Lassen Sie INTO weg.',
  'SELECT … INTO writes; only reading is allowed. Leave INTO out.':
    'SELECT … INTO schreibt; erlaubt ist nur Lesen. Lassen Sie INTO weg.',
  'Its user may read none of its tables. Let it read: {}':
    'Der angegebene Name darf keine ihrer Tabellen lesen. Geben Sie ihm das Recht: {}',
  'It has no table that may be read. Make one there, or use another database.':
    'Sie hat keine Tabelle, die gelesen werden darf. Legen Sie dort eine an, oder nehmen Sie eine andere Datenbank.',
  'It has no table that may be read in the schema that is read ("public" unless the configuration says otherwise). Make one there, or use another database.':
    'Sie hat in dem Schema, das gelesen wird („public“, wenn die Konfiguration nichts anderes sagt), keine Tabelle, die gelesen werden darf. Legen Sie dort eine an, oder nehmen Sie eine andere Datenbank.',
  'This server does not say how it understands a query (PREPARE with debug_print_parse, as PostgreSQL does), so none is run. Write "serverCheck: false" for this database in the configuration file to go without this wall.':
    'Dieser Server sagt nicht, wie er eine Abfrage versteht (PREPARE mit debug_print_parse, wie PostgreSQL), deshalb läuft keine. Schreiben Sie für diese Datenbank „serverCheck: false“ in die Konfigurationsdatei, um ohne diese Mauer auszukommen.',
  '{}, {} tables': '{}, {} Tabellen',
  '{}, {} table': '{}, {} Tabelle',
  'answers, {} tools': 'antwortet, {} Werkzeuge',
  'answers, {} tool': 'antwortet, {} Werkzeug',
  answers: 'antwortet',
  'The query was not allowed: {}': 'Die Abfrage war nicht erlaubt: {:}',
  'The query failed: {}': 'Die Abfrage ist fehlgeschlagen: {}',
  'The query is too complex to be checked ({}); write it shorter and simpler.':
    'Die Abfrage ist zu verwickelt, um geprüft zu werden ({}); schreiben Sie sie kürzer und einfacher.',
  'The query does not parse as {}: {}.': 'Die Abfrage ist kein gültiges {}: {}.',
  'The query has {} characters; at most {} are allowed. Write a shorter query.':
    'Die Abfrage hat {} Zeichen; höchstens {} sind erlaubt. Schreiben Sie eine kürzere.',
  'The query contains half of a surrogate pair, which is not valid Unicode; remove it.':
    'Die Abfrage enthält ein halbes Zeichen, das kein gültiges Unicode ist; entfernen Sie es.',
  'The query is nested too deeply; write it with fewer nested parts.':
    'Die Abfrage ist zu tief verschachtelt; schreiben Sie sie flacher.',
  'EXPLAIN is allowed without {}: a query is only planned here.':
    'EXPLAIN ist ohne {} erlaubt: Eine Abfrage wird hier nur geplant.',
  'Columns of subqueries and CTEs are used in each other so often that the query grows to more than {} parts; use each column fewer times.':
    'Spalten von Unterabfragen und CTEs kommen so oft ineinander vor, dass die Abfrage auf mehr als {} Teile wächst; benutzen Sie jede Spalte seltener.',
  '{} is not allowed; it tells about the server, not about the data.':
    '{} ist nicht erlaubt; es erzählt vom Server, nicht von den Daten.',
  'Function {} is not on the allow-list of read-only functions.':
    'Die Funktion {} steht nicht auf der Liste der nur lesenden Funktionen.',
  'The database has a function {} of its own; write pg_catalog.{}(…).':
    'Die Datenbank hat eine eigene Funktion {}; schreiben Sie pg_catalog.{}(…).',
  'The database has a function {} of its own, which would be called; do without it.':
    'Die Datenbank hat eine eigene Funktion {}, die aufgerufen würde; kommen Sie ohne sie aus.',
  'Operator {} is not on the allow-list; allowed: {}.': 'Der Operator {} steht nicht auf der Liste; erlaubt: {}.',
  'Operator {} is not on the allow-list.': 'Der Operator {} steht nicht auf der Liste.',
  'The database has an operator {} of its own; write a OPERATOR(pg_catalog.{}) b.':
    'Die Datenbank hat einen eigenen Operator {}; schreiben Sie a OPERATOR(pg_catalog.{}) b.',
  'Type {} is not on the allow-list; allowed: {}.': 'Der Typ {} steht nicht auf der Liste; erlaubt: {}.',
  'Type {} is not among the types a value may be cast to.':
    'Der Typ {} gehört nicht zu denen, in die umgewandelt werden darf.',
  'Column {} has too many parts; write table.column.':
    'Die Spalte {} hat zu viele Teile; schreiben Sie tabelle.spalte.',
  "Column {} is a system column; only the tables' own columns are allowed.":
    'Die Spalte {} gehört dem System; erlaubt sind nur eigene Spalten der Tabellen.',
  '{} is no table or alias that can be named here; look at FROM.':
    '{} ist keine Tabelle und kein Alias, die hier genannt werden können; sehen Sie in FROM nach.',
  '{} is not a known column; known there: {}.': '{} ist keine bekannte Spalte; bekannt sind dort: {}.',
  '{} may be a call of the function {}; name the columns with AS t(a, b), and choose other names.':
    '{} kann ein Aufruf der Funktion {} sein; nennen Sie die Spalten mit AS t(a, b), und wählen Sie andere Namen.',
  'The query would build more than {} characters; choose shorter texts or fewer rows.':
    'Die Abfrage würde mehr als {} Zeichen erzeugen; wählen Sie kürzere Texte oder weniger Zeilen.',
  "Beside a series whose ends come from data no number may be above {}; write the series' ends as plain numbers.":
    'Neben einer Reihe, deren Enden aus Daten kommen, darf keine Zahl über {} liegen; schreiben Sie die Enden als einfache Zahlen.',
  'The recursive part of a CTE puts a column together with itself by {}, which doubles it in each turn; use the column once.':
    'Der rekursive Teil einer CTE fügt eine Spalte durch {} mit sich selbst zusammen, was sie jedes Mal verdoppelt; benutzen Sie die Spalte einmal.',
  'A call of generate_series() is not bounded: {}.': 'Ein Aufruf von generate_series() ist nicht begrenzt: {}.',
  'FOR UPDATE and FOR SHARE lock rows; only reading is allowed. Leave the clause out.':
    'FOR UPDATE und FOR SHARE sperren Zeilen; erlaubt ist nur Lesen. Lassen Sie das weg.',
  '{} is not allowed in FROM; use tables, subqueries and functions of the allow-list.':
    '{} ist in FROM nicht erlaubt; benutzen Sie Tabellen, Unterabfragen und erlaubte Funktionen.',
  'TABLESAMPLE {} is not allowed; use BERNOULLI or SYSTEM.':
    'TABLESAMPLE {} ist nicht erlaubt; benutzen Sie BERNOULLI oder SYSTEM.',
  'TABLESAMPLE takes plain numbers only; write for example BERNOULLI (10) REPEATABLE (1).':
    'TABLESAMPLE nimmt nur einfache Zahlen; schreiben Sie etwa BERNOULLI (10) REPEATABLE (1).',
  'Table {} is named with its database; write it as table or schema.table.':
    'Die Tabelle {} ist mit ihrer Datenbank genannt; schreiben Sie tabelle oder schema.tabelle.',
  'Table {} has too many name parts; write table or schema.table.':
    'Der Name der Tabelle {} hat zu viele Teile; schreiben Sie tabelle oder schema.tabelle.',
  'Table {} is in double quotes, which MySQL reads as text; use backticks.':
    'Die Tabelle {} steht in Anführungszeichen, was MySQL als Text liest; nehmen Sie Gravis-Zeichen (`).',
  'Table {} is not on the allow-list; allowed: {}.': 'Die Tabelle {} steht nicht auf der Liste; erlaubt: {}.',
  '{} is read before it is defined; put its definition first in WITH RECURSIVE.':
    '{} wird gelesen, bevor es definiert ist; stellen Sie die Definition in WITH RECURSIVE nach vorn.',
  '{} is not among the parts of a query that are allowed.': '{} gehört nicht zu den erlaubten Teilen einer Abfrage.',
  '{} ({}) is not among the parts of a query that are allowed.':
    '{} ({}) gehört nicht zu den erlaubten Teilen einer Abfrage.',
  'The part {} of a query is not allowed.': 'Der Teil {} einer Abfrage ist nicht erlaubt.',
  'The series and lists of the query multiply to more than {} rows; choose shorter ones or join fewer of them.':
    'Die Reihen und Listen der Abfrage ergeben zusammen mehr als {} Zeilen; wählen Sie kürzere, oder verbinden Sie weniger davon.',
  'The length given to {}() must be a plain number of at most {}.':
    'Die Länge für {}() muss eine einfache Zahl von höchstens {} sein.',
  'The lengths given to {}() and others multiply to more than {}; choose shorter ones.':
    'Die Längen für {}() und andere ergeben zusammen mehr als {}; wählen Sie kürzere.',
  'The first argument of {}() must be a text literal.':
    'Das erste Argument von {}() muss ein Text in Anführungszeichen sein.',
  'Widths in a {}() pattern must be numbers below 1000, written in the pattern.':
    'Breiten in einem Muster von {}() müssen Zahlen unter 1000 sein, die im Muster stehen.',
  'The text has {} {} but was read with {}; quote names that are keywords.':
    'Der Text hat {} {}, gelesen wurde er mit {}; setzen Sie Namen, die Schlüsselwörter sind, in Anführungszeichen.',
  'Columns of subqueries and CTEs are used in each other more than {} times; use each column fewer times.':
    'Spalten von Unterabfragen und CTEs kommen mehr als {} Mal ineinander vor; benutzen Sie jede Spalte seltener.',
  'The query has {} operators; at most {} are allowed. Use IN (…) for long lists.':
    'Die Abfrage hat {} Operatoren; höchstens {} sind erlaubt. Nehmen Sie IN (…) für lange Listen.',
  'Variables (@x, @@x) and named parameters are not allowed; write the value itself.':
    'Variablen (@x, @@x) und benannte Parameter sind nicht erlaubt; schreiben Sie den Wert selbst.',
  'Variables are not allowed; write the value itself.': 'Variablen sind nicht erlaubt; schreiben Sie den Wert selbst.',
  'The parameter sign {} is not allowed outside quotes; write the value itself.':
    'Das Parameterzeichen {} ist außerhalb von Anführungszeichen nicht erlaubt; schreiben Sie den Wert selbst.',
  'A backslash is not allowed outside quotes; remove it.':
    'Ein umgekehrter Schrägstrich ist außerhalb von Anführungszeichen nicht erlaubt; entfernen Sie ihn.',
  'The character U+{} is not allowed outside quotes; remove it.':
    'Das Zeichen U+{} ist außerhalb von Anführungszeichen nicht erlaubt; entfernen Sie es.',
  'In MySQL a -- comment needs a space after it; add one, or write - - for a double minus.':
    'In MySQL braucht ein Kommentar mit -- ein Leerzeichen dahinter; setzen Sie eines, oder schreiben Sie - - für ein doppeltes Minus.',
  'There is a carriage return inside a comment; remove it.':
    'In einem Kommentar steht ein Wagenrücklauf; entfernen Sie ihn.',
  'A comment is not closed; add */ or remove it.':
    'Ein Kommentar ist nicht geschlossen; fügen Sie */ an, oder entfernen Sie ihn.',
  'Executable comments and hints (/*! */, /*M! */, /*+ */) are not allowed; remove them.':
    'Ausführbare Kommentare und Hinweise (/*! */, /*M! */, /*+ */) sind nicht erlaubt; entfernen Sie sie.',
  'Comments must not be nested; remove the inner one.':
    'Kommentare dürfen nicht verschachtelt sein; entfernen Sie den inneren.',
  'A text that starts with {} is not closed; add the closing quote.':
    'Ein Text, der mit {} beginnt, ist nicht geschlossen; fügen Sie das Schlusszeichen an.',
  'A name in square brackets must not hold a bracket.': 'Ein Name in eckigen Klammern darf keine Klammer enthalten.',
  'A backslash in a MySQL literal means different things by server setting; write it without one.':
    'Ein umgekehrter Schrägstrich in einem MySQL-Text bedeutet je nach Server anderes; schreiben Sie ihn ohne.',
  "A quoted text touches a word, as in x'41'; put a space between them or write a plain literal.":
    "Ein Text in Anführungszeichen berührt ein Wort, wie in x'41'; setzen Sie ein Leerzeichen dazwischen, oder schreiben Sie einen einfachen Text.",
  '{} is neither a number nor a name; put a space after a number, quotes around a name.':
    '{} ist weder Zahl noch Name; setzen Sie hinter eine Zahl ein Leerzeichen, um einen Namen Anführungszeichen.',
  'The parser gave a tree of an unknown form; write the query simpler.':
    'Die Abfrage ließ sich nicht sicher lesen; schreiben Sie sie einfacher.',
  'A literal of the kind {} is not allowed; write a plain number or text.':
    'Ein Wert der Art {} ist nicht erlaubt; schreiben Sie eine einfache Zahl oder einen Text.',
  'For the server this is not one query that only reads.': 'Für den Server ist das keine Abfrage, die nur liest.',
  "PostgreSQL's own reading of the query is refused: {}. Write it more simply.":
    'Wie PostgreSQL die Abfrage liest, wird abgelehnt: {}. Schreiben Sie sie einfacher.',
  'PostgreSQL would use {} for this query, which is not on the allow-list.{}':
    'PostgreSQL würde für diese Abfrage {} benutzen, was nicht auf der Liste steht.{}',
  'SQLite would {} for this query; that is not on the allow-list.':
    'SQLite würde für diese Abfrage {}; das steht nicht auf der Liste.',
  'Only reading is allowed, and the query has "{}" in it.': 'Erlaubt ist nur Lesen, und in der Abfrage steht „{}“.',
  '{} cannot be used as an API catalogue: {}.': '{} lässt sich nicht als API-Verzeichnis benutzen: {}.',
  'The query is empty; write exactly one SELECT statement.': 'Die Abfrage ist leer; schreiben Sie genau ein SELECT.',
  'Only SELECT is allowed; this is a {} statement.': 'Erlaubt ist nur SELECT; das ist {}.',
  'Only SELECT is allowed; a part of the query is {}.': 'Erlaubt ist nur SELECT; ein Teil der Abfrage ist {}.',
  'The query has {} statements; write exactly one SELECT.':
    'Die Abfrage hat {} Anweisungen; schreiben Sie genau ein SELECT.',
  'This form of EXPLAIN is not allowed; write EXPLAIN SELECT ….':
    'Diese Form von EXPLAIN ist nicht erlaubt; schreiben Sie EXPLAIN SELECT ….',
  'EXPLAIN is not available for this kind of database; write the SELECT alone.':
    'EXPLAIN gibt es für diese Art von Datenbank nicht; schreiben Sie nur das SELECT.',
  'WITH may only hold SELECT; {} is {}.': 'In WITH darf nur SELECT stehen; {} ist {}.',
  'Something follows the semicolon; write exactly one SELECT statement.':
    'Hinter dem Strichpunkt folgt noch etwas; schreiben Sie genau ein SELECT.',
  'The statement returns no rows; only SELECT queries can be run here.':
    'Die Anweisung gibt keine Zeilen zurück; hier laufen nur SELECT-Abfragen.',
  'All connections to "{}" are busy; try again later.':
    'Alle Verbindungen zu „{}“ sind belegt; versuchen Sie es später noch einmal.',
  'No API is configured.': 'Es ist keine API eingerichtet.',
  'Whoever runs Tutti names its OpenAPI document when Tutti is started; the guide tells how.':
    'Wer Tutti betreibt, nennt beim Start ihr OpenAPI-Dokument; wie, sagt das Handbuch.',
  'local mailbox {} (what is sent is kept in the local mailbox; nothing leaves this machine)':
    'lokales Postfach {} (Gesendetes bleibt im lokalen Postfach; nichts verlässt diesen Rechner)',
  'IMAP {} as {}, SMTP {}': 'IMAP {} als {}, SMTP {}',
  'IMAP {} as {}, sending is not set up': 'IMAP {} als {}, Senden ist nicht eingerichtet',
  'Without a language model, only databases that tell their schema can be asked.':
    'Ohne Sprachmodell lassen sich nur Datenbanken fragen, die ihr Schema nennen.',
} as const
