import type { Catalogue } from './world.fixture.ts'

/** What the server resolved a query to. Names outside pg_catalog (relations: outside public) carry their schema. */
export interface Resolved {
  readonly relations: readonly string[]
  /** Functions called as such: `at` is how the call begins in the text. */
  readonly calls: readonly { readonly name: string; readonly at: string; readonly bySyntax: boolean }[]
  /** Functions that a cast calls and that belong to no cast between built-in types. */
  readonly strangeCasts: readonly string[]
  readonly operators: readonly string[]
  /** Types that values are made of or turned into. */
  readonly types: readonly string[]
}

const EXPLICIT_CALL = '0'
const SQL_SYNTAX = '3'

/** Reads the tree that `debug_print_parse` prints (PostgreSQL 15 to 17: `outfuncs.c`). */
export function readTree(printed: string, source: Buffer, catalogue: Catalogue): Resolved {
  const tree = printed.replace(/\s+/g, ' ') // the server breaks lines between words
  const name = (names: ReadonlyMap<string, string>, oid: string): string => names.get(oid) ?? `oid ${oid}`
  const all = (pattern: RegExp): string[][] =>
    [...tree.matchAll(pattern)].map((found) => [...found].slice(1) as string[])
  const functions = nodes(tree, /\{(?:FUNCEXPR :funcid|AGGREF :aggfnoid|WINDOWFUNC :winfnoid) (\d+)/g)
  const calls = []
  const strangeCasts = []
  for (const { oid, text } of functions) {
    const format = / :funcformat (\d)/.exec(text)?.[1] ?? EXPLICIT_CALL
    const location = Number(/ :location (-?\d+)$/.exec(text)?.[1] ?? -1)
    if (format === EXPLICIT_CALL || format === SQL_SYNTAX) {
      const at = source.subarray(Math.max(0, location), Math.max(0, location) + 80).toString()
      calls.push({ name: name(catalogue.functions, oid), at, bySyntax: format === SQL_SYNTAX })
    } else if (!catalogue.casts.has(oid)) strangeCasts.push(name(catalogue.functions, oid))
  }
  const sampling = all(/\{TABLESAMPLECLAUSE :tsmhandler (\d+)/g)
  return {
    relations: unique(all(/ :rtekind 0 :relid (\d+)/g).map(([oid = '']) => name(catalogue.relations, oid))),
    calls: [
      ...calls,
      ...sampling.map(([oid = '']) => ({ name: name(catalogue.functions, oid), at: '', bySyntax: true })),
    ],
    strangeCasts: unique(strangeCasts),
    operators: unique(
      [
        ...all(/ :(?:opno|eqop|sortop) (\d+)/g),
        ...all(/ :opnos \(o ([\d ]+)\)/g).flatMap(([oids = '']) => oids.split(' ').map((oid) => [oid])),
      ].flatMap(([oid = '0']) => (oid === '0' ? [] : [name(catalogue.operators, oid)])),
    ),
    types: unique(
      [
        ...all(/\{CONST :consttype (\d+)/g).flat(),
        ...nodes(tree, /\{(?:COERCEVIAIO|RELABELTYPE|COERCETODOMAIN|CONVERTROWTYPEEXPR) ()/g).map(
          ({ text }) => / :resulttype (\d+)/.exec(text)?.[1] ?? '',
        ),
      ].map((oid) => name(catalogue.types, oid)),
    ),
  }
}

/** Nodes of a kind: their object id, and their own fields without those of the nodes within. */
function nodes(tree: string, start: RegExp): { oid: string; text: string }[] {
  return [...tree.matchAll(start)].map(({ index, 1: oid = '' }) => {
    let depth = 0
    let text = ''
    for (let at = index; at < tree.length; at += 1) {
      const letter = tree[at]
      if (letter === '\\') at += 1
      else if (letter === '{') depth += 1
      else if (letter === '}') {
        depth -= 1
        if (depth === 0) break
      } else if (depth === 1) text += letter
    }
    return { oid, text: text.trimEnd() }
  })
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
