/** What a number counts. One of it is `size` of the smallest of its kind; what has no exact size in another is of another kind. */
export interface Unit {
  readonly kind: string
  readonly size: number
}

/** Kind, size and words, of several languages, in the singular; “s” may follow. */
const UNITS = `
second 1 sec second sekunde sekunden seconde segundo secondo
second 60 min minute minuten minuto minuti
second 3600 h hr hrs hour stunde stunden heure hora ore
day 1 day tag tage tagen jour día dia giorno giorni dag dagen
day 7 week woche wochen semaine semana settimana settimane weken
day 14 fortnight
month 1 month mo mos monat monate monaten mois mes meses mese mesi maand maanden mês
month 3 quarter quartal quartale
month 12 year yr yrs jahr jahre jahren année ans año anno anni ano jaar jaren
month 120 decade
EUR 1 € EUR euro
$ 1 $ dollar
USD 1 USD US$
pound 1 £ GBP pound lb lbs
CHF 1 CHF franken
INR 1 ₹ INR Rs Rs. rupee
JPY 1 JPY yen
cent 1 cent
gram 0.001 mg
gram 1 g gram gramm gramme
gram 1000 kg kilo kilogram kilogramm
gram 1000000 t ton tonne tonnen
metre 0.001 mm millimetre millimeter
metre 0.01 cm centimetre centimeter
metre 1 m metre meter
metre 1000 km kilometre kilometer
mile 1 mile mi
foot 1 ft foot feet
inch 1 inch inches
litre 0.001 ml millilitre milliliter
litre 1 l litre liter
byte 1 byte
byte 1000 KB kB kilobyte
byte 1000000 MB megabyte
byte 1000000000 GB gigabyte
byte 1000000000000 TB terabyte
watt 1 W watt
watt 1000 kW kilowatt
watt 1000000 MW megawatt
kWh 1 kWh
kWh 1000 MWh
celsius 1 °C
fahrenheit 1 °F
`
const CODES = 'SEK NOK DKK PLN CZK HUF CNY CAD AUD NZD SGD HKD BRL MXN ZAR TRY KRW RUB AED ILS'
const BY_WORD = new Map<string, Unit>([
  ...UNITS.trim()
    .split('\n')
    .flatMap((line) => {
      const [kind = '', size, ...words] = line.split(' ')
      return words.map((word): [string, Unit] => [word, { kind, size: Number(size) }])
    }),
  ...CODES.split(' ').map((code): [string, Unit] => [code, { kind: code, size: 1 }]),
])

/** Whatever is counted by a plural: “24 orders” are no days, and which things they are is not looked at. */
export const THINGS: Unit = { kind: 'things', size: 1 }
/** “1.4 times as much”, “doubled”. */
export const RATIO: Unit = { kind: 'ratio', size: 1 }
/** The number of a part of something, which counts nothing. */
const LABEL: Unit = { kind: 'label', size: 1 }

const LABEL_BEFORE =
  /(?:(?<!\p{L})(?:section|chapter|page|part|article|clause|appendix|annex|figure|table|step|version|release|paragraph|room|abschnitt|kapitel|seite|artikel)\s|(?:§|(?<!\p{L})n[or]\.)\s?)$/iu
const MONEY_BEFORE = /(?:(?<![\p{L}$])(US\$|[A-Z]{3}|Rs\.?)|([$€£₹]))\s?$/u
/** “14 to 24 months”, “14 or 24 working days”. */
const UNIT_AFTER =
  /^(?:\s?(?:[-–—]|to|and|or|bis|und|oder)\s?\d[\d.,]{0,20})?[\s-]?(?:(?:full|whole|more|extra|additional|further|working|business|calendar|consecutive|paid|net|gross|metric|complete)\s)?((?:US)?\$|[€£₹]|°[CF]|\p{L}+)(?![\p{L}\p{N}²³])/u
/** “2025 orders”, “12 open orders”; “in 2025 orders rose” is told by what stands before it. */
export const COUNTED =
  /^ (?:(?!(?:is|was|were|has|have|had|in|of|to|and|or|for|on|at|by|per|with|from|than|that|which|as|plus|minus|less|more|it|this|the|an|a|under|over)(?!\p{L}))\p{Ll}{1,20} )?(?!(?:was|is|has|us|as|this|its|plus|minus|versus|less|always|across|towards|applies|lasts|starts|begins|ends|counts|means|remains|stays|becomes|costs|includes|runs|goes|comes|gets|makes|shows|does)(?!\p{L}))\p{Ll}{2,30}(?:s|people)(?!\p{L})/u
const RATIO_AFTER =
  /^(?:\s?[x×]| times|-fold)(?=$|[.,;)]| (?:as|more|the|that|higher|larger|bigger|greater|over|what)(?!\p{L}))/u
const RATIO_BEFORE = /(?<!\p{L})factor (?:of )?$/iu

/** The unit of a number, by the characters around it; undefined where they tell none. */
export function unitAt(before: string, after: string): Unit | undefined {
  if (LABEL_BEFORE.test(before)) return LABEL
  if (RATIO_BEFORE.test(before) || RATIO_AFTER.test(after)) return RATIO
  const [, code, sign] = MONEY_BEFORE.exec(before) ?? []
  return (
    BY_WORD.get(code ?? sign ?? '') ??
    unitCalled(UNIT_AFTER.exec(after)?.[1] ?? '') ??
    (COUNTED.test(after) ? THINGS : undefined)
  )
}

/** The unit of this name, in the singular or plural. */
export function unitCalled(word: string): Unit | undefined {
  const small = word.toLowerCase()
  return (
    BY_WORD.get(word) ??
    (word.length > 2 ? (BY_WORD.get(small) ?? BY_WORD.get(small.toUpperCase())) : undefined) ??
    (word.length > 3 ? BY_WORD.get(small.replace(/s$/, '')) : undefined)
  )
}

const MEASURES =
  'second day month gram metre mile foot inch litre byte watt kWh celsius fahrenheit label ratio percent'.split(' ')

/** Whether it is money or things, which have no three decimals: “17,427 EUR” is no 17.427. */
export function isGroupedOnly({ kind }: Unit): boolean {
  return !MEASURES.includes(kind)
}
