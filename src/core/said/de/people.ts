/** What is said of accounts, rights, limits and links. */
export const people = {
  'Nobody here is called "{}".': 'Hier heißt niemand „{}“.',
  'An invitation would be good for nothing: people.registration is "closed", so nobody makes an account by themselves. Make it for them, with a name (`tutti people add NAME`); whoever signs in with a provider needs none. Or set people.registration to "invitation".':
    'Eine Einladung wäre zu nichts gut: people.registration ist „closed“, niemand legt sich also selbst ein Konto an. Legen Sie es mit einem Namen für sie an (`tutti people add NAME`); wer sich bei einem Anbieter anmeldet, braucht keine. Oder setzen Sie people.registration auf „invitation“.',
  'You sign in with your provider, and have no password here. Sign in again with it in this browser, and do this within five minutes.':
    'Sie melden sich bei Ihrem Anbieter an und haben hier kein Passwort. Melden Sie sich in diesem Browser noch einmal bei ihm an, und tun Sie dies innerhalb von fünf Minuten.',
  'You sign in with your provider, which looks after your password and second factor; there is none here.':
    'Sie melden sich bei Ihrem Anbieter an, der sich um Ihr Passwort und den zweiten Faktor kümmert; hier gibt es keines von beiden.',
  'Enter your password, too.': 'Geben Sie auch Ihr Passwort ein.',
  'Ask an admin for an account.': 'Bitten Sie einen Admin um ein Konto.',
  'This needs an invitation that is still good; ask an admin for one.':
    'Dafür braucht es eine gültige Einladung; bitten Sie einen Admin darum.',
  'No name is free for this account; ask an admin.':
    'Für dieses Konto ist kein Name mehr frei; fragen Sie einen Admin.',
  'This link was used or is too old; ask an admin for another.':
    'Dieser Link wurde schon benutzt oder ist zu alt; bitten Sie einen Admin um einen neuen.',
  'This person is being erased; erase them again to finish it.':
    'Diese Person wird gerade gelöscht; löschen Sie sie noch einmal, um das abzuschließen.',
  'This is the last admin; make somebody else one first.':
    'Das ist der letzte Admin; machen Sie zuerst jemand anderen dazu.',
  'Whose this would be is not there any more; nothing of it was kept.':
    'Wem das gehören würde, den gibt es nicht mehr; nichts davon wurde gespeichert.',
  'The person whose this would be was erased; nothing of it is kept.':
    'Die Person, der das gehören würde, wurde gelöscht; nichts davon wird gespeichert.',
  'Run {} has not ended yet; its person is shut out. Erase them again in some minutes.':
    'Der Lauf {} ist noch nicht zu Ende; die Person ist ausgesperrt. Löschen Sie sie in einigen Minuten noch einmal.',
  'There is no such person.': 'Diese Person gibt es nicht.',
  'There is no such group.': 'Diese Gruppe gibt es nicht.',
  'You may not do this any more.': 'Das dürfen Sie nicht mehr.',
  'With the collection "{}" you may only: {}.': 'Mit der Sammlung „{}“ dürfen Sie nur: {}.',
  'A collection of your own goes to people and to groups that you are in. For others ask an admin, who can make one of the installation and give it to them.':
    'Eine eigene Sammlung können Sie Personen geben und Gruppen, in denen Sie sind. Bitten Sie für andere einen Admin: Er kann eine Sammlung der Installation anlegen und sie ihnen geben.',
  'There is no collection "{}".': 'Es gibt keine Sammlung „{}“.',
  'Several collections are called "{}"; name one by its id: {}.':
    'Mehrere Sammlungen heißen „{}“; nennen Sie eine mit ihrer Kennung: {}.',
  'You have {} collections, as many as one person may have; remove one, or add to one that is there.':
    'Sie haben {} Sammlungen, mehr darf eine Person nicht haben; entfernen Sie eine, oder fügen Sie etwas zu einer hinzu.',
  'There is a collection "{}" already.': 'Eine Sammlung „{}“ gibt es schon.',
  'There is no group "{}".': 'Es gibt keine Gruppe „{}“.',
  'There is a group "{}" already.': 'Eine Gruppe „{}“ gibt es schon.',
  '{} is not in this group.': '{} ist nicht in dieser Gruppe.',
  '"{}" names no source; write {}.': '„{}“ nennt keine Quelle; schreiben Sie {}.',
  'Collections are given by whoever may share them; see "collections give".':
    'Sammlungen gibt, wer sie teilen darf; siehe „collections give“.',
  'There is no source "{}" here. There are: {}.': 'Es gibt hier keine Quelle „{}“. Es gibt: {}.',
  'This Idempotency-Key was sent with another request; choose a new one for each.':
    'Dieser Idempotency-Key kam schon mit einer anderen Anfrage; wählen Sie für jede einen neuen.',
  '{} requests a day with an Idempotency-Key are the most; send this one without, or tomorrow.':
    '{} Anfragen mit Idempotency-Key am Tag sind das Höchste; senden Sie diese ohne, oder morgen.',
  'An Idempotency-Key has 1 to 200 characters.': 'Ein Idempotency-Key hat 1 bis 200 Zeichen.',
  'A request has one {}; send one.': 'Eine Anfrage hat genau einmal {}; senden Sie es einmal.',
  'The key would have expired already; name a later day.':
    'Der Schlüssel wäre schon abgelaufen; nennen Sie einen späteren Tag.',
  'There is no such key.': 'Diesen Schlüssel gibt es nicht.',
  'There is no mailbox that could be erased.': 'Es gibt kein Postfach, das gelöscht werden könnte.',
  'The name of a {} has 1 to {} characters, without control characters and marks of direction.':
    'Der Name ({}) hat 1 bis {} Zeichen, ohne Steuerzeichen und Richtungszeichen.',
  'Nobody has an account here yet, and the first is an admin’s. Make it on this machine: tutti people add NAME --role admin':
    'Noch hat hier niemand ein Konto, und das erste ist das eines Admins. Legen Sie es auf diesem Rechner an: tutti people add NAME --role admin',
  'A name has 1 to 64 letters, digits and . _ @ + - and begins with a letter or digit.':
    'Ein Name hat 1 bis 64 Buchstaben, Ziffern und . _ @ + - und beginnt mit einem Buchstaben oder einer Ziffer.',
  'A name has letters of one script, and is no id: it could be taken for somebody else’s. Choose another.':
    'Ein Name hat Buchstaben einer einzigen Schrift und ist keine Kennung: Er könnte mit dem von jemand anderem verwechselt werden. Wählen Sie einen anderen.',
  'An address of mail is one such as ann@example.com.': 'Eine Mailadresse sieht so aus: ann@example.com.',
  'The name "{}" is taken; choose another.': 'Der Name „{}“ ist vergeben; wählen Sie einen anderen.',
  'There is an account of this person already.': 'Diese Person hat schon ein Konto.',
  'Choose a password of {} to {} characters.': 'Wählen Sie ein Passwort mit {} bis {} Zeichen.',
  'This password is a common one, which attackers try first; choose another.':
    'Dieses Passwort ist weit verbreitet, Angreifer probieren es zuerst; nehmen Sie ein anderes.',
  'The password is little more than the name; take another one.':
    'Das Passwort ist kaum mehr als der Name; nehmen Sie ein anderes.',
  '"{}" is nobody; write everyone, group:NAME or user:NAME.':
    '„{}“ ist niemand; schreiben Sie everyone, group:NAME oder user:NAME.',
  'Storage is limited for people, for ever; all else by day or month.':
    'Speicher wird für Personen insgesamt begrenzt; alles andere am Tag oder im Monat.',
  'A limit is a whole number, 0 or more.': 'Eine Grenze ist eine ganze Zahl, 0 oder mehr.',
  'You have a limit of {}, and this is {}. Ask an admin for more.':
    'Ihre Grenze ist {}, und das hier sind {}. Bitten Sie einen Admin um mehr.',
  'You have a limit of {}, and {} of it are left, and this needs {}{}. Ask an admin for more.':
    'Ihre Grenze ist {}; davon sind {} übrig, und das hier braucht {}{}. Bitten Sie einen Admin um mehr.',
  'You have a limit of {}, and {} of it are left, and this needs {}{}. Remove documents, or ask an admin for more.':
    'Ihre Grenze ist {}; davon sind {} übrig, und das hier braucht {}{}. Entfernen Sie Dokumente, oder bitten Sie einen Admin um mehr.',
  'You have a limit of {}, and {}. Ask an admin for more.': 'Ihre Grenze ist {}: {:}. Bitten Sie einen Admin um mehr.',
  'You have a limit of {}, and {}. Remove documents, or ask an admin for more.':
    'Ihre Grenze ist {}: {:}. Entfernen Sie Dokumente, oder bitten Sie einen Admin um mehr.',
  '{} a limit of {}, and {}. Ask an admin for more.': '{}: Die Grenze ist {}, {:}. Bitten Sie einen Admin um mehr.',
  '{} a limit of {}, and {}. Remove documents, or ask an admin for more.':
    '{}: Die Grenze ist {}, {:}. Entfernen Sie Dokumente, oder bitten Sie einen Admin um mehr.',
  'The link would have expired already; name a later day.':
    'Der Link wäre schon abgelaufen; nennen Sie einen späteren Tag.',
  'There is no such link.': 'Diesen Link gibt es nicht.',
  'There is a second factor already; take it away first.':
    'Es gibt schon einen zweiten Faktor; entfernen Sie ihn zuerst.',
  'Enter the code of your authenticator app, too.': 'Geben Sie auch den Code Ihrer Authenticator-App ein.',
  'Name, password or code is wrong, or there were too many attempts. Try again; after five of them, wait some minutes first.':
    'Name, Passwort oder Code stimmt nicht, oder es waren zu viele Versuche. Versuchen Sie es noch einmal; nach fünf Versuchen warten Sie zuerst einige Minuten.',
  'The password is wrong.': 'Das Passwort stimmt nicht.',
  'The code is wrong or was used already. Wait for the next one that your authenticator app shows, and enter that.':
    'Der Code stimmt nicht oder wurde schon benutzt. Warten Sie auf den nächsten, den Ihre Authenticator-App zeigt, und geben Sie den ein.',
  'The provider did not sign you in; try again.':
    'Der Anbieter hat Sie nicht angemeldet; versuchen Sie es noch einmal.',
  'The provider signed you in to something else.': 'Der Anbieter hat Sie bei etwas anderem angemeldet.',
  'The provider did not say who you are.': 'Der Anbieter hat nicht gesagt, wer Sie sind.',
  '{} was not given to these, so there is nothing to take away.':
    '{} wurde ihnen nicht gegeben; es gibt nichts zurückzunehmen.',
  'There is no such invitation (any more): it was used or withdrawn, or is too old.':
    'Diese Einladung gibt es nicht (mehr): Sie wurde benutzt oder zurückgenommen, oder sie ist zu alt.',
  'You have {} uploads under way, as many as there may be; finish or delete some first.':
    'Bei Ihnen laufen {} Uploads, mehr dürfen es nicht sein; beenden oder löschen Sie zuerst einige.',
  'This came in more than {} pieces; send larger ones, anew.':
    'Das kam in mehr als {} Stücken; senden Sie es neu, in größeren.',
  'There is no such upload (any more); begin it anew.': 'Diesen Upload gibt es nicht (mehr); beginnen Sie ihn neu.',
  'This came from a page of another site. Use an API key from there.':
    'Das kam von der Seite einer anderen Website. Benutzen Sie von dort einen API-Schlüssel.',
  'Sign in, or send an API key as "Authorization: Bearer …".':
    'Melden Sie sich an, oder senden Sie einen API-Schlüssel als „Authorization: Bearer …“.',
  'This needs {}.': 'Dafür braucht es: {}.',
  '{} would outlive the key; this needs a person, or a key with the scope admin.':
    '{} würde den Schlüssel überdauern; das muss eine Person tun, oder ein Schlüssel, der alles darf.',
  'Without accounts Tutti is there for its own machine alone: open it at 127.0.0.1.':
    'Ohne Konten ist Tutti nur für den eigenen Rechner da: Öffnen Sie es unter 127.0.0.1.',
  'Sign in first.': 'Melden Sie sich zuerst an.',
  'Too many attempts. Try again in a minute.': 'Zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.',
  'This key is not good for anything (any more).': 'Dieser Schlüssel gilt nicht (mehr).',
  'There is no such session.': 'Diese Sitzung gibt es nicht.',
  'Signing in with the provider failed: {}': 'Die Anmeldung beim Anbieter ist fehlgeschlagen: {}',
  'Begin at /session/oidc, in this browser.': 'Beginnen Sie bei /session/oidc, in diesem Browser.',
  'A key is an account’s, and nobody has one here; make one first: people add NAME.':
    'Ein Schlüssel gehört zu einem Konto, und hier hat niemand eines; legen Sie zuerst eines an: people add NAME.',
  'Nobody has an account here; what is kept is in the data folder.':
    'Hier hat niemand ein Konto; was gespeichert ist, liegt im Datenordner.',
  'A collection of the installation is an admin’s to make; leave ofInstallation out.':
    'Eine Sammlung der Installation legt ein Admin an; lassen Sie ofInstallation weg.',
  'This link leads nowhere (any more); ask whoever sent it for another.':
    'Dieser Link führt nirgendwohin (mehr); bitten Sie den, der ihn schickte, um einen neuen.',
  'This needs the role {} and a key with the scope {}.': 'Dafür braucht es die Rolle {} und einen Schlüssel für {}.',
  'You may not change the terms of "{}"; ask an admin.':
    'Die Begriffe von „{}“ dürfen Sie nicht ändern; fragen Sie einen Admin.',
  'The account of this person is gone.': 'Das Konto dieser Person gibt es nicht mehr.',
  'The account of this person is disabled.': 'Diese Person ist ausgesperrt.',
  'This person may read and no longer ask.': 'Diese Person darf lesen und nicht mehr fragen.',
  'An owner is named by 1 to {} printable characters.':
    'Ein Eigentümer hat einen Namen von 1 bis {} druckbaren Zeichen.',
  'Your own mailbox cannot be used. {}': 'Ihr eigenes Postfach lässt sich nicht benutzen. {:}',
  'Mailboxes of people are not allowed here. An admin allows the {} by "personalServers": ["{}"] under "mail" in the configuration.':
    'Postfächer von Personen sind hier nicht erlaubt. Ein Admin erlaubt {} durch "personalServers": ["{}"] unter "mail" in der Konfiguration.',
  'The {} is none that an admin allows: {}. They stand in "personalServers" under "mail" in the configuration.':
    '{} gehört nicht zu denen, die ein Admin erlaubt: {}. Sie stehen in "personalServers" unter "mail" in der Konfiguration.',
  '"{}" is no server; write host or host:port.': '„{}“ ist kein Server; schreiben Sie host oder host:port.',
  'The address that mails are sent from is not valid: {}': 'Die Adresse, von der Mails ausgehen, ist ungültig: {:}',
  'The mailbox was sealed with another key. Start with the key of that time, or enter the mailbox again.':
    'Das Postfach wurde mit einem anderen Schlüssel verschlüsselt. Starten Sie mit dem Schlüssel von damals, oder geben Sie das Postfach neu ein.',
  'Its claim sub has to be a text of 1 to {} characters, without control characters.':
    'Die Angabe sub muss ein Text von 1 bis {} Zeichen ohne Steuerzeichen sein.',
  'The provider {} cannot be reached: {}. Check people.oidc.issuer.':
    'Der Anbieter {} ist nicht zu erreichen: {}. Prüfen Sie people.oidc.issuer.',
} as const
