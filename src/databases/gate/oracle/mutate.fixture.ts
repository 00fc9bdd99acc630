import type { Random } from '../../../demo/random.ts'
import { callBy } from './forms.fixture.ts'
import { DANGEROUS, NAMES, quote } from './vocabulary.fixture.ts'

/** A form of call with some name put in, which may be a column there. */
export function fillForm(random: Random, form: string): string {
  return callBy(form, quote(random.pick([...DANGEROUS, ...NAMES])))
}

/** Puts other names into a query, takes a few away, or lets names call what they should not. */
export function mutate(random: Random, sql: string): string {
  let tokens: string[] = sql.match(TOKEN) ?? []
  for (let edits = random.int(1, 3); edits > 0; edits -= 1) {
    const places = tokens.flatMap((token, index) => (isName(token) ? [index] : []))
    if (places.length === 0) break
    const at = random.pick(places)
    const name = tokens[at] ?? ''
    tokens[at] = random.pick([
      tokens[random.pick(places)] ?? '',
      random.pick(NAMES),
      `${name}.${random.pick(DANGEROUS)}`,
      `(${name}).${random.pick(DANGEROUS)}`,
      '',
    ])
    if (random.chance(0.1)) tokens = tokens.filter((token) => !/^lateral$/i.test(token))
  }
  return tokens.join('')
}

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\w+|\s+|[^\w\s]/g
const KEYWORDS =
  /^(?:select|from|where|as|join|left|right|full|cross|natural|on|using|lateral|with|recursive|union|all|intersect|except|order|by|limit|case|when|then|else|end|is|not|null|values|exists|over|rows|ordinality|array|search|depth|first|set|and|or|in|group|having|distinct|between|like|true|false|text|int|for)$/i

function isName(token: string): boolean {
  return /^(?:"|[a-z_])/i.test(token) && !KEYWORDS.test(token)
}
