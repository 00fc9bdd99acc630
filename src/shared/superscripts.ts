/** Characters with a raised or lowered form in Unicode, and those forms in the same order. */
const RAISED_FROM = '0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW'
const RAISED_TO = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ'
const LOWERED_FROM = '0123456789+-−–=()aehijklmnoprstuvx'
const LOWERED_TO = '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ'

export type Shift = 'raised' | 'lowered'

const FORMS: Readonly<Record<Shift, ReadonlyMap<string, string>>> = {
  raised: formsOf(RAISED_FROM, RAISED_TO),
  lowered: formsOf(LOWERED_FROM, LOWERED_TO),
}
const SIGN: Readonly<Record<Shift, string>> = { raised: '^', lowered: '_' }
/** A raised or lowered character. */
export const SHIFTED = new RegExp(`[${RAISED_TO}${LOWERED_TO}]`, 'u')
const PLAIN = new RegExp(`(?![${RAISED_TO}${LOWERED_TO}])[\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lo}\\p{N}]`, 'u')

function formsOf(from: string, to: string): ReadonlyMap<string, string> {
  const forms = [...to]
  return new Map([...from].map((char, i) => [char, forms[i]!]))
}

/**
 * A superscript or subscript as plain text, so that it cannot be read as part of the preceding number or word: `10³`,
 * `15²`, `CO₂`, and `^(2,3)` or `_(max)` if Unicode has no such characters. Ordinal endings (`1st`) are kept: letters
 * do not change a number.
 * @param run text of one superscript or subscript; white space around it is kept
 * @param before the last character before it, if any
 */
export function plainShifted(run: string, shift: Shift, before: string): string {
  const trimmed = run.trim()
  // A raised “[1]” is a footnote mark; with its brackets it would look like a citation.
  const text = /^\[([^[\]]+)\]$/.exec(trimmed)?.[1] ?? trimmed
  if (!PLAIN.test(text)) return run
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const isOrdinal = shift === 'raised' && letters > 1 && letters === text.length && /\p{Nd}$/u.test(before)
  if (isOrdinal) return run
  const forms = [...text].map((char) => FORMS[shift].get(char))
  if (letters < 2 && !forms.includes(undefined)) return run.replace(trimmed, () => forms.join(''))
  const isApart = before === '' || /\s$/.test(before) || run.startsWith(' ')
  return isApart && text === trimmed ? run : run.replace(trimmed, () => `${SIGN[shift]}(${text})`)
}

/**
 * Puts a separator between digits and adjacent superscripts, subscripts and fractions. Compatibility normalisation
 * (NFKC, NFKD) would join them to one number: `15²` would become `152`.
 */
export function separateDigits(text: string, separator = ' '): string {
  return text.replaceAll(/(?<=\p{Nd})(?=\p{No})|(?<=\p{No})(?=\p{Nd})/gu, separator)
}
