/** What each agent is for, and questions of the demo, which are put in English and shown below what they mean. */
export const shown = {
  'Answers questions about the data in relational databases with read-only SQL.':
    'Beantwortet Fragen mit den Daten der verbundenen Datenbanken: Zahlen, Listen, Vergleiche.',
  'Answers from documents that were added, such as policies, contracts, handbooks, reports and minutes.':
    'Antwortet aus hinzugefügten Dokumenten, etwa Richtlinien, Verträgen, Handbüchern, Berichten und Protokollen.',
  'Calls HTTP APIs: finds the right endpoint, makes the request, says what came back.':
    'Fragt verbundene Schnittstellen ab und ändert dort nach Ihrer Freigabe.',
  'Computes with Python in a sandbox: figures, statistics and projections, also over what other agents found.':
    'Rechnet mit dem, was andere gefunden haben.',
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
  'Works with the MCP server "{}".': 'Arbeitet mit dem MCP-Server „{}“.',
  'Works with the MCP server "{}". Tools: {}.': 'Arbeitet mit dem MCP-Server „{}“. Werkzeuge: {}.',
  'Which five customers owe us the most on overdue invoices?':
    'Welche fünf Kunden schulden uns am meisten aus überfälligen Rechnungen?',
  'What does the returns policy say about damaged goods, how many orders were returned last quarter and what did they cost?':
    'Was sagt die Rückgaberichtlinie zu beschädigter Ware, wie viele Bestellungen kamen im letzten Quartal zurück, und was kosteten sie?',
  'Revenue by month since January 2025': 'Umsatz nach Monat seit Januar 2025',
  'What does the newsletter from outside say?': 'Was steht im Newsletter von außerhalb?',
  'Send a mail to support@brindlemoor-coffee.example with the number of open orders':
    'Eine Mail mit der Zahl der offenen Bestellungen an support@brindlemoor-coffee.example senden',
  'Delete all orders of 2024': 'Alle Bestellungen von 2024 löschen',
  'Why do customers send goods back, and what did we refund?':
    'Warum schicken Kunden Ware zurück, und was haben wir erstattet?',
} as const
