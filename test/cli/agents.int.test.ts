import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCliWorld, type CliWorld } from './support.ts'

let world: CliWorld

beforeAll(async () => {
  world = await createCliWorld()
}, 120_000)

afterAll(() => world.close())

beforeEach(async () => {
  await rm(join(world.folder, 'agents'), { recursive: true, force: true })
  await mkdir(join(world.folder, 'agents', 'counter'), { recursive: true })
  await writeFile(join(world.folder, 'tutti.config.yaml'), '')
})

const COUNTER = `export default {
  name: 'counter', description: 'Counts letters', capabilities: [], useCases: [], keywords: ['letters'],
  run: async (task) => ({ answer: task.text.length + ' letters' }),
}`

describe('custom agents on the command line', () => {
  it('are listed with their origin, and work', async () => {
    await writeFile(join(world.folder, 'agents/counter/agent.mjs'), COUNTER)
    await writeFile(join(world.folder, 'agents/words.yaml'), 'description: Explains words\ntools: [mcp_db_schema]')
    const { out } = await world.run(['agents', '--json'])
    const { agents } = JSON.parse(out) as { agents: { name: string; origin: string }[] }
    const origins = Object.fromEntries(agents.map(({ name, origin }) => [name, origin]))
    expect(origins).toMatchObject({
      sql: 'built in',
      counter: join('agents', 'counter', 'agent.mjs'),
      words: join('agents', 'words.yaml'),
    })
    expect((await world.run(['agents'])).out).toContain(
      'words  Explains words\n  from   agents/words.yaml\n  tool   mcp_db_schema',
    )
    const asked = await world.run(['ask', 'How many letters?'])
    expect(asked).toMatchObject({ code: 0, out: expect.stringMatching(/^17 letters/) })
  })

  it('with an error stop the command with one line that names file and line', async () => {
    await writeFile(join(world.folder, 'agents/words.yaml'), 'description: Explains words\ntools:\n  - look_up')
    const { code, err } = await world.run(['ask', 'How many letters?'])
    expect(code).toBe(3)
    expect(err).toMatch(/^tutti: agents\/words\.yaml:3: There is no tool "look_up"\. There are: .*mcp_db_query.*\n$/)
  })
})
