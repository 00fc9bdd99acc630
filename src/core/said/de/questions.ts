/** Why a question to a database is not answered by its words: what was not understood in it. */
export const questions = {
  or: 'oder',
  and: 'und',
  'There is: {}.': 'Es gibt: {&}.',
  'There is: {}, and {} more.': 'Es gibt: {}, und {} weitere.',
  '“{}” would change data. I only read: ask for a list, a count or a figure.':
    '„{}“ würde Daten ändern. Hier wird nur gelesen: Fragen Sie nach einer Liste, einer Anzahl oder einer Zahl.',
  'I do not understand “{}” in this question: it is not a table, a column or a value of {}, nor a calculation that I know. {}':
    '„{}“ in dieser Frage wird nicht verstanden: Es ist keine Tabelle, keine Spalte und kein Wert von {}, und keine bekannte Rechnung. {:}',
  '“{}=” is written as a field of a tool: no tool of that name is connected. {}':
    '„{}=“ ist wie ein Feld eines Werkzeugs geschrieben: Ein Werkzeug dieses Namens ist nicht verbunden. {:}',
  '“{}=” is written as a field of a tool: no tool of that name is connected, and {} has no column “{}”. {}':
    '„{}=“ ist wie ein Feld eines Werkzeugs geschrieben: Ein Werkzeug dieses Namens ist nicht verbunden, und {} hat keine Spalte „{}“. {:}',
  'I do not see what “{}” says here. Please ask for it by its column, or in fewer words.':
    'Was „{}“ hier sagt, ist nicht klar. Fragen Sie mit dem Namen der Spalte danach, oder in weniger Worten.',
  'I do not see what the question asks for. Please name a table, a column or a figure.':
    'Wonach die Frage fragt, ist nicht klar. Nennen Sie eine Tabelle, eine Spalte oder eine Zahl.',
  'I do not see which rows the question asks for. Please name a table.':
    'Nach welchen Zeilen die Frage fragt, ist nicht klar. Nennen Sie eine Tabelle.',
  'I do not see what should be counted.': 'Was gezählt werden soll, ist nicht klar.',
  '“{}” could be {}. Please say which.': '„{}“ kann sein: {&}. Sagen Sie, welches.',
  '“{}” could be about {} of {}. Please say which.':
    '„{}“ kann {&} von {} betreffen. Sagen Sie, was davon gemeint ist.',
  '“{}” could be about {}. Please say which.': '„{}“ kann {&} betreffen. Sagen Sie, was davon gemeint ist.',
  '“{}” could be one of the {}. Please say which.': '„{}“ kann zu {&} gehören. Sagen Sie, wozu.',
  '“{}” could be one of the {}. Please say which, as in “the {} {}”.':
    '„{}“ kann zu {&} gehören. Sagen Sie, wozu, etwa „the {} {}“.',
  '“{}” could be {}. Please say which, as in “the {} {}”.': '„{}“ kann sein: {&}. Sagen Sie, was, etwa „the {} {}“.',
  '“{}” could be {}. Please say of which table.': '„{}“ kann sein: {&}. Sagen Sie, aus welcher Tabelle.',
  '“{}” could mean {}. Please say which table you mean.':
    '„{}“ kann {&} bedeuten. Sagen Sie, welche Tabelle gemeint ist.',
  '“{}” could be about {}. Please name the columns.': '„{}“ kann {&} betreffen. Nennen Sie die Spalten.',
  '“{}” is not a value of any column of {}.': '„{}“ ist kein Wert einer Spalte von {}.',
  '“{}” is not a value of {}.': '„{}“ ist kein Wert von {}.',
  'These are two questions in one. Please ask each of them by itself.':
    'Das sind zwei Fragen in einer. Stellen Sie jede für sich.',
  'The question asks for more than one figure. Please ask for one at a time.':
    'Die Frage fragt nach mehr als einer Zahl. Fragen Sie nach einer auf einmal.',
  'Data can tell what happened, not why. Ask for figures that you would like to see.':
    'Daten sagen, was geschah, nicht warum. Fragen Sie nach Zahlen, die Sie sehen möchten.',
  'I answer “when” only if you name the date column, as in “what is the hire date of …”.':
    '„when“ lässt sich nur beantworten, wenn Sie die Spalte mit dem Datum nennen, etwa „what is the hire date of …“.',
  'I answer “where” only if you name the column, as in “what is the city of …”.':
    '„where“ lässt sich nur beantworten, wenn Sie die Spalte nennen, etwa „what is the city of …“.',
  'This does not read as English. Without a language model only questions in English can be answered.':
    'Das liest sich nicht wie Englisch. Ohne Sprachmodell können nur Fragen auf Englisch beantwortet werden.',
  'Without a language model, a question to a database may have up to {} characters, and this has {}. Please ask a shorter one.':
    'Ohne Sprachmodell darf eine Frage an eine Datenbank höchstens {} Zeichen haben, und diese hat {}. Stellen Sie eine kürzere.',
  'I can compare two figures of the data. Please ask for each of them by itself.':
    'Vergleichen lassen sich zwei Zahlen aus den Daten. Fragen Sie nach jeder für sich.',
  '{} has no tables to ask about.': '{} hat keine Tabellen, nach denen sich fragen ließe.',
  'There is no question.': 'Es gibt keine Frage.',
  '{} holds no mails, so “{}” cannot be looked up there. For addresses, say “e-mail address”.':
    '{} enthält keine Mails; „{}“ lässt sich dort nicht nachsehen. Für Adressen schreiben Sie „e-mail address“.',
  '“{}”: I do not see between which times. Please ask for {}.':
    '„{}“: Zwischen welchen Zeiten, ist nicht klar. Fragen Sie nach {&}.',
  '“{}”: I can tell it of one figure of two times that are named, and do not understand such a figure here.':
    '„{}“ lässt sich von einer Zahl zu zwei genannten Zeiten sagen, und eine solche Zahl ist hier nicht zu erkennen.',
  '“{}” is defined in the terms; I do not know its average, lowest or highest of what.':
    '„{}“ ist in den Begriffen festgelegt; wovon der Durchschnitt, der kleinste oder größte Wert gemeint ist, ist nicht klar.',
  'I do not see what is said of which of the two. Please ask for each of them by itself.':
    'Was von welchem der beiden gesagt ist, ist nicht klar. Fragen Sie nach jedem für sich.',
  '“{} {}” could be all there were or those that came. Please say what happened then.':
    '„{} {}“ können alle sein, die es gab, oder die, die dazukamen. Sagen Sie, was damals geschah.',
  'I can compare two numbers, alone or for each group, and no lists, rankings, steps of time or days. Please ask for each of them by itself.':
    'Vergleichen lassen sich zwei Zahlen, allein oder je Gruppe, aber keine Listen, Rangfolgen, Zeitschritte oder Tage. Fragen Sie nach jedem für sich.',
  'I do not see which of them are {}. Please say it by a column or a value.':
    'Welche davon {} sind, ist nicht klar. Sagen Sie es mit einer Spalte oder einem Wert.',
  '“my {}”: the database does not tell who asks. Please name the person.':
    '„my {}“: Die Datenbank weiß nicht, wer fragt. Nennen Sie die Person.',
  '“{}”: I can tell what is in the data, not what may be or will be.':
    '„{}“: Sagen lässt sich, was in den Daten steht, nicht, was sein kann oder sein wird.',
  '“{}”: I can tell what is in the data, not what will be.':
    '„{}“: Sagen lässt sich, was in den Daten steht, nicht, was sein wird.',
  '“{}”: I do not see who or what is meant. Please name it.':
    '„{}“: Wer oder was gemeint ist, ist nicht klar. Nennen Sie es.',
  '“{}” of which year? Please add it, as in “{} {}”.': '„{}“ welches Jahres? Fügen Sie es an, etwa „{} {}“.',
  '“{}” could mean money paid by us or to us. Please name the column, as in “total {} of {}”.':
    '„{}“ kann Geld sein, das wir zahlen oder bekommen. Nennen Sie die Spalte, etwa „total {} of {}“.',
  '{} hold no amounts of money that I could add up.': '{} enthalten keine Geldbeträge, die sich addieren ließen.',
  '{} could be about {} of {}. Please name the column.': '{} kann {&} von {} betreffen. Nennen Sie die Spalte.',
  'I do not know which amounts are “{}”. Please name the column to add up.':
    'Welche Beträge „{}“ sind, ist nicht klar. Nennen Sie die Spalte, die addiert werden soll.',
  '“{}” is a number: I do not know whether to add it up. Please say “total {}”.':
    '„{}“ ist eine Zahl: Ob sie addiert werden soll, ist nicht klar. Schreiben Sie „total {}“.',
  '“cost” could be {}. Please name the column.': '„cost“ kann {&} sein. Nennen Sie die Spalte.',
  '“{} {}” could be a condition or a column to show. Please say it with a number or a value, or as “and their {}”.':
    '„{} {}“ kann eine Bedingung oder eine Spalte zum Zeigen sein. Sagen Sie es mit einer Zahl oder einem Wert, oder als „and their {}“.',
  'I do not know which {} are meant by “{}”. Please say what it should be.':
    'Welche {} mit „{}“ gemeint sind, ist nicht klar. Sagen Sie, was es sein soll.',
  'I do not see what “{} {}” says of {}. Please say it with a value.':
    'Was „{} {}“ von {} sagt, ist nicht klar. Sagen Sie es mit einem Wert.',
  'I do not know what to count: “{}” is not the name of a table.':
    'Was gezählt werden soll, ist nicht klar: „{}“ ist kein Name einer Tabelle.',
  'I cannot average a count without knowing of what. Please say “per …”, as in “average number of … per …”.':
    'Der Durchschnitt einer Anzahl geht nur, wenn klar ist, wovon. Schreiben Sie „per …“, etwa „average number of … per …“.',
  '“{} {}” with a time could mean never, or at another time. Please ask for those that were, or for those without a date.':
    '„{} {}“ mit einer Zeit kann nie heißen, oder zu anderer Zeit. Fragen Sie nach denen, die es waren, oder nach denen ohne Datum.',
  'I do not know which rows are still to be “{}”. Please name the state that they are in.':
    'Welche Zeilen noch „{}“ werden sollen, ist nicht klar. Nennen Sie den Zustand, in dem sie sind.',
  'I do not see what {} would be without {}. Please say which of them are to be left out.':
    'Was {} ohne {} wären, ist nicht klar. Sagen Sie, welche davon wegbleiben sollen.',
  'I do not see what “{} …” is said of. Please ask for one condition at a time.':
    'Wovon „{} …“ gesagt ist, ist nicht klar. Fragen Sie nach einer Bedingung auf einmal.',
  'I know “{}” only from the rows that have it, so I cannot tell which have none. Please ask for those that have some.':
    '„{}“ ist nur aus den Zeilen bekannt, die es haben; welche keines haben, lässt sich nicht sagen. Fragen Sie nach denen, die es haben.',
  'I do not see where {} keeps what was sold.': 'Wo {} festhält, was verkauft wurde, ist nicht klar.',
  'I do not see what “with a {}” says: it is no column of {}.':
    'Was „with a {}“ sagt, ist nicht klar: Es ist keine Spalte von {}.',
  'I do not see what should be compared with {}. Please name the column, as in “whose … is below the {}”.':
    'Was mit {} verglichen werden soll, ist nicht klar. Nennen Sie die Spalte, etwa „whose … is below the {}“.',
  '“Not on time” can mean late, or not there yet. Please ask for what came late, or on time.':
    '„Not on time“ kann zu spät heißen, oder noch nicht da. Fragen Sie nach dem, was zu spät („late“) oder pünktlich („on time“) kam.',
  'I do not know what “late” is measured by. Please compare two dates by name, such as delivered and due.':
    'Woran „late“ gemessen wird, ist nicht klar. Vergleichen Sie zwei Daten mit ihren Namen, etwa delivered und due.',
  'I do not know what to compare with after “{}”.': 'Womit nach „{}“ verglichen werden soll, ist nicht klar.',
  'I do not know what “{}” measures. Please name a column or a figure.':
    'Was „{}“ misst, ist nicht klar. Nennen Sie eine Spalte oder eine Zahl.',
  'I do not see what the cost is of. Please ask for the cost by itself.':
    'Wovon die Kosten gemeint sind, ist nicht klar. Fragen Sie nach den Kosten für sich.',
  'I can count the days between two dates. Please say from which to which in words of their columns, as in “between … and …”.':
    'Zählen lassen sich die Tage zwischen zwei Daten. Sagen Sie mit den Wörtern ihrer Spalten, von welchem bis zu welchem, etwa „between … and …“.',
  'I see no two dates of one row for “{}”. Please name the columns.':
    'Für „{}“ gibt es keine zwei Daten einer Zeile. Nennen Sie die Spalten.',
  'I do not know what to leave out after “{}”. Please name a value.':
    'Was nach „{}“ wegbleiben soll, ist nicht klar. Nennen Sie einen Wert.',
  'I can leave out only one thing after “{}”, and “{}” follows. Please ask for one at a time, or repeat “{}”.':
    'Nach „{}“ kann nur eines wegbleiben, und „{}“ folgt. Fragen Sie nach einem auf einmal, oder wiederholen Sie „{}“.',
  '“{}” beside {}: I do not see what it adds to. Please name all that counts, joined by “or”, or leave it out.':
    '„{}“ neben {&}: Wozu es dazukommt, ist nicht klar. Nennen Sie alles, was zählt, verbunden mit „or“, oder lassen Sie es weg.',
  'I see no date that says when that was “{}”. Please name the date, or ask without the time.':
    'Kein Datum sagt, wann das „{}“ war. Nennen Sie das Datum, oder fragen Sie ohne die Zeit.',
  'I see no date that says when {} were “{}”. Please name the date, or ask for “{} {}”.':
    'Kein Datum sagt, wann {} „{}“ waren. Nennen Sie das Datum, oder fragen Sie nach „{} {}“.',
  '“{}” is not known of {}: it is a column of {}.': '„{}“ ist von {} nicht bekannt: Es ist eine Spalte von {&}.',
  'I can tell who reports to one named person or job, and nothing else about who reports to whom among the {}.':
    'Sagen lässt sich, wer an eine genannte Person oder Stelle berichtet, und sonst nichts darüber, wer unter den {} an wen berichtet.',
  'I do not see what “how much” is about. Ask for example “how much revenue” or name a column to add up.':
    'Was mit „how much“ gemeint ist, ist nicht klar. Fragen Sie etwa „how much revenue“, oder nennen Sie eine Spalte, die addiert werden soll.',
  'I know what was sold, not what “{} {}”. Please name the column to add up.':
    'Bekannt ist, was verkauft wurde, nicht, was „{} {}“ meint. Nennen Sie die Spalte, die addiert werden soll.',
  'I do not know which amount “{}” means. Please name the column to add up.':
    'Welchen Betrag „{}“ meint, ist nicht klar. Nennen Sie die Spalte, die addiert werden soll.',
  'The second count has a condition of its own. Please ask for one figure at a time.':
    'Die zweite Anzahl hat eine eigene Bedingung. Fragen Sie nach einer Zahl auf einmal.',
  'The question asks for two counts. Please ask for one figure at a time.':
    'Die Frage fragt nach zwei Anzahlen. Fragen Sie nach einer Zahl auf einmal.',
  'I do not know what “in {}” means here: no column of {} holds that value.':
    'Was „in {}“ hier heißt, ist nicht klar: Keine Spalte von {} enthält diesen Wert.',
  '“{} {}” could be their number or the sum of {}. Please say “number of” or name the column.':
    '„{} {}“ kann ihre Anzahl sein oder die Summe von {&}. Schreiben Sie „number of“, oder nennen Sie die Spalte.',
  'The question asks for two shares. Please ask for one at a time.':
    'Die Frage fragt nach zwei Anteilen. Fragen Sie nach einem auf einmal.',
  '“by” can sort or break down a list. Please ask for “number of … per …” or for “… sorted by …”.':
    '„by“ kann eine Liste ordnen oder aufteilen. Fragen Sie nach „number of … per …“ oder nach „… sorted by …“.',
  'I do not see how “{}” belongs to the rest of the question. Please say it in one relation, such as “with”, “of” or “per”.':
    'Wie „{}“ zum Rest der Frage gehört, ist nicht klar. Sagen Sie es mit einer Beziehung, etwa „with“, „of“ oder „per“.',
  'The question asks for two rankings. Please ask for one at a time.':
    'Die Frage fragt nach zwei Rangfolgen. Fragen Sie nach einer auf einmal.',
  'I cannot list {} rows. Please ask for a whole number of at least one.':
    '{} Zeilen lassen sich nicht auflisten. Fragen Sie nach einer ganzen Zahl ab eins.',
  'The {} of what? Please say: units, revenue, or the number of what.':
    '„{}“ wovon? Sagen Sie: „units“, „revenue“ oder „the number of …“.',
  'I do not know what “{}” should be measured by. Name a column or a figure, such as “highest revenue” or “most …”.':
    'Woran „{}“ gemessen werden soll, ist nicht klar. Nennen Sie eine Spalte oder eine Zahl, etwa „highest revenue“ oder „most …“.',
  '“{}” what? Please name a table.': '„{}“ was? Nennen Sie eine Tabelle.',
  'I do not know what to sort by: “{}”.': 'Wonach geordnet werden soll, ist nicht klar: „{}“.',
  'I do not see which of them “{}” tells. Please say it by a column, a value or a date.':
    'Welche davon „{}“ meint, ist nicht klar. Sagen Sie es mit einer Spalte, einem Wert oder einem Datum.',
  '“all {}”: I can tell what is tied to any of them, not to each. Please ask for one of them.':
    '„all {}“: Sagen lässt sich, was zu irgendeinem davon gehört, nicht, was zu jedem. Fragen Sie nach einem davon.',
  'I do not know the table “{}”. There is: {}.': 'Eine Tabelle „{}“ ist nicht bekannt. Es gibt: {}.',
  'Several tables fit: {}. Please say which.': 'Mehrere Tabellen passen: {}. Sagen Sie, welche.',
  'I do not see a column of {} by which one could be “{}”. There is: {}.':
    'Keine Spalte von {} sagt, welches „{}“ wäre. Es gibt: {}.',
  '“{}” and “{}”: please name both times with their year.': '„{}“ und „{}“: Nennen Sie beide Zeiten mit ihrem Jahr.',
  'The two times overlap. Please name two that can be compared.':
    'Die beiden Zeiten überschneiden sich. Nennen Sie zwei, die sich vergleichen lassen.',
  '“{}” and “{}” are of different length. Please name both in full.':
    '„{}“ und „{}“ sind verschieden lang. Nennen Sie beide ganz.',
  'I cannot tell which days “{}” means. Name a day, month, quarter or year, as in “in March 2025”.':
    'Welche Tage „{}“ meint, ist nicht klar. Nennen Sie einen Tag, einen Monat, ein Quartal oder ein Jahr, etwa „in March 2025“.',
  '“{}” depends on when your fiscal year begins. Name its days, as in “from 2025-04-01 to 2026-03-31”.':
    '„{}“ hängt davon ab, wann Ihr Geschäftsjahr beginnt. Nennen Sie die Tage, etwa „from 2025-04-01 to 2026-03-31“.',
  '“{}” ends before it begins.': '„{}“ endet, bevor es beginnt.',
  'There is no such day: “{}”.': 'Diesen Tag gibt es nicht: „{}“.',
  '“{}” can be read in several ways. Write days as in 2025-03-31.':
    '„{}“ lässt sich verschieden lesen. Schreiben Sie Tage wie 2025-03-31.',
  '“{}” of which year? Please add it, as in “in {} 2025”.': '„{}“ welches Jahres? Fügen Sie es an, etwa „in {} 2025“.',
} as const
