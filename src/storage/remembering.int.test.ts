import { describe, expect, it } from 'vitest'
import { note, started } from '../../test/support/storage.ts'
import { describeStores } from '../../test/support/stores.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { ProfileUpdate, ProfileValues } from '../domain/profile.ts'
import { BY_USER, outsideData } from '../domain/provenance.ts'
import type { Result } from '../domain/result.ts'
import { createRandom } from '../../test/support/random.ts'
import { createMemoryStorage } from './index.ts'
import { systemClock } from '../shared/clock.ts'

const said = (values: ProfileValues, key: string, at = 1): ProfileUpdate => {
  return { values, key, source: { by: 'run', runId: 'r1', at } }
}
const edited = (values: ProfileValues, key: string, at = 9): ProfileUpdate => {
  return { values, key, source: { by: 'user', at } }
}

describeStores('long-term memory', (_store, _kind, storage) => {
  const profiles = () => storage().profiles

  it('stores new or changed facts, with their source', async () => {
    const owner = 'upsert'
    const first = await profiles().update(owner, said({ userName: 'Vinay', companyName: 'Google' }, 'k1', 5))
    expect(first.map(({ field, before, after }) => [field, before, after])).toEqual([
      ['userName', undefined, 'Vinay'],
      ['companyName', undefined, 'Google'],
    ])
    await profiles().update(owner, said({ userName: 'Vinay', companyName: 'Acme' }, 'k2', 6))
    expect(await profiles().entries(owner)).toEqual([
      { field: 'userName', value: 'Vinay', source: { by: 'run', runId: 'r1', at: 5 } },
      { field: 'companyName', value: 'Acme', source: { by: 'run', runId: 'r1', at: 6 } },
    ])
    expect((await profiles().history(owner)).at(-1)).toEqual({
      field: 'companyName',
      before: 'Google',
      after: 'Acme',
      source: { by: 'run', runId: 'r1', at: 6 },
    })
  })

  it('puts new projects before known ones; an edit replaces the whole list', async () => {
    const owner = 'projects'
    await profiles().update(owner, said({ recentProjects: ['RAGA'] }, 'k1'))
    await profiles().update(owner, said({ recentProjects: ['Beta', 'raga'] }, 'k2'))
    expect((await profiles().entries(owner))[0]?.value).toEqual(['Beta', 'raga'])
    await profiles().update(owner, said({ recentProjects: ['a', 'b', 'c', 'd', 'e'] }, 'k3'))
    expect((await profiles().entries(owner))[0]?.value).toEqual(['a', 'b', 'c', 'd', 'e', 'Beta'])
    await profiles().update(owner, edited({ recentProjects: ['Gamma'] }, 'k4'))
    expect((await profiles().entries(owner))[0]?.value).toEqual(['Gamma'])
  })

  it('applies a repeated update once, whatever happened since', async () => {
    const owner = 'repeated'
    const update = said({ tone: 'casual', language: 'German' }, 'r1/remember:1/remember:x')
    const changes = await profiles().update(owner, update)
    await profiles().update(owner, edited({ tone: 'formal' }, 'edit'))
    expect(await profiles().update(owner, update)).toEqual(changes)
    expect((await profiles().entries(owner)).map(({ value }) => value)).toEqual(['formal', 'German'])
    expect(await profiles().history(owner)).toHaveLength(3)
  })

  it('keeps each value to one line of sensible length', async () => {
    const owner = 'lines'
    await profiles().update(
      owner,
      said({ jobTitle: '  AI\n\u0000Engineer\u202e ', companyName: 'x'.repeat(900), tone: ' ' }, 'k'),
    )
    const [company, job] = await profiles().entries(owner)
    expect(job).toMatchObject({ field: 'jobTitle', value: 'AI Engineer' })
    expect(company?.value).toHaveLength(120)
  })

  it('erases fields with their history, and everything', async () => {
    const owner = 'erased'
    await profiles().update(owner, said({ userName: 'Vinay', jobTitle: 'Engineer' }, 'k1'))
    await profiles().update(owner, said({ userName: 'Vin', jobTitle: 'Engineer' }, 'k2'))
    expect(await profiles().forget(owner, ['userName', 'tone'])).toEqual(['userName'])
    expect((await profiles().history(owner)).map(({ field }) => field)).toEqual(['jobTitle'])
    expect(await profiles().forget(owner, [])).toEqual([])
    expect(await profiles().forget(owner)).toEqual(['jobTitle'])
    expect(await profiles().entries(owner)).toEqual([])
    expect(await profiles().history(owner)).toEqual([])
  })

  it('has one profile per user, separate from others', async () => {
    await profiles().update('ann', said({ userName: 'Sam', language: 'German' }, 'same-key'))
    await profiles().update('bob', said({ userName: 'Sam', tone: 'casual' }, 'same-key'))
    expect((await profiles().entries('ann')).map(({ field }) => field)).toEqual(['userName', 'language'])
    expect(await profiles().history('bob')).toHaveLength(2)
    await profiles().forget('ann')
    expect((await profiles().entries('bob')).map(({ field }) => field)).toEqual(['userName', 'tone'])
    expect(await profiles().entries("ann' OR '1'='1")).toEqual([])
  })

  it('loses nothing in parallel writes', async () => {
    const owner = 'crowd'
    await Promise.all(
      Array.from({ length: 6 }, (_, n) => profiles().update(owner, said({ recentProjects: [`p${n}`] }, `k${n}`))),
    )
    const [entry] = await profiles().entries(owner)
    expect([...(entry!.value as string[])].sort()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5'])
    expect(await profiles().history(owner)).toHaveLength(6)
  })
})

describeStores('conversations', (_store, _kind, storage) => {
  const conversations = () => storage().conversations
  const turn = (conversationId: string, n: number, provenance = BY_USER) => ({
    conversationId,
    runId: `run-${n}`,
    question: `question ${n}`,
    answer: `answer ${n} \0`,
    provenance,
    at: n * 10,
  })

  const open = (owner: string, conversationId: string, title = 't', createdAt = 1) =>
    conversations().open(owner, { conversationId, title, createdAt })

  it('keeps turns in order, each run once', async () => {
    const owner = 'turns'
    await open(owner, 'c', 'First')
    await open(owner, 'c', 'Again', 2)
    await conversations().addTurn(owner, turn('c', 1))
    await conversations().addTurn(owner, turn('c', 2, outsideData('web page')))
    await conversations().addTurn(owner, turn('c', 1))
    expect(await conversations().get(owner, 'c')).toEqual({
      conversationId: 'c',
      title: 'First',
      turns: 2,
      createdAt: 1,
      updatedAt: 20,
      latestId: 'c',
    })
    expect(await conversations().messages(owner, 'c', 1)).toEqual([
      { turn: 2, role: 'user', text: 'question 2', runId: 'run-2', at: 20 },
      {
        turn: 2,
        role: 'assistant',
        text: 'answer 2 \uFFFD',
        runId: 'run-2',
        at: 20,
        provenance: outsideData('web page'),
      },
    ])
    expect((await conversations().messages(owner, 'c')).map(({ turn: of, role }) => `${of} ${role}`)).toEqual([
      '1 user',
      '1 assistant',
      '2 user',
      '2 assistant',
    ])
  })

  it('gives turns that end at the same time unique numbers', async () => {
    await open('crowd', 'c')
    await Promise.all([1, 2, 3, 4, 5].map((n) => conversations().addTurn('crowd', turn('c', n))))
    const numbers = (await conversations().messages('crowd', 'c')).map((message) => message.turn)
    expect(numbers).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
  })

  it('returns the summary that covers most; the first of equal ones stays', async () => {
    const owner = 'summaries'
    const summary = (text: string, turns: number) => ({ conversationId: 'c', text, turns, runId: 'r', at: 1 })
    await conversations().addSummary(owner, summary('too early', 3))
    await open(owner, 'c')
    expect(await conversations().summary(owner, 'c')).toBeUndefined()
    await conversations().addSummary(owner, { ...summary('of six', 6), provenance: outsideData('mail') })
    await conversations().addSummary(owner, summary('of three', 3))
    await conversations().addSummary(owner, summary('of six again', 6))
    expect(await conversations().summary(owner, 'c')).toEqual({
      text: 'of six',
      turns: 6,
      provenance: outsideData('mail'),
    })
  })

  /** A conversation with a turn and a summary. */
  async function talk(owner: string, conversationId: string): Promise<void> {
    await open(owner, conversationId, `of ${owner}`)
    await conversations().addTurn(owner, turn(conversationId, 1))
    await conversations().addSummary(owner, { conversationId, text: 's', turns: 1, runId: 'r', at: 1 })
  }

  it('separates owners, also under the same id', async () => {
    await open('bob', 'same', 'of bob')
    await talk('ann', 'same')
    expect(await conversations().messages('bob', 'same')).toEqual([])
    expect(await conversations().summary('bob', 'same')).toBeUndefined()
    expect(await conversations().list('bob')).toMatchObject([{ title: 'of bob', turns: 0 }])
    expect(await conversations().get('eve', 'same')).toBeUndefined()
    await conversations().addTurn('eve', turn('same', 1))
    expect(await conversations().messages('eve', 'same')).toEqual([])
    expect(await conversations().remove('bob', 'same')).toBe(1)
    expect(await conversations().messages('ann', 'same')).toHaveLength(2)
  })

  it('erases messages and summaries with their conversation', async () => {
    const owner = 'gone'
    for (const id of ['a', 'b']) await talk(owner, id)
    expect(await conversations().remove(owner, 'a')).toBe(1)
    expect(await conversations().messages(owner, 'a')).toEqual([])
    expect(await conversations().summary(owner, 'a')).toBeUndefined()
    expect(await conversations().messages(owner, 'b')).toHaveLength(2)
    expect(await conversations().remove(owner)).toBe(1)
    expect(await conversations().list(owner)).toEqual([])
    expect(await conversations().remove(owner)).toBe(0)
  })
})

describeStores('the shelf of conversations', (_store, _kind, storage) => {
  const talks = () => storage().conversations
  const open = async (owner: string, conversationId: string, questions: readonly string[]): Promise<void> => {
    await talks().open(owner, { conversationId, title: `About ${conversationId}`, createdAt: 1 })
    for (const [i, question] of questions.entries()) {
      const said = { runId: `${conversationId}-${i}`, question, answer: `Answer ${i}`, provenance: BY_USER, at: i + 1 }
      await talks().addTurn(owner, { conversationId, ...said })
    }
  }
  const said = (conversationId: string) => {
    return { conversationId, runId: `${conversationId}-new`, question: 'z', answer: 'Z', provenance: BY_USER }
  }
  const ids = async (...asked: Parameters<ReturnType<typeof talks>['list']>): Promise<readonly string[]> =>
    (await talks().list(...asked)).map(({ conversationId }) => conversationId)

  it('finds by the literal words of titles and messages', async () => {
    await open('find', 'a', ['100% of Coffee'])
    await open('find', 'b', ['Tea_pots'])
    await open('other', 'c', ['Coffee'])
    expect(await ids('find', { words: ['coffee'] })).toEqual(['a'])
    expect(await ids('find', { words: ['ABOUT', '0% of'] })).toEqual(['a'])
    expect(await ids('find', { words: ['a_p'] })).toEqual(['b'])
    expect(await ids('find', { words: ['t%s'] })).toEqual([])
    expect(await ids('find', { words: ['\\'] })).toEqual([])
  })

  it('lists all of them once, page by page, also with equal times', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await open('paged', `p${n}`, n % 2 === 0 ? ['x'] : [])
    const seen: string[] = []
    for (let after: Conversation | undefined; ;) {
      const page = await talks().list('paged', { limit: 2, ...(after === undefined ? {} : { after }) })
      seen.push(...page.map(({ conversationId }) => conversationId))
      after = page.at(-1)
      if (page.length < 2) break
    }
    expect(seen).toEqual(['p7', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1'])
  })

  it('pins and renames, and reverts it', async () => {
    await open('shelf', 's', ['x'])
    expect(await talks().change('other', 's', { title: 'Mine' })).toBe(false)
    expect(await talks().change('shelf', 's', { title: 'New', pinnedAt: 5 })).toBe(true)
    expect(await talks().get('shelf', 's')).toMatchObject({ title: 'New', pinnedAt: 5 })
    expect(await ids('shelf', { isPinned: false })).toEqual([])
    expect(await talks().change('shelf', 's', { pinnedAt: null })).toBe(true)
    expect(await ids('shelf', { isPinned: false })).toEqual(['s'])
  })

  it('branches from an earlier turn and keeps the original', async () => {
    await open('fork', 'old', ['one', 'two', 'three'])
    await talks().addSummary('fork', { conversationId: 'old', runId: 'r', text: 'So far', turns: 1, at: 9 })
    const made = { conversationId: 'new', createdAt: 20 }
    expect(await talks().branch('other', 'old', 2, made)).toBe(false)
    expect(await talks().branch('fork', 'old', 4, made)).toBe(false)
    expect(await talks().branch('fork', 'old', 2, made)).toBe(true)
    expect(await talks().branch('fork', 'old', 2, made)).toBe(true)
    expect(await talks().get('fork', 'new')).toMatchObject({ turns: 1, branchOf: 'old', branchTurn: 2 })
    const texts = (await talks().messages('fork', 'new')).map(({ text }) => text)
    expect(texts).toEqual(['one', 'Answer 0'])
    expect(await talks().summary('fork', 'new')).toMatchObject({ text: 'So far', turns: 1 })
    expect(await talks().messages('fork', 'old')).toHaveLength(6)
    expect(await ids('fork', { isFirst: true })).toEqual(['old'])
    expect(await ids('fork', { branchOf: 'old' })).toEqual(['new'])
    expect(await talks().remove('fork', 'old')).toBe(2)
    expect(await ids('fork')).toEqual([])
  })

  it('leads to the most recent branch at any depth, and is listed at its position', async () => {
    const random = createRandom(7)
    const firsts = ['a', 'b', 'c']
    for (const id of firsts) await open('led', id, ['x', 'y'])
    const first = new Map(firsts.map((id) => [id, id]))
    const latest = new Map(firsts.map((id) => [id, { id, at: 2 }]))
    for (let at = 10; at < 40; at++) {
      const id = random.pick([...first.keys()])
      const made = `${id}+${at}`
      if (random.chance(0.5)) {
        await talks().branch('led', id, 2, { conversationId: made, createdAt: at })
        // Two turns are what a branch can part from.
        await talks().addTurn('led', { ...said(made), at })
        first.set(made, first.get(id)!)
        latest.set(first.get(id)!, { id: made, at })
      } else {
        await talks().addTurn('led', { ...said(id), at, runId: `${id}-${at}` })
        latest.set(first.get(id)!, { id, at })
      }
      const expected = [...latest.values()].toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
      const list = await talks().list('led', { isFirst: true })
      expect(list.map(({ latestId, updatedAt }) => ({ id: latestId, at: updatedAt }))).toEqual(expected)
    }
    await talks().branch('led', 'a', 2, { conversationId: 'gone', createdAt: 50 })
    expect((await talks().get('led', 'a'))!.latestId).toBe('gone')
    await talks().remove('led', 'gone')
    expect(await ids('led')).toContain((await talks().get('led', 'a'))!.latestId)
  })
})

describeStores('the audit of executions', (store, _kind, storage) => {
  const at = (n: number) => new Date(Date.UTC(2026, 0, 5, 9, 0, n)).toISOString()
  const failed: Result = {
    status: 'failed',
    error: { type: 'QueryError', message: 'No table "ordérs" \0 \uD83D.' },
    provenance: BY_USER,
    latencyMs: 7,
  }

  it('lists input and output of every job of every run', async () => {
    const task = { id: 'sql', agent: 'sql', dependsOn: [], text: 'half \uD83D and NUL \0' }
    for (const owner of ['ann', 'bob']) {
      const start = { ...started('Same words'), owner } as ReturnType<typeof started>
      await store().append([
        {
          runId: `run-of-${owner}`,
          afterSeq: 0,
          events: [
            start,
            { type: 'job.started', at: at(1), key: 'plan:1', actor: 'planner', attempt: 1 },
            { type: 'job.started', at: at(2), key: 'sql', actor: 'sql', attempt: 1, task },
            note('between'),
            { type: 'job.settled', at: at(3), key: 'sql', result: failed },
          ],
        },
      ])
    }
    const found = await storage().executions.executions('ann')
    expect(found.map(({ runId, key, actor, status }) => [runId, key, actor, status])).toEqual([
      ['run-of-ann', 'sql', 'sql', 'failed'],
      ['run-of-ann', 'plan:1', 'planner', 'running'],
    ])
    expect(found[0]).toMatchObject({ startedAt: at(2), endedAt: at(3), input: { id: 'sql', agent: 'sql' } })
    expect(found[0]?.output?.latencyMs).toBe(7)
    expect(found[0]?.error).toContain('No table "ordérs"')
    const { executions } = storage()
    expect(await executions.executions('ann', { actor: 'planner' })).toHaveLength(1)
    expect(await executions.executions('ann', { limit: 1 })).toHaveLength(1)
    expect(await executions.executions('ann', { runId: 'run-of-bob' })).toEqual([])
    expect(await executions.executions('eve')).toEqual([])
  })
})

describe('storage in memory', () => {
  it('has new tables each time', async () => {
    const open = () => createMemoryStorage({ clock: systemClock, onError: () => undefined })
    const [one, other] = [await open(), await open()]
    await one.profiles.update('local', said({ userName: 'Ann' }, 'k'))
    expect(await other.profiles.entries('local')).toEqual([])
  })
})
