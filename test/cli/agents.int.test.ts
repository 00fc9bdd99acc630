import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openForAll } from '../support/opened.ts'
import { createCliWorld } from './support.ts'

const world = openForAll(() => createCliWorld())

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
  it('work', async () => {
    await writeFile(join(world.folder, 'agents/counter/agent.mjs'), COUNTER)
    const asked = await world.run(['ask', 'How many letters?'])
    expect(asked).toMatchObject({ code: 0, out: expect.stringMatching(/^17 letters/) })
  })

  it('with an error stop the command with one line that names file and line', async () => {
    await writeFile(join(world.folder, 'agents/words.yaml'), 'description: Explains words\ntools:\n  - look_up')
    const { code, err } = await world.run(['ask', 'How many letters?'])
    expect(code).toBe(3)
    expect(err).toMatch(/^tutti: agents\/words\.yaml: There is no tool "look_up"\. There are: .*mcp_db_query.*\n$/)
  })
})
