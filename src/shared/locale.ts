import { formatNumber, type ExactNumber } from './exact-number.ts'

/** How numbers and money are written in an answer. */
export interface LocaleProfile {
  /** BCP 47 tag. */
  readonly tag: string
  /** One sentence for a model's instructions. */
  readonly rule: string
  number(value: ExactNumber): string
  money(value: ExactNumber): string
}

const DEFAULT_LOCALE = 'en-US'

/** Ways of writing money that differ from the plain number. */
const MONEY_PREFIXES: Readonly<Record<string, string>> = { 'en-IN': 'Rs.' }

/** An unknown tag falls back to the default, so that a typing mistake does not cost the answer. */
export function localeProfile(tag: string = DEFAULT_LOCALE): LocaleProfile {
  const known = Intl.NumberFormat.supportedLocalesOf(isWellFormed(tag) ? tag : DEFAULT_LOCALE)[0] ?? DEFAULT_LOCALE
  const number = new Intl.NumberFormat(known, { maximumFractionDigits: 4 })
  const amount = new Intl.NumberFormat(known, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const prefix = MONEY_PREFIXES[known] ?? ''
  const money = (value: ExactNumber): string => prefix + formatNumber(amount, value)
  const currency =
    prefix === '' ? '' : ` Write amounts of money with the prefix "${prefix}", never with another sign or code.`
  return {
    tag: known,
    rule: `Write numbers as in this example: ${money(175_206)}.${currency}`,
    number: (value) => formatNumber(number, value),
    money,
  }
}

/** Whether a number is a year, by its column's name: 2025 and not 2,025. A figure "per year" is not. */
export function isYearColumn(column: string, value: unknown): boolean {
  const number = Number(value)
  const isNamed =
    /(?:^|[ _])year$|[a-z]Year$|^YEAR$/.test(column) && !/(?:per|last|this|previous|prior)[ _]?year$/i.test(column)
  return isNamed && Number.isInteger(number) && number >= 1000 && number < 3000
}

/** Whether numbers can be formatted for this tag. */
export function isKnownLocale(tag: string): boolean {
  return isWellFormed(tag) && Intl.NumberFormat.supportedLocalesOf(tag).length > 0
}

function isWellFormed(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
