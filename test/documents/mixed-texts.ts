/** Small documents that stand beside those of the demo business: a contract, a manual with prohibitions, a FAQ, tables, German. */
export const MIXED_TEXTS: Readonly<Record<string, string>> = {
  'scaffold-hire.md': `# Hire agreement between Ostrey Scaffolding Ltd and the hirer

## 1. Term

The hire begins on the day of delivery and lasts for at least six weeks. After that either party may end it with notice of
ten working days, in writing. The hirer may not end it during the first six weeks.

## 2. Charges

The weekly charge is 410 EUR for the first four weeks and 355 EUR from then on. Delivery costs 190 EUR once; collection is
included. Invoices are due within 21 days. No deposit is taken.

## 3. Duties of the hirer

The hirer must have the scaffold inspected every seven days by a competent person, e.g. an inspector of the trade
association. The hirer must not alter the scaffold, and must not sublet it. Advertising banners may be fixed to it only with
the written consent of Ostrey. Loss is charged at the price of replacement.

## 4. Liability

Ostrey is not liable for delays caused by wind above 61 km/h. Its liability for other delays is limited to 2,500 EUR. Disputes
are heard by the court of Galway.
`,
  'pressure-washer.txt': `TORVANE P7 PRESSURE WASHER: INSTRUCTIONS

1. Before use

The machine weighs 23 kg. It works with cold water only; hot water above 40 degrees damages the pump. The hose must be
unrolled completely before the motor is started. The machine can draw water from a rain barrel if the filter is fitted.

2. Prohibitions

Never point the jet at people, animals or live electrical parts. The machine must not be used by children under 16. Do not use
it with solvents, petrol or undiluted acids. It must not be run dry for longer than one minute. Tyres of vehicles may be
cleaned only from a distance of at least 30 cm. It is not suitable for asbestos cement.

3. Care

The filter is rinsed after every fifth use. The oil is changed every 200 hours by a workshop. In winter the machine is stored in
a place free of frost. Spare parts are available for eight years.

4. Faults

If the motor hums but does not start, the voltage is too low: use a shorter cable. If the pressure varies, the nozzle is blocked:
clean it with the needle that comes with the machine.
`,
  'swimming-pool-faq.html': `<html><head><title>Questions about the Larkmere pool</title></head><body>
<h1>Questions about the Larkmere pool</h1>
<h2>When is the pool open?</h2><p>From Tuesday to Sunday, 08:00 to 20:30. On Mondays it is closed for cleaning.</p>
<h2>What does admission cost?</h2><p>Adults pay 6.50 EUR, children under 14 pay 3 EUR. A card for ten visits costs 55 EUR.</p>
<h2>Can I bring my own food?</h2><p>Yes, but not onto the deck. Glass bottles are not allowed.</p>
<h2>Is there a sauna?</h2><p>No, we have no sauna. The nearest one is in Dunhollow.</p>
<h2>Do I need a bathing cap?</h2><p>Bathing caps are needed only during training hours.</p>
<h2>I have lost my locker key</h2><p>Tell the attendant. A new key costs 15 EUR, which we pay back if the old one is found within a
month.</p>
<h2>Are swimming lessons offered?</h2><p>Lessons for beginners take place on Saturday mornings. They are led by Ines Farrow. There are
no lessons during the school holidays.</p>
</body></html>
`,
  'ferry-timetable.csv': `Route,Departure,Duration (min),Fare (EUR),Bicycles,Ship
Kilmarsh - Sandel,06:40,35,7.20,yes,MS Petrel
Kilmarsh - Arrowby,09:15,80,14.60,no,MS Fulmar
Sandel - Arrowby,11:50,55,9.90,yes,MS Petrel
Arrowby - Tolvan Island,14:05,120,21.40,no,MS Gannet
Kilmarsh - Tolvan Island,17:30,150,26.80,yes,MS Gannet
`,
  'hausordnung.md': `# Hausordnung der Wohnanlage Lindenhof

## Ruhezeiten

Von 22 Uhr bis 6 Uhr und von 13 Uhr bis 15 Uhr ist Ruhe zu halten. Musikinstrumente dürfen höchstens zwei Stunden am Tag gespielt
werden. An Sonntagen darf nicht gebohrt werden.

## Waschküche

Die Waschküche ist von 7 Uhr bis 21 Uhr geöffnet. Jede Wohnung hat einen Waschtag in der Woche. Eine Wäsche kostet 1,50 Euro. Das
Färben von Textilien ist in den Maschinen verboten.

## Tiere und Fahrräder

Hunde dürfen nur mit Zustimmung der Verwaltung gehalten werden; Katzen sind ohne Zustimmung erlaubt. Fahrräder gehören in den
Keller und dürfen nicht im Treppenhaus abgestellt werden.

## Balkone

Auf den Balkonen ist das Grillen mit Holzkohle untersagt. Elektrische Grillgeräte sind erlaubt. Blumenkästen sind innen
anzubringen.

## Verwaltung

Ansprechpartnerin ist Frau Sieglinde Marquardt. Schäden sind innerhalb von drei Tagen zu melden. Der Hausmeister kommt jeden
Donnerstag.
`,
  'reisekosten.txt': `RICHTLINIE FÜR REISEKOSTEN

1. Fahrten

Für Fahrten mit dem eigenen Auto werden 0,32 Euro je Kilometer erstattet. Bahnfahrten werden in der zweiten Klasse erstattet; die
erste Klasse wird ab vier Stunden Fahrzeit bezahlt. Taxifahrten werden nur zwischen 23 Uhr und 5 Uhr erstattet. Inlandsflüge
werden nicht erstattet.

2. Übernachtung

Ein Hotel darf höchstens 130 Euro je Nacht kosten. Das Frühstück ist darin enthalten. Private Unterkünfte werden mit 20 Euro
vergütet. Die Minibar wird nicht bezahlt.

3. Abrechnung

Belege sind bis zum 10. des folgenden Monats einzureichen. Über Ausnahmen entscheidet Herr Albrecht Wiesinger. Vorschüsse werden
nicht gewährt. Trinkgelder werden bis fünf Prozent der Rechnung anerkannt.
`,
  'cheese-cellar.md': `# Notes on the cheese cellar

## Wheels

Bruntal is turned twice a week and ripens for nine months. Vellin is washed with brine every other day and ripens for eleven
weeks. Harl is smoked over beech, and is not washed.

## Climate

The cellar is kept at 12 degrees and 92 % humidity. Above 15 degrees the alarm calls Maarten Oldenkamp.

| cheese | wheel | salt | price a kilo |
|---|---|---|---|
| Bruntal | 31 kg | 1.6 % | 24.50 EUR |
| Vellin | 4 kg | 1.9 % | 19.80 EUR |
| Harl | 2 kg | 2.4 % | 17.20 EUR |

## Visitors

Groups of up to twelve may visit the cellar on Fridays. Hair nets must be worn. Photographs may not be taken with a flash. Visitors
do not taste raw curd.
`,
}
