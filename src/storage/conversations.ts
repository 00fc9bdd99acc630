import type {
  Conversation,
  ConversationMessage,
  ConversationStore,
  ConversationSummary,
  NewSummary,
  NewTurn,
} from '../core/conversation.ts'
import type { Owner } from '../core/owner.ts'
import type { Provenance } from '../core/provenance.ts'
import { displayText } from './projection.ts'
import { fixed, insert, limited, recordOf, sql, where, type Query } from './sql/query.ts'
import { rowsOf, type Script, type SqlRunner } from './sql/script.ts'

const CONVERSATIONS = fixed('SELECT conversation_id, title, turns, created_at, updated_at FROM conversations')

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

  list(owner: Owner, limit = 100): Promise<readonly Conversation[]> {
    return this.conversations(
      owner,
      sql`${where({ owner })} ORDER BY updated_at DESC, conversation_id ${limited(limit)}`,
    )
  }

  private async conversations(owner: Owner, rest: Query): Promise<readonly Conversation[]> {
    return (await this.runner.of(owner, sql`${CONVERSATIONS} ${rest}`)).map((row) => recordOf<Conversation>(row))
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
    return rows.map((row) => recordOf<ConversationMessage>(row, ['provenance']))
  }

  async summary(owner: Owner, conversationId: string): Promise<ConversationSummary | undefined> {
    const [row] = await this.runner.of(
      owner,
      sql`SELECT summary_text AS text, turns_covered AS turns, provenance FROM conversation_summaries
        ${where({ owner, conversation_id: conversationId })} ORDER BY turns_covered DESC LIMIT 1`,
    )
    return row === undefined ? undefined : recordOf<ConversationSummary>(row, ['provenance'])
  }

  addSummary(owner: Owner, summary: NewSummary): Promise<void> {
    return this.runner.write(owner, () => addingSummary(owner, summary))
  }

  remove(owner: Owner, conversationId?: string): Promise<number> {
    return this.runner.write(owner, () => removing(owner, conversationId))
  }
}

function* turnsOf(owner: Owner, conversationId: string): Script<number | undefined> {
  const [row] = yield* rowsOf<Conversation>(sql`${CONVERSATIONS} ${where({ owner, conversation_id: conversationId })}`)
  return row?.turns
}

function* addingTurn(owner: Owner, turn: NewTurn): Script<void> {
  const { conversationId, runId, question, understood, answer, at } = turn
  const turns = yield* turnsOf(owner, conversationId)
  if (turns === undefined) return
  const place = { owner, conversationId, turn: turns + 1, runId, createdAt: at }
  let inserted: readonly object[] = []
  for (const said of [
    {
      role: 'user',
      content: displayText(question),
      provenance: null,
      understood: understood === undefined ? null : displayText(understood),
    },
    { role: 'assistant', content: displayText(answer), provenance: encode(turn.provenance), understood: null },
  ]) {
    inserted = yield sql`${insert('messages', { ...place, ...said })}
      ON CONFLICT (owner, conversation_id, run_id, role) DO NOTHING RETURNING turn`
  }
  if (inserted.length === 0) return
  const isMeant = where({ owner, conversation_id: conversationId })
  yield sql`UPDATE conversations SET turns = ${place.turn}, updated_at = ${at} ${isMeant}`
}

function* addingSummary(owner: Owner, summary: NewSummary): Script<void> {
  const { conversationId, text, turns, provenance, runId, at } = summary
  if ((yield* turnsOf(owner, conversationId)) === undefined) return
  const kept = { turnsCovered: turns, summaryText: displayText(text), provenance: encode(provenance), createdAt: at }
  yield sql`${insert('conversation_summaries', { owner, conversationId, runId, ...kept })}
    ON CONFLICT (owner, conversation_id, turns_covered) DO NOTHING`
}

function* removing(owner: Owner, conversationId: string | undefined): Script<number> {
  let removed: readonly object[] = []
  for (const table of ['messages', 'conversation_summaries', 'conversations']) {
    const isMeant = where({ owner, conversation_id: conversationId })
    removed = yield sql`DELETE FROM ${fixed(table)} ${isMeant} RETURNING conversation_id`
  }
  return removed.length
}

/** Most provenance is trusted and without sources; that is kept as null. */
function encode(provenance: Provenance | undefined): string | null {
  if (provenance === undefined || (provenance.trust === 'trusted' && provenance.sources.length === 0)) return null
  return JSON.stringify(provenance)
}
