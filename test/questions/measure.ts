import Database from 'libsql'
import { linkQuestion } from '../../src/question-to-sql/index.ts'
import { lookupIn, readSchema, rowsOf } from '../../src/terms/sqlite.fixture.ts'
import { draftTerms, printTerms } from '../../src/terms/draft.ts'
import { NO_TERMS, parseTerms, type Terms } from '../../src/terms/terms.ts'
import { questionsOf, type Asked } from './questions.ts'
import { world, type World } from './world.ts'

export interface Judged extends Asked {
  readonly world: string
  readonly verdict: 'right' | 'declined' | 'wrong'
  /** The reason of a refusal, or what was answered in place of what is right. */
  readonly detail: string
}

/** Asks each question of the worlds of these seeds. A refusal is never wrong, and right where there is no answer. */
export async function judgeAll(seeds: readonly number[], isDescribed = false): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  for (const seed of seeds) {
    const w = world(seed)
    const db = new Database(':memory:')
    for (const statement of w.script) db.exec(statement)
    const terms = isDescribed ? await described(db) : NO_TERMS
    for (const asked of questionsOf(w)) judged.push(await judge(w, db, asked, terms))
    db.close()
  }
  return judged
}

/** What `tutti db describe` writes, read back. */
async function described(db: Database.Database): Promise<Terms> {
  const drafted = await draftTerms(readSchema(db, 'world'), async (table, column) => {
    const rows = rowsOf(db, `SELECT DISTINCT "${column}" FROM "${table}" WHERE "${column}" IS NOT NULL LIMIT 13`)
    return rows.length > 12 ? undefined : rows.map(([value]) => String(value))
  })
  return parseTerms(await printTerms(drafted), 'world.terms.yaml')
}

async function judge(w: World, db: Database.Database, asked: Asked, terms: Terms): Promise<Judged> {
  const name = `${w.seed} ${w.domain.party}/${w.style.name}`
  const linked = await linkQuestion(asked.question, readSchema(db, 'world'), {
    lookup: lookupIn(db),
    today: '2026-01-15',
    terms,
  })
  if (linked.kind === 'refusal') {
    return { ...asked, world: name, verdict: asked.sql === undefined ? 'right' : 'declined', detail: linked.reason }
  }
  if (linked.kind !== 'query') return { ...asked, world: name, verdict: 'wrong', detail: linked.explanation }
  const detail = `${linked.explanation} ${JSON.stringify(linked.assumptions)}\n${linked.sql}`
  if (asked.sql === undefined) return { ...asked, world: name, verdict: 'wrong', detail }
  const expected = rowsOf(db, asked.sql)
  const actual = rowsOf(db, linked.sql).map((row) => row.slice(0, expected[0]?.length ?? 1))
  const isRight = JSON.stringify(sorted(actual)) === JSON.stringify(sorted(expected))
  return {
    ...asked,
    world: name,
    verdict: isRight ? 'right' : 'wrong',
    detail: `${detail}\n${JSON.stringify(actual).slice(0, 200)} is not ${JSON.stringify(expected).slice(0, 200)}`,
  }
}

/** An empty sum may be nothing or zero. */
function sorted(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row.map((cell) => cell ?? 0))).sort()
}
