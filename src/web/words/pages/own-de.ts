/** What the server says in English and is the product’s own: questions of the demo, by their words, and agents, by their names. */
export const ownDe: Readonly<Record<string, string>> = {
  'agent sql': 'Beantwortet Fragen mit den Daten der verbundenen Datenbanken: Zahlen, Listen, Vergleiche.',
  'agent rag':
    'Antwortet aus hinzugefügten Dokumenten, etwa Richtlinien, Verträgen, Handbüchern, Berichten und Protokollen.',
  'agent api': 'Fragt verbundene Schnittstellen ab und ändert dort nach Ihrer Freigabe.',
  'agent computation': 'Rechnet mit dem, was andere gefunden haben.',
  'agent code': 'Schreibt kleine Programme und führt sie abgeschirmt aus.',
  'agent mail':
    'Arbeitet im Postfach: findet und liest Mails, schreibt Entwürfe, sendet und antwortet nach Ihrer Freigabe.',
  'agent web': 'Sucht im Web und liest Seiten.',
  'agent architect': 'Baut und ändert Teams von Agenten für Arbeit, die wiederkommt, aus den Werkzeugen, die da sind.',
  'Which five customers owe us the most on overdue invoices?':
    'Welche fünf Kunden schulden uns am meisten aus überfälligen Rechnungen?',
  'What does the returns policy say about damaged goods, how many orders were returned last quarter and what did they cost?':
    'Was sagt die Rückgaberichtlinie zu beschädigter Ware, wie viele Bestellungen kamen im letzten Quartal zurück, und was kosteten sie?',
  'Revenue by month since January 2025': 'Umsatz nach Monat seit Januar 2025',
  'What does the newsletter from outside say?': 'Was steht im Newsletter von außerhalb?',
  'Send a mail to support@brindlemoor-coffee.example with the number of open orders':
    'Eine Mail mit der Zahl der offenen Bestellungen an support@brindlemoor-coffee.example senden',
  'Delete all orders of 2024': 'Alle Bestellungen von 2024 löschen',
}
