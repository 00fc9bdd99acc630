/** Sentences of the product in another language, by the English ones, with `{}` for each value. */
export type Sentences = Readonly<Record<string, string>>

interface Pattern {
  readonly pattern: RegExp
  readonly said: string
}

const HOLE = /\{([:#]?)(\d?)\}/g
/** What groups the thousands of a number in English. */
const THOUSANDS = /(?<=\d),(?=\d{3}\b)/g
/** Where one sentence may end and the next begin. */
const BETWEEN = /(?<=[.!?:)”])\s+(?=[\p{Lu}“"(])/u

/**
 * Reads a sentence that is known in English, and says it in another language; undefined where any of it is not known. Messages
 * stand in logs as they were said, so that they are read again rather than told apart by codes; values stay as they are.
 */
export function sayer(sentences: Sentences): (english: string) => string | undefined {
  const patterns = Object.entries(sentences)
    .toSorted(([a], [b]) => literalLength(b) - literalLength(a))
    .map(([english, said]): Pattern => ({ pattern: patternOf(english), said }))
  const one = (english: string): string | undefined => {
    for (const { pattern, said } of patterns) {
      const values = pattern.exec(english)?.slice(1)
      if (values !== undefined) return filled(said, values, say)
    }
    return undefined
  }
  const say = (english: string): string | undefined => {
    const known = one(english) ?? one(`${english.charAt(0).toUpperCase()}${english.slice(1)}.`)?.replace(/\.$/, '')
    return known ?? several(english.split(BETWEEN), one)
  }
  return say
}

/** As many sentences at once as are known together, from the first on. */
function several(parts: readonly string[], one: (english: string) => string | undefined): string | undefined {
  if (parts.length < 2) return undefined
  const said: string[] = []
  for (let at = 0; at < parts.length;) {
    const ends = Array.from({ length: parts.length - at }, (_none, back) => parts.length - back)
    const found = ends.flatMap((end) => {
      const known = end - at === parts.length ? undefined : one(parts.slice(at, end).join(' '))
      return known === undefined ? [] : [{ end, known }]
    })[0]
    if (found === undefined) return undefined
    said.push(found.known)
    at = found.end
  }
  return said.join(' ')
}

function filled(said: string, values: readonly string[], say: (english: string) => string | undefined): string {
  let next = 0
  return said.replaceAll(HOLE, (_hole, kind: string, place: string) => {
    const value = values[place === '' ? next++ : Number(place) - 1] ?? ''
    if (kind === '#') return value.replaceAll(THOUSANDS, '.')
    return kind === '' ? value : (say(value) ?? value)
  })
}

function patternOf(english: string): RegExp {
  const parts = english.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}

function literalLength(english: string): number {
  return english.replaceAll('{}', '').length
}
