/** A number that is written in words: where it stands, and what it comes to. */
export interface Spelled {
  readonly text: string
  readonly start: number
  readonly value: number
}

/** Words of a language by value, without accents, “x” before what multiplies what stands before it, and the word that joins them. */
const LANGUAGES: Readonly<Record<string, { readonly words: string; readonly joins: string }>> = {
  de: {
    words:
      'null:0 eins:1 ein:1 zwei:2 zwo:2 drei:3 vier:4 funf:5 sechs:6 sieben:7 acht:8 neun:9 zehn:10 elf:11 zwolf:12 dreizehn:13 vierzehn:14 funfzehn:15 sechzehn:16 siebzehn:17 achtzehn:18 neunzehn:19 zwanzig:20 dreissig:30 vierzig:40 funfzig:50 sechzig:60 siebzig:70 achtzig:80 neunzig:90 hundert:x100 tausend:x1000 million:x1000000 millionen:x1000000',
    joins: 'und',
  },
  nl: {
    words:
      'nul:0 een:1 twee:2 drie:3 vier:4 vijf:5 zes:6 zeven:7 acht:8 negen:9 tien:10 elf:11 twaalf:12 dertien:13 veertien:14 vijftien:15 zestien:16 zeventien:17 achttien:18 negentien:19 twintig:20 dertig:30 veertig:40 vijftig:50 zestig:60 zeventig:70 tachtig:80 negentig:90 honderd:x100 duizend:x1000 miljoen:x1000000',
    joins: 'en',
  },
  fr: {
    words:
      'zero:0 un:1 une:1 deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 huit:8 neuf:9 dix:10 onze:11 douze:12 treize:13 quatorze:14 quinze:15 seize:16 vingt:20 trente:30 quarante:40 cinquante:50 soixante:60 septante:70 huitante:80 octante:80 nonante:90 quatre-vingt:80 quatre-vingts:80 cent:x100 cents:x100 mille:x1000 million:x1000000 millions:x1000000',
    joins: 'et',
  },
  es: {
    words:
      'cero:0 un:1 uno:1 una:1 dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 diez:10 once:11 doce:12 trece:13 catorce:14 quince:15 dieciseis:16 diecisiete:17 dieciocho:18 diecinueve:19 veinte:20 veinti:20 treinta:30 cuarenta:40 cincuenta:50 sesenta:60 setenta:70 ochenta:80 noventa:90 cien:x100 ciento:x100 doscientos:200 trescientos:300 cuatrocientos:400 quinientos:500 seiscientos:600 setecientos:700 ochocientos:800 novecientos:900 doscientas:200 trescientas:300 cuatrocientas:400 quinientas:500 seiscientas:600 setecientas:700 ochocientas:800 novecientas:900 mil:x1000 millon:x1000000 millones:x1000000',
    joins: 'y',
  },
  pt: {
    words:
      'zero:0 um:1 uma:1 dois:2 duas:2 tres:3 quatro:4 cinco:5 seis:6 sete:7 oito:8 nove:9 dez:10 onze:11 doze:12 treze:13 catorze:14 quatorze:14 quinze:15 dezesseis:16 dezasseis:16 dezessete:17 dezassete:17 dezoito:18 dezenove:19 dezanove:19 vinte:20 trinta:30 quarenta:40 cinquenta:50 sessenta:60 setenta:70 oitenta:80 noventa:90 cem:x100 cento:x100 duzentos:200 trezentos:300 quatrocentos:400 quinhentos:500 seiscentos:600 setecentos:700 oitocentos:800 novecentos:900 duzentas:200 trezentas:300 quatrocentas:400 quinhentas:500 seiscentas:600 setecentas:700 oitocentas:800 novecentas:900 mil:x1000 milhao:x1000000 milhoes:x1000000',
    joins: 'e',
  },
  it: {
    words:
      'zero:0 un:1 uno:1 una:1 due:2 tre:3 quattro:4 cinque:5 sei:6 sette:7 otto:8 nove:9 dieci:10 undici:11 dodici:12 tredici:13 quattordici:14 quindici:15 sedici:16 diciassette:17 diciotto:18 diciannove:19 venti:20 trenta:30 quaranta:40 cinquanta:50 sessanta:60 settanta:70 ottanta:80 novanta:90 vent:20 trent:30 quarant:40 cinquant:50 sessant:60 settant:70 ottant:80 novant:90 cento:x100 cent:x100 mille:x1000 mila:x1000 milione:x1000000 milioni:x1000000',
    joins: 'e',
  },
}
/** Words of another language as well, or with another meaning: alone they are read only where the language is told. */
const DOUBTFUL = new Set(
  'null elf acht vier sei due once des sept neuf dix six cent cents mil mille million millions dos tres tre otto sette set zero nul vent trent quarant cinquant sessant settant ottant novant veinti mila cem cien dez nove onze quinze seis sete zes tien treize quatre trois deux'.split(
    ' ',
  ),
)

interface Reader {
  readonly language: string
  readonly values: ReadonlyMap<string, string>
  /** A word that is made of nothing else. */
  readonly whole: RegExp
  readonly piece: RegExp
  readonly join: string
}

const READERS: readonly Reader[] = Object.entries(LANGUAGES).map(([language, { words, joins }]) => {
  const values = new Map(words.split(' ').map((one) => one.split(':') as [string, string]))
  const pieces = [...values.keys()].toSorted((a, b) => b.length - a.length).join('|')
  return {
    language,
    values,
    join: joins,
    whole: new RegExp(`^(?:${pieces})(?:-?(?:${joins})?-?(?:${pieces}))*$`),
    piece: new RegExp(pieces, 'g'),
  }
})

const WORD = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)*(?![\p{N}])/gu
/** No number below a million is written in one word of more letters than this, or in more words. */
const LONGEST_WORD = 80
const MOST_WORDS = 12
const HAN = /[〇零一二三四五六七八九十百千万萬億两兩]{2,24}/gu

/**
 * Numbers in words of German, Dutch, French, Spanish, Portuguese and Italian, and in Chinese and Japanese numerals of more
 * than one character.
 * @param language Where it is known: words such as “sei”, “once” and “due” are then read in that language.
 */
export function foreignNumbers(text: string, language?: string): Spelled[] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word,
    plain: word.length > LONGEST_WORD ? '' : plain(word),
    start: index,
  }))
  const found: Spelled[] = []
  for (let at = 0; at < words.length; at++) {
    const [reader, end] = longest(words, at, text)
    if (reader === undefined) continue
    const { start } = words[at]!
    const last = words[end]!
    const said = words.slice(at, end + 1).map((one) => one.plain)
    const value = valueOf(said, reader)
    const isAlone = said.length === 1 || language === 'en'
    const isDoubtful = isAlone && said.every((one) => DOUBTFUL.has(one)) && reader.language !== language
    if (value > 1 && !isDoubtful) found.push({ text: text.slice(start, last.start + last.word.length), start, value })
    at = end
  }
  for (const { 0: han, index } of text.matchAll(HAN)) {
    const value = hanValue(han)
    if (value !== undefined) found.push({ text: han, start: index, value })
  }
  return found
}

interface Word {
  readonly word: string
  readonly plain: string
  readonly start: number
}

/** The reader that takes most words from this one on, and the last of them. */
function longest(words: readonly Word[], at: number, text: string): [Reader | undefined, number] {
  let best: [Reader | undefined, number] = [undefined, at - 1]
  for (const reader of READERS) {
    if (!reader.whole.test(words[at]!.plain)) continue
    let end = at
    for (let next = at + 1; next < words.length && next - at < MOST_WORDS; next++) {
      const before = words[next - 1]!
      if (text.slice(before.start + before.word.length, words[next]!.start) !== ' ') break
      if (reader.whole.test(words[next]!.plain)) end = next
      else if (words[next]!.plain !== reader.join) break
    }
    if (end > best[1]) best = [reader, end]
  }
  return best
}

function valueOf(words: readonly string[], { piece, values }: Reader): number {
  let [total, below] = [0, 0]
  for (const [one] of words.join(' ').matchAll(piece)) {
    const value = values.get(one)!
    const scale = value.startsWith('x') ? Number(value.slice(1)) : undefined
    if (scale === undefined) below += Number(value)
    else if (scale === 100) below = (below || 1) * 100
    else [total, below] = [total + (below || 1) * scale, 0]
  }
  return total + below
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
}

const HAN_DIGITS = '〇一二三四五六七八九'
const HAN_SCALES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 1e4, 萬: 1e4, 億: 1e8 }

function hanValue(text: string): number | undefined {
  const chars = text.replaceAll('零', '〇').replaceAll(/[两兩]/g, '二')
  if (!/[十百千万萬億]/.test(chars)) return Number([...chars].map((one) => HAN_DIGITS.indexOf(one)).join(''))
  // “In case”, not ten thousand and one.
  if (chars === '万一') return undefined
  let [total, part, digit] = [0, 0, 0]
  for (const char of chars) {
    const scale = HAN_SCALES[char]
    if (scale === undefined) digit = HAN_DIGITS.indexOf(char)
    else if (scale < 1e4) [part, digit] = [part + (digit || 1) * scale, 0]
    else [total, part, digit] = [total + (part + digit || 1) * scale, 0, 0]
  }
  return total + part + digit
}
