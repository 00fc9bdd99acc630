import type { ArtifactStore } from '../domain/artifacts.ts'
import type { NewEvent, RunEvent, RunId, Owner } from '../domain/events.ts'
import { mapLeaves, someLeaf } from '../shared/json.ts'
import { mapEventContent, createSecrets, declaredBy, SEALED, type Secrets } from '../domain/secrets.ts'
import type { RunFeed, Append, AppendOutcome, RunStore } from '../domain/store.ts'
import type { KeyHolder, SecretKey } from './secret-key.ts'

/** Number of runs whose secrets are cached; those of others are read again. */
const MAX_CACHED_RUNS = 1_000

/**
 * A store that encrypts the secrets of events, for each run separately, and decrypts them on read. Without the key,
 * secrets stay sealed, and a run that needs them is not worked on. Lists of runs and approvals are returned as stored.
 */
export class SealedStore implements RunStore {
  readonly feed: RunFeed
  readonly artifacts: ArtifactStore
  private readonly store: RunStore
  private readonly key: KeyHolder
  private readonly known: readonly string[]
  private readonly learned = new Map<RunId, { readonly values: ReadonlySet<string>; readonly secrets: Secrets }>()

  /** @param known secrets of this process, in addition to those that runs declare */
  constructor(store: RunStore, key: KeyHolder, known: readonly string[]) {
    this.store = store
    this.artifacts = store.artifacts
    this.key = key
    this.known = known
    this.feed = openedFeed(store.feed, (runId, events) => this.opened(runId, events))
  }

  async append(
    appends: readonly Append[],
    options?: { readonly durable?: boolean },
  ): Promise<readonly AppendOutcome[]> {
    return this.store.append(await Promise.all(appends.map((append) => this.sealed(append))), options)
  }

  async read(runId: RunId, afterSeq = 0): Promise<readonly RunEvent[]> {
    const opened = await this.opened(runId, await this.store.read(runId, afterSeq))
    if (afterSeq === 0) this.learn(runId, opened)
    return opened
  }

  readonly run: RunStore['run'] = (runId) => this.store.run(runId)
  readonly runs: RunStore['runs'] = (filter) => this.store.runs(filter)
  readonly parts: RunStore['parts'] = (owner) => this.store.parts(owner)
  readonly approvals: RunStore['approvals'] = (filter) => this.store.approvals(filter)
  readonly revokeApproval: RunStore['revokeApproval'] = (...revocation) => this.store.revokeApproval(...revocation)
  readonly claim: RunStore['claim'] = (...claim) => this.store.claim(...claim)
  readonly renew: RunStore['renew'] = (...lease) => this.store.renew(...lease)
  readonly release: RunStore['release'] = (runId, epoch) => this.store.release(runId, epoch)
  readonly close: RunStore['close'] = () => this.store.close()

  remove(owner: Owner, runId: RunId): Promise<number> {
    this.learned.delete(runId)
    return this.store.remove(owner, runId)
  }

  private async opened<E extends RunEvent>(runId: RunId, events: readonly E[]): Promise<readonly E[]> {
    const key = events.some(isSealed) ? await this.key(false) : undefined
    return key === undefined ? events : events.map((event) => openedEvent(event, key, runId))
  }

  private async sealed(append: Append): Promise<Append> {
    const { runId, events, afterSeq } = append
    if (events.length === 0) return append
    if (afterSeq > 0 && !this.learned.has(runId)) await this.read(runId)
    const secrets = this.learn(runId, events)
    if (events.every((event) => replaceIn(event, secrets) === event)) return append
    const key = (await this.key(true))!
    const seal = (secret: string, kind: 'text' | 'number'): string => {
      // JSON keeps half a surrogate pair, which UTF-8 does not.
      const encoded = kind === 'number' ? `n${secret}` : `j${JSON.stringify(secret)}`
      return `⟦sealed:1:${key.id}:${key.seal(encoded, runId)}⟧`
    }
    return { ...append, events: events.map((event) => replaceIn(event, secrets, seal)) }
  }

  private learn(runId: RunId, events: readonly NewEvent[]): Secrets {
    const before = this.learned.get(runId)
    const declared = events.flatMap(declaredBy)
    if (before !== undefined && declared.every((value) => before.values.has(value))) return before.secrets
    const values = new Set([...(before?.values ?? this.known), ...declared])
    const secrets = createSecrets(values)
    this.learned.delete(runId)
    this.learned.set(runId, { values, secrets })
    const [oldest] = this.learned.keys()
    if (this.learned.size > MAX_CACHED_RUNS) this.learned.delete(oldest!)
    return secrets
  }
}

type Open = <E extends RunEvent>(runId: RunId, events: readonly E[]) => Promise<readonly E[]>

/** The feed with decrypted events. News with sealed values are passed without events, which readers then read. */
function openedFeed(feed: RunFeed, open: Open): RunFeed {
  return {
    async page(runId, afterSeq, limit) {
      const { events, chars } = await feed.page(runId, afterSeq, limit)
      return { events: await open(runId, events), chars }
    },
    heads: (runIds) => feed.heads(runIds),
    async lastText(runId, seq) {
      const piece = await feed.lastText(runId, seq)
      return piece === undefined ? undefined : (await open(runId, [piece]))[0]
    },
    listen: (onNews) =>
      feed.listen((news) => onNews(news.events?.some(isSealed) === true ? { runId: news.runId, seq: news.seq } : news)),
    mayHaveNews: (now) => feed.mayHaveNews(now),
  }
}

/** The same event object if there is nothing to replace. */
function replaceIn(event: NewEvent, secrets: Secrets, change?: Parameters<Secrets['piece']>[1]): NewEvent {
  if (event.type === 'answer.delta') {
    // A secret may be cut in two between pieces of the answer.
    const text = secrets.piece(event.text, change)
    return text === event.text ? event : { ...event, text }
  }
  return mapEventContent(event, (content) => secrets.value(content, change))
}

function isSealed(event: RunEvent): boolean {
  return someLeaf(event, (leaf) => typeof leaf === 'string' && leaf.includes('⟦sealed:'))
}

function openedEvent<E extends RunEvent>(event: E, key: SecretKey, runId: RunId): E {
  return mapLeaves(event, (leaf) => {
    if (typeof leaf !== 'string' || !leaf.includes('⟦sealed:')) return leaf
    let number: number | undefined
    const text = leaf.replace(SEALED, (token, id: string, sealed: string) => {
      const opened = id === key.id ? key.open(sealed, runId) : undefined
      if (opened === undefined) return token
      const secret = opened.slice(1)
      if (opened.startsWith('j')) return JSON.parse(secret) as string
      if (token === leaf) number = Number(secret)
      return secret
    })
    return number ?? text
  })
}
