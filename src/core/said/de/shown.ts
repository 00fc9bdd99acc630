/** What each agent is for, and questions of the demo, which are put in English and shown below what they mean. */
export const shown = {
  'Answers questions about the data in relational databases with read-only SQL.':
    'Beantwortet Fragen mit den Daten der verbundenen Datenbanken: Zahlen, Listen, Vergleiche.',
  'Answers from documents that were added, such as policies, contracts, handbooks, reports and minutes.':
    'Antwortet aus hinzugefügten Dokumenten, etwa Richtlinien, Verträgen, Handbüchern, Berichten und Protokollen.',
  'Calls HTTP APIs: finds the right endpoint, makes the request, says what came back.':
    'Fragt verbundene Schnittstellen ab und ändert dort nach Ihrer Freigabe.',
  'Computes: exact arithmetic, statistics and projections with Python in a sandbox, and charts, also over what other agents found.':
    'Rechnet mit dem, was andere gefunden haben, und zeichnet Diagramme davon.',
  'Evaluates arithmetic expressions exactly.': 'Rechnet Ausdrücke genau aus.',
  'Shows a chart to the user, below the answer.': 'Zeigt unter der Antwort ein Diagramm.',
  'Writes a Python program and runs it in a sandbox, after a person has approved the code.':
    'Schreibt kleine Programme und führt sie nach Ihrer Freigabe abgeschirmt aus.',
  'Works in the mailbox: finds and reads mails, writes drafts, sends and answers after approval.':
    'Arbeitet im Postfach: findet und liest Mails, schreibt Entwürfe, sendet und antwortet nach Ihrer Freigabe.',
  'Searches the web and reads pages; answers with its sources.':
    'Sucht im Web und liest Seiten; antwortet mit Quellen.',
  'Builds and changes teams of agents for work that comes again, from the tools that are there.':
    'Baut und ändert Teams von Agenten für Arbeit, die wiederkommt, aus den Werkzeugen, die da sind.',
  '{} A team of {}: {}': '{} Ein Team von {}: {}',
  'a table with {}': 'eine Tabelle mit {}',
  'an answer in words': 'eine Antwort in Worten',
  'an answer in words, with data': 'eine Antwort in Worten, mit Daten',
  'Finds {}, the newest first: sender, recipients, subject, date, id and the beginning of the text.':
    'Findet {:}, die neuesten zuerst: Absender, Empfänger, Betreff, Datum, Kennung und den Anfang des Textes.',
  'mails in the inbox': 'Mails im Posteingang',
  'mails that were sent': 'gesendete Mails',
  drafts: 'Entwürfe',
  'Reads one mail: its text, and which files are attached.':
    'Liest eine Mail: ihren Text, und welche Dateien anhängen.',
  'Saves a mail among the drafts, for the user to finish. Nothing is sent.':
    'Speichert eine Mail unter den Entwürfen, damit Sie sie fertigstellen. Gesendet wird nichts.',
  'Sends a new mail.': 'Sendet eine neue Mail.',
  'Sends an answer to a mail, in its thread.': 'Sendet eine Antwort auf eine Mail.',
  'Tables, columns and foreign keys of a database.': 'Tabellen, Spalten und Fremdschlüssel einer Datenbank.',
  'Runs one read-only SELECT over the allowed tables of a database.':
    'Führt ein nur lesendes SELECT über die erlaubten Tabellen einer Datenbank aus.',
  'Runs Python in a sandbox without network, files of the host or state.':
    'Führt Python abgeschirmt aus, ohne Netz, Dateien des Rechners und Gedächtnis.',
  'Runs Python in a sandbox without network or files of the host, after approval of the exact code.':
    'Führt Python abgeschirmt aus, ohne Netz und Dateien des Rechners, nach Freigabe genau dieses Programms.',
  'Finds passages in the documents by words and meaning. Returns the closest ones, best first.':
    'Findet Stellen in den Dokumenten nach Wörtern und Sinn, die nächsten zuerst.',
  'Lists the documents with type, pages, date, size and description.':
    'Listet die Dokumente mit Art, Seiten, Datum, Größe und Beschreibung.',
  'Reads a document in order, from its beginning or from a page on. Returns a small document whole.':
    'Liest ein Dokument der Reihe nach, vom Anfang oder von einer Seite an; ein kleines ganz.',
  'Reads from an API with one request. Pages of a list are read together. Give only parameters that the endpoint declares.':
    'Liest mit einer Anfrage von einer API, Listen mit allen Seiten. Nur deklarierte Parameter werden gesendet.',
  'Sends a request that changes something (POST, PUT, PATCH, DELETE) to an API.':
    'Sendet einer API eine Anfrage, die etwas ändert (POST, PUT, PATCH, DELETE).',
  'Finds endpoints of the APIs by words, with their parameters and bodies, and passages of the documentation.':
    'Findet Endpunkte der APIs nach Wörtern, mit Parametern und Inhalten, und Stellen der Dokumentation.',
  'Shows parameters and body of an endpoint.': 'Zeigt Parameter und Inhalt eines Endpunkts.',
  'Searches the web. Returns titles, addresses and excerpts of pages.':
    'Sucht im Web. Liefert Titel, Adressen und Auszüge von Seiten.',
  'Reads a web page: the text that a reader would see.': 'Liest eine Webseite: den Text, den ein Leser sähe.',
  'Reads from a server.': 'Liest von einem Server.',
  'Sends a request that may change something on a server.':
    'Sendet eine Anfrage, die auf einem Server etwas ändern kann.',
  'Saves a team, after approval of exactly this team; it is used once it has passed its checks.':
    'Speichert ein Team, nach Freigabe genau dieses Teams; benutzt wird es, sobald es seine Prüfungen bestanden hat.',
  'Reads a team that was given as a file.': 'Liest ein Team, das als Datei kam.',
  'Says which version of a team would be the next.': 'Sagt, welche Version eines Teams die nächste wäre.',
  'Keeps what came of the checks of a team; one that has passed is used from then on.':
    'Hält fest, was die Prüfungen eines Teams ergaben; bestand es sie, wird es von da an benutzt.',
  'Finds how tasks like this one were done before.': 'Findet, wie solche Aufgaben schon getan wurden.',
  'Keeps how tasks were done that stood when they were looked at again.':
    'Hält fest, wie Aufgaben getan wurden, die einem zweiten Blick standhielten.',
  'Keeps what the user said of themself, for later runs.': 'Merkt sich, was jemand von sich sagte, für spätere Läufe.',
  'Adds question and answer to the conversation.': 'Fügt Frage und Antwort dem Gespräch hinzu.',
  'Keeps a summary of the earlier turns of the conversation.':
    'Hält fest, was im Gespräch davor gesagt wurde, zusammengefasst.',
  'Works with the MCP server "{}".': 'Arbeitet mit dem MCP-Server „{}“.',
  'Works with the MCP server "{}". Tools: {}.': 'Arbeitet mit dem MCP-Server „{}“. Werkzeuge: {}.',
  'Which five customers owe us the most on overdue invoices?':
    'Welche fünf Kunden schulden uns am meisten aus überfälligen Rechnungen?',
  'What does the returns policy say about damaged goods, how many orders were returned last quarter and what did they cost?':
    'Was sagt die Rückgaberichtlinie zu beschädigter Ware, wie viele Bestellungen kamen im letzten Quartal zurück, und was kosteten sie?',
  'How many {} are there?': 'Wie viele {} gibt es?',
  'Which five {} have the most {}?': 'Welche fünf {} haben die meisten {}?',
  'How many {} per month?': 'Wie viele {} pro Monat?',
  'Revenue by month since January 2025': 'Umsatz nach Monat seit Januar 2025',
  'What does the newsletter from outside say?': 'Was steht im Newsletter von außerhalb?',
  'Send a mail to support@brindlemoor-coffee.example with the number of open orders':
    'Eine Mail mit der Zahl der offenen Bestellungen an support@brindlemoor-coffee.example senden',
  'Delete all orders of 2024': 'Alle Bestellungen von 2024 löschen',
  'Why do customers send goods back, and what did we refund?':
    'Warum schicken Kunden Ware zurück, und was haben wir erstattet?',
} as const
