/** Signs and words for currencies, with their ISO 4217 codes. */
const CURRENCIES: readonly (readonly [code: string, names: RegExp])[] = [
  ['EUR', /^(€|euros?|eur)$/i],
  ['USD', /^(\$|dollars?|usd)$/i],
  ['GBP', /^(£|pounds?|gbp)$/i],
  ['INR', /^(₹|rupees?|inr)$/i],
  ['JPY', /^(¥|yen|jpy)$/i],
  ['CHF', /^(francs?|chf)$/i],
]

/** The code of the currency that a sign or word stands for. */
export function currencyOf(word: string): string | undefined {
  return CURRENCIES.find(([, names]) => names.test(word))?.[0]
}

/** The one currency that a text speaks of; undefined when it is none or several. */
export function currencyIn(text: string): string | undefined {
  const codes = new Set(text.split(/[^\p{L}\p{Sc}]+/u).flatMap((word) => currencyOf(word) ?? []))
  return codes.size === 1 ? [...codes][0] : undefined
}
