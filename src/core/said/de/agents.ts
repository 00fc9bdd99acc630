/** What agents and what they work with say: mail, web, APIs, MCP servers, programs, models, requests. */
export const agents = {
  'This request takes {}, and only JSON and forms can be sent.':
    'Diese Anfrage nimmt {}, und gesendet werden können nur JSON und Formulare.',
  '"{}" leads away from {}.': '„{}“ führt von {} weg.',
  '"{}" is not a path of an API.': '„{}“ ist kein Pfad einer API.',
  '{} needs {}; name it in the question or in the context.':
    '{} braucht {}; nennen Sie es in der Frage oder im Kontext.',
  'The value of "{}" cannot stand in a path.': 'Der Wert von „{}“ kann nicht in einem Pfad stehen.',
  'Signing in to Firebase failed: {}. Check FIREBASE_EMAIL, FIREBASE_PASSWORD and FIREBASE_WEB_API_KEY.':
    'Die Anmeldung bei Firebase ist fehlgeschlagen: {}. Prüfen Sie FIREBASE_EMAIL, FIREBASE_PASSWORD und FIREBASE_WEB_API_KEY.',
  'No endpoint can answer this question.': 'Kein Endpunkt kann diese Frage beantworten.',
  'No endpoint of the configured APIs has anything to do with this question.':
    'Kein Endpunkt der eingerichteten APIs hat mit dieser Frage zu tun.',
  'The endpoint that fits best is {} {}, but {}.': 'Am besten passt der Endpunkt {} {}, aber {}.',
  'The tool "{}" failed without a reason.': 'Das Werkzeug „{}“ ist ohne Grund gescheitert.',
  'The MCP server "{}" is a program of this machine; nobody signs in there.':
    'Der MCP-Server „{}“ ist ein Programm dieses Rechners; dort meldet sich niemand an.',
  'The MCP server "{}" says again and again that its tools are others; "{}" was not called.':
    'Der MCP-Server „{}“ sagt immer wieder, dass seine Werkzeuge andere sind; „{}“ wurde nicht aufgerufen.',
  'The tool "{}" of the MCP server "{}" was changed or added since its tools were accepted, and is put aside. See how with {}, and accept it with {}.':
    'Das Werkzeug „{}“ des MCP-Servers „{}“ wurde geändert oder kam hinzu, seit seine Werkzeuge angenommen wurden; es ist zurückgestellt. Wie, sehen Sie mit {}; annehmen können Sie es mit {}.',
  'The connection to MCP server "{}" was closed: it is not set up any more, or in another way.':
    'Die Verbindung zum MCP-Server „{}“ wurde geschlossen: Er ist nicht mehr eingerichtet, oder anders.',
  'The call of {} on MCP server "{}" was cancelled.': 'Der Aufruf von {} auf dem MCP-Server „{}“ wurde abgebrochen.',
  'Cannot connect to MCP server "{}": {}': 'Der MCP-Server „{}“ ist nicht zu erreichen: {:}',
  'MCP server "{}", {}: {}': 'MCP-Server „{}“, {}: {:}',
  'MCP server "{}" broke down {} times in a row; it is tried again in {} s.':
    'Der MCP-Server „{}“ ist {} Mal hintereinander zusammengebrochen; in {} s wird er wieder versucht.',
  'MCP server "{}" refuses access (HTTP {}); check the headers it is called with, or sign in with "tutti mcp login {}".':
    'Der MCP-Server „{}“ verweigert den Zugang (HTTP {}); prüfen Sie die Kopfzeilen, mit denen er gerufen wird, oder melden Sie sich mit „tutti mcp login {}“ an.',
  'The sign-in to the MCP server "{}" is not valid any more; sign in with "tutti mcp login {}".':
    'Die Anmeldung beim MCP-Server „{}“ gilt nicht mehr; melden Sie sich mit „tutti mcp login {}“ an.',
  'its command is not found.': 'sein Befehl ist nicht zu finden.',
  'its command may not be run.': 'sein Befehl darf nicht ausgeführt werden.',
  'the program ended before it answered.': 'das Programm endete, bevor es antwortete.',
  'the program ended before it answered. Its last words: {}':
    'das Programm endete, bevor es antwortete. Seine letzten Worte: {}',
  'there is no MCP endpoint at its URL (HTTP {}).': 'unter seiner Adresse ist kein MCP-Endpunkt (HTTP {}).',
  'the connection broke.': 'die Verbindung brach ab.',
  'the connection broke. Its last words: {}': 'die Verbindung brach ab. Letzte Worte: {}',
  'no answer within {} s.': 'keine Antwort binnen {} s.',
  'it does not speak MCP: {}': 'er spricht kein MCP: {}',
  'No program was written: {}. {}': 'Es wurde kein Programm geschrieben: {:}. {:}',
  'Give the Python itself, between a line ```python and a line ```, and it is run after approval.':
    'Geben Sie das Python selbst, zwischen einer Zeile ```python und einer Zeile ```; es wird nach Ihrer Freigabe ausgeführt.',
  'The code failed: {}: {}': 'Das Programm ist gescheitert: {}: {}',
  'The code ran and gave nothing back.': 'Das Programm lief und gab nichts zurück.',
  'The code was stopped: {}.': 'Das Programm wurde angehalten: {}.',
  'The sandbox was closed while the code ran.': 'Die Sandbox wurde geschlossen, während das Programm lief.',
  'The sandbox is closed.': 'Die Sandbox ist geschlossen.',
  'A first piece of Python did not work in the sandbox: {}.': 'Ein erstes Stück Python lief in der Sandbox nicht: {}.',
  'The data for the code cannot be written as JSON: {}.':
    'Die Daten für das Programm lassen sich nicht als JSON schreiben: {}.',
  'The data for the code is larger than {} MB. Pass fewer rows or columns.':
    'Die Daten für das Programm sind größer als {} MB. Geben Sie weniger Zeilen oder Spalten mit.',
  'The process that Python runs in ended by itself ({}), so there is no result; this says nothing about the code.{} Try again; if it happens again, "tutti doctor" tries Python on this machine and shows what it said.':
    'Der Prozess, in dem Python läuft, endete von selbst ({}), es gibt also kein Ergebnis; über das Programm sagt das nichts.{} Versuchen Sie es noch einmal; bleibt es dabei, so probiert „tutti doctor“ Python auf diesem Rechner und zeigt, was es sagte.',
  'Nothing was written: only one mail can be written at a time. Ask for each of them by itself.':
    'Nichts wurde geschrieben: Es lässt sich nur eine Mail auf einmal schreiben. Bitten Sie um jede für sich.',
  'Nothing was written: blind copies cannot be made (bcc {}). Use cc, or ask for a mail of its own.':
    'Nichts wurde geschrieben: Blindkopien sind nicht möglich (bcc {}). Nehmen Sie cc, oder bitten Sie um eine eigene Mail.',
  'Nothing was written or sent. {} Ask for the whole mail anew.':
    'Nichts wurde geschrieben oder gesendet. {:} Bitten Sie neu um die ganze Mail.',
  '{} only another recipient, a copy or a subject can be given with an approval, such as “to kim@company.example” or “subject: Freight”.':
    '{:} lassen sich bei einer Freigabe nur ein anderer Empfänger, eine Kopie oder ein Betreff angeben, etwa „to kim@company.example“ oder „subject: Freight“.',
  'This is nothing that the mailbox can answer.': 'Das kann das Postfach nicht beantworten.',
  'Mails cannot be forwarded. Ask for a new mail, or for an answer to one.':
    'Mails lassen sich nicht weiterleiten. Bitten Sie um eine neue Mail, oder um eine Antwort auf eine.',
  'The question does not ask for mails.': 'Die Frage fragt nicht nach Mails.',
  'Mails cannot be searched for “{}”.': 'Nach „{}“ lässt sich in Mails nicht suchen.',
  'Mails cannot be searched for “{}”. Name a sender, a subject, days, or words to look for in quotes.':
    'Nach „{}“ lässt sich in Mails nicht suchen. Nennen Sie Absender, Betreff, Tage oder Wörter in Anführungszeichen.',
  'Mails can be searched for one period at a time, and {} are more than one.':
    'In Mails lässt sich nur ein Zeitraum auf einmal suchen, und {} sind mehr als einer.',
  'The plan does not allow "{}" on the mailbox.': 'Der Plan erlaubt „{}“ am Postfach nicht.',
  "Nothing was sent: {}. Name the recipient's address.": 'Nichts wurde gesendet: {}. Nennen Sie die Adresse.',
  'Nothing was sent: the question does not say what the mail should say.':
    'Nichts wurde gesendet: Die Frage sagt nicht, was in der Mail stehen soll.',
  'Nothing was sent: the mail to be answered names no sender.':
    'Nichts wurde gesendet: Die Mail, auf die geantwortet werden soll, nennt keinen Absender.',
  'Nothing was sent: the question does not say what the answer should say.':
    'Nichts wurde gesendet: Die Frage sagt nicht, was in der Antwort stehen soll.',
  'Nothing was sent. {}': 'Nichts wurde gesendet. {:}',
  'The recipient {} is not in your words or contacts. It was proposed by the model; {}.':
    '{} steht weder in Ihren Worten noch in Ihren Kontakten. Vorgeschlagen hat es das Modell; {}.',
  'The recipient {} is not in your words or contacts, and the answer may tell of {}.':
    '{} steht weder in Ihren Worten noch in Ihren Kontakten, und die Antwort verrät womöglich etwas aus {;}.',
  '"{}" was taken to be {}, who is known only as the sender of a mail to you. Anyone can write under any name.':
    '„{}“ wurde als {} verstanden, bekannt nur als Absender einer Mail an Sie. Jeder kann unter jedem Namen schreiben.',
  'The sender {} asks for answers to go to another address: {}.':
    'Der Absender {} bittet, an eine andere Adresse zu antworten: {}.',
  '{} cannot be followed; here it is without that. {}': '{} lässt sich nicht befolgen; hier ist die Mail ohne das. {:}',
  'No recipient is filled in yet.': 'Noch ist kein Empfänger eingetragen.',
  'It has no text yet, since nothing says what to write.':
    'Sie hat noch keinen Text, da nichts sagt, was zu schreiben ist.',
  'The mail has no recipient. Say who it is for.': 'Die Mail hat keinen Empfänger. Sagen Sie, für wen sie ist.',
  'The mail has {} recipients; at most {} are allowed at once.':
    'Die Mail hat {} Empfänger; höchstens {} sind auf einmal erlaubt.',
  'The subject "{}" has a line break in it. Write it on one line.':
    'Der Betreff „{}“ hat einen Zeilenumbruch. Schreiben Sie ihn in eine Zeile.',
  'The subject has {} characters; at most {} are allowed.': 'Der Betreff hat {} Zeichen; höchstens {} sind erlaubt.',
  'The mail has {} characters; at most {} are allowed.': 'Die Mail hat {} Zeichen; höchstens {} sind erlaubt.',
  'The mail has no text. Say what it should say.': 'Die Mail hat keinen Text. Sagen Sie, was darin stehen soll.',
  '"{}" is not a mail address. Write it as name@example.com.':
    '„{}“ ist keine Mailadresse. Schreiben Sie sie wie name@example.com.',
  'It had been sent before; it was not sent again.': 'Sie war schon gesendet; sie wurde nicht noch einmal gesendet.',
  'Gmail no longer has the draft, so it may have been sent. Look in the sent mails.':
    'Gmail hat den Entwurf nicht mehr, er wurde also vielleicht gesendet. Sehen Sie in den gesendeten Mails nach.',
  'There is no mail "{}" in this Gmail account; search again.':
    'In diesem Gmail-Konto gibt es keine Mail „{}“; suchen Sie noch einmal.',
  "Gmail's answer to {} {} cannot be read.": 'Was Gmail auf {} {} antwortet, lässt sich nicht lesen.',
  'Gmail did not take the draft: its conversation no longer exists.':
    'Gmail hat den Entwurf nicht angenommen: Den Mailwechsel gibt es nicht mehr.',
  'Gmail no longer accepts the access token. Set TUTTI_GMAIL_ACCESS_TOKEN to a new one.':
    'Gmail nimmt das Token nicht mehr an. Setzen Sie TUTTI_GMAIL_ACCESS_TOKEN auf ein neues.',
  'No SMTP server is set up, so mails can be read and drafted but not sent. Set TUTTI_SMTP_URL, such as smtps://user:password@smtp.example.com.':
    'Es ist kein SMTP-Server eingerichtet; Mails können gelesen und entworfen, nicht gesendet werden. Setzen Sie TUTTI_SMTP_URL, etwa smtps://name:passwort@smtp.example.com.',
  'The server did not take the draft.': 'Der Server hat den Entwurf nicht angenommen.',
  'The server did not take the copy.': 'Der Server hat die Kopie nicht angenommen.',
  'The mail {} is no longer where it was; search again.':
    'Die Mail {} ist nicht mehr, wo sie war; suchen Sie noch einmal.',
  '{} did not accept the sign-in of "{}". Check user and password.':
    '{} hat die Anmeldung von „{}“ nicht angenommen. Prüfen Sie Name und Passwort.',
  'The account has no folder for {}, and none could be created.':
    'Das Konto hat keinen Ordner für {}, und es ließ sich keiner anlegen.',
  'The IMAP server could not search.': 'Der IMAP-Server konnte nicht suchen.',
  'The connection broke while the mail was handed over, so it may have been sent. A copy is in the drafts. {}':
    'Die Verbindung brach ab, während die Mail übergeben wurde; vielleicht wurde sie gesendet. Eine Kopie liegt in den Entwürfen. {:}',
  'The mail could not be saved as a draft first, so it was not sent.':
    'Die Mail ließ sich nicht zuerst als Entwurf speichern; deshalb wurde sie nicht gesendet.',
  'The mail was sent, but keeping a copy among the sent mails failed: {}':
    'Die Mail wurde gesendet, aber eine Kopie bei den gesendeten Mails ließ sich nicht ablegen: {:}',
  '"{}" is not the id of a mail in this account; search first.':
    '„{}“ ist keine Kennung einer Mail in diesem Konto; suchen Sie zuerst.',
  'There is no mail "{}" in the local mailbox; search again.':
    'Im lokalen Postfach gibt es keine Mail „{}“; suchen Sie noch einmal.',
  '{} is not a Maildir: it has no folder "cur". Check the address of the mailbox.':
    '{} ist kein Maildir: Der Ordner „cur“ fehlt. Prüfen Sie die Adresse des Postfachs.',
  'The local mailbox {} cannot be written: {}.': 'In das lokale Postfach {} lässt sich nicht schreiben: {}.',
  'The search has more than {} characters; shorten it.': 'Die Suche hat mehr als {} Zeichen; kürzen Sie sie.',
  'A search cannot hold "{}". It may hold {}, and words.':
    'Eine Suche kann „{}“ nicht enthalten. Sie kann {} enthalten, und Wörter.',
  '"{}:{}" is not a day. Write it as {}:2026-01-31.': '„{}:{}“ ist kein Tag. Schreiben Sie {}:2026-01-31.',
  'The page could not be read: {}': 'Die Seite ließ sich nicht lesen: {:}',
  'The page cannot be read: {}.': 'Die Seite lässt sich nicht lesen: {}.',
  'No web search is set up.': 'Es ist keine Websuche eingerichtet.',
  'Whoever runs Tutti sets it up; the guide tells how.': 'Wer Tutti betreibt, richtet sie ein; wie, sagt das Handbuch.',
  'A question that names a web address can be answered without.':
    'Eine Frage, die eine Webadresse nennt, lässt sich ohne beantworten.',
  'No web search is set up. Set TAVILY_API_KEY, or TUTTI_SEARXNG_URL for a SearXNG server. A question that names a web address can be answered without.':
    'Es ist keine Websuche eingerichtet. Setzen Sie TAVILY_API_KEY, oder TUTTI_SEARXNG_URL für einen SearXNG-Server. Eine Frage, die eine Webadresse nennt, lässt sich ohne beantworten.',
  'The web search for “{}” found nothing.': 'Die Websuche nach „{}“ fand nichts.',
  '{} was answered with {}.': '{} wurde mit {} beantwortet.',
  '{} answered with {} in place of search results. {}': '{} antwortete mit {} statt mit Suchergebnissen. {}',
  '{} has had too many searches (429).{}': '{} hatte zu viele Suchen (429).{}',
  '{} failed: {}.': '{} ist fehlgeschlagen: {:}.',
  '{} gave no complete answer within {} s.': '{} gab binnen {} s keine vollständige Antwort.',
  'the host name is unknown; check its spelling': 'der Name des Hosts ist unbekannt; prüfen Sie die Schreibung',
  'the name server did not answer': 'der Namensserver hat nicht geantwortet',
  'nothing listens there': 'dort hört niemand zu',
  'the server closed the connection': 'der Server hat die Verbindung geschlossen',
  'the host cannot be reached': 'der Host ist nicht zu erreichen',
  'the network cannot be reached': 'das Netz ist nicht zu erreichen',
  'the server did not answer': 'der Server hat nicht geantwortet',
  'the headers of the answer are too large': 'die Kopfzeilen der Antwort sind zu groß',
  'the request is not well formed': 'die Anfrage ist nicht wohlgeformt',
  'the answer is not HTTP': 'die Antwort ist kein HTTP',
  'the connection broke': 'die Verbindung brach ab',
  'its certificate is not accepted ({}); a private authority goes into NODE_EXTRA_CA_CERTS':
    'das Zertifikat wird nicht angenommen ({}); eine eigene Zertifizierungsstelle gehört in NODE_EXTRA_CA_CERTS',
  'The answer grows more than {} times when it is unpacked.': 'Die Antwort wächst entpackt auf mehr als das {}-Fache.',
  'The answer is packed {} times over.': 'Die Antwort ist {} Mal gepackt.',
  'The answer is packed as "{}", which was not asked for.':
    'Die Antwort ist als „{}“ gepackt, worum nicht gebeten war.',
  'A URL may have at most {} characters.': 'Eine Adresse darf höchstens {} Zeichen haben.',
  '"{}" is not a complete URL.': '„{}“ ist keine vollständige Adresse.',
  'Requests go out over {} only, not over {}': 'Anfragen gehen nur über {} hinaus, nicht über {}',
  'The URL holds a user name or password; set up a sign-in instead.':
    'Die Adresse enthält Namen oder Passwort; richten Sie stattdessen eine Anmeldung ein.',
  '"{}" is an internal name. {}': '„{}“ ist ein interner Name. {:}',
  'Port {} of {} may not be used; these may: {}.': 'Port {} von {} darf nicht benutzt werden; erlaubt sind: {}.',
  'The operator can put it on the list of allowed hosts.':
    'Wer Tutti betreibt, kann ihn auf die Liste der erlaubten Hosts setzen.',
  '{} is not an address of the public internet ({}). {}': '{} ist keine Adresse des öffentlichen Internets ({}). {:}',
  'More than {} redirects in a row.': 'Mehr als {} Weiterleitungen hintereinander.',
  '"{}" is not one of {}.': '„{}“ gehört nicht zu {}.',
  'The server redirects to something that is not a URL.': 'Der Server leitet auf etwas weiter, das keine Adresse ist.',
  '{} redirects from https to http.': '{} leitet von https auf http weiter.',
  '{} asks to be sent again to {}.': '{} will noch einmal an {} gesendet werden.',
  'The answer to {} is too long.': 'Die Antwort auf {} ist zu lang.',
  'The header "{}" cannot be set by a request.': 'Die Kopfzeile „{}“ kann eine Anfrage nicht setzen.',
  'The header "{}" has characters that HTTP does not allow.': 'Die Kopfzeile „{}“ hat Zeichen, die HTTP nicht erlaubt.',
  'The model provider "{}" is not configured. {}': 'Der Modellanbieter „{}“ ist nicht eingerichtet. {:}',
  'No provider is; set its API key or URL.':
    'Es ist keiner eingerichtet; setzen Sie seinen API-Schlüssel oder seine Adresse.',
  'No provider is configured; set its API key or URL.':
    'Es ist kein Anbieter eingerichtet; setzen Sie seinen API-Schlüssel oder seine Adresse.',
  'The model call was cancelled.': 'Der Modellaufruf wurde abgebrochen.',
  '{} cannot be asked: {}': '{} lässt sich nicht fragen: {}',
  '{} asks to slow down (429): {}': '{} bittet, langsamer zu fragen (429): {}',
  '{} is in trouble ({}): {}': '{} ist gestört ({}): {}',
  '{} gave no complete answer: {}': '{} gab keine vollständige Antwort: {:}',
  '{} cannot be reached ({})': '{} ist nicht zu erreichen ({})',
  '{} refused the key of {} ({}): {}': '{} hat den Schlüssel abgewiesen ({}, {}): {}',
  '{} does not allow this to the key of {} ({}): {}': '{} erlaubt das dem Schlüssel nicht ({}, {}): {}',
  '{} has no credit left for this account ({}): {}': '{}: Für dieses Konto ist kein Guthaben mehr da ({}): {}',
  '{} does not know "{}", or its address is wrong ({}): {}':
    '{} kennt „{}“ nicht, oder die Adresse ist falsch ({}): {}',
  '{} redirects elsewhere, which is not followed; check the address ({}): {}':
    '{} leitet anderswohin weiter, was nicht befolgt wird; prüfen Sie die Adresse ({}): {}',
  '{} refused the request ({}): {}': '{} hat die Anfrage abgelehnt ({}): {}',
  '{} has a certificate that is not trusted ({}); check the address, or name your own authority in NODE_EXTRA_CA_CERTS':
    '{} hat ein Zertifikat, dem nicht vertraut wird ({}); prüfen Sie die Adresse, oder nennen Sie Ihre Zertifizierungsstelle in NODE_EXTRA_CA_CERTS',
  '{} is not asked {} after {}: {}': '{} wird {:} nicht gefragt, nach {:}: {:}',
  '{} gave an answer that does not fit: {}': '{} gab eine Antwort, die nicht passt: {:}',
  'it holds no complete JSON value': 'sie enthält keinen vollständigen JSON-Wert',
  '{} (after {} requests)': '{:} (nach {} Anfragen)',
  '{}; it asks to wait {} s': '{:}; es bittet, {} s zu warten',
  'the budget is used up: {}': 'das Budget ist aufgebraucht: {:}',
  'for another {} s': 'noch {} s lang',
  'while another request tries it': 'während eine andere Anfrage es versucht',
  'a failure': 'einem Fehlschlag',
  '{} failures in a row': '{} Fehlschlägen hintereinander',
  'No model can be asked: {}.': 'Kein Modell lässt sich fragen: {:}.',
  'No model answered: {}.': 'Kein Modell hat geantwortet: {:}.',
  '{}; second model: {}': '{:}; zweites Modell: {:}',
  '{} needs the package {}; install it beside Tutti: npm install {}@5':
    '{} braucht das Paket {}; installieren Sie es neben Tutti: npm install {}@5',
  '{} gave an empty answer': '{} gab eine leere Antwort',
  '{} was cut off at the limit of {} output tokens': '{} wurde an der Grenze von {} Token abgeschnitten',
  '{} went on far beyond the {} tokens that it was given room for':
    '{} schrieb weit über die {} Token hinaus, für die Platz war',
  '{} called a tool that it was not given': '{} rief ein Werkzeug auf, das es nicht hat',
  '{} broke off its answer without a finish reason': '{} brach die Antwort ohne Grund ab',
  '{} did not finish in the time that was left for it': '{} wurde in der Zeit, die blieb, nicht fertig',
  '{} did not finish within {}': '{} wurde binnen {} nicht fertig',
  '{} sent nothing for {}': '{} sandte {} lang nichts',
  '{} fell silent for {}': '{} verstummte {} lang',
  '{} ({}) needs a model: write {}:model': '{} ({}) braucht ein Modell: Schreiben Sie {}:modell',
  'sent a web page in place of an answer; check the address ({})':
    'sandte eine Webseite statt einer Antwort; prüfen Sie die Adresse ({})',
  'sent more than {} MB': 'sandte mehr als {} MB',
  '{} sent a web page in place of an answer; check the address ({})':
    '{} sandte eine Webseite statt einer Antwort; prüfen Sie die Adresse ({})',
  '{} sent more than {} MB': '{} sandte mehr als {} MB',
  'The agent "{}" needs a language model to work: {}.': 'Der Agent „{}“ braucht ein Sprachmodell: {:}.',
  'Several servers have a tool "{}": write the one that is meant, {}.':
    'Mehrere Server haben ein Werkzeug „{}“: Schreiben Sie, welches gemeint ist, {}.',
  'Nothing was found that could be written about.': 'Es wurde nichts gefunden, worüber sich schreiben ließe.',
  'There is no team "{}" of yours that could be changed.': 'Sie haben kein Team „{}“, das sich ändern ließe.',
  'A change in words takes a language model. Change the file: "teams export", edit, "teams import".':
    'Für eine Änderung in Worten braucht es ein Sprachmodell. Ändern Sie die Datei: „teams export“, bearbeiten, „teams import“.',
  'No team can reach this goal with what is at hand.': 'Mit dem, was da ist, kann kein Team dieses Ziel erreichen.',
  'Its name must stay "{}".': 'Der Name muss „{}“ bleiben.',
  'No design of the model could be used: {}': 'Kein Entwurf des Modells war zu gebrauchen: {:}',
  'Say what the team is for: "Build me a team that checks invoices against contracts".':
    'Sagen Sie, wofür das Team ist: „Build me a team that checks invoices against contracts“.',
  'The team “{}” was changed, renamed or removed while this waited to be approved, and nothing was saved. Ask for it once more.':
    'Das Team „{}“ wurde geändert, umbenannt oder entfernt, während dies auf Freigabe wartete, und nichts wurde gespeichert. Fragen Sie noch einmal danach.',
  'The team “{}” is not there any more.': 'Das Team „{}“ gibt es nicht mehr.',
  'There is no result: {}': 'Es gibt kein Ergebnis: {:}',
  'There is no answer. Answer the question.': 'Es gibt keine Antwort. Beantworten Sie die Frage.',
  '{} {} of {} was answered with {}{}': '{} {} von {} wurde beantwortet mit {}{}',
  'Nothing was done: without a language model ({}) the instructions {} were not understood. Say the whole call anew: the name of the tool, and each field as name=value.':
    'Nichts wurde getan: Ohne Sprachmodell ({:}) wurden die Anweisungen {} nicht verstanden. Sagen Sie den ganzen Aufruf neu: den Namen des Werkzeugs, und jedes Feld als name=wert.',
  'Google did not give an access token ({}). Check TUTTI_GMAIL_CLIENT_ID, TUTTI_GMAIL_CLIENT_SECRET and TUTTI_GMAIL_REFRESH_TOKEN, or grant access again.':
    'Google gab kein Token ({}). Prüfen Sie TUTTI_GMAIL_CLIENT_ID, TUTTI_GMAIL_CLIENT_SECRET und TUTTI_GMAIL_REFRESH_TOKEN, oder geben Sie den Zugang neu.',
  'Gmail needs TUTTI_GMAIL_REFRESH_TOKEN with TUTTI_GMAIL_CLIENT_ID and TUTTI_GMAIL_CLIENT_SECRET, or TUTTI_GMAIL_ACCESS_TOKEN.':
    'Gmail braucht TUTTI_GMAIL_REFRESH_TOKEN mit TUTTI_GMAIL_CLIENT_ID und TUTTI_GMAIL_CLIENT_SECRET, oder TUTTI_GMAIL_ACCESS_TOKEN.',
  'Name the folder of the local mailbox, such as maildir:/var/mail/ada.':
    'Nennen Sie den Ordner des lokalen Postfachs, etwa maildir:/var/mail/ada.',
  'Set TUTTI_MAIL_FROM to the address that mails are sent from.':
    'Setzen Sie TUTTI_MAIL_FROM auf die Adresse, von der Mails ausgehen.',
  'The mail account must be imaps://user:password@host, maildir:path or gmail:.':
    'Das Mailkonto muss imaps://name:passwort@host, maildir:pfad oder gmail: sein.',
  'The effect of the tool "{}" must be "read", "write" or "irreversible"; make it with defineTool.':
    'Die Wirkung des Werkzeugs „{}“ muss „read“, „write“ oder „irreversible“ sein; machen Sie es mit defineTool.',
  'The server says that this only reads. Tutti does not take its word for it (whoever runs Tutti can, docs/mcp.md)':
    'Der Server sagt, dass dies nur liest. Tutti glaubt ihm das nicht (wer Tutti betreibt, kann es: docs/mcp.md)',
  'This call may change something: the server does not say that it only reads':
    'Dieser Aufruf ändert vielleicht etwas: Der Server sagt nicht, dass er nur liest',
  'Once this team has passed its checks, it works as one of the agents':
    'Sobald dieses Team seine Prüfungen bestanden hat, arbeitet es als einer der Agenten',
} as const
