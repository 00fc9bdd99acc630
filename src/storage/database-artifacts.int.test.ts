import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import { insert, sql, where } from './sql/query.ts'

const file = (name: string, text: string, mediaType = 'text/plain') => {
  return { name, mediaType, bytes: new TextEncoder().encode(text) }
}

describeStores('artifacts', (store, _kind, storage) => {
  const piecesOf = (owner: string): Promise<readonly object[]> =>
    storage().sql.all(sql`SELECT id FROM artifact_pieces ${where({ owner })}`)

  it('are returned as stored', async () => {
    const { artifacts } = store()
    const ref = await artifacts.keep('local', file('orders.json', '[1]', 'application/json'))
    expect(ref).toMatchObject({ name: 'orders.json', mediaType: 'application/json', bytes: 3 })
    const { name, mediaType, bytes } = await artifacts.read('local', ref.id)
    expect([name, mediaType, Buffer.from(bytes).toString()]).toEqual(['orders.json', 'application/json', '[1]'])
  })

  it('differ by name, type and content, and are stored once', async () => {
    const { artifacts } = store()
    const files = [file('a', '1'), file('b', '1'), file('a', '2'), file('a', '1', 'text/csv'), file('a', '1')]
    const ids = await Promise.all(files.map(async (one) => (await artifacts.keep('local', one)).id))
    expect(new Set(ids).size).toBe(4)
    expect(ids[4]).toBe(ids[0])
  })

  it('are listed and removed only for their owner', async () => {
    const { artifacts } = store()
    expect(await artifacts.list('alice')).toEqual([])
    const [first, second] = [
      await artifacts.keep('alice', file('a.txt', '1')),
      await artifacts.keep('alice', file('b.txt', '2')),
    ]
    await artifacts.keep('bob', file('a.txt', '1'))
    expect([...(await artifacts.list('alice'))].sort()).toEqual([first.id, second.id].sort())
    await artifacts.remove('alice', first.id)
    await artifacts.remove('alice', first.id)
    expect(await artifacts.list('alice')).toEqual([second.id])
    await expect(artifacts.read('alice', first.id)).rejects.toMatchObject({ code: 'ArtifactNotFound' })
    expect(await artifacts.list('bob')).toHaveLength(1)
  })

  it('do not exist for another owner', async () => {
    const { artifacts } = store()
    const { id } = await artifacts.keep('alice', file('a.txt', 'private'))
    for (const owner of ['bob', 'local', 'Alice', 'alice/', '../alice', './alice', '', 'alice\n']) {
      await expect(artifacts.read(owner, id)).rejects.toMatchObject({
        code: 'ArtifactNotFound',
        message: expect.stringContaining(`There is no artifact ${id}.`),
      })
    }
    for (const id of ['none', '', '../alice/x', '/etc/passwd', `${'0'.repeat(32)}-..`, `${'0'.repeat(32)}-a/../b`]) {
      await expect(artifacts.read('alice', id)).rejects.toMatchObject({ code: 'ArtifactNotFound' })
    }
  })

  it('of several pieces are read and removed as a whole', async () => {
    const { artifacts } = store()
    const bytes = randomBytes(600_001)
    const { id } = await artifacts.keep('large', { name: 'a', mediaType: 'b/c', bytes })
    expect(bytes.equals((await artifacts.read('large', id)).bytes)).toBe(true)
    expect(await piecesOf('large')).toHaveLength(3)
    await artifacts.remove('large', id)
    expect(await piecesOf('large')).toEqual([])
  })

  it('that a crash left unfinished do not exist, and are removed a day later', async () => {
    const { artifacts } = store()
    for (const [id, writtenAt] of [
      ['old', Date.now() - 90_000_000],
      ['new', Date.now()],
    ] as const) {
      await storage().sql.all(
        insert('artifact_pieces', { owner: 'crashed', id, place: 0, writtenAt, bytes: Buffer.from('x') }),
      )
    }
    expect(await artifacts.list('crashed')).toEqual([])
    await expect(artifacts.read('crashed', 'new')).rejects.toMatchObject({ code: 'ArtifactNotFound' })
    await artifacts.begun()
    expect(await piecesOf('crashed')).toEqual([{ id: 'new' }])
  })
})
