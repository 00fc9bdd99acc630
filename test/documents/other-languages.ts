import type { QuestionSet } from './evidence-questions.ts'

/** Rules of two invented houses, and questions in other forms of their words; written before anything was measured on them. */
export const GERMAN_TEXTS: Readonly<Record<string, string>> = {
  'hausordnung-werkstatt.md': `# Werkstattordnung

## Öffnungszeiten

Die Werkstatt ist montags bis freitags von 7:30 bis 18 Uhr geöffnet. An Feiertagen bleibt sie geschlossen.

## Maschinen

Die Kreissäge darf nur benutzen, wer eine Einweisung erhalten hat. Jede Einweisung gilt zwei Jahre. Defekte Maschinen sind
sofort dem Werkstattleiter zu melden und mit einem roten Schild zu kennzeichnen.

## Werkzeuge ausleihen

Handwerkzeuge können für höchstens 5 Tage ausgeliehen werden. Für jede Ausleihe ist ein Pfand von 20 Euro zu hinterlegen. Verlorene
Werkzeuge müssen ersetzt werden.

## Lackierraum

Im Lackierraum sind Atemschutzmasken zu tragen. Rauchen ist dort nicht erlaubt. Lösungsmittel gehören in den feuerfesten Schrank.
`,
  'mietvertrag.txt': `Mietvertrag über Gewerberäume

Die Miete beträgt 1.480 Euro im Monat und ist bis zum dritten Werktag zu überweisen. Die Kaution in Höhe von drei Monatsmieten wird
bei Auszug zurückgezahlt, sofern keine Schäden bestehen.

Das Mietverhältnis kann von beiden Seiten mit einer Frist von sechs Monaten gekündigt werden. Kündigungen bedürfen der Schriftform.

Bauliche Änderungen sind nur mit Zustimmung des Vermieters gestattet. Der Mieter streicht die Räume alle fünf Jahre.

Haustiere dürfen in den Räumen nicht gehalten werden. Für Fahrräder steht ein Keller zur Verfügung.
`,
}

export const GERMAN: QuestionSet = {
  answerable: [
    ['Wie lange gelten Einweisungen?', 'zwei Jahre'],
    ['Wie hoch ist das Pfand für ausgeliehene Werkzeuge?', '20 Euro'],
    ['Wie viele Tage darf man ein Handwerkzeug ausleihen?', '5 Tage'],
    ['Was muss ich mit einer defekten Maschine tun?', 'Werkstattleiter'],
    ['Was trägt man im Lackierraum?', 'Atemschutzmasken'],
    ['Wohin gehört das Lösungsmittel?', 'feuerfesten Schrank'],
    ['Wie hoch ist die monatliche Miete?', '1.480 Euro'],
    ['Mit welcher Frist kann man das Mietverhältnis kündigen?', 'sechs Monaten'],
    ['Welche Form braucht eine Kündigung?', 'Schriftform'],
    ['Darf man in den Räumen ein Haustier halten?', 'nicht gehalten'],
  ],
  unanswerable: [
    'Wie viele Urlaubstage bekommen die Angestellten?',
    'Wer ist der Vermieter?',
    'Wie hoch sind die Stromkosten der Werkstatt?',
    'Wann wurde das Gebäude gebaut?',
    'Wie viele Parkplätze gibt es?',
    'Welche Versicherung haben die Mieter?',
    'Wie schnell ist das Internet?',
    'Wie viel kostet eine Schulung für den Gabelstapler?',
    'Wer reinigt die Fenster?',
    'Wie alt muss man für die Ausbildung sein?',
  ],
}

export const FRENCH_TEXTS: Readonly<Record<string, string>> = {
  'reglement-bibliotheque.md': `# Règlement de la bibliothèque

## Horaires

La bibliothèque est ouverte du mardi au samedi, de 10 h à 19 h. Elle ferme pendant les deux premières semaines d'août.

## Emprunts

Chaque lecteur peut emprunter six livres pour une durée de trois semaines. Les prêts sont renouvelables une seule fois. Les journaux et
les dictionnaires ne peuvent pas être empruntés.

## Retards

Un livre rendu en retard entraîne une amende de 0,20 euro par jour. Les lecteurs dont l'amende dépasse 10 euros sont suspendus.

## Inscription

L'inscription annuelle coûte 15 euros. Elle est gratuite pour les étudiants et les demandeurs d'emploi.
`,
  'contrat-entretien.txt': `Contrat d'entretien des chaudières

Le technicien visite l'installation deux fois par an. Les pièces détachées sont garanties dix-huit mois.

En cas de panne, l'entreprise intervient dans un délai de 48 heures. Les interventions du dimanche sont facturées au double du tarif.

Le contrat est conclu pour un an. Il est reconduit tacitement, sauf si l'une des parties le résilie par lettre recommandée deux mois avant
son terme.

Le nettoyage du conduit de fumée n'est pas compris dans le contrat. Le client doit laisser libre l'accès à la chaufferie.
`,
}

export const FRENCH: QuestionSet = {
  answerable: [
    ['Combien de livres peut-on emprunter ?', 'six livres'],
    ['Quelle est la durée des prêts ?', 'trois semaines'],
    ['Peut-on emprunter un dictionnaire ?', 'ne peuvent pas'],
    ["Quel est le montant de l'amende pour les livres rendus en retard ?", '0,20 euro'],
    ["Combien coûte l'inscription ?", '15 euros'],
    ["Pour qui l'inscription est-elle gratuite ?", 'étudiants'],
    ['Combien de fois par an les techniciens visitent-ils les installations ?', 'deux fois par an'],
    ["Dans quel délai l'entreprise doit-elle intervenir après une panne ?", '48 heures'],
    ['Combien de temps la pièce détachée est-elle garantie ?', 'dix-huit mois'],
    ['Le contrat comprend-il le nettoyage des conduits de fumée ?', "n'est pas compris"],
  ],
  unanswerable: [
    'Combien de jours de congé ont les employés ?',
    'Qui dirige la bibliothèque ?',
    'Combien de livres la bibliothèque possède-t-elle ?',
    'Quel est le salaire du technicien ?',
    'Quand la bibliothèque a-t-elle été construite ?',
    "Combien d'ordinateurs y a-t-il ?",
    'Quelle assurance couvre les dégâts des eaux ?',
    'Combien coûte une chaudière neuve ?',
    'Où se trouve le parking ?',
    'Quel est le numéro de téléphone du dépannage ?',
  ],
}
