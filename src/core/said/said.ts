/** Sentences of the product in another language, by the English ones, with `{}` for each value. */
export type Sentences = Readonly<Record<string, string>>

interface Pattern {
  /** What stands before, between and after its values. */
  readonly parts: readonly string[]
  readonly said: string
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
/** Nothing of ours is longer, or of more sentences; what is read may be of anybody, who may have made it to take long. */
const LONGEST = 4_000
const MOST_SENTENCES = 40
const DEEPEST = 6

/**
 * Reads a sentence that is known in English, and says it in another language; undefined where any of it is not known. Messages
 * stand in logs as they were said, so that they are read again rather than told apart by codes; values stay as they are.
 */
export function sayer(sentences: Sentences): (english: string) => string | undefined {
  const patterns = Object.entries(sentences)
    .toSorted(([a], [b]) => literalLength(b) - literalLength(a))
    .map(([english, said]): Pattern => ({ parts: english.split('{}'), said }))
  const having = (ends: number) => patterns.filter(({ parts }) => openEnds(parts) === ends)
  const [closed, half, open] = [having(0), having(1), having(2)]
  const among = (group: readonly Pattern[], english: string, depth: number, isOne: boolean): string | undefined =>
    firstOf(group, ({ parts, said }) => {
      const values = valuesIn(english, parts)
      if (values === undefined || (isOne && values.some((value) => ENDS.test(value)))) return undefined
      return filled(said, values, (value) => say(value, depth + 1))
    })
  const say = (english: string, depth: number): string | undefined => {
    if (english.length > LONGEST || depth > DEEPEST) return undefined
    const asSentence = `${english.charAt(0).toUpperCase()}${english.slice(1)}.`
    const one = (isOne: boolean) => (some: string) =>
      firstOf([closed, half, open], (group) => among(group, some, depth, isOne))
    const parts = english.split(BETWEEN)
    const known = (group: readonly Pattern[], isOne = false): string | undefined =>
      among(group, english, depth, isOne) ?? among(group, asSentence, depth, isOne)?.replace(/\.$/, '')
    return (
      known(closed, true) ??
      known(half, true) ??
      several(parts, one(true)) ??
      known(closed) ??
      known(half) ??
      several(parts, one(false)) ??
      known(open)
    )
  }
  return (english) => say(english, 0)
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
    if (kind === ';') {
      const between = value.includes('; ') ? '; ' : ', '
      const each = (): string[] => value.split(between).map((one) => say(one) ?? one)
      return say(value) ?? each().join(between)
    }
    return kind === '' ? value : (say(value) ?? value)
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
