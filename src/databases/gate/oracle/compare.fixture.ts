import { createRandom } from '../../../demo/random.ts'
import { FUNCTIONS } from '../functions.ts'
import { HONEST } from '../honest.fixture.ts'
import type { Gate } from '../index.ts'
import { OPERATORS } from '../postgres/nodes.ts'
import { CALL_FORMS } from './forms.fixture.ts'
import { QueryGenerator } from './generate.fixture.ts'
import { fillForm, mutate } from './mutate.fixture.ts'
import type { Resolved } from './tree.fixture.ts'
import type { World } from './world.fixture.ts'

export interface Comparison {
  generated: number
  allowed: number
  /** The server resolves the query. */
  accepted: number
  /** Both. */
  compared: number
  /** Of those that the server resolves: those in which it found nothing that is not allowed. */
  harmless: number
  harmlessAllowed: number
  /** What the gate let through and the server took otherwise. */
  readonly failures: { readonly sql: string; readonly why: readonly string[] }[]
  /** Harmless ones that were refused, with the reason. */
  readonly refused: { readonly sql: string; readonly reason: string }[]
}

/**
 * Writes queries from a seed, half of them changed at random, and holds the gate's verdict against what the server resolves.
 * `until` says when to stop.
 */
export async function compareGate(
  gate: Gate,
  world: World,
  seed: number,
  until: (done: Comparison) => boolean,
): Promise<Comparison> {
  const random = createRandom(seed)
  const generator = new QueryGenerator(random)
  const done: Comparison = {
    generated: 0,
    allowed: 0,
    accepted: 0,
    compared: 0,
    harmless: 0,
    harmlessAllowed: 0,
    failures: [],
    refused: [],
  }
  for (let turn = 0; !until(done); turn += 1) {
    const base =
      turn % 7 === 0
        ? at(HONEST.postgres, turn / 7)
        : turn % 7 === 1
          ? fillForm(random, at(CALL_FORMS, (turn - 1) / 7))
          : generator.query()
    await compareOne(gate, world, turn % 2 === 0 ? base : mutate(random, base), done)
  }
  return done
}

function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length]!
}

/** Judges one query and adds it to what was done. */
async function compareOne(gate: Gate, world: World, sql: string, done: Comparison): Promise<void> {
  const verdict = await gate.check(sql, world.schema, { allowedTables: world.allowedTables })
  const resolved = await world.resolve(sql.replace(/;\s*$/, ''))
  done.generated += 1
  if (verdict.allowed) done.allowed += 1
  if (resolved === undefined) return
  done.accepted += 1
  const known = verdict.allowed ? verdict : { tables: world.allowedTables, functions: [...FUNCTIONS.postgres] }
  const why = complaints(resolved, known)
  if (verdict.allowed) {
    done.compared += 1
    if (why.length > 0) done.failures.push({ sql, why })
  }
  if (why.length > 0) return
  done.harmless += 1
  if (verdict.allowed) done.harmlessAllowed += 1
  else done.refused.push({ sql, reason: verdict.reason })
}

/** Functions that the grammar calls for LIKE … ESCAPE and SIMILAR TO, at no place of their own. */
const PLACELESS = new Set(['like_escape', 'similar_to_escape', 'bernoulli', 'system'])

/** What the server resolved and the gate did not see. */
export function complaints(
  resolved: Resolved,
  seen: { readonly tables: readonly string[]; readonly functions: readonly string[] },
): string[] {
  const text = (at: string): string =>
    at
      .toLowerCase()
      .replace(/^pg_catalog\s*\.\s*/, '')
      .replaceAll('"', '')
  return [
    ...resolved.relations.filter((name) => !seen.tables.includes(name)).map((name) => `reads ${name}`),
    ...resolved.calls.flatMap(({ name, at, bySyntax }) => {
      if (PLACELESS.has(name)) return []
      if (!seen.functions.includes(name)) return [`calls ${name}`]
      // A call that is not written as one: `x.upper` beside an honest `upper(y)`.
      return bySyntax || new RegExp(`^${name}\\s*\\(`).test(text(at)) ? [] : [`calls ${name} at ${at.slice(0, 30)}`]
    }),
    ...resolved.strangeCasts.map((name) => `casts by ${name}`),
    ...resolved.operators.filter((name) => !OPERATORS.has(name)).map((name) => `uses operator ${name}`),
    ...resolved.types.filter((name) => FORBIDDEN_TYPE.test(name)).map((name) => `makes a ${name}`),
  ]
}

/** The text search types stand for the names of dictionaries, which functions of the list take. */
const FORBIDDEN_TYPE = /^_?(?:reg(?!config$|dictionary$)\w+|xml|oid|\w+\..*)$/
