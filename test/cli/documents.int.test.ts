import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCliWorld } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())
beforeAll(async () => {
  await mkdir(join(world.folder, 'papers'))
  await mkdir(join(world.folder, 'empty'))
  await writeFile(join(world.folder, 'papers', 'leave.md'), '# Leave\n\nEverybody has 25 days of leave.\n')
})

const ask = (question: string, ...options: string[]) =>
  world.run(['ask', question, ...options, '--data', join(world.folder, 'own')])

describe('documents for one question', () => {
  it('are searched also for a question that does not mention documents', async () => {
    const { code, out, err } = await ask('How many days of leave do I have?', '--docs', 'papers')
    // A passage alone does not count as an answer.
    expect(code).toBe(5)
    expect(out).toContain('25 days')
    expect(out).toContain('tutti docs show ')
    expect(err).toContain('planner chose rag')
  })

  it('leave a question about databases to the database agent', async () => {
    const { out } = await ask('How many customers are there?', '--docs', 'papers', '--db', 'sqlite:shop.sqlite')
    expect(out).toContain('Source: shop')
  })

  it('are an error when none are found', async () => {
    const { code, err } = await ask('How many days of leave do I have?', '--docs', 'empty')
    expect({ code, err }).toEqual({ code: 2, err: 'tutti: There are no files of a kind that can be read in empty.\n' })
  })
})

describe('a question without a matching source', () => {
  it.each(['pipeline', 'graph'])('is not searched on the web (%s)', async (strategy) => {
    const env = { TUTTI_SEARXNG_URL: 'http://127.0.0.1:9' }
    const args = ['ask', 'How many customers are there?', '--strategy', strategy, '--data', join(world.folder, 'new')]
    const { code, out } = await world.run(args, { env })
    expect(code).toBe(1)
    expect(out).toContain('No database is configured')
  })
})

describe('a folder that is added', () => {
  it('lists the files that are not documents, in one line', async () => {
    for (const name of ['photo.jpg', 'plan.dwg', 'song.mp3']) {
      await writeFile(join(world.folder, 'papers', name), 'not a text')
    }
    const { code, err } = await world.run(['docs', 'add', 'papers', '--data', join(world.folder, 'others')])
    expect(code).toBe(0)
    expect(err).toContain('3 other files (photo.jpg, plan.dwg, …) were skipped: no documents.')
    expect(err).not.toContain('song.mp3')
  })
})
