import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConversationFilter } from '../domain/conversation.ts'
import { SqlConversations } from './conversations.ts'
import { sqliteRunner } from './postgres-connection.ts'
import { toSqliteQuery, type Query } from './sql/query.ts'
import { openSqliteInMemory, type SqliteConnection } from './sqlite-connection.ts'

let connection: SqliteConnection
beforeAll(async () => void (connection = await openSqliteInMemory()))
afterAll(() => connection.close())

/** How SQLite goes about a list: the steps of its plan. */
async function planOf(filter: ConversationFilter): Promise<readonly string[]> {
  const steps: string[] = []
  const runner = sqliteRunner(connection)
  const of = async <Row extends object>(owner: string, query: Query): Promise<readonly Row[]> => {
    const { sql, values } = toSqliteQuery(query)
    const plan = connection.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values) as { detail: string }[]
    steps.push(...plan.map(({ detail }) => detail))
    return runner.of(owner, query)
  }
  await new SqlConversations({ ...runner, of }).list('ada', filter)
  return steps
}

const after = { updatedAt: 5, conversationId: 'c' }
const first = { isFirst: true } as const

describe('a list of conversations', () => {
  it.each<[string, ConversationFilter, string]>([
    ['all', {}, 'latest (owner=?)'],
    ['all, a page further', { after }, 'latest (owner=? AND updated_at<?)'],
    ['those that the app shows', first, 'open (owner=?)'],
    ['those that the app shows, a page further', { ...first, after }, 'open (owner=? AND updated_at<?)'],
    ['pinned', { ...first, isPinned: true }, 'pinned (owner=?)'],
    ['pinned, a page further', { ...first, isPinned: true, after }, 'pinned (owner=? AND updated_at<?)'],
    ['branches', { branchOf: 'c' }, 'branches (owner=? AND branch_of=?)'],
  ])('of %s is read from an index in order, without sorting', async (_what, filter, index) => {
    expect(await planOf({ ...filter, limit: 51 })).toEqual([`SEARCH conversations USING INDEX conversations_${index}`])
  })
})
