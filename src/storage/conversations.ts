import type { Selectable } from 'kysely'
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
import { displayText } from './rows.ts'
import { compiler, type Tables } from './schema.ts'
import { rowsOf, type Script, type SqlRunner } from './sql-runner.ts'

type ConversationRow = Selectable<Tables['conversations']>
type MessageRow = Selectable<Tables['messages']>
type SummaryRow = Selectable<Tables['conversation_summaries']>

/** Conversations in the tables `conversations`, `messages` and `conversation_summaries`. */
export class SqlConversations implements ConversationStore {
  private readonly runner: SqlRunner
  private readonly db: ReturnType<typeof compiler>

  constructor(runner: SqlRunner) {
    this.runner = runner
    this.db = compiler(runner.dialect)
  }

  async open(owner: Owner, given: Pick<Conversation, 'conversationId' | 'title' | 'createdAt'>): Promise<void> {
    const { conversationId, title, createdAt: at } = given
    const times = { created_at: at, updated_at: at }
    await this.runner.all(
      this.db
        .insertInto('conversations')
        .values({ owner, conversation_id: conversationId, title: displayText(title), turns: 0, ...times })
        .onConflict((conflict) => conflict.columns(['owner', 'conversation_id']).doNothing())
        .compile(),
    )
  }

  async get(owner: Owner, conversationId: string): Promise<Conversation | undefined> {
    const [row] = await this.runner.all<ConversationRow>(this.conversation(owner, conversationId))
    return row === undefined ? undefined : toConversation(row)
  }

  private conversation(owner: Owner, conversationId: string) {
    const all = this.db.selectFrom('conversations').selectAll()
    return all.where('owner', '=', owner).where('conversation_id', '=', conversationId).compile()
  }

  async list(owner: Owner, limit = 100): Promise<readonly Conversation[]> {
    const query = this.db
      .selectFrom('conversations')
      .selectAll()
      .where('owner', '=', owner)
      .orderBy('updated_at', 'desc')
      .orderBy('conversation_id')
      .limit(limit)
    return (await this.runner.all<ConversationRow>(query.compile())).map(toConversation)
  }

  addTurn(owner: Owner, turn: NewTurn): Promise<void> {
    return this.runner.write(owner, () => this.addingTurn(owner, turn))
  }

  private *addingTurn(owner: Owner, turn: NewTurn): Script<void> {
    const { conversationId, runId, question, answer, provenance, at } = turn
    const [row] = yield* rowsOf<ConversationRow>(this.conversation(owner, conversationId))
    if (row === undefined) return
    const of = { owner, conversation_id: conversationId }
    const number = row.turns + 1
    const message = { ...of, turn: number, run_id: runId, created_at: at }
    const inserted = yield this.db
      .insertInto('messages')
      .values([
        { ...message, role: 'user', content: displayText(question), provenance: null },
        { ...message, role: 'assistant', content: displayText(answer), provenance: encode(provenance) },
      ])
      .onConflict((conflict) => conflict.columns(['owner', 'conversation_id', 'run_id', 'role']).doNothing())
      .returning('turn')
      .compile()
    if (inserted.length === 0) return
    yield this.db
      .updateTable('conversations')
      .set({ turns: number, updated_at: at })
      .where('owner', '=', owner)
      .where('conversation_id', '=', conversationId)
      .compile()
  }

  async messages(owner: Owner, conversationId: string, afterTurn = 0): Promise<readonly ConversationMessage[]> {
    const query = this.db
      .selectFrom('messages')
      .selectAll()
      .where('owner', '=', owner)
      .where('conversation_id', '=', conversationId)
      .where('turn', '>', afterTurn)
      .orderBy('turn')
      .orderBy('role', 'desc') // the user's before the assistant's
    return (await this.runner.all<MessageRow>(query.compile())).map(toMessage)
  }

  async summary(owner: Owner, conversationId: string): Promise<ConversationSummary | undefined> {
    const query = this.db
      .selectFrom('conversation_summaries')
      .selectAll()
      .where('owner', '=', owner)
      .where('conversation_id', '=', conversationId)
      .orderBy('turns_covered', 'desc')
      .limit(1)
    const [row] = await this.runner.all<SummaryRow>(query.compile())
    return row === undefined
      ? undefined
      : { text: row.summary_text, turns: row.turns_covered, ...decode(row.provenance) }
  }

  addSummary(owner: Owner, summary: NewSummary): Promise<void> {
    return this.runner.write(owner, () => this.addingSummary(owner, summary))
  }

  private *addingSummary(owner: Owner, summary: NewSummary): Script<void> {
    const { conversationId, text, turns, provenance, runId, at } = summary
    const [conversation] = yield* rowsOf<ConversationRow>(this.conversation(owner, conversationId))
    if (conversation === undefined) return
    yield this.db
      .insertInto('conversation_summaries')
      .values({
        owner,
        conversation_id: conversationId,
        turns_covered: turns,
        summary_text: displayText(text),
        run_id: runId,
        provenance: encode(provenance),
        created_at: at,
      })
      .onConflict((conflict) => conflict.columns(['owner', 'conversation_id', 'turns_covered']).doNothing())
      .compile()
  }

  remove(owner: Owner, conversationId?: string): Promise<number> {
    return this.runner.write(owner, () => this.removing(owner, conversationId))
  }

  private *removing(owner: Owner, conversationId: string | undefined): Script<number> {
    let removed: readonly unknown[] = []
    for (const table of ['messages', 'conversation_summaries', 'conversations'] as const) {
      const all = this.db.deleteFrom(table).where('owner', '=', owner)
      const meant = conversationId === undefined ? all : all.where('conversation_id', '=', conversationId)
      removed = yield meant.returning('conversation_id').compile()
    }
    return removed.length
  }
}

function toConversation(row: ConversationRow): Conversation {
  const { conversation_id: conversationId, title, turns } = row
  return { conversationId, title, turns, createdAt: Number(row.created_at), updatedAt: Number(row.updated_at) }
}

function toMessage({ turn, role, content: text, run_id: runId, provenance, created_at: at }: MessageRow) {
  return { turn, role, text, runId, at: Number(at), ...decode(provenance) }
}

/** Most provenance is trusted and without sources; that is kept as null. */
function encode(provenance: Provenance | undefined): string | null {
  if (provenance === undefined || (provenance.trust === 'trusted' && provenance.sources.length === 0)) return null
  return JSON.stringify(provenance)
}

function decode(provenance: string | null): { provenance?: Provenance } {
  return provenance === null ? {} : { provenance: JSON.parse(provenance) as Provenance }
}
