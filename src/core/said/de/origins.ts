/** Where something comes from, as runs name it. */
export const origins = {
  'database {}': 'Datenbank {}',
  'document {}': 'Dokument {}',
  'tool {}': 'Werkzeug {}',
  'an error of {}': 'ein Fehler von {}',
  'mail "{}" from {}': 'Mail „{}“ von {}',
  '{} more mails in {}': '{} weitere Mails in {}',
  'the mail folder {}': 'der Mailordner {}',
  'a file with a team': 'eine Datei mit einem Team',
  'a team that somebody shared': 'ein geteiltes Team',
  'a shared skill': 'eine geteilte Fähigkeit',
  'a run that failed': 'ein gescheiterter Lauf',
  'what was sent to the hook {}': 'was an die Adresse {} gesendet wurde',
  'earlier answers as the client tells them': 'frühere Antworten, wie der Client sie angibt',
} as const
