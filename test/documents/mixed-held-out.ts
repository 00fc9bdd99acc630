import type { MixedQuestion } from './mixed-questions.ts'

/**
 * Documents and questions that nothing may be tuned on, written before the first of them was asked: what they count is what
 * a stranger's documents would. Change no threshold, word list or rule because of one of them.
 */
export const MIXED_HELD_OUT_TEXTS: Readonly<Record<string, string>> = {
  'allotment-lease.md': `# Lease of an allotment

Between the Allotment Society Fennmoor and the tenant.

## Term and notice

The lease begins on 1 April and runs for five years. The tenant may end it at the end of any calendar year; notice must reach the
society by 15 October. The society may end it without notice if the rent is more than two months late. The lease is signed by
the chair, Ottilie Brannock, and by the treasurer.

## Rent

The rent is 1.20 EUR per square metre and year. Water is charged by meter at 2.85 EUR per cubic metre. Each tenant works eight
hours a year for the society, or pays 14 EUR for every hour missed.

## Use

At least one third of the plot must be planted with vegetables or fruit. Sheds may have a floor of up to 24 square metres. Conifers
must not be planted. Hens may be kept, but no cockerels. Open fires are forbidden from March to September. Nobody may live on the
plot. Chemical weedkillers are not allowed.

## Gates

The gates are closed at 22:00 in summer and at 19:00 in winter. Cars may enter on Saturdays before noon for loading. A lost key is
replaced for 35 EUR.
`,
  'telescope.txt': `ASTERVALE 150 TELESCOPE: HANDBOOK

1. Technical data

Aperture: 150 mm
Focal length: 750 mm
Weight of the tube: 5.4 kg
Load of the mount: 9 kg
Power supply: 12 V, 2 A

2. First steps

Let the tube cool for half an hour before you observe. Never look at the sun without the solar filter that is sold separately. The
finder is adjusted by day on an object that is at least 300 metres away. The mount is aligned on the pole star.

3. Care

The mirror is cleaned at most once a year, with distilled water. Do not use window cleaner. The mount needs no grease. Store the
telescope dry; it is not waterproof.

4. Faults

If the image shakes, tighten the legs of the tripod. If stars look like lines, the mirror is not adjusted: turn the screws behind the
main mirror by a quarter turn. If the motor does not run, the fuse in the plug has blown.

5. Guarantee

The guarantee lasts three years and is given by Astervale Optics in Turnhout. Scratches are not covered.
`,
  'museum-prices.csv': `Ticket,Price (EUR),Valid for (days),Audio guide,Sold at
Single,11.00,1,no,counter
Family,26.50,1,no,counter
Two museums,17.80,3,yes,counter and online
Season,64.00,365,yes,online
School class,38.00,1,no,by telephone
`,
  'minutes-choir.md': `# Minutes of the Wexcombe choir, 12 May 2026

Present: Petra Lindqvist (chair), Tom Ashgrove, Ines Calderon. Absent: Ruben Hale.

- The summer concert takes place on 4 July in St Alban's church. 230 tickets have been printed.
- The piano is tuned by Karel Novotny before the concert. His bill will be about 160 EUR.
- The trip to Ghent was voted down by nine votes to four.
- New folders were bought for 74 EUR. Tom Ashgrove keeps the receipts.
- It was not decided whether the choir sings at the mayor's birthday.
- Next meeting: 9 June, 19:30, at the school.
`,
  'mietwagen.md': `# Mietbedingungen der Autovermietung Kellinghaus

## Fahrer

Fahrer müssen mindestens 23 Jahre alt sein und den Führerschein seit zwei Jahren besitzen. Ein zweiter Fahrer kostet 6 Euro am Tag.

## Nutzung

Im Preis sind 250 Kilometer am Tag enthalten; jeder weitere Kilometer kostet 0,19 Euro. Fahrten nach Polen sind erlaubt, Fahrten in die
Ukraine nicht. Rauchen ist im Fahrzeug verboten. Tiere dürfen nur in einer Box mitgenommen werden.

## Rückgabe

Das Fahrzeug wird vollgetankt zurückgegeben. Bei verspäteter Rückgabe werden 15 Euro je Stunde berechnet. Die Kaution von 400 Euro wird
innerhalb von sieben Tagen erstattet. Die Rückgabe ist sonntags nicht möglich.

## Unfall

Bei einem Unfall ist die Polizei zu rufen. Die Selbstbeteiligung beträgt 850 Euro. Ansprechpartner ist Herr Benedikt Straub.
`,
  'refugio.md': `# Normas del refugio de montaña Peña Clara

## Horario

El refugio abre del 15 de junio al 30 de septiembre. La cena se sirve a las 19:30. El silencio empieza a las 22 horas.

## Precios

La noche cuesta 18 euros por persona. Los niños menores de diez años pagan 9 euros. El desayuno cuesta 7,50 euros. No se aceptan
tarjetas de crédito.

## Reglas

Los perros no pueden dormir dentro del refugio. Está prohibido cocinar en los dormitorios. El guarda es Joaquín Arrieta. Las reservas
se hacen por teléfono con tres días de antelación.
`,
}

export const MIXED_HELD_OUT: Readonly<Record<string, readonly MixedQuestion[]>> = {
  answered: [
    ['By when must notice of the allotment lease reach the society?', '15 October'],
    ['How much is the rent per square metre?', '1.20 EUR'],
    ['Who signs the lease?', 'Ottilie Brannock'],
    ['How many hours does each tenant work for the society?', 'eight'],
    ['When are the gates closed in winter?', '19:00'],
    ['What does a lost key cost?', '35 EUR'],
    ['How heavy is the tube of the telescope?', '5.4 kg'],
    ['What is the focal length of the Astervale 150?', '750 mm'],
    ['How often is the mirror cleaned?', 'once a year'],
    ['What should I do if the image shakes?', 'tighten the legs'],
    ['Why does the motor of the telescope not run?', 'fuse'],
    ['How much is a family ticket?', '26.50'],
    ['Where is the season ticket sold?', 'online'],
    ['When is the summer concert of the choir?', '4 July'],
    ['Who tunes the piano?', 'Karel Novotny'],
    ['Who keeps the receipts?', 'Tom Ashgrove'],
    ['Wie alt müssen Fahrer mindestens sein?', '23 Jahre'],
    ['Wie hoch ist die Kaution?', '400 Euro'],
    ['Was kostet ein weiterer Kilometer?', '0,19'],
    ['¿Cuánto cuesta el desayuno?', '7,50'],
    ['¿Quién es el guarda del refugio?', 'Arrieta'],
  ],
  denied: [
    ['May conifers be planted?', 'must not be planted'],
    ['Can I live on the plot?', 'Nobody may live'],
    ['Are scratches covered by the guarantee?', 'not covered'],
    ['Is the telescope waterproof?', 'not waterproof'],
    ['Does the mount need grease?', 'no grease'],
    ['Will the choir travel to Ghent?', 'voted down'],
    ['Darf man mit dem Mietwagen in die Ukraine fahren?', 'nicht'],
    ['Ist die Rückgabe am Sonntag möglich?', 'nicht möglich'],
    ['¿Se aceptan tarjetas de crédito?', 'No se aceptan'],
  ],
  near: [
    ['How large is a plot?', undefined],
    ['Who is the treasurer of the society?', undefined],
    ['How many tenants does the society have?', undefined],
    ['What does the telescope cost?', undefined],
    ['How long is the cable of the telescope?', undefined],
    ['Who made the mirror?', undefined],
    ['How much is a ticket for students?', undefined],
    ['When does the museum open?', undefined],
    ['How many singers has the choir?', undefined],
    ['What do the tickets of the concert cost?', undefined],
    ['Was kostet ein Kindersitz?', undefined],
    ['Wie schnell darf der Mietwagen fahren?', undefined],
    ['¿Cuántas camas tiene el refugio?', undefined],
    ['¿A qué hora se sirve el desayuno?', undefined],
  ],
  unanswered: [
    ['Who wrote Don Quixote?', undefined],
    ['How high is Mount Everest?', undefined],
    ['Wer ist der Präsident von Frankreich?', undefined],
  ],
}
