/** What is said of documents: why one cannot be read, what was left out of it, and how passages were found. */
export const files = {
  'There is no file or folder {}.': 'Es gibt keine Datei und keinen Ordner {}.',
  '{} changed while it was read; add it again.':
    '{} hat sich geändert, während es gelesen wurde; fügen Sie es noch einmal hinzu.',
  '{} may not be read; change its permissions.': '{} darf nicht gelesen werden; ändern Sie die Rechte.',
  'The model took too long.': 'Das Modell hat zu lange gebraucht.',
  '{} is described by rules for now: {}': '{} ist vorläufig nach Regeln beschrieben: {:}',
  'Its description was made by rules, since the model failed: {}':
    'Die Beschreibung entstand nach Regeln, da das Modell scheiterte: {:}',
  'Its rows could not be told apart, so it is kept as plain lines: {}.':
    'Die Zeilen ließen sich nicht auseinanderhalten; sie sind als einfacher Text aufbewahrt: {}.',
  '{} is empty; add a file that has content.': '{} ist leer; fügen Sie eine Datei hinzu, die etwas enthält.',
  '{} is no {} file, though its name says so; save it again as {} and add that.':
    '{} ist keine {}-Datei, obwohl der Name es sagt; speichern Sie sie neu als {}, und fügen Sie das hinzu.',
  '{} is of a kind that cannot be read; save it as {} and add that.':
    '{} ist von einer Art, die sich nicht lesen lässt; speichern Sie es als {}, und fügen Sie das hinzu.',
  '{} is of a kind that cannot be read; save it as one of {}.':
    '{} ist von einer Art, die sich nicht lesen lässt; speichern Sie es als eines davon: {}.',
  '{} is protected by a password; save it without one and add that.':
    '{} ist durch ein Passwort geschützt; speichern Sie es ohne, und fügen Sie das hinzu.',
  '{} is in the format of Office 97 to 2003; save it as {} and add that.':
    '{} hat das Format von Office 97 bis 2003; speichern Sie es als {}, und fügen Sie das hinzu.',
  '{} has more than {} characters of text; split it into several files and add those.':
    '{} hat mehr als {} Zeichen Text; teilen Sie es in mehrere Dateien, und fügen Sie diese hinzu.',
  'What is attached was not read: {}. Save it as files and add those.':
    'Anhänge wurden nicht gelesen: {}. Speichern Sie sie als Dateien, und fügen Sie diese hinzu.',
  'The mail goes on after what was read of it.': 'Die Mail geht hinter dem weiter, was davon gelesen wurde.',
  '{} is protected against copying, so it cannot be read.':
    '{} ist kopiergeschützt und lässt sich deshalb nicht lesen.',
  '{} does not say what is in it; save it again and add that.':
    '{} sagt nicht, was darin ist; speichern Sie es neu, und fügen Sie das hinzu.',
  '{} of {} chapters are not in the file.': '{} von {} Kapiteln sind nicht in der Datei.',
  '{} of {} slides are not in the file.': '{} von {} Folien sind nicht in der Datei.',
  '{} has a chapter whose encoding cannot be told; save it as UTF-8 and add that.':
    '{} hat ein Kapitel, dessen Kodierung nicht zu erkennen ist; speichern Sie es als UTF-8, und fügen Sie das hinzu.',
  'One equation was left out.': 'Eine Formel wurde ausgelassen.',
  '{} equations were left out.': '{} Formeln wurden ausgelassen.',
  'Left out as no part of the article: {}.': 'Ausgelassen, da nicht Teil des Artikels: {}.',
  '{} has no content; save it again and add that.':
    '{} hat keinen Inhalt; speichern Sie es neu, und fügen Sie das hinzu.',
  '{} has no text; there is nothing in it to search.': '{} hat keinen Text; es gibt darin nichts zu suchen.',
  '{} is damaged or was cut off; save or copy it again and add that.':
    '{} ist beschädigt oder abgeschnitten; speichern oder kopieren Sie es neu, und fügen Sie das hinzu.',
  '{} has {}, more than the {} that are taken; split it and add the parts.':
    '{} hat {}, mehr als die {}, die angenommen werden; teilen Sie es, und fügen Sie die Teile hinzu.',
  '{} is an archive; unpack it and add the files in it that are {}.':
    '{} ist ein Archiv; entpacken Sie es, und fügen Sie die Dateien darin hinzu, die von dieser Art sind: {}.',
  '{} has no text, only pictures of it; run it through text recognition (OCR) and add what comes out.':
    '{} hat keinen Text, nur Bilder davon; lassen Sie eine Texterkennung (OCR) darüberlaufen, und fügen Sie hinzu, was herauskommt.',
  '{} set in columns or tables whose order is doubtful; check it in the file.':
    '{:} in Spalten oder Tabellen gesetzt, deren Reihenfolge unsicher ist; sehen Sie in der Datei nach.',
  '{} without text; if it is a scan, it needs text recognition (OCR).':
    '{:} ohne Text; ist es ein Scan, so braucht es eine Texterkennung (OCR).',
  '{} damaged and could not be read.': '{:} beschädigt und ließ sich nicht lesen.',
  'Page {} is': 'Seite {} ist',
  'Pages {} are': 'Seiten {} sind',
  'The name of the file is longer than any file has; give it a shorter one.':
    'Der Name der Datei ist zu lang; geben Sie ihr einen kürzeren.',
  '{} could not be read: {}.': '{} ließ sich nicht lesen: {:}.',
  '{} falls into more than {} passages; split it into several files and add those.':
    '{} zerfällt in mehr als {} Stellen; teilen Sie es in mehrere Dateien, und fügen Sie diese hinzu.',
  '{} is in an encoding that cannot be told for sure; save it as UTF-8 and add that.':
    'Die Kodierung von {} ist nicht sicher zu erkennen; speichern Sie es als UTF-8, und fügen Sie das hinzu.',
  '{} unpacks to more than {}, as zip bombs do; if it is what it should be, split it into several files.':
    '{} wird entpackt größer als {}, wie Zip-Bomben; ist es, was es sein soll, so teilen Sie es in mehrere Dateien.',
  '{} holds more than {} files; no document needs that many.':
    '{} enthält mehr als {} Dateien; so viele braucht kein Dokument.',
  'There are no documents yet. Add some, then ask again.':
    'Noch gibt es keine Dokumente. Fügen Sie welche hinzu, und fragen Sie noch einmal.',
  'The collections that were chosen are not there any more; ask without them.':
    'Die gewählten Sammlungen gibt es nicht mehr; fragen Sie ohne sie.',
  'The places that the question seems to name hold little on it, so all documents were searched.':
    'Wo die Frage hinzuweisen scheint, steht wenig dazu; deshalb wurden alle Dokumente durchsucht.',
  'Nothing on this was found in {}.': 'In {} wurde dazu nichts gefunden.',
  'These are {} of {}.': 'Das sind {} von {}.',
  'No embedding model is configured, so passages were found by their words alone.':
    'Es ist kein Embedding-Modell eingerichtet; Stellen wurden nur nach ihren Wörtern gefunden.',
  'The embedding model cannot be used ({}), so passages were found by their words alone.':
    'Das Embedding-Modell lässt sich nicht benutzen ({:}); Stellen wurden nur nach ihren Wörtern gefunden.',
  'The vectors cannot be searched ({}), so passages were found by their words alone.':
    'Die Vektoren lassen sich nicht durchsuchen ({:}); Stellen wurden nur nach ihren Wörtern gefunden.',
  '{} of {} are not embedded yet and were found by their words alone.':
    '{} von {} haben noch keine Vektoren und wurden nur nach ihren Wörtern gefunden.',
  'The embedding model {} did not answer in {} s.': 'Das Embedding-Modell {} hat nicht binnen {} s geantwortet.',
  'The embedding model {} did not give one vector of equal length, with other numbers than 0, for each text.':
    'Das Embedding-Modell {} gab nicht für jeden Text einen gleich langen Vektor mit anderen Zahlen als 0.',
  'The embedding model {} failed: {}.': 'Das Embedding-Modell {} ist gescheitert: {}.',
  'The embedding model {} refused the request (status {}). {}':
    'Das Embedding-Modell {} hat die Anfrage abgelehnt (Status {}). {:}',
  'The embedding model {} does not answer ({}). Check that its server runs.':
    'Das Embedding-Modell {} antwortet nicht ({}). Prüfen Sie, ob sein Server läuft.',
  'The embedding model {} is overloaded or out of order (status {}).':
    'Das Embedding-Modell {} ist überlastet oder gestört (Status {}).',
  'Check its key.': 'Prüfen Sie seinen Schlüssel.',
  'Check the URL and the name of the model.': 'Prüfen Sie die Adresse und den Namen des Modells.',
  'The owner of documents has a broken character.': 'Im Namen des Eigentümers der Dokumente ist ein kaputtes Zeichen.',
  'The owner of documents is a name of 1 to {} characters.':
    'Der Eigentümer von Dokumenten hat einen Namen von 1 bis {} Zeichen.',
  'A vector of {} numbers does not fit the others, which have {}, or holds something that is no number. Run `tutti docs reindex` to have one embedding model make them all.':
    'Ein Vektor aus {} Zahlen passt nicht zu den anderen mit {}, oder er enthält etwas, das keine Zahl ist. Lassen Sie mit `tutti docs reindex` alle vom selben Embedding-Modell machen.',
  'The documents say nothing on this.': 'Die Dokumente sagen dazu nichts.',
  'No passage answers this for certain.': 'Keine Stelle beantwortet das sicher.',
  'The passages that were found do not answer this in so many words.':
    'Die gefundenen Stellen beantworten das nicht ausdrücklich.',
  '“{}” would change something, and documents are only read.':
    '„{}“ würde etwas ändern, und Dokumente werden nur gelesen.',
  'A PDF document.': 'Ein PDF-Dokument.',
  'A PDF document titled “{}”.': 'Ein PDF-Dokument mit dem Titel „{}“.',
  'A Word document.': 'Ein Word-Dokument.',
  'A Word document titled “{}”.': 'Ein Word-Dokument mit dem Titel „{}“.',
  'A spreadsheet.': 'Eine Tabellenmappe.',
  'A spreadsheet titled “{}”.': 'Eine Tabellenmappe mit dem Titel „{}“.',
  'A presentation.': 'Eine Präsentation.',
  'A presentation titled “{}”.': 'Eine Präsentation mit dem Titel „{}“.',
  'A text document.': 'Ein Textdokument.',
  'A text document titled “{}”.': 'Ein Textdokument mit dem Titel „{}“.',
  'A book.': 'Ein Buch.',
  'A book titled “{}”.': 'Ein Buch mit dem Titel „{}“.',
  'A mail.': 'Eine Mail.',
  'A mail titled “{}”.': 'Eine Mail mit dem Titel „{}“.',
  'A table.': 'Eine Tabelle.',
  'A table titled “{}”.': 'Eine Tabelle mit dem Titel „{}“.',
  'A text.': 'Ein Text.',
  'A text titled “{}”.': 'Ein Text mit dem Titel „{}“.',
  'A Markdown document.': 'Ein Markdown-Dokument.',
  'A Markdown document titled “{}”.': 'Ein Markdown-Dokument mit dem Titel „{}“.',
  'A web page.': 'Eine Webseite.',
  'A web page titled “{}”.': 'Eine Webseite mit dem Titel „{}“.',
  'It covers: {}. About {} characters.': 'Darin: {}. Etwa {#} Zeichen.',
  'It covers: {}. {} pages, about {} characters.': 'Darin: {}. {#} Seiten, etwa {#} Zeichen.',
  'It covers: {}. {} page, about {} characters.': 'Darin: {}. {#} Seite, etwa {#} Zeichen.',
  'It covers: {}. {} sheets, about {} characters.': 'Darin: {}. {#} Blätter, etwa {#} Zeichen.',
  'It covers: {}. {} sheet, about {} characters.': 'Darin: {}. {#} Blatt, etwa {#} Zeichen.',
  'It covers: {}. {} slides, about {} characters.': 'Darin: {}. {#} Folien, etwa {#} Zeichen.',
  'It covers: {}. {} slide, about {} characters.': 'Darin: {}. {#} Folie, etwa {#} Zeichen.',
  'It covers: {} and more. About {} characters.': 'Darin: {} und mehr. Etwa {#} Zeichen.',
  'It covers: {} and more. {} pages, about {} characters.': 'Darin: {} und mehr. {#} Seiten, etwa {#} Zeichen.',
  'It covers: {} and more. {} page, about {} characters.': 'Darin: {} und mehr. {#} Seite, etwa {#} Zeichen.',
  'It covers: {} and more. {} sheets, about {} characters.': 'Darin: {} und mehr. {#} Blätter, etwa {#} Zeichen.',
  'It covers: {} and more. {} sheet, about {} characters.': 'Darin: {} und mehr. {#} Blatt, etwa {#} Zeichen.',
  'It covers: {} and more. {} slides, about {} characters.': 'Darin: {} und mehr. {#} Folien, etwa {#} Zeichen.',
  'It covers: {} and more. {} slide, about {} characters.': 'Darin: {} und mehr. {#} Folie, etwa {#} Zeichen.',
  'It covers: {} About {} characters.': 'Darin: {} Etwa {#} Zeichen.',
  'It covers: {} {} pages, about {} characters.': 'Darin: {} {#} Seiten, etwa {#} Zeichen.',
  'It covers: {} {} page, about {} characters.': 'Darin: {} {#} Seite, etwa {#} Zeichen.',
  'It covers: {} {} sheets, about {} characters.': 'Darin: {} {#} Blätter, etwa {#} Zeichen.',
  'It covers: {} {} sheet, about {} characters.': 'Darin: {} {#} Blatt, etwa {#} Zeichen.',
  'It covers: {} {} slides, about {} characters.': 'Darin: {} {#} Folien, etwa {#} Zeichen.',
  'It covers: {} {} slide, about {} characters.': 'Darin: {} {#} Folie, etwa {#} Zeichen.',
  'It begins: “{}” About {} characters.': 'Beginnt mit: „{}“ Etwa {#} Zeichen.',
  'It begins: “{}” {} pages, about {} characters.': 'Beginnt mit: „{}“ {#} Seiten, etwa {#} Zeichen.',
  'It begins: “{}” {} page, about {} characters.': 'Beginnt mit: „{}“ {#} Seite, etwa {#} Zeichen.',
  'It begins: “{}” {} sheets, about {} characters.': 'Beginnt mit: „{}“ {#} Blätter, etwa {#} Zeichen.',
  'It begins: “{}” {} sheet, about {} characters.': 'Beginnt mit: „{}“ {#} Blatt, etwa {#} Zeichen.',
  'It begins: “{}” {} slides, about {} characters.': 'Beginnt mit: „{}“ {#} Folien, etwa {#} Zeichen.',
  'It begins: “{}” {} slide, about {} characters.': 'Beginnt mit: „{}“ {#} Folie, etwa {#} Zeichen.',
} as const
