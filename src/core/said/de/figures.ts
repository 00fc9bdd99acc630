/** Why no query was written for a question that was understood: how its figures, rows and tables go together. */
export const figures = {
  total: 'Summe',
  average: 'Durchschnitt',
  lowest: 'kleinster Wert',
  highest: 'größter Wert',
  '{} has {} tables and views.': '{} hat {} Tabellen und Sichten.',
  '{} has {} tables and views: {}.': '{} hat {} Tabellen und Sichten: {}.',
  'The terms in {} cannot be read: {}': 'Die Begriffe in {} lassen sich nicht lesen: {:}',
  'There are several ways from {} to {}: {}. Please say which one you mean.':
    'Von {} zu {} führen mehrere Wege: {&}. Sagen Sie, welcher gemeint ist.',
  'I see no sales of {} in the schema.': 'Im Schema gibt es keine Verkäufe von {}.',
  'I cannot compare a number of {} for each of the {}.':
    'Eine Anzahl von {} lässt sich nicht für jedes von {} vergleichen.',
  'A range that begins at zero is not clear here. Please ask for “at most”.':
    'Ein Bereich, der bei null beginnt, ist hier nicht klar. Fragen Sie nach „at most“.',
  '{} is kept once for each of the {}, and not for {}. Please ask for it of {}, or name a column of {}.':
    '{} steht einmal für jedes von {}, und nicht für {}. Fragen Sie bei {} danach, oder nennen Sie eine Spalte von {}.',
  '{} is in {}. Please say what {} is, as in “{} {}”.': '{} ist in {}. Sagen Sie, was {} ist, etwa „{} {}“.',
  'I do not know the unit of {}, so I cannot compare it with {}.':
    'Die Einheit von {} ist nicht bekannt; mit {} lässt es sich nicht vergleichen.',
  '{} is in {}, so I cannot compare it with {}.': '{} ist in {}; mit {} lässt es sich nicht vergleichen.',
  'Do you mean {} or {}? Please name the column, as in “total {} amount”.':
    'Meinen Sie {} oder {}? Nennen Sie die Spalte, etwa „total {} amount“.',
  'There is no metric “{}”.': 'Eine Kennzahl „{}“ gibt es nicht.',
  'An average over groups cannot be used here. Please ask for it by itself.':
    'Ein Durchschnitt über Gruppen geht hier nicht. Fragen Sie für sich danach.',
  '{} holds no numbers, so I cannot compute its {}.':
    '{} enthält keine Zahlen, aus denen sich das berechnen ließe ({:}).',
  '{} is a key; its {} means nothing.': '{} ist ein Schlüssel; das sagt von ihm nichts ({:}).',
  'Adding up {} means nothing. Please ask for its average, or name another column.':
    '{} zu addieren sagt nichts. Fragen Sie nach dem Durchschnitt, oder nennen Sie eine andere Spalte.',
  '{} says yes or no, so its {} means nothing. Please ask for the number of {}, or name the amount.':
    '{} sagt ja oder nein; das sagt davon nichts ({:}). Fragen Sie nach der Anzahl von {}, oder nennen Sie den Betrag.',
  'I cannot break {} down by {} without counting rows more than once or guessing how they belong together.':
    '{} lässt sich nicht nach {&} aufteilen, ohne Zeilen mehrfach zu zählen oder zu raten, wie sie zusammengehören.',
  'The terms use {} with {}, which has no single row of it.':
    'Die Begriffe verwenden {} mit {}, das keine einzelne Zeile davon hat.',
  'The terms define {} over {}, which is no table here.':
    'Die Begriffe legen {} über {} fest, das hier keine Tabelle ist.',
  'An average over groups can be broken down, and neither sorted nor shown beside columns.':
    'Ein Durchschnitt über Gruppen lässt sich aufteilen, aber weder ordnen noch neben Spalten zeigen.',
  'I cannot compute the median of {}.': 'Der Median von {} lässt sich nicht berechnen.',
  'I cannot average the number of {} for each {}.':
    'Der Durchschnitt der Anzahl von {} lässt sich nicht je {} berechnen.',
  'Rows of {} would count several times; please ask without that condition.':
    'Zeilen von {} würden mehrfach zählen; fragen Sie ohne diese Bedingung.',
  'One place of a ranking can be asked for a thing, as in “the … with the second highest total”.':
    'Nach einem Platz einer Rangfolge lässt sich für eine Sache fragen, etwa „the … with the second highest total“.',
  'The {} {} of what? Please name a table.': '„{} {}“ wovon? Nennen Sie eine Tabelle.',
  'There can be many values of “{}” for each one. Please say whether you want their total, average, highest or lowest.':
    'Von „{}“ kann es für jedes viele Werte geben. Sagen Sie, ob Sie „total“, „average“, „highest“ oder „lowest“ meinen.',
  'One figure cannot be sorted or cut to a number of rows. Please say what to break it down by.':
    'Eine einzelne Zahl lässt sich nicht ordnen und nicht auf Zeilen kürzen. Sagen Sie, wonach sie aufgeteilt werden soll.',
  'I cannot sort the {} by the {}.': '{} lässt sich nicht nach {} ordnen.',
  'I can sort the {} by itself or by {}, not by {}.':
    '{} lässt sich nach sich selbst oder nach {&} ordnen, nicht nach {}.',
  'I can compare two figures, and not lists or breakdowns. Please ask for each of them by itself.':
    'Vergleichen lassen sich zwei Zahlen, nicht Listen oder Aufteilungen. Fragen Sie nach jedem für sich.',
  'I do not see whose “{}” is asked for. Please name the table.':
    'Wessen „{}“ gefragt ist, ist nicht klar. Nennen Sie die Tabelle.',
  'Each of the {} has many of {}. Please list {} instead.':
    'Jedes von {} hat viele von {}. Lassen Sie stattdessen {} auflisten.',
  'I cannot sort a list by a figure. Please ask for the top of it instead, as in “top 10 … by revenue”.':
    'Eine Liste lässt sich nicht nach einer Zahl ordnen. Fragen Sie stattdessen nach den ersten, etwa „top 10 … by revenue“.',
  'Several figures cannot be sorted or cut to a number of rows. Please ask for one figure at a time.':
    'Mehrere Zahlen lassen sich nicht ordnen und nicht auf Zeilen kürzen. Fragen Sie nach einer Zahl auf einmal.',
  'The question asks for the same figure twice.': 'Die Frage fragt zweimal nach derselben Zahl.',
  'I can show two figures side by side. Please ask for two at a time.':
    'Nebeneinander lassen sich zwei Zahlen zeigen. Fragen Sie nach zweien auf einmal.',
  'I cannot rank or list shares. Please ask for the share per group.':
    'Anteile lassen sich nicht in eine Rangfolge bringen oder auflisten. Fragen Sie nach dem Anteil je Gruppe.',
  'I do not see what the share is of. Please ask for the share of a number of rows or of revenue.':
    'Wovon der Anteil gemeint ist, ist nicht klar. Fragen Sie nach dem Anteil an einer Anzahl von Zeilen oder am Umsatz.',
  'I do not see what the share is of. Please say which are the whole, as in “share of … that are …”.':
    'Wovon der Anteil gemeint ist, ist nicht klar. Sagen Sie, was das Ganze ist, etwa „share of … that are …“.',
  'I do not see which part the share is of. Please say for example “that are in Brazil”.':
    'Der Anteil welches Teils gemeint ist, ist nicht klar. Schreiben Sie etwa „that are in Brazil“.',
  'These groups overlap, so their shares would not add up to 100 percent.':
    'Diese Gruppen überschneiden sich; ihre Anteile ergäben nicht 100 Prozent.',
  'These groups overlap, so a row would count in several of them.':
    'Diese Gruppen überschneiden sich; eine Zeile würde in mehreren zählen.',
  'Every row fulfils the condition of the share; please be more particular.':
    'Jede Zeile erfüllt die Bedingung des Anteils; fragen Sie genauer.',
  'I cannot compute this for each of the groups that it names. Please ask for it without “for each” or “per”.':
    'Das lässt sich nicht für jede genannte Gruppe berechnen. Fragen Sie ohne „for each“ oder „per“ danach.',
  'I do not know which of the two the time is about. Please ask for the figure and for what is left out apart.':
    'Welches von beiden die Zeit betrifft, ist nicht klar. Fragen Sie nach der Zahl und nach dem, was wegbleibt, getrennt.',
  'I see a breakdown, but no figure to break down. Please ask for a number, a total or an average.':
    'Es gibt eine Aufteilung, aber keine Zahl dafür. Fragen Sie nach einer Anzahl, einer Summe oder einem Durchschnitt.',
  'I see a breakdown, but no figure to compare for each group.':
    'Es gibt eine Aufteilung, aber keine Zahl, die sich je Gruppe vergleichen ließe.',
  'Not all {} need be what the question calls them. Please ask for {} and say which.':
    'Nicht alle {} müssen sein, was die Frage sie nennt. Fragen Sie nach {}, und sagen Sie, welche.',
  'I cannot count {}s.': '„{}“ lässt sich nicht zählen.',
  '“{}” is a column and no figure. Please say “total {}” or “average …”.':
    '„{}“ ist eine Spalte und keine Zahl. Schreiben Sie „total {}“ oder „average …“.',
  'I can compare one figure for each group, and no ranking or share. Please ask for it by itself.':
    'Je Gruppe lässt sich eine Zahl vergleichen, aber keine Rangfolge und kein Anteil. Fragen Sie für sich danach.',
  'I cannot show “{}” next to a figure. Please ask for one of them, or for the figure per {}.':
    '„{}“ lässt sich nicht neben einer Zahl zeigen. Fragen Sie nach einem davon, oder nach der Zahl je {}.',
  'I do not know which date the time steps are about. Please count what has the date, such as “number of … per year”.':
    'Welches Datum die Zeitschritte meinen, ist nicht klar. Zählen Sie, was das Datum hat, etwa „number of … per year“.',
  'There is no ranking.': 'Es gibt keine Rangfolge.',
  'I cannot compute one figure of what another ranks. Please ask for what is “{}” first, and then for its figure.':
    'Eine Zahl von dem, was eine andere ordnet, lässt sich nicht berechnen. Fragen Sie zuerst nach dem, was „{}“ ist, und dann nach seiner Zahl.',
  '“{}” by what? Please add for example “by revenue” or “by number of …”.':
    '„{}“ wonach? Fügen Sie etwa „by revenue“ oder „by number of …“ an.',
  'One place of a ranking can be asked for a thing, as in “Which … has the second highest …?”.':
    'Nach einem Platz einer Rangfolge lässt sich für eine Sache fragen, etwa „Which … has the second highest …?“.',
  'The question mixes a ranking with another order or count. Please ask for one at a time.':
    'Die Frage mischt eine Rangfolge mit einer anderen Ordnung oder Anzahl. Fragen Sie nach einem auf einmal.',
  'I see a ranking, but not of what. Please name what the {} should be listed of.':
    'Es gibt eine Rangfolge, aber nicht, wovon. Sagen Sie, wovon „{}“ aufgelistet werden soll.',
  'I cannot show “{}” next to a ranking.': '„{}“ lässt sich nicht neben einer Rangfolge zeigen.',
  'I cannot rank averages within each group. Please ask for one ranking over all.':
    'Durchschnitte lassen sich nicht in jeder Gruppe in eine Rangfolge bringen. Fragen Sie nach einer über alle.',
  'I cannot rank {} by the number of {}.': '{} lassen sich nicht nach der Anzahl von {} in eine Rangfolge bringen.',
  'The question names several times: {}. Please ask for one, or for a range with “between”.':
    'Die Frage nennt mehrere Zeiten: {&}. Fragen Sie nach einer, oder nach einem Bereich mit „between“.',
  '“{}” and “{}” are both values of {}. Please say “or” for either, or ask for one at a time.':
    '„{}“ und „{}“ sind beide Werte von {}. Schreiben Sie „or“ für eines von beiden, oder fragen Sie nach einem auf einmal.',
  'Each of the {} may have many of {}: do you mean none that is “{}”, or some other? Please say “without”.':
    'Jedes von {} kann viele von {} haben: Meinen Sie keines, das „{}“ ist, oder ein anderes? Schreiben Sie „without“.',
  '“{}”: do you mean both or either? Please say “or” for either; I cannot ask for both at once.':
    '„{}“: Meinen Sie beides oder eines von beiden? Schreiben Sie „or“ für eines von beiden; nach beidem auf einmal lässt sich nicht fragen.',
  '{} holds no numbers, so I cannot compare it with {}.':
    '{} enthält keine Zahlen und lässt sich nicht mit {} vergleichen.',
  '{} is a year. Please ask for whole years.': '{} ist ein Jahr. Fragen Sie nach ganzen Jahren.',
  '{} have no name that could contain “{}”.': '{} haben keinen Namen, der „{}“ enthalten könnte.',
  'I see no way from {} to a column “{}”.': 'Von {} führt kein Weg zu einer Spalte „{}“.',
  'No single column holds {}.': 'Keine einzelne Spalte enthält {}.',
  '“{}” is a value of {}, which I cannot relate to {}.':
    '„{}“ ist ein Wert von {&}, was sich nicht mit {} verbinden lässt.',
  '“{}” is a value of {}, which says nothing of {} themselves.':
    '„{}“ ist ein Wert von {}, was über {} selbst nichts sagt.',
  '“{}” is no value of {}, only of {}.': '„{}“ ist kein Wert von {}, nur von {&}.',
  '{} have several dates: {}. Please say which one you mean.':
    '{} haben mehrere Daten: {&}. Sagen Sie, welches gemeint ist.',
  'I see no date of {} that the time in the question could be about.':
    '{} haben kein Datum, das die Zeit in der Frage meinen könnte.',
  'Amounts of sales could come from {}. Please name the column.':
    'Beträge von Verkäufen können aus {&} kommen. Nennen Sie die Spalte.',
  'The {} {} of what? Please name the column, as in “average {} total”.':
    '„{} {}“ wovon? Nennen Sie die Spalte, etwa „average {} total“.',
  'I see no table in {} that holds amounts of sales, so I cannot compute {}. Please name the column to add up.':
    'Keine Tabelle in {} enthält Beträge von Verkäufen; {} lässt sich nicht berechnen. Nennen Sie die Spalte, die addiert werden soll.',
  'Quantities sold could come from {}. Please name the column.':
    'Verkaufte Mengen können aus {&} kommen. Nennen Sie die Spalte.',
  'I see no quantities sold in {}.': 'In {} gibt es keine verkauften Mengen.',
  '{} has no single key column, so I cannot tell its rows apart in this question.':
    '{} hat keine einzelne Schlüsselspalte; seine Zeilen lassen sich in dieser Frage nicht unterscheiden.',
  '{} and {} are tied by several columns at once, which I do not handle.':
    '{} und {} sind durch mehrere Spalten zugleich verbunden; das geht hier nicht.',
  'Each of the {} stands in several groups here, so I cannot tell for which of them the condition on {} holds.':
    'Jedes von {} steht hier in mehreren Gruppen; für welche davon die Bedingung an {} gilt, lässt sich nicht sagen.',
  'I do not see which {} are meant beside the {} themselves. Please name them once.':
    'Welche {} neben {} selbst gemeint sind, ist nicht klar. Nennen Sie sie einmal.',
  'I see no direct way from {} to {} in the schema, so I cannot relate the two.':
    'Im Schema führt kein direkter Weg von {} zu {}; beides lässt sich nicht verbinden.',
  'I can compute one median, of a column or of a figure per group. Please ask for it by itself.':
    'Berechnen lässt sich ein Median, von einer Spalte oder von einer Zahl je Gruppe. Fragen Sie für sich danach.',
  'I do not see what the median is of. Please name a column, or a figure and “per …”.':
    'Wovon der Median gemeint ist, ist nicht klar. Nennen Sie eine Spalte, oder eine Zahl und „per …“.',
  '“earn” could mean {} or revenue. Please name the one you mean.':
    '„earn“ kann {} oder Umsatz heißen. Nennen Sie, was gemeint ist.',
  'I do not see who is meant by “who”. Please name the table, as in “which …”.':
    'Wer mit „who“ gemeint ist, ist nicht klar. Nennen Sie die Tabelle, etwa „which …“.',
  'I do not see what the sale in the question should be measured by. Please say: units, revenue, or the number of what.':
    'Woran der Verkauf in der Frage gemessen werden soll, ist nicht klar. Sagen Sie: „units“, „revenue“ oder „the number of …“.',
} as const
