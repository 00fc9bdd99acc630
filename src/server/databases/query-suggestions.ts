import { nearest } from '../../shared/nearest.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { Verdict } from '../../databases/sql-guard/index.ts'

/** A range of a query: start inclusive, end exclusive. */
export interface Place {
  readonly from: number
  readonly to: number
}

interface Word extends Place {
  /** Without quotes. */
  readonly name: string
}

type Refused = Extract<Verdict, { allowed: false }>

/** An unterminated string or comment extends to the end of the query. Otherwise matching would take quadratic time. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"((?:[^"]|"")*)(?:"|$)|`([^`]*)(?:`|$)|\[([^\]]*)(?:\]|$)|([\p{L}_][\p{L}\p{N}_$]*)|;/gu

/**
 * The names, keywords and semicolons of a query, without its strings and comments. Only for hints: no security check
 * depends on it.
 */
function wordsOf(sql: string): Word[] {
  return [...sql.matchAll(TOKEN)].flatMap(({ 0: whole, 1: a, 2: b, 3: c, 4: bare, index: from }) => {
    const name = a ?? b ?? c ?? bare ?? (whole === ';' ? whole : undefined)
    return name === undefined ? [] : [{ name, from, to: from + whole.length }]
  })
}

const isWord = ({ name }: Word, ...words: readonly string[]): boolean => words.includes(name.toUpperCase())

/** The part of a query that caused the refusal; undefined if unknown. */
export function refusedPosition(sql: string, refused: Refused): Place | undefined {
  const { rule, name, at } = refused
  const words = wordsOf(sql)
  const place = (found: Place | undefined): Place | undefined => found && { from: found.from, to: found.to }
  if (at !== undefined) {
    // For a query that ends too early, the last character.
    const from = Math.min(at, sql.trimEnd().length - 1)
    return place(words.find((word) => word.from <= from && from < word.to) ?? { from, to: from + 1 })
  }
  switch (rule) {
    case 'statement-count': {
      const end = words.find(({ name }) => name === ';')
      const rest = end && sql.slice(end.to)
      const to = sql.trimEnd().length
      return end && rest!.trim() !== '' ? { from: to - rest!.trim().length, to } : undefined
    }
    case 'statement-kind': {
      if (name === undefined) return undefined
      const keyword = name.split(' ', 1)[0]!.toUpperCase()
      return place(words.find((word) => isWord(word, keyword)) ?? words[0])
    }
    case 'lock':
      return place(
        words.find((word, n) => isWord(word, 'FOR') && isWord(words[n + 1] ?? word, 'UPDATE', 'SHARE', 'NO', 'KEY')),
      )
    case 'into':
      return place(words.find((word) => isWord(word, 'INTO')))
    default:
      return place(findName(name, words))
  }
}

/** Finds a name that may be written with its table or schema. */
function findName(name: string | undefined, words: readonly Word[]): Word | undefined {
  const last = name?.split('.').at(-1)?.toLowerCase()
  return words.find((word) => word.name.toLowerCase() === last)
}

/** Variants of a refused query that might be allowed, best first. Callers must check each with the SQL guard. */
export function* allowedVariants(sql: string, refused: Refused, tables: DatabaseSchema['tables']): Generator<string> {
  const words = wordsOf(sql)
  const place = refusedPosition(sql, refused)
  const without = (gap: Place): string => `${sql.slice(0, gap.from)}${sql.slice(gap.to)}`.trim()
  switch (refused.rule) {
    case 'statement-count': {
      const end = words.find(({ name }) => name === ';')
      if (end !== undefined) yield sql.slice(0, end.from).trim()
      return
    }
    case 'statement-kind': {
      const tableNames = new Set(tables.map(({ name }) => name.toLowerCase()))
      const named = words.slice(1).find(({ name }) => tableNames.has(name.toLowerCase()))
      const where = words.find((word) => isWord(word, 'WHERE'))
      if (named === undefined) return
      const target = sql.slice(named.from, named.to)
      const end = words.find(({ name, from }) => name === ';' && from > named.to)?.from ?? sql.length
      if (where !== undefined && where.from > named.to)
        yield `SELECT * FROM ${target} ${sql.slice(where.from, end).trim()}`
      yield `SELECT * FROM ${target}`
      return
    }
    case 'lock':
      if (place !== undefined) yield without({ from: place.from, to: sql.length })
      return
    case 'into': {
      const next = words.find(({ from }) => place !== undefined && from >= place.to)
      if (place !== undefined && next !== undefined) yield without({ from: place.from, to: next.to })
      return
    }
    case 'table':
    case 'column': {
      if (place === undefined) return
      const written = sql.slice(place.from, place.to)
      const candidates = refused.rule === 'table' ? tables : tables.flatMap(({ columns }) => columns)
      const names = new Set(candidates.map(({ name }) => name))
      names.delete(written)
      for (let tries = 0; tries < MAX_NEAR && written.length <= MAX_NAME_CHARS; tries++) {
        const name = nearest(written, [...names])
        if (name === undefined) return
        yield `${sql.slice(0, place.from)}${name}${sql.slice(place.to)}`
        names.delete(name)
      }
    }
  }
}

const MAX_NEAR = 3
const MAX_NAME_CHARS = 60
