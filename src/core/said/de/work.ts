/** What is said of the work of rules, models and agents: what they took for granted, left out or could not work out. */
export const work = {
  'Without a language model': 'Ohne Sprachmodell',
  'Without a language model ({})': 'Ohne Sprachmodell ({:})',
  'This needs a language model.': 'Das braucht ein Sprachmodell.',
  'This needs a language model ({}).': 'Das braucht ein Sprachmodell ({:}).',
  '{} the question is too long to be read.': '{:} ist die Frage zum Lesen zu lang.',
  '{} I work out arithmetic, percentages, ratios, differences, growth, interest and simple statistics; every word of the question must fit.':
    '{:} lassen sich Rechnungen, Prozente, Verhältnisse, Unterschiede, Wachstum, Zinsen und einfache Statistik ausrechnen; jedes Wort der Frage muss passen.',
  '{} I work out arithmetic, percentages, ratios, differences, growth, interest and simple statistics over numbers in the question or a table that was found before; every word of the question must fit.':
    '{:} lassen sich Rechnungen, Prozente, Verhältnisse, Unterschiede, Wachstum, Zinsen und einfache Statistik über Zahlen der Frage oder eine vorher gefundene Tabelle ausrechnen; jedes Wort der Frage muss passen.',
  'I did not understand {}.': 'Nicht verstanden: {}.',
  'The numbers look like years. Name the amounts to compare, such as “from 120 to 150”.':
    'Die Zahlen sehen aus wie Jahre. Nennen Sie die Beträge, die verglichen werden sollen, etwa „from 120 to 150“.',
  'The expression is nested too deeply.': 'Der Ausdruck ist zu tief verschachtelt.',
  'Factorials are for whole numbers from zero on.': 'Fakultäten gibt es für ganze Zahlen ab null.',
  'The result has too many digits.': 'Das Ergebnis hat zu viele Stellen.',
  'A growth rate needs amounts and a time above zero.':
    'Für eine Wachstumsrate braucht es Beträge und eine Zeit über null.',
  'That is too long a time.': 'Das ist eine zu lange Zeit.',
  'A change in percent needs a start above zero.': 'Für eine Änderung in Prozent braucht es einen Anfang über null.',
  'That divides by zero.': 'Das teilt durch null.',
  'A negative number has no square root.': 'Eine negative Zahl hat keine Quadratwurzel.',
  'That has no real, finite result.': 'Das hat kein reelles, endliches Ergebnis.',
  '“{}” looks like a date, which I cannot reckon with by rules.':
    '„{}“ sieht aus wie ein Datum; damit können Regeln nicht rechnen.',
  'The question mixes currencies, which I do not convert.': 'Die Frage mischt Währungen; umgerechnet werden sie nicht.',
  '“{}” can be one number or two. Write decimals with a point, and a space after a comma.':
    '„{}“ kann eine Zahl sein oder zwei. Schreiben Sie Dezimalzahlen mit Punkt, und hinter ein Komma ein Leerzeichen.',
  'Is “!” at the end a factorial? Leave it away, or write “factorial of”.':
    'Ist „!“ am Ende eine Fakultät? Lassen Sie es weg, oder schreiben Sie „factorial of“.',
  'There are no numbers to work with.': 'Es gibt keine Zahlen, mit denen sich rechnen ließe.',
  'No single value is the most frequent.': 'Kein Wert ist allein der häufigste.',
  'That takes at least two numbers.': 'Dafür braucht es mindestens zwei Zahlen.',
  'A table was cut off, so a share over it would be wrong.':
    'Eine Tabelle wurde abgeschnitten; ein Anteil daran wäre falsch.',
  'I have {}, but cannot tell how many {} there are in all. Ask for that number too.':
    'Gefunden: {}; wie viele {} es insgesamt gibt, lässt sich nicht sagen. Fragen Sie auch danach.',
  'I need exactly two values to compare, and the tables hold more or fewer.':
    'Zum Vergleichen braucht es genau zwei Werte; in den Tabellen stehen mehr oder weniger.',
  'There are several tables; say over which the shares are meant.':
    'Es gibt mehrere Tabellen; sagen Sie, über welche die Anteile gemeint sind.',
  'The table was cut off, so shares over it would be wrong.':
    'Die Tabelle wurde abgeschnitten; Anteile daran wären falsch.',
  'Shares need one column of numbers and one of names.':
    'Für Anteile braucht es eine Spalte mit Zahlen und eine mit Namen.',
  'Several tables have a column “{}”; say which is meant.':
    'Mehrere Tabellen haben eine Spalte „{}“; sagen Sie, welche gemeint ist.',
  'The table was cut off, so a figure over it would be wrong.':
    'Die Tabelle wurde abgeschnitten; eine Zahl daraus wäre falsch.',
  'The column “{}” holds more than numbers.': 'In der Spalte „{}“ stehen nicht nur Zahlen.',
  'The table of {} was cut off after {} rows, so deviations would be missed; no query reads more at once, so let it read less, such as one month.':
    'Die Tabelle zu {} wurde nach {} Zeilen abgeschnitten, Abweichungen würden übersehen; keine Abfrage liest mehr auf einmal, lassen Sie sie also weniger lesen, etwa einen Monat.',
  'The table of {} has no rows, so there is nothing to compare.':
    'Die Tabelle zu {} hat keine Zeilen; es gibt nichts zu vergleichen.',
  'There are several tables of {}; say which is meant.':
    'Es gibt mehrere Tabellen zu {}; sagen Sie, welche gemeint ist.',
  'I cannot tell by which column {} name their {}: {}.': 'Durch welche Spalte {} ihre {} nennen, ist nicht klar: {:}.',
  'the columns of {} are {}, those of {} {}': 'Die Spalten von {} sind {}, die von {} {}',
  '{} may name their {} by {}; leave all but one of them out.':
    '{} können ihre {} durch {&} nennen; lassen Sie alle bis auf eine weg.',
  'The two tables have no column in common that could be compared.':
    'Die beiden Tabellen haben keine Spalte gemeinsam, die sich vergleichen ließe.',
  'Compared by {} in {}.': 'Verglichen nach {} in {}.',

  'Not the whole answer is shown.': 'Gezeigt ist nicht die ganze Antwort.',
  'Not the whole answer is shown; more of it is kept {}.':
    'Gezeigt ist nicht die ganze Antwort; mehr davon ist aufbewahrt: {}.',
  'The request went without {}, which is no parameter of this operation.':
    'Die Anfrage ging ohne {} hinaus, das kein Parameter dieser Operation ist.',
  'The request went without {}, which are no parameters of this operation.':
    'Die Anfrage ging ohne {} hinaus, die keine Parameter dieser Operation sind.',
  'The question names the request itself.': 'Die Frage nennt die Anfrage selbst.',
  'The question fits {} {} best.': 'Die Frage passt am besten zu {} {}.',
  'No mail account is set up.': 'Es ist kein Mailkonto eingerichtet.',
  'Name an IMAP account, Gmail or maildir:folder in TUTTI_MAIL_URL; docs/mail-and-web.md shows how.':
    'Nennen Sie ein IMAP-Konto, Gmail oder maildir:ordner in TUTTI_MAIL_URL; docs/mail-and-web.md zeigt, wie.',
  'What was found in {} is not in it: ask for it by name to have it there.':
    'Was in {} gefunden wurde, steht nicht darin: Bitten Sie beim Namen darum, dann steht es dort.',
  'The question asks for an answer.': 'Die Frage bittet um eine Antwort.',
  'One mail is asked for.': 'Gefragt ist nach einer Mail.',
  'Mails are looked for.': 'Gesucht werden Mails.',
  'A mail is to be drafted, not sent.': 'Eine Mail soll entworfen, nicht gesendet werden.',
  'The question asks for a mail to be sent.': 'Die Frage bittet, eine Mail zu senden.',
  'Not addressed yet: {}.': 'Noch ohne Adresse: {:}.',
  'Saved as a draft, not sent{}: {}.': 'Als Entwurf gespeichert, nicht gesendet{}: {}.',
  'Not in it: “{}”.': 'Nicht darin: „{}“.',
  'The server did not take it for {}.': 'Der Server nahm sie nicht an für {}.',
  'Answer yes, or leave it unanswered.': 'Antworten Sie mit yes, oder lassen Sie es unbeantwortet.',
  'Answer with the value alone.': 'Antworten Sie nur mit dem Wert.',
  'Answer with name=value for each, or with all as JSON; those that are not needed may be left out.':
    'Antworten Sie mit name=wert für jedes, oder mit allen als JSON; was nicht nötig ist, darf wegbleiben.',
  '{} It goes to that server: give it no password and no key.':
    '{:} Die Antwort geht an diesen Server: Geben Sie ihm kein Passwort und keinen Schlüssel.',
  'The call is under way and is given up after ten minutes.':
    'Der Aufruf ist im Gang und wird nach zehn Minuten aufgegeben.',
  'The configuration says "reads: [{}]" of the MCP server "{}", which has no such tool. There are: {}.':
    'In der Konfiguration steht „reads: [{}]“ beim MCP-Server „{}“, der kein solches Werkzeug hat. Es gibt: {}.',
  'The MCP servers "{}" and "{}" would both be the agent "{}"; give one of them another name.':
    'Die MCP-Server „{}“ und „{}“ wären beide der Agent „{}“; geben Sie einem davon einen anderen Namen.',
  'The MCP server "{}" has no tool "{}" by now; "tutti mcp list" shows what it has changed since it was accepted.':
    'Der MCP-Server „{}“ hat kein Werkzeug „{}“ mehr; „tutti mcp list“ zeigt, was er seit der Annahme geändert hat.',
  'The MCP server "{}" is not set up any more.': 'Der MCP-Server „{}“ ist nicht mehr eingerichtet.',
  'The MCP server "{}" has no tool "{}". There are: {}.': 'Der MCP-Server „{}“ hat kein Werkzeug „{}“. Es gibt: {}.',
  'No MCP server is named "{}" in the configuration. There are: {}.':
    'Kein MCP-Server heißt in der Konfiguration „{}“. Es gibt: {}.',
  'The name "{}" is taken already: {}. Choose another.':
    'Der Name „{}“ ist schon vergeben: {}. Wählen Sie einen anderen.',
  'Its default export is no agent. Export what defineAgent gives: export default defineAgent({ … }).':
    'Sein Default-Export ist kein Agent. Exportieren Sie, was defineAgent gibt: export default defineAgent({ … }).',
  'It holds several documents. Leave out the line ---, or list them under agents:.':
    'Die Datei enthält mehrere Dokumente. Lassen Sie die Zeile --- weg, oder führen Sie sie unter agents: auf.',
  '"{}" gives {} for the second time; leave one of them out.':
    '„{}“ gibt {} zum zweiten Mal an; lassen Sie eines davon weg.',
  'The database gave no reason.': 'Die Datenbank nannte keinen Grund.',
  'A person has found this query right for this question.':
    'Eine Person hat diese Abfrage für diese Frage richtig gefunden.',
  'This is what a saved query gives that somebody has found right for this question.':
    'Das gibt eine aufbewahrte Abfrage, die jemand für diese Frage richtig fand.',
  'This is what a saved query gives that somebody has found right for this question; it {}.':
    'Das gibt eine aufbewahrte Abfrage, die jemand für diese Frage richtig fand; sie {:}.',
  'counts from {}': 'zählt ab {}',
  'always goes by {}, which the question does not name': 'geht immer nach {&}, was die Frage nicht nennt',
  'counts from {}, and always goes by {}, which the question does not name':
    'zählt ab {} und geht immer nach {&}, was die Frage nicht nennt',
  'Asked was the database “{}”; “{}” has {}, too: name it to ask it.':
    'Gefragt wurde die Datenbank „{}“; auch „{}“ hat {}: Nennen Sie sie, um sie zu fragen.',
  '(Assumed: {}.)': '(Angenommen: {;}.)',
  '(Only where {}.)': '(Nur, wo {&}.)',
  '“{}” is taken to be {}': '„{}“ ist als {&} verstanden',
  'Understood. That is no question; what would you like to know?':
    'Verstanden. Das ist keine Frage; was möchten Sie wissen?',
  'This is what is written there; {} has no answer to it.': 'Das steht dort geschrieben; keine Antwort hat {:}.',
  'I could not remember {}: {}.': 'Merken ließ sich nicht {&}: {:}.',
  'only your name, job title, company, projects and how you like answers are kept':
    'aufbewahrt werden nur Ihr Name, Ihre Stelle, Ihre Firma, Projekte und wie Sie Antworten mögen',
  'The user said nothing of themself.': 'Von sich selbst wurde nichts gesagt.',
  'The language model that is connected gave no answer of use, and without one only questions in English can be answered.':
    'Das verbundene Sprachmodell antwortet nicht oder nicht brauchbar, und ohne eines können nur Fragen auf Englisch beantwortet werden.',
  'Without a language model only questions in English can be answered.':
    'Ohne Sprachmodell können nur Fragen auf Englisch beantwortet werden.',
  'Answered without a model: {}.': 'Ohne Modell beantwortet: {:}.',
  'Done without a model: {} ({}).': 'Ohne Modell getan: {;} ({:}).',
  'Say the whole call anew: the name of the tool, and each field as name=value.':
    'Sagen Sie den ganzen Aufruf neu: den Namen des Werkzeugs, und jedes Feld als name=wert.',
  'The tool "{}" of the agent "{}" cannot be called: give what defineTool gives.':
    'Das Werkzeug „{}“ des Agenten „{}“ lässt sich nicht aufrufen: Geben Sie, was defineTool gibt.',
  'The model did not return {}.': 'Das Modell gab nicht zurück: {:}.',
  '"{}" was not called, since the user gave instructions. {}':
    '„{}“ wurde nicht aufgerufen, da der Nutzer Anweisungen gab. {}',
  'The job "{}" has no turn {}. It has {} turns.': 'Der Auftrag „{}“ hat keinen Zug {}. Er hat {} Züge.',
  'No model is configured.': 'Es ist kein Modell eingerichtet.',
  'The turn failed without a reason.': 'Der Aufruf des Modells schlug fehl, ohne dass ein Grund genannt wurde.',
  'it gave no answer': 'es gab keine Antwort',
  'It does not do what the task asks.': 'Es tut nicht, worum die Aufgabe bittet.',
} as const
