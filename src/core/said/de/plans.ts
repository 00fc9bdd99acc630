/** What is said of plans, strategies and teams: why they are as they are, and why work ended or was not begun. */
export const plans = {
  'Chosen by keywords of the question: {}.': 'Gewählt nach Stichwörtern der Frage: {:}.',
  'none fits': 'keiner passt',
  'The rules could not read the question in time.': 'Die Regeln konnten die Frage nicht rechtzeitig lesen.',
  'Planned by rules: {}.': 'Nach Regeln geplant: {}.',
  'No agent fits the question.': 'Kein Agent passt zur Frage.',
  'The next agent is asked what one declined.': 'Was einer ablehnte, wird der nächste Agent gefragt.',
  'The supervisor plans.': 'Der Supervisor plant.',
  'The model did not return a plan; the agents were chosen by keywords.':
    'Das Modell hat keinen Plan geliefert; die Agenten wurden nach Stichwörtern gewählt.',
  'The model did not return a valid plan; the agents were chosen by keywords.':
    'Das Modell hat keinen gültigen Plan geliefert; die Agenten wurden nach Stichwörtern gewählt.',
  'The model named only unknown agents; the agents were chosen by keywords.':
    'Das Modell hat nur unbekannte Agenten genannt; die Agenten wurden nach Stichwörtern gewählt.',
  'The decision of the model cannot be carried out: {}': 'Die Entscheidung des Modells lässt sich nicht ausführen: {}',
  'The model did not return a decision: {}.': 'Das Modell hat keine Entscheidung geliefert: {}.',
  'The model did not write the answer: {}.': 'Das Modell hat die Antwort nicht geschrieben: {}.',
  'What was asked of “{}” was changed during approval.': 'Was „{}“ gefragt wurde, wurde bei der Freigabe geändert.',
  'The team has no other way to try.': 'Das Team hat keinen anderen Weg.',
  'The steps of the team “{}”.': 'Die Schritte des Teams „{}“.',
  'This question is known to {} as it stands.': 'Diese Frage ist {} so bekannt, wie sie ist.',
  '“{}” goes on from a question before it, and there is none. Ask the whole question.':
    '„{}“ führt eine Frage davor weiter, und es gibt keine. Stellen Sie die ganze Frage.',
  '“{}” asks for the answer before in other words, for which a language model is needed.':
    '„{}“ bittet um die Antwort davor in anderen Worten; dafür braucht es ein Sprachmodell.',
  '“{}” goes on from “{}”, and it is not clear how. Ask the whole question.':
    '„{}“ führt „{}“ weiter, und wie, ist nicht klar. Stellen Sie die ganze Frage.',
  'Answer “start” to have it done as it stands, or “no” to leave it. To have it otherwise, change the plan first.':
    'Antworten Sie „start“, damit er so ausgeführt wird, oder „nein“, um ihn zu lassen. Soll er anders sein, ändern Sie zuerst den Plan.',
  'Nobody could be asked.': 'Niemand konnte gefragt werden.',
  'All parts that can start are next.': 'Als Nächstes kommen alle Teile, die beginnen können.',
  'There is nothing left that could be done.': 'Es ist nichts mehr übrig, was sich tun ließe.',
  'A part of the question is not covered. Add a research step for {}.':
    'Ein Teil der Frage ist nicht abgedeckt. Fügen Sie einen Schritt der Recherche hinzu für {}.',
  'There is no expert step. Add one that answers the question.':
    'Es gibt keinen Schritt eines Fachmanns. Fügen Sie einen hinzu, der die Frage beantwortet.',
  'Task "{}" was not run, since nothing came of what it needs: {}.':
    'Die Aufgabe „{}“ wurde nicht ausgeführt, da aus dem, was sie braucht, nichts wurde: {;}.',
  '"{}" failed': '„{}“ ist fehlgeschlagen',
  '"{}" was not run': '„{}“ wurde nicht ausgeführt',
  '"{}" had nothing to do': '„{}“ hatte nichts zu tun',
  'The strategy "{}" begins without a plan, so there is none to look at.':
    'Die Strategie „{}“ beginnt ohne Plan; es gibt also keinen anzusehen.',
  'The finalizer ended without an answer.': 'Der Abschluss endete ohne Antwort.',
  'The composer ended without an answer.': 'Das Zusammenstellen endete ohne Antwort.',
  'The question could not be answered.': 'Die Frage ließ sich nicht beantworten.',
  'It came to nothing.': 'Daraus wurde nichts.',
  'Parts of the plan are open, and nobody was chosen for them: {}.':
    'Teile des Plans sind offen, und niemand wurde dafür gewählt: {}.',
  'The work was ended, since no step was left that had not been done or refused before.':
    'Die Arbeit wurde beendet, weil nur noch Schritte übrig waren, die schon getan oder abgelehnt waren.',
  'The work was ended, since its language model gave no decision on the next steps.':
    'Die Arbeit wurde beendet, weil das Sprachmodell nicht entschied, wie es weitergeht.',
  'The review did not accept the plan: {}': 'Die Prüfung nahm den Plan nicht an: {}',
  'The review did not accept the research: {}': 'Die Prüfung nahm die Recherche nicht an: {}',
  'The review did not accept the answer: {}': 'Die Prüfung nahm die Antwort nicht an: {}',
  '{}, so the work was ended.': '{:}; deshalb wurde die Arbeit beendet.',
  'The same agent was asked again and again without anything new':
    'Derselbe Agent wurde immer wieder gefragt, ohne dass Neues kam',
  'The plan was changed again and again without anything new':
    'Der Plan wurde immer wieder geändert, ohne dass Neues kam',
  'The work was ended, since a question to you was left without an answer.':
    'Die Arbeit wurde beendet, da eine Frage an Sie ohne Antwort blieb.',
  'The question asks for care: “{}”.': 'Die Frage bittet um Sorgfalt: „{}“.',
  'What is to be done depends on what is found first.': 'Was zu tun ist, hängt davon ab, was zuerst gefunden wird.',
  'One agent is enough for the question.': 'Für die Frage genügt ein Agent.',
  'The question has {} parts, for {}.': 'Die Frage hat {} Teile, für {}.',
  'This question leaves out "{}".': 'Diese Frage lässt „{}“ weg.',
  'The result of "{}" is none of the role "{}"; another version may have written it. Ask anew.':
    'Das Ergebnis von „{}“ gehört nicht zur Rolle „{}“; vielleicht hat es eine andere Version geschrieben. Fragen Sie neu.',

  'An admin can give you one (Admin, Access), or allow you one of your own (Settings, Mailbox).':
    'Ein Admin kann Ihnen eines geben (Verwaltung, Zugriff) oder ein eigenes erlauben (Einstellungen, Postfach).',
  'An admin can set it up.': 'Ein Admin kann sie einrichten.',
  'No database is open to you.': 'Ihnen steht keine Datenbank offen.',
  'No API is open to you.': 'Ihnen steht keine API offen.',
  'No mail account is open to you.': 'Ihnen steht kein Mailkonto offen.',
  'No web search is set up. {} A question that names a web address can be answered without.':
    'Es ist keine Websuche eingerichtet. {:} Eine Frage, die eine Webadresse nennt, geht auch ohne.',
  'Set TAVILY_API_KEY, or TUTTI_SEARXNG_URL for a SearXNG server.':
    'Setzen Sie TAVILY_API_KEY, oder TUTTI_SEARXNG_URL für einen SearXNG-Server.',
  'It has no table that may be read{}. Make one there, or use another database.':
    'Sie hat keine Tabelle, die gelesen werden darf{:}. Legen Sie dort eine an, oder nehmen Sie eine andere Datenbank.',
  ' in the schema that is read ("public" unless the configuration says otherwise)':
    ' (im Schema, das gelesen wird: „public“, wenn die Konfiguration nichts anderes sagt)',
  '{} beside the database is not used; name it as terms: in the configuration.':
    '{} neben der Datenbank wird nicht benutzt; nennen Sie die Datei als terms: in der Konfiguration.',
  'The model "{}" of {} is ignored, since its provider is not configured. {}.':
    'Das Modell „{}“ von {} bleibt unbeachtet, da sein Anbieter nicht eingerichtet ist. {:}.',
  'None is configured': 'Eingerichtet ist keiner',
  'Did you mean "{}"?': 'Meinten Sie „{}“?',
  'Configured are: {}': 'Eingerichtet sind: {}',
  'Run `tutti docs reindex` to have one embedding model make them all.':
    'Mit „tutti docs reindex“ macht ein Embedding-Modell sie alle.',
  'On Debian and Ubuntu: apt-get install bubblewrap python3-numpy python3-pandas. Or set sandbox.backend to pyodide.':
    'Unter Debian und Ubuntu: apt-get install bubblewrap python3-numpy python3-pandas. Oder setzen Sie sandbox.backend auf pyodide.',
  'The sandbox backend "cpython" needs Linux on x64 or arm64. Set sandbox.backend to pyodide.':
    'Das Sandbox-Backend „cpython“ braucht Linux auf x64 oder arm64. Setzen Sie sandbox.backend auf pyodide.',

  'The team would take questions that are for others by its keywords {}: leave them out, or write phrases with two words or more that say what this team alone does, such as “invoices against contracts”.':
    'Das Team nähme mit seinen Stichwörtern {&} Fragen, die für andere sind: Lassen Sie sie weg, oder schreiben Sie Wendungen aus zwei oder mehr Wörtern, die sagen, was nur dieses Team tut, etwa „invoices against contracts“.',
  'The team “{}” did its steps as they were built; it did not look at {}.':
    'Das Team „{}“ tat seine Schritte, wie sie gebaut wurden; nicht angesehen hat es {&}.',
  'The team “{}” does its steps as they were built, and none of them is about this.':
    'Das Team „{}“ tut seine Schritte, wie sie gebaut wurden, und keiner davon betrifft das.',
  'The team “{}” (version {}) is saved and not used, since it did not pass its checks. {} It is among the teams (/teams/{}), where it can be changed and tried again, exported or removed; on the command line: "teams export {} team.json", edit, "teams import team.json".':
    'Das Team „{}“ (Version {}) ist gespeichert und wird nicht benutzt, da es seine Prüfungen nicht bestand. {:} Es steht unter den Teams (/teams/{}); dort lässt es sich ändern und noch einmal prüfen, ausgeben oder entfernen; auf der Kommandozeile: „teams export {} team.json“, bearbeiten, „teams import team.json“.',
  'Its check “{}” passed.': 'Seine Prüfung „{}“ bestand es.',
  'Its check “{}” failed: {}.': 'Seine Prüfung „{}“ bestand es nicht: {;}.',
  'Held back in the trial: {}.': 'In der Probe zurückgehalten: {}.',
  '“{}” left open: {}': '„{}“ ließ offen: {;}',
  '“{}” was not asked': '„{}“ wurde nicht gefragt',
  '“{}” gave nothing: {}': '„{}“ ergab nichts: {;}',
  'the run was {}: {}': 'der Lauf war im Stand „{:}“: {:}',
  'figures of the answer stand in no source: {}': 'Zahlen der Antwort stehen in keiner Quelle: {}',
  'the answer does not hold “{}”': 'in der Antwort steht nicht „{}“',
  'To change it as a new version: "teams edit {} …" with a language model, or "teams export {} team.json", edit, "teams import team.json".':
    'Um es als neue Version zu ändern: „teams edit {} …“ mit einem Sprachmodell, oder „teams export {} team.json“, bearbeiten, „teams import team.json“.',
  'Say the change in other words, or change the file: "teams export", edit, "teams import".':
    'Sagen Sie die Änderung mit anderen Worten, oder ändern Sie die Datei: „teams export“, bearbeiten, „teams import“.',
  'Nothing was saved: a team that is given as a file or built without a language model cannot be changed by instructions. Approve it as it is shown, or deny it and say anew what it is for; "teams export", edit, "teams import" changes it.':
    'Nichts wurde gespeichert: Ein Team, das als Datei kommt oder ohne Sprachmodell gebaut ist, lässt sich nicht durch Anweisungen ändern. Geben Sie es frei, wie es gezeigt ist, oder lehnen Sie es ab und sagen Sie neu, wofür es ist; mit „teams export“, bearbeiten, „teams import“ lässt es sich ändern.',
  '“{}” is a table of several databases: {}. Open one of them alone.':
    '„{}“ ist eine Tabelle mehrerer Datenbanken: {}. Öffnen Sie nur eine davon.',
  'There are tables of {}.': 'Es gibt Tabellen zu {}.',
  'Other sources take a language model to be compared.': 'Andere Quellen zu vergleichen braucht ein Sprachmodell.',
  'No tool at hand knows of “{}”.': 'Kein vorhandenes Werkzeug weiß von „{}“.',
  'No tool at hand fits “{}”, as far as can be told without a language model.':
    'Soweit sich das ohne Sprachmodell sagen lässt, passt kein vorhandenes Werkzeug zu „{}“.',
  'Write a report of what was found.': 'Einen Bericht über das Gefundene schreiben.',
  '“{}” needs "{}", which this installation does not have.':
    '„{}“ braucht „{}“, was es in dieser Installation nicht gibt.',
  '“{}” works with "{}", which this question leaves out.': '„{}“ arbeitet mit „{}“, was diese Frage weglässt.',
  'The call of “{}” does not fit the input of "{}": {}.': 'Der Aufruf von „{}“ passt nicht zur Eingabe von „{}“: {}.',
  '“{}” cannot have "{}" as its fixed call; leave "call" out.':
    '„{}“ kann „{}“ nicht als festen Aufruf haben; lassen Sie „call“ weg.',
  'Teams are nested at most {} deep, and none holds itself.':
    'Teams sind höchstens {} Ebenen tief verschachtelt, und keines enthält sich selbst.',
} as const
