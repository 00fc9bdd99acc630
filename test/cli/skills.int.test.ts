import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlLoop, startModelServer, type ModelServer } from '../support/model-server.ts'
import { createCliWorld, type CliWorld } from './support.ts'

describe('tutti skills', () => {
  let world: CliWorld
  let server: ModelServer
  beforeAll(async () => {
    world = await createCliWorld()
    const sql = 'SELECT count(*) AS customers FROM customers'
    server = await startModelServer([
      {
        when: 'You choose which specialist agents',
        reply: { json: { agents: ['sql'], rationale: 'Rows.', confidence: 1 } },
      },
      ...sqlLoop(sql, 'There are 3 customers.'),
      { when: 'You are the reflector.', reply: { json: { status: 'APPROVED' } } },
      { reply: { status: 400, text: 'no' } },
    ])
    const workers = { reflection: 'model', skills: true }
    await writeFile(join(world.folder, 'tutti.config.json'), JSON.stringify({ workers }))
  })
  afterAll(async () => {
    await world.close()
    await server.close()
  })

  const env = () => ({ TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' })
  const ask = (question: string) =>
    world.run(['ask', question, '--db', 'sqlite:shop.sqlite', '--prefer', 'sql'], { env: env() })
  const run = (...args: string[]) => world.run(['skills', ...args])
  const listed = async () => (JSON.parse((await run('list', '--json')).out) as { skills: Listed[] }).skills

  it('lists and shows skills from a question', async () => {
    expect((await run('list')).err).toContain('There are no skills.')
    await ask('How many customers are there?')
    const [skill, ...others] = await listed()
    expect(others).toEqual([])
    expect(skill).toMatchObject({ agent: 'sql', status: 'candidate', helped: 1, hurt: 0, shared: false })
    expect((await run('list')).out).toMatch(/sql +candidate +1 +0 +just now +How many customers are there\?/)
    const { out } = await run('show', skill!.skillId.slice(0, 6))
    expect(out).toContain('SELECT count(*) AS customers FROM customers')
    expect(out).toContain('Helped in 1 run, misled in 0')
    await ask('How many customers are there in all?')
    expect((await listed()).map(({ helped }) => helped)).toEqual([2])
  })

  it('changes the task, status and sharing of a skill', async () => {
    const [{ skillId } = { skillId: '' }] = await listed()
    await run('edit', skillId, '--status', 'quarantined', '--share', '--task', 'Count customers')
    expect(await listed()).toMatchObject([{ status: 'quarantined', shared: true, task: 'Count customers' }])
    expect((await run('show', skillId)).out).toContain('sql, quarantined, as you said, shared')
    await run('edit', skillId, '--status', 'auto', '--private')
    expect(await listed()).toMatchObject([{ status: 'candidate', shared: false, helped: 1 }])
    for (const wrong of [
      [skillId],
      [skillId, '--share', '--private'],
      ['zz', '--share'],
      [skillId, '--status', 'good'],
    ])
      expect(await run('edit', ...wrong)).toMatchObject({ code: 2 })
  })

  it('erases one skill, all, and all with the memory', async () => {
    const [skill] = await listed()
    expect(await run('forget')).toMatchObject({ code: 2 })
    expect((await run('forget', skill!.skillId)).err).toContain('Add --yes')
    expect((await run('forget', skill!.skillId, '--yes')).err).toContain('Erased 1 skill.')
    await ask('How many customers are there?')
    expect(await listed()).toHaveLength(1)
    expect((await world.run(['memory', 'forget', '--all', '--yes'])).err).toContain('1 skill')
    expect(await listed()).toEqual([])
  })
})

interface Listed {
  readonly skillId: string
  readonly helped: number
}
