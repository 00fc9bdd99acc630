import type {
  Conversation,
  ConversationChange,
  ConversationFilter,
  ConversationMessage,
  ConversationStore,
  ConversationSummary,
  NewSummary,
  NewTurn,
} from '../domain/conversation.ts'
import type { Owner } from '../domain/events.ts'
import { isByUser, type Provenance } from '../domain/provenance.ts'
import { displayText } from './projection.ts'
import {
  before,
  fixed,
  holds,
  insert,
  joined,
  limited,
  rowRecord,
  sql,
  where,
  type Query,
  queryRows,
  type Script,
  type SqlRunner,
} from './sql/query.ts'

const CONVERSATIONS = fixed(
  `SELECT conversation_id, title, turns, created_at, updated_at, pinned_at, new_at, branch_of, branch_turn,
     coalesce(latest_id, conversation_id) AS latest_id
   FROM conversations`,
)

type DropFirst<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never

/** Conversations in the tables `conversations`, `messages` and `conversation_summaries`. */
export class SqlConversations implements ConversationStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async open(owner: Owner, given: Pick<Conversation, 'conversationId' | 'title' | 'createdAt'>): Promise<void> {
    const { conversationId, title, createdAt } = given
    const row = { owner, conversationId, title: displayText(title), turns: 0, createdAt, updatedAt: createdAt }
    await this.runner.of(owner, sql`${insert('conversations', row)} ON CONFLICT (owner, conversation_id) DO NOTHING`)
  }

  async get(owner: Owner, conversationId: string): Promise<Conversation | undefined> {
    return (await this.conversations(owner, where({ owner, conversation_id: conversationId })))[0]
  }

  list(owner: Owner, filter: ConversationFilter = {}): Promise<readonly Conversation[]> {
    const { limit = 100, words = [], isPinned, isFirst, branchOf, after } = filter
    const conditions = [
      where({ owner, branch_of: branchOf }),
      isPinned === undefined ? fixed('') : fixed(`AND pinned_at IS ${isPinned ? 'NOT ' : ''}NULL`),
      fixed(isFirst === true ? 'AND branch_of IS NULL' : ''),
      after === undefined
        ? fixed('')
        : sql`AND ${before('updated_at', after.updatedAt, 'conversation_id', after.conversationId)}`,
      ...words.map(
        (word) =>
          sql`AND (${holds('title', word)} OR EXISTS (SELECT 1 FROM messages m WHERE m.owner = conversations.owner
            AND m.conversation_id = conversations.conversation_id AND ${holds('m.content', word)}))`,
      ),
    ]
    return this.conversations(
      owner,
      sql`${joined(conditions)} ORDER BY updated_at DESC, conversation_id DESC ${limited(limit)}`,
    )
  }

  async change(owner: Owner, conversationId: string, change: ConversationChange): Promise<boolean> {
    const set = Object.entries({
      title: change.title === undefined ? undefined : displayText(change.title),
      pinned_at: change.pinnedAt,
      new_at: change.newAt,
    }).flatMap(([name, value]) => (value === undefined ? [] : [sql`${fixed(name)} = ${value}`]))
    if (set.length === 0) return (await this.get(owner, conversationId)) !== undefined
    const updated = await this.runner.of(
      owner,
      sql`UPDATE conversations SET ${joined(set, ', ')} ${where({ owner, conversation_id: conversationId })}
        RETURNING conversation_id`,
    )
    return updated.length > 0
  }

  branch(owner: Owner, ...branch: DropFirst<Parameters<ConversationStore['branch']>>): Promise<boolean> {
    return this.runner.write(owner, () => branching(owner, ...branch))
  }

  private async conversations(owner: Owner, rest: Query): Promise<readonly Conversation[]> {
    return (await this.runner.of(owner, sql`${CONVERSATIONS} ${rest}`)).map((row) => rowRecord<Conversation>(row))
  }

  addTurn(owner: Owner, turn: NewTurn): Promise<void> {
    return this.runner.write(owner, () => addingTurn(owner, turn))
  }

  async messages(owner: Owner, conversationId: string, afterTurn = 0): Promise<readonly ConversationMessage[]> {
    const rows = await this.runner.of(
      owner,
      // In a turn the user's before the assistant's.
      sql`SELECT turn, role, content AS text, run_id, created_at AS at, provenance, understood FROM messages
        ${where({ owner, conversation_id: conversationId })} AND turn > ${afterTurn} ORDER BY turn, role DESC`,
    )
    return rows.map((row) => rowRecord<ConversationMessage>(row, ['provenance']))
  }

  async summary(owner: Owner, conversationId: string): Promise<ConversationSummary | undefined> {
    const [row] = await this.runner.of(
      owner,
      sql`SELECT summary_text AS text, turns_covered AS turns, provenance FROM conversation_summaries
        ${where({ owner, conversation_id: conversationId })} ORDER BY turns_covered DESC LIMIT 1`,
    )
    return row === undefined ? undefined : rowRecord<ConversationSummary>(row, ['provenance'])
  }

  addSummary(owner: Owner, summary: NewSummary): Promise<void> {
    return this.runner.write(owner, () => addingSummary(owner, summary))
  }

  remove(owner: Owner, conversationId?: string): Promise<number> {
    return this.runner.write(owner, () => removing(owner, conversationId))
  }
}

function* branching(
  owner: Owner,
  from: string,
  turn: number,
  { conversationId, createdAt }: Pick<Conversation, 'conversationId' | 'createdAt'>,
): Script<boolean> {
  const [source] = yield* queryRows<{ title: string; turns: number }>(
    sql`${CONVERSATIONS} ${where({ owner, conversation_id: from })}`,
  )
  if (source === undefined || turn < 1 || turn > source.turns) return false
  const row = {
    owner,
    conversationId,
    title: source.title,
    turns: turn - 1,
    createdAt,
    updatedAt: createdAt,
    branchOf: from,
    branchTurn: turn,
  }
  const inserted = yield sql`${insert('conversations', row)}
    ON CONFLICT (owner, conversation_id) DO NOTHING RETURNING conversation_id`
  if (inserted.length === 0) return true
  for (const [table, place, columns] of [
    ['messages', 'turn', 'turn, role, content, run_id, provenance, created_at, understood'],
    ['conversation_summaries', 'turns_covered', 'turns_covered, summary_text, run_id, provenance, created_at'],
  ] as const) {
    yield sql`INSERT INTO ${fixed(`${table} (owner, conversation_id, ${columns})`)}
      SELECT owner, ${conversationId}, ${fixed(`${columns} FROM ${table}`)}
      ${where({ owner, conversation_id: from })} AND ${fixed(place)} < ${turn}`
  }
  yield workedIn(owner, conversationId, createdAt)
  return true
}

/** Lists show the origin of branches; it is sorted by its most recently used branch. */
function workedIn(owner: Owner, conversationId: string, at: number): Query {
  return sql`WITH RECURSIVE line (conversation_id, branch_of) AS (
      SELECT conversation_id, branch_of FROM conversations ${where({ owner, conversation_id: conversationId })}
      UNION SELECT c.conversation_id, c.branch_of FROM conversations c
        JOIN line l ON c.conversation_id = l.branch_of AND c.owner = ${owner}
    ) UPDATE conversations SET updated_at = ${at}, latest_id = ${conversationId}
    ${where({ owner })} AND conversation_id IN (SELECT conversation_id FROM line)`
}

function* turnsOf(owner: Owner, conversationId: string): Script<number | undefined> {
  const [row] = yield* queryRows<Conversation>(
    sql`${CONVERSATIONS} ${where({ owner, conversation_id: conversationId })}`,
  )
  return row?.turns
}

function* addingTurn(owner: Owner, turn: NewTurn): Script<void> {
  const { conversationId, runId, question, understood, answer, at } = turn
  const turns = yield* turnsOf(owner, conversationId)
  if (turns === undefined) return
  const place = { owner, conversationId, turn: turns + 1, runId, createdAt: at }
  let inserted: readonly object[] = []
  for (const message of [
    {
      role: 'user',
      content: displayText(question),
      provenance: null,
      understood: understood === undefined ? null : displayText(understood),
    },
    { role: 'assistant', content: displayText(answer), provenance: encode(turn.provenance), understood: null },
  ]) {
    inserted = yield sql`${insert('messages', { ...place, ...message })}
      ON CONFLICT (owner, conversation_id, run_id, role) DO NOTHING RETURNING turn`
  }
  if (inserted.length === 0) return
  yield sql`UPDATE conversations SET turns = ${place.turn} ${where({ owner, conversation_id: conversationId })}`
  yield workedIn(owner, conversationId, at)
}

function* addingSummary(owner: Owner, summary: NewSummary): Script<void> {
  const { conversationId, text, turns, provenance, runId, at } = summary
  if ((yield* turnsOf(owner, conversationId)) === undefined) return
  const columns = { turnsCovered: turns, summaryText: displayText(text), provenance: encode(provenance), createdAt: at }
  yield sql`${insert('conversation_summaries', { owner, conversationId, runId, ...columns })}
    ON CONFLICT (owner, conversation_id, turns_covered) DO NOTHING`
}

function* removing(owner: Owner, conversationId: string | undefined): Script<number> {
  const family = yield* queryRows<{ conversation_id: string }>(
    sql`WITH RECURSIVE family (conversation_id) AS (
      SELECT conversation_id FROM conversations ${where({ owner, conversation_id: conversationId })}
      UNION SELECT c.conversation_id FROM conversations c
        JOIN family f ON c.branch_of = f.conversation_id AND c.owner = ${owner}
    ) SELECT conversation_id FROM family`,
  )
  const ids = family.map((row) => row.conversation_id)
  let removed: readonly object[] = []
  for (const table of ['messages', 'conversation_summaries', 'conversation_shares', 'conversations']) {
    const isMeant = where({ owner, conversation_id: ids })
    removed = yield sql`DELETE FROM ${fixed(table)} ${isMeant} RETURNING conversation_id`
  }
  // Pointers to an erased branch now point to the latest remaining one.
  yield sql`UPDATE conversations SET latest_id = (
      SELECT b.conversation_id FROM conversations b WHERE b.owner = conversations.owner
        AND b.branch_of = conversations.conversation_id ORDER BY b.updated_at DESC LIMIT 1)
    ${where({ owner, latest_id: ids })}`
  return removed.length
}

/** Most provenance is trusted and without sources; that is kept as null. */
function encode(provenance: Provenance | undefined): string | null {
  if (provenance === undefined || (isByUser(provenance) && !provenance.private && provenance.sources.length === 0))
    return null
  return JSON.stringify(provenance)
}
