import { ruleText } from '../../shared/rule-text.ts'

/** Function words that are frequent in one language and rare or absent in the others. */
export const SMALL_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: 'the of and is are was were to in there this that with for how many what which does did have has it on by who'.split(
    ' ',
  ),
  de: 'der die das und ist sind war waren zu den dem es gibt wie viele welche mit für von ein eine nicht im auf hat haben wurden nach seit bei aus über bis wer wann wo ich wir uns mir bitte zum zur vom beim oder letzten letzter letztes dieses diesem dieser jahr monat umsatz kunden bestellungen'.split(
    ' ',
  ),
  fr: 'le les des et est sont était il y dans avec pour combien quel quelle quels une pas sur qui ce cette nous vous ont'.split(
    ' ',
  ),
  es: 'el los las y es son fue fueron hay en con para cuántos cuántas cuál qué una por del al ha han este esta'.split(
    ' ',
  ),
  it: 'il gli le e è sono era ci quanti quante quale che con per una del della nel nella non di ha hanno questo'.split(
    ' ',
  ),
  pt: 'o os as e é são foi foram há em com para quantos quantas qual que uma não do da dos das no na este esta'.split(
    ' ',
  ),
  nl: 'de het een en is zijn was er van met voor hoeveel welke niet op in dat die dit hebben heeft aan'.split(' '),
}
const SCRIPTS = ['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Hangul', 'Hiragana', 'Han'].map(
  (name) => [name, new RegExp(String.raw`\p{Script=${name}}`, 'gu')] as const,
)

/** Detects the language of a text by its function words, else by its script; undefined if uncertain. */
export function detectLanguage(whole: string): string | undefined {
  const text = ruleText(whole)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const script = SCRIPTS.find(([, pattern]) => (text.match(pattern)?.length ?? 0) > letters / 2)?.[0]
  if (script !== undefined) return script
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = Object.entries(SMALL_WORDS).map(
    ([language, small]) => [language, words.filter((word) => small.includes(word)).length] as const,
  )
  const [first, second] = counts.toSorted((a, b) => b[1] - a[1])
  return first![1] >= 2 && first![1] >= 2 * second![1] ? first![0] : undefined
}
