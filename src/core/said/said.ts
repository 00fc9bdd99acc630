/** Sentences of the product in another language, by the English ones, with `{}` for each value. */
export type Sentences = Readonly<Record<string, string>>

interface Pattern {
  /** What stands before, between and after its values. */
  readonly parts: readonly string[]
  readonly said: string
}

interface Match extends Pattern {
  readonly values: readonly string[]
}

const HOLE = /\{([:#&;]?)(\d?)\}/g
/** What stands before the last of several. */
const JOINT = /^(.*) (or|and) /s
/** What groups the thousands of a number in English. */
const THOUSANDS = /(?<=\d),(?=\d{3}\b)/g
/** Where one sentence may end and the next begin. */
const BETWEEN = /(?<=[.!?:)”])\s+(?=[\p{Lu}“"(])/u
/** Where one surely ends: a value that holds this may be the end of one sentence and the beginning of the next. */
const ENDS = /[.!?]\s+(?=[\p{Lu}“"(])/u
/** What stands in quotation marks of its own, and where several that are listed are apart: not within such marks. */
const QUOTED = /“[^“”]*”/g
const APART = /; (?![^“]*”)/
/** At how many ends a pattern takes any value. */
const [CLOSED, HALF, OPEN] = [0, 1, 2] as const
/** Nothing of ours is longer, or of more sentences; what is read may be of anybody, who may have made it to take long. */
const LONGEST = 4_000
const MOST_SENTENCES = 40
const DEEPEST = 6

/** Whether a value may be one; `before` is what stands before it. */
type Fits = (value: string, before: string) => boolean

const isOne: Fits = (value) => !ENDS.test(value)
/** A quotation is one, whatever sentences are in it, and does not go on in the next one. */
const isQuote: Fits = (value, before) => {
  if (!before.endsWith('“')) return isOne(value, before)
  const bare = value.replaceAll(QUOTED, '')
  const end = bare.indexOf('”')
  return end === -1 || !bare.includes('“', end)
}
const isAny: Fits = () => true

/**
 * Reads a sentence that is known in English, and says it in another language; undefined where any of it is not known. Messages
 * stand in logs as they were said, so that they are read again rather than told apart by codes; values stay as they are.
 */
export function sayer(sentences: Sentences): (english: string) => string | undefined {
  const patterns = Object.entries(sentences)
    .toSorted(([a], [b]) => literalLength(b) - literalLength(a))
    .map(([english, said]): Pattern => ({ parts: english.split('{}'), said }))
  const groups = [CLOSED, HALF, OPEN].map((ends) => patterns.filter(({ parts }) => openEnds(parts) === ends))
  /** @param seen what was read before, for a text is read again with other care */
  const say = (
    english: string,
    depth: number,
    seen: Map<string, readonly (readonly Match[])[]>,
  ): string | undefined => {
    if (english.length > LONGEST || depth > DEEPEST) return undefined
    const matches = (some: string): readonly (readonly Match[])[] => {
      const known = seen.get(some) ?? groups.map((group) => matchesIn(group, some))
      seen.set(some, known)
      return known
    }
    const among = (group: readonly Match[], fits: Fits): string | undefined =>
      firstOf(group, ({ parts, values, said }) =>
        values.every((value, at) => fits(value, parts[at]!))
          ? filled(said, values, (value) => say(value, depth + 1, seen))
          : undefined,
      )
    const one = (fits: Fits) => (some: string) => firstOf(matches(some), (group) => among(group, fits))
    const [whole, sentence] = [english, `${english.charAt(0).toUpperCase()}${english.slice(1)}.`].map(matches)
    const known = (ends: number, fits: Fits): string | undefined =>
      among(whole![ends]!, fits) ?? among(sentence![ends]!, fits)?.replace(/\.$/, '')
    const parts = english.split(BETWEEN)
    const hasQuote = english.includes('”')
    return (
      known(CLOSED, isOne) ??
      (hasQuote ? known(HALF, isQuote) : undefined) ??
      known(HALF, isOne) ??
      several(parts, one(isOne)) ??
      (hasQuote ? (known(CLOSED, isQuote) ?? several(parts, one(isQuote))) : undefined) ??
      known(CLOSED, isAny) ??
      known(HALF, isAny) ??
      several(parts, one(isAny)) ??
      known(OPEN, isAny)
    )
  }
  return (english) => say(english, 0, new Map())
}

/** As many sentences at once as are known together, from the first on. */
function several(parts: readonly string[], one: (english: string) => string | undefined): string | undefined {
  if (parts.length < 2 || parts.length > MOST_SENTENCES) return undefined
  const said: string[] = []
  for (let at = 0; at < parts.length;) {
    let known: string | undefined
    // All of them are known not to be one sentence.
    let end = at === 0 ? parts.length : parts.length + 1
    while (known === undefined && --end > at) known = one(parts.slice(at, end).join(' '))
    if (known === undefined) return undefined
    said.push(known)
    at = end
  }
  return said.join(' ')
}

function filled(said: string, values: readonly string[], say: (english: string) => string | undefined): string {
  let next = 0
  return said.replaceAll(HOLE, (_hole, kind: string, place: string) => {
    const value = values[place === '' ? next++ : Number(place) - 1] ?? ''
    if (kind === '#') return value.replaceAll(THOUSANDS, '.')
    if (kind === '&') return value.replace(JOINT, (_all, before, joint) => `${before} ${say(joint) ?? joint} `)
    if (kind === ';') return listed(value, say)
    return kind === '' ? value : (say(value) ?? value)
  })
}

/** Several that are each known, else the whole as one, else whichever of them are known. */
function listed(value: string, say: (english: string) => string | undefined): string {
  const isApart = APART.test(value)
  const parts = value.split(isApart ? APART : ', ')
  const said = isApart && parts.length <= MOST_SENTENCES ? parts.map(say) : undefined
  const whole = said?.includes(undefined) === false ? undefined : say(value)
  return whole ?? (said ?? parts.map(say)).map((one, at) => one ?? parts[at]!).join(isApart ? '; ' : ', ')
}

function matchesIn(group: readonly Pattern[], english: string): readonly Match[] {
  return group.flatMap((pattern) => {
    const values = valuesIn(english, pattern.parts)
    return values === undefined ? [] : [{ ...pattern, values }]
  })
}

/** Each value is as short as can be: the first place of what comes next leaves most to what follows, so nothing is tried twice. */
function valuesIn(english: string, parts: readonly string[]): string[] | undefined {
  const [first, ...rest] = parts as readonly [string, ...string[]]
  const last = rest.pop()
  if (last === undefined) return english === first ? [] : undefined
  if (!english.startsWith(first) || !english.endsWith(last)) return undefined
  const values: string[] = []
  let from = first.length
  for (const part of rest) {
    const at = english.indexOf(part, from)
    if (at === -1) return undefined
    values.push(english.slice(from, at))
    from = at + part.length
  }
  const end = english.length - last.length
  return end < from ? undefined : [...values, english.slice(from, end)]
}

/** What begins or ends with any value takes in other sentences around it: those that do not come first. */
function openEnds(parts: readonly string[]): number {
  return parts.length === 1 ? 0 : Number(parts[0] === '') + Number(parts.at(-1) === '')
}

function firstOf<A, B>(all: readonly A[], look: (one: A) => B | undefined): B | undefined {
  for (const one of all) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}

function literalLength(english: string): number {
  return english.replaceAll('{}', '').length
}
