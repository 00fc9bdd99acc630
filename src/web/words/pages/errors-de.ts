import type { ErrorCode } from '../../../client/run.ts'

/** What an error means; `isAll` where the server's own sentence would tell a person nothing more. */
interface Meaning {
  readonly text: string
  readonly isAll?: true
}

/** What the codes of errors mean in German, as docs/errors.md has them. */
export const errorsDe: Readonly<Record<ErrorCode, Meaning>> = {
  InvalidRequest: { text: 'So kann das nicht gemacht werden.' },
  UnknownAgent: { text: 'Diesen Agenten gibt es hier nicht.' },
  InvalidPlan: { text: 'Dieser Plan geht nicht auf.' },
  PlanningDeclined: { text: 'Dafür ließ sich kein Plan machen.' },
  NotSignedIn: { text: 'Ihre Anmeldung gilt nicht mehr, oder Name und Passwort passen nicht. Melden Sie sich an.' },
  NotAllowed: { text: 'Das dürfen Sie nicht.' },
  NotFound: { text: 'Das gibt es nicht, oder es ist nicht für Sie.' },
  TooLarge: { text: 'Das ist zu groß.' },
  LimitReached: { text: 'Eine Grenze ist erreicht.' },
  KeyReused: { text: 'Dieser Schlüssel gehört schon zu einer anderen Anfrage; nehmen Sie einen neuen.', isAll: true },
  RunNotFound: { text: 'Diesen Lauf gibt es nicht, oder er ist nicht Ihrer.', isAll: true },
  RunConflict: { text: 'Das passt nicht dazu, wie es gerade steht. Laden Sie die Seite neu.' },
  RunLost: { text: 'Ein anderer Server hat den Lauf übernommen. Versuchen Sie es noch einmal.', isAll: true },
  RunPoisoned: {
    text: 'Der Server kam bei dieser Frage dreimal zum Stillstand. Stellen Sie sie kürzer, oder geben Sie die Laufnummer einem Admin.',
    isAll: true,
  },
  ArtifactNotFound: { text: 'Diese Datei gibt es nicht mehr.', isAll: true },
  Cancelled: { text: 'Das wurde abgebrochen.', isAll: true },
  Timeout: { text: 'Das hat zu lange gedauert.' },
  BudgetExceeded: { text: 'Das Budget dieser Frage ist aufgebraucht.' },
  DependencyFailed: { text: 'Ein Schritt davor ist fehlgeschlagen.' },
  ResultRejected: { text: 'Was herauskam, hielt der Prüfung nicht stand.' },
  ApprovalDenied: { text: 'Das wurde nicht freigegeben.' },
  ApprovalTimedOut: { text: 'Niemand hat rechtzeitig entschieden; es wurde nichts getan.', isAll: true },
  ApprovalExpired: { text: 'Die Zeit zu entscheiden ist vorbei; es wurde nichts getan.', isAll: true },
  ApprovalNotPending: { text: 'Darüber ist schon entschieden.' },
  ApprovalInstructed: { text: 'Die Aufgabe wird mit Ihren Anweisungen neu gemacht.', isAll: true },
  EffectUnknown: { text: 'Es ist nicht sicher, ob ein Aufruf noch wirkte, als er abbrach. Sehen Sie dort nach.' },
  ModelUnavailable: { text: 'Das Sprachmodell ist nicht zu erreichen.' },
  ModelError: { text: 'Das Sprachmodell hat einen Fehler gemeldet.' },
  ModelOutputInvalid: { text: 'Mit der Antwort des Sprachmodells war nichts anzufangen.' },
  SourceNotFound: { text: 'Diese Quelle gibt es nicht, oder sie steht Ihnen nicht offen.' },
  QueryError: { text: 'Die Datenbank hat die Abfrage nicht ausgeführt.' },
  QueryBlocked: { text: 'Diese Abfrage wurde abgelehnt, bevor sie die Datenbank erreichte.' },
  HttpError: { text: 'Ein Dienst hat mit einem Fehler geantwortet.' },
  HttpRequestError: { text: 'Ein Dienst war nicht zu erreichen.' },
  PathResolutionError: { text: 'Einen solchen Wert gibt es in den Ergebnissen davor nicht.' },
  SandboxViolation: { text: 'Das Programm wollte etwas, das es nicht darf.' },
  ToolError: { text: 'Ein Werkzeug ist fehlgeschlagen.' },
  DocumentError: { text: 'Diese Datei ließ sich nicht lesen.' },
  MailError: { text: 'Das Postfach hat einen Fehler gemeldet.' },
  ConfigurationError: { text: 'Auf dem Server ist etwas falsch eingerichtet. Sagen Sie es einem Admin.' },
  StorageError: { text: 'Der Server konnte es nicht speichern oder lesen. Sagen Sie es einem Admin.' },
  Internal: { text: 'Auf dem Server ging etwas schief. Sagen Sie es einem Admin.' },
}
