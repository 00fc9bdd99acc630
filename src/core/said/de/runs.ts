/** What is said of runs, their plans, steps, approvals and limits, and beside their answers. */
export const runs = {
  'The source {} was taken away from you while this was worked on. Ask again, without it.':
    'Die Quelle {} wurde Ihnen entzogen, während daran gearbeitet wurde. Fragen Sie noch einmal, ohne sie.',
  'This app is closed; make another with createApp.':
    'Diese App ist geschlossen; machen Sie mit createApp eine andere.',
  'You answered “{}” instead of “start”.': 'Sie antworteten „{}“ statt „start“.',
  'The plan has {} tasks; at most {} are allowed.': 'Der Plan hat {} Aufgaben; höchstens {} sind erlaubt.',
  'The plan has {} research steps; at most {} are allowed.':
    'Der Plan hat {} Schritte der Recherche; höchstens {} sind erlaubt.',
  'Task "{}" names tools that "{}" does not have: {}; {}.':
    'Die Aufgabe „{}“ nennt Werkzeuge, die „{}“ nicht hat: {}; {}.',
  '"{}" is chosen and is no step of the plan.': '„{}“ ist gewählt und kein Schritt des Plans.',
  '"{}" is a step for "{}", and "{}" was chosen for it.':
    '„{}“ ist ein Schritt für „{}“, und gewählt wurde dafür „{}“.',
  'The plan is not well formed: {}.': 'Der Plan ist nicht wohlgeformt: {}.',
  'Task ids must be unique; used more than once: {}.':
    'Kennungen von Aufgaben müssen verschieden sein; mehrmals benutzt: {}.',
  'Unknown dependency: task {}, which is not in the plan.':
    'Unbekannte Abhängigkeit: Aufgabe {}, die nicht im Plan steht.',
  'Unknown dependency: task {}': 'Unbekannte Abhängigkeit: Aufgabe {}',
  'Task {} waits for a task that is not in the plan.': 'Die Aufgabe {} wartet auf eine, die nicht im Plan steht.',
  'These tasks wait for each other in a circle: {}.': 'Diese Aufgaben warten im Kreis aufeinander: {}.',
  'The plan holds values that are not plain JSON: {}': 'Der Plan hat Werte, die kein einfaches JSON sind: {}',
  'Unknown agent: task {}. Known agents: {}.': 'Unbekannter Agent: Aufgabe {}. Bekannte Agenten: {}.',
  'Unknown agent: {}. Known agents: {}.': 'Unbekannter Agent: {}. Bekannte Agenten: {}.',
  'There is no agent “@{}”: a question that begins with @ names who is asked. Known agents: {}.':
    'Es gibt keinen Agenten „@{}“: Eine Frage, die mit @ beginnt, nennt, wer gefragt ist. Bekannte Agenten: {}.',
  'Say after “@{}” what is asked.': 'Sagen Sie hinter „@{}“, was gefragt ist.',
  'Ask a question: a text, or an object with one, such as { question: "…" }.':
    'Stellen Sie eine Frage: einen Text oder ein Objekt damit, etwa { question: "…" }.',
  'The context has "{}"; the day of a question is called "{}".':
    'Im Kontext steht „{}“; der Tag einer Frage heißt „{}“.',
  'The context\'s "{}" is not a day: write it as 2026-01-31.':
    '„{}“ im Kontext ist kein Tag: Schreiben Sie ihn wie 2026-01-31.',
  'Run {} is {}; wait for its answer.': 'Der Lauf {} ist im Stand „{:}“; warten Sie auf seine Antwort.',
  'Run {} ended without an answer, so there is none to judge; ask again.':
    'Der Lauf {} endete ohne Antwort, es gibt also keine zu beurteilen; fragen Sie noch einmal.',
  'The log of this run is empty.': 'Das Protokoll dieses Laufs ist leer.',
  '"{}" was approved with instructions; its job starts anew.':
    '„{}“ wurde mit Anweisungen freigegeben; die Aufgabe beginnt neu.',
  'Nobody answered "{}" in time.': 'Niemand hat „{}“ rechtzeitig beantwortet.',
  '"{}" is no longer open.': '„{}“ ist nicht mehr offen.',
  'The person left "{}" unanswered.': 'Die Person ließ „{}“ unbeantwortet.',
  'The person left "{}" unanswered: {}.': 'Die Person ließ „{}“ unbeantwortet: {}.',
  'You denied {}.': 'Sie haben abgelehnt: {:}.',
  'You denied {}: {}.': 'Sie haben abgelehnt: {:} ({}).',
  '{} denied {}.': '{} hat abgelehnt: {:}.',
  '{} denied {}: {}.': '{} hat abgelehnt: {:} ({}).',
  'A person denied {}.': 'Eine Person hat abgelehnt: {:}.',
  'A person denied {}: {}.': 'Eine Person hat abgelehnt: {:} ({}).',
  'Nobody decided on {} in time.': 'Niemand hat rechtzeitig entschieden: {:}.',
  'The approval of "{}" is no longer open.': 'Die Freigabe von „{}“ ist nicht mehr offen.',
  'sending this mail': 'diese Mail zu senden',
  'sending this reply': 'diese Antwort zu senden',
  'saving this draft': 'diesen Entwurf zu speichern',
  'running this program': 'dieses Programm auszuführen',
  'sending this request': 'diese Anfrage zu senden',
  'taking on this team': 'dieses Team aufzunehmen',
  'the call of "{}"': 'der Aufruf von „{}“',
  'The call of "{}" needs a person\'s approval, and this request was made without anyone to ask. Ask again where a person can decide.':
    'Der Aufruf von „{}“ braucht die Freigabe einer Person, und bei dieser Frage war niemand da. Fragen Sie dort noch einmal, wo jemand entscheiden kann.',
  '"{}" was asked of nobody, since this request was made without anyone to answer. Ask again where a person can answer.':
    '„{}“ wurde niemand gefragt, da bei dieser Frage niemand da war. Fragen Sie dort noch einmal, wo jemand antworten kann.',
  'You said "{}" when approving it, but the agent came back with the very same call. {}':
    'Sie sagten beim Freigeben „{}“, aber der Agent kam mit genau demselben Aufruf zurück. {:}',
  'The run goes on with your answer.{}': 'Der Lauf geht mit Ihrer Antwort weiter.{}',
  'Too late: this approval is {}.': 'Zu spät: Diese Freigabe ist {:}.',
  'This is a question: answer it in words, or deny to leave it unanswered.':
    'Das ist eine Frage: Beantworten Sie sie in Worten, oder lehnen Sie ab, um sie offen zu lassen.',
  '“{}” speaks against what it would approve, so nothing was decided: deny it instead, or say how it is to be done.':
    '„{}“ spricht gegen das, was freigegeben würde; deshalb wurde nichts entschieden: Lehnen Sie es ab, oder sagen Sie, wie es getan werden soll.',
  'No result within {} s; the limit of the agent can be raised.':
    'Kein Ergebnis binnen {} s; die Grenze des Agenten lässt sich anheben.',
  'This job is over; its context cannot be used any more.':
    'Diese Aufgabe ist zu Ende; ihr Kontext lässt sich nicht mehr benutzen.',
  'There is no value "{}" in this run. There is: {}.': 'In diesem Lauf gibt es keinen Wert „{}“. Es gibt: {}.',
  'Runs are nested at most {} deep; let the team do this without a team of its own.':
    'Läufe sind höchstens {} Ebenen tief verschachtelt; lassen Sie das Team dies ohne eigenes Team tun.',
  '{} The call may have taken place: look there before you ask for it again.':
    '{:} Der Aufruf hat vielleicht stattgefunden: Sehen Sie dort nach, bevor Sie noch einmal darum bitten.',
  'Tool "{}" could not tell whether its call took place: {}':
    'Das Werkzeug „{}“ konnte nicht sagen, ob sein Aufruf stattfand: {:}',
  'it did not answer.': 'es hat nicht geantwortet.',
  '"{}" did not answer; its call may have taken place.':
    '„{}“ hat nicht geantwortet; der Aufruf hat vielleicht stattgefunden.',
  'This job has called "{}" before, with {}.': 'Diese Aufgabe hat „{}“ schon einmal aufgerufen, mit {}.',
  '{} Approve to make this call as well, deny to leave it.{}':
    '{:} Geben Sie frei, um auch diesen Aufruf zu machen, lehnen Sie ab, um ihn zu lassen.{}',
  'It was interrupted half-way and may already have happened. Approve to do it (again), deny to leave it.{}':
    'Es wurde mittendrin unterbrochen und ist vielleicht schon geschehen. Geben Sie frei, um es (noch einmal) zu tun, lehnen Sie ab, um es zu lassen.{}',
  'The address {} has the place {{}}, and "params" has no value for it.':
    'Die Adresse {} hat die Stelle {{}}, und „params“ hat keinen Wert dafür.',
  '"params" has "{}", and the address {} has no place {{}}.':
    '„params“ hat „{}“, und die Adresse {} hat keine Stelle {{}}.',
  '"{}" cannot fill the place {{}} in the path of the address {}.':
    '„{}“ kann die Stelle {{}} im Pfad der Adresse {} nicht füllen.',
  'This is a trial run, in which "{}" is not called, since it would change something.':
    'Das ist ein Probelauf, in dem „{}“ nicht aufgerufen wird, da es etwas ändern würde.',
  'Tool "{}" was called with wrong input: {}.': 'Das Werkzeug „{}“ wurde mit falscher Eingabe aufgerufen: {}.',
  'Run {} is {} already.': 'Der Lauf {} ist schon im Stand „{:}“.',
  'Run {} has no plan yet; try again in a moment.':
    'Der Lauf {} hat noch keinen Plan; versuchen Sie es gleich noch einmal.',
  'Run {} is {} already; fork it to have it done otherwise.':
    'Der Lauf {} ist schon im Stand „{:}“; zweigen Sie ihn ab, um es anders machen zu lassen.',
  'There is a run {} already.': 'Einen Lauf {} gibt es schon.',
  '{} cannot be kept in the log: {}. Make its values plain JSON.':
    '{} lässt sich nicht im Protokoll festhalten: {}. Machen Sie die Werte zu einfachem JSON.',
  'Nothing was decided: run {} needs {}, which is not set up here. Decide where it was started, or with {}.':
    'Nichts wurde entschieden: Der Lauf {} braucht {}, was hier nicht eingerichtet ist. Entscheiden Sie dort, wo er begonnen wurde, oder mit {}.',
  'Run {} is a part of run {}; delete that one.': 'Der Lauf {} ist ein Teil des Laufs {}; löschen Sie diesen.',
  'Run {} is {}; cancel it before you delete it.':
    'Der Lauf {} ist im Stand „{:}“; halten Sie ihn an, bevor Sie ihn löschen.',
  'The run that this one is a part of is over.': 'Der Lauf, zu dem dieser gehört, ist zu Ende.',
  'The run has no job "{}". It has: {}.': 'Der Lauf hat keinen Schritt „{}“. Er hat: {}.',
  'The fork is not valid: {}.': 'Die Abzweigung ist nicht gültig: {}.',
  'There is no actor "{}". Known: {}.': 'Es gibt niemanden namens „{}“. Bekannt: {}.',
  'This worker is shutting down; the run goes on in another one.':
    'Dieser Server fährt herunter; der Lauf geht auf einem anderen weiter.',
  'The run is not in memory any more.': 'Der Lauf ist nicht mehr im Speicher.',
  'The run is over.': 'Der Lauf ist zu Ende.',
  'The run was cancelled.': 'Der Lauf wurde angehalten.',
  'Run {} was cancelled.': 'Der Lauf {} wurde angehalten.',
  'Run {} is not over; read it again.': 'Der Lauf {} ist nicht zu Ende; lesen Sie ihn noch einmal.',
  'The call ended before run {} did.': 'Der Aufruf endete vor dem Lauf {}.',
  'The run ended without an answer.': 'Der Lauf endete ohne Antwort.',
  'The plan was changed while this was at work.': 'Der Plan wurde geändert, während daran gearbeitet wurde.',
  'It was interrupted half-way and may already have happened. The plan was changed, so it is not gone on with.':
    'Es wurde mittendrin unterbrochen und ist vielleicht schon geschehen. Der Plan wurde geändert; es wird nicht fortgesetzt.',
  'Run {} is in the hands of another process.': 'Der Lauf {} wird von einem anderen Prozess bearbeitet.',
  'Run {} was taken over by another worker.': 'Der Lauf {} wurde von einem anderen Server übernommen.',
  'Strategy "{}" is not available. Available: {}.': 'Die Strategie „{}“ gibt es nicht. Es gibt: {}.',
  'The planner ended without a plan.': 'Die Planung endete ohne Plan.',
  'The agent failed.': 'Der Agent ist gescheitert.',
  '{} Done before that, and it stays done: {}.': '{:} Davor getan, und es bleibt getan: {}.',
  'The {} is nearly reached; {}.': 'Die Grenze ist fast erreicht ({:}); {:}.',
  'The {} is reached; {}.': 'Die Grenze ist erreicht ({:}); {:}.',
  'The {}, its share of those of the whole run, is reached; {}.':
    'Die Grenze ist erreicht ({:}), der Anteil an der des ganzen Laufs; {:}.',
  'The next model call could go over the {} ({} used); {}.':
    'Der nächste Modellaufruf könnte die Grenze überschreiten ({:}, {} verbraucht); {:}.',
  'The next model call could go over the {} (${} spent); {}.':
    'Der nächste Modellaufruf könnte die Grenze überschreiten ({:}, {} $ ausgegeben); {:}.',
  'Too little of the {} is left for a run within this one; {}.':
    'Für einen Lauf innerhalb dieses Laufs ist zu wenig übrig ({:}); {:}.',
  'limit of {} tokens': '{} Token',
  'limit of {} token': '{} Token',
  'limit of {} model calls': '{} Modellaufrufe',
  'limit of {} model call': '{} Modellaufruf',
  'limit of {} agents': '{} Agenten',
  'limit of {} agent': '{} Agent',
  'limit of ${}': '{} $',
  'limit of {} s': '{} s',
  'raise {} ({})': 'heben Sie {} an ({})',
  'Stopped; descriptions are made later.': 'Angehalten; Beschreibungen werden später gemacht.',
  'The run of the team “{}” was {}.': 'Der Lauf des Teams „{}“ ist im Stand „{:}“.',
  'The team gives “{}” no tool "{}".': 'Das Team gibt „{}“ kein Werkzeug „{}“.',
  running: 'läuft',
  waiting: 'wartet',
  finished: 'fertig',
  failed: 'fehlgeschlagen',
  cancelled: 'angehalten',
  approved: 'freigegeben',
  denied: 'abgelehnt',
  timed_out: 'abgelaufen',
  expired: 'abgelaufen',
  pending: 'offen',
  superseded: 'überholt',
  'no model is configured': 'es ist kein Modell eingerichtet',
  'no model answered': 'kein Modell hat geantwortet',
  'the query does not say all that was asked': 'die Abfrage sagt nicht alles, was gefragt war',
  'sentences of the model were left out, since their figures or names stand in nothing that was found':
    'Sätze des Modells wurden ausgelassen, da ihre Zahlen oder Namen in nichts stehen, was gefunden wurde',
  'This could not be answered.': 'Das ließ sich nicht beantworten.',
  'This could not be answered: {}.': 'Das ließ sich nicht beantworten: {:}.',
  'Not answered: {}: {}.': 'Nicht beantwortet: {}: {:}.',
  'Not done: {}: {}.': 'Nicht getan: {}: {:}.',
  'Not done: {}.': 'Nicht getan: {:}.',
  '{} gave no answer: {}.': '{:} gab keine Antwort: {:}.',
  'No data was returned.': 'Es kamen keine Daten.',
  'Run {} is over; ask in its conversation instead.': 'Lauf {} ist zu Ende; fragen Sie in seinem Gespräch weiter.',
  'The strategy "direct" needs a language model. Connect one, or choose "auto".':
    'Die Strategie „direct“ braucht ein Sprachmodell. Verbinden Sie eines, oder wählen Sie „auto“.',
  'The plan is to be confirmed first.': 'Der Plan soll erst bestätigt werden.',
  'The assistant answers or delegates.': 'Der Assistent antwortet selbst oder gibt Aufgaben weiter.',
  'The request names {}.': 'Die Anfrage nennt {}.',
  'The assistant delegated tasks.': 'Der Assistent hat Aufgaben weitergegeben.',
  'No source was used for this answer.': 'Für diese Antwort wurde keine Quelle genutzt.',
  'A citation was removed, because it named no source that was found: {}.':
    'Ein Verweis wurde entfernt, weil er keine gefundene Quelle nennt: {}.',
  'Figures that are in no source: {}.': 'Zahlen, die in keiner Quelle stehen: {}.',
  '{} The answer uses what there was.': '{:} Die Antwort nutzt, was da war.',
  '{} The answer uses what there was by then.': '{:} Die Antwort nutzt, was bis dahin da war.',
  '{} Nobody else was asked.': '{:} Sonst wurde niemand gefragt.',
  'No agent was chosen for this question, so there is nothing to answer from.':
    'Für diese Frage wurde kein Agent gewählt; es gibt nichts, woraus zu antworten wäre.',
  'No MCP server is connected, so there is no tool to call.':
    'Es ist kein MCP-Server verbunden, also gibt es kein Werkzeug, das sich aufrufen ließe.',
  'Tools that are connected: {}.': 'Verbundene Werkzeuge: {}.',
  'Nearest to it, and not an answer, is {}: “{}”': 'Am nächsten kommt dem, ohne eine Antwort zu sein, {}: „{}“',
  'Understood as: {}.': 'Verstanden als: {}.',
  '{} was asked first and gave no answer to this.': '{:} wurde zuerst gefragt und gab darauf keine Antwort.',
  'Not answered: “{}”: nobody said anything of it.': 'Nicht beantwortet: „{}“: Dazu hat niemand etwas gesagt.',
  'Not answered: {}: to work that out of what was found needs a language model{}.':
    'Nicht beantwortet: {}: Um das aus dem Gefundenen zu schließen, braucht es ein Sprachmodell{:}.',
  ' ({})': ' ({:})',
  'The tool "{}" gave no result: {}.': 'Das Werkzeug „{}“ lieferte kein Ergebnis: {:}.',
  '{} was left out: {}.': '{} wurde ausgelassen: {:}.',
  '{} does not answer at the moment; an admin can see why.': '{} antwortet zurzeit nicht; ein Admin kann sehen, warum.',
  'nobody was asked': 'niemand wurde gefragt',
  'the query to the database failed': 'Die Abfrage an die Datenbank ist fehlgeschlagen',
  'the service did not accept the sign-in; check its key or token':
    'Der Dienst hat die Anmeldung nicht angenommen; prüfen Sie Schlüssel oder Token',
  'the request to the service failed': 'Die Anfrage an den Dienst ist fehlgeschlagen',
  'it took too long': 'Es hat zu lange gedauert',
  'the language model gave no usable answer': 'Das Sprachmodell gab keine brauchbare Antwort',
  'nothing came of what it needs': 'Aus dem, was dafür nötig ist, wurde nichts',
  'its result did not hold when it was checked': 'Das Ergebnis hielt der Prüfung nicht stand',
  'an internal error occurred': 'Ein innerer Fehler trat auf',
  'the database': 'die Datenbank',
  'the documents': 'die Dokumente',
  'the mailbox': 'das Postfach',
  'the web': 'das Web',
  'the API': 'die API',
  'A call of "{}" was cut off half-way and may have taken place; look whether it did.':
    'Ein Aufruf von „{}“ wurde mittendrin abgebrochen und hat vielleicht stattgefunden; sehen Sie nach, ob es so ist.',
  '"{}" was called for a task that the plan has no more, and that stays done.':
    '„{}“ wurde für eine Aufgabe aufgerufen, die der Plan nicht mehr hat; das bleibt getan.',
  'Done anew with the instructions given {}': 'Neu begonnen mit den Anweisungen {}',
  'The result was rejected when it was checked: {}': 'Das Ergebnis wurde bei der Prüfung abgelehnt: {}',
  'Sentences whose figures stand in nothing that was found were left out.':
    'Sätze, deren Zahlen in nichts stehen, was gefunden wurde, wurden ausgelassen.',
  'The model did not return the final answer: {}.': 'Das Modell gab keine abschließende Antwort: {:}.',
  'The researcher needs a language model. Connect one.':
    'Der Rechercheur braucht ein Sprachmodell. Verbinden Sie eines.',
  'A result was not looked at a second time, because the model for it failed.':
    'Ein Ergebnis wurde kein zweites Mal geprüft, weil das Modell dafür ausfiel.',
  'What came of this was not found right when it was checked, and is not done again since it cannot be undone.':
    'Was herauskam, hielt der Prüfung nicht stand; es wird nicht noch einmal getan, da es sich nicht zurücknehmen lässt.',
  '"{}" was not asked about: an approval covers its calls to this destination':
    'Nach „{}“ wurde nicht gefragt: eine Freigabe gilt für Aufrufe an dieses Ziel',
  'This approval cannot have the scope "{}", only: {}.': 'Diese Freigabe kann nicht „{}“ gelten, nur: {}.',
  'A scope or an edited payload goes with the approval of a call, without instructions.':
    'Geltung und bearbeitete Eingabe gehören zur Freigabe eines Aufrufs ohne Anweisung.',
  'The edited call cannot be made: {}': 'Der bearbeitete Aufruf ist nicht möglich: {}',
  'There is no standing approval {}.': 'Es gibt keine bestehende Freigabe {}.',
  'This call would carry {} to {}. These are not your own words, and {}.':
    'Dieser Aufruf trüge {} zu {}. Das sind nicht Ihre eigenen Worte, und {}.',
  'Ask again where a person can answer.': 'Fragen Sie dort noch einmal, wo jemand antworten kann.',
  'Ask again where a person can decide.': 'Fragen Sie dort noch einmal, wo jemand entscheiden kann.',
  'The person left "{}" unanswered{}.': 'Die Person ließ „{}“ unbeantwortet{}.',
  '{} has called "{}", or has set about calling it, with the very same before, in {}.':
    '{} hat „{}“ schon einmal mit genau demselben aufgerufen oder aufrufen wollen, in {}.',
  'The plan is ready. Look at it, change it where you like, and answer “start” to have it done.':
    'Der Plan ist fertig. Sehen Sie ihn an, ändern Sie ihn, wo Sie möchten, und antworten Sie „start“, damit er ausgeführt wird.',
  'The plan still waits, and nothing of it was done: {} does not say whether to start it. Answer “start” to have it done as it stands, or “no” to leave it. To have it otherwise, change the plan first.':
    'Der Plan wartet noch, und nichts davon ist geschehen: {} sagt nicht, ob er beginnen soll. Antworten Sie „start“, damit er so ausgeführt wird, oder „nein“, um ihn zu lassen. Soll er anders sein, ändern Sie zuerst den Plan.',
  'Changed by hand.': 'Von Hand geändert.',
  'Approve to make this call all the same, deny to leave it.{}':
    'Geben Sie frei, um diesen Aufruf trotzdem zu machen, lehnen Sie ab, um ihn zu lassen.{}',
  'This call cannot be undone.': 'Dieser Aufruf lässt sich nicht zurücknehmen.',
  'This call cannot be undone, and {}.': 'Dieser Aufruf lässt sich nicht zurücknehmen, und {:}.',
  '{}, and {} comes from outside.': '{:}, und {:} kommt von außen.',
  '{}, and {} comes from outside: {}.': '{:}, und {:} kommt von außen: {;}.',
  '{}, and {} comes from your data, not from your words.':
    '{:}, und {:} kommt aus Ihren Daten, nicht aus Ihren Worten.',
  '{}, and {} comes from your data, not from your words: {}.':
    '{:}, und {:} kommt aus Ihren Daten, nicht aus Ihren Worten: {;}.',
  'what it is made from': 'woraus er gemacht ist,',
  '{} comes from outside': '{:} kommt von außen',
  '{} comes from outside: {}': '{:} kommt von außen: {;}',
  '{} comes from your data, not from your words': '{:} kommt aus Ihren Daten, nicht aus Ihren Worten',
  '{} comes from your data, not from your words: {}': '{:} kommt aus Ihren Daten, nicht aus Ihren Worten: {;}',
} as const
