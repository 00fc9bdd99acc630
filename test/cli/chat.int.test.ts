import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { startModelServer } from '../support/model-server.ts'
import { createCliWorld, modelEnv } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())

const DB = ['--db', 'sqlite:shop.sqlite']
const json = (...args: string[]) => world.json(args)
async function conversations() {
  const app = await createApp({ storage: { folder: world.dataDir } })
  return app.conversations.list('local').finally(() => app.close())
}

describe('tutti chat', { timeout: 180_000 }, () => {
  it('answers in one conversation without a model, with a note', async () => {
    const input = 'How many customers are there?\n\n/nonsense\nHow many orders are there?\n/exit\nnever asked\n'
    const { code, out, err } = await world.run(['chat', ...DB], { input })
    expect(code).toBe(0)
    expect(err).toContain('No model is configured: answers are made by rules')
    expect(err).toContain('/exit  end the chat')
    expect(out).toContain('The number of customers is 3.')
    expect(out).toContain('The number of orders is 3.')
    expect(await conversations()).toMatchObject([{ turns: 2, title: 'How many customers are there?' }])

    const [, id] = /tutti chat --conversation (\S+)/.exec(err)!
    const more = await world.run(['chat', ...DB, '--conversation', id!], {
      input: 'nonsense about nothing\n',
    })
    expect(more.code).toBe(5) // that of the question that nobody takes
    expect(await conversations()).toMatchObject([{ turns: 3 }])
  })

  it('ends with an error code when there is no question or no answer', async () => {
    const { code, err } = await world.run(['chat', ...DB], { input: '\n/help\n' })
    expect([code, err]).toEqual([2, expect.stringContaining('No question was asked; give one on each line.')])
    expect((await world.run(['chat', '--strategy', 'best'])).err).toContain('"best" is not available. Available: auto,')
    const input = 'How many customers are there?\nwhat ever of nothing\nHow many orders are there?\n'
    expect((await world.run(['chat', ...DB], { input })).code).toBe(5)
  })

  it('cancels the answer on Ctrl-C, and continues', async () => {
    const models = await startModelServer([{ reply: { fault: 'stall' } }])
    const input = 'How many orders?\n/new\n/exit\n'
    const chat = world.begin(['chat', ...DB, '--max-calls', '1'], { env: modelEnv(models), input })
    await models.arrived(1)
    chat.interrupt()
    const { code, err } = await chat.done
    await models.close()
    expect(err).toContain('The run was cancelled.')
    expect(err.indexOf('A new conversation begins.')).toBeGreaterThan(err.indexOf('The run was cancelled.'))
    expect(code).toBe(4)
  })
})

describe('deleting', { timeout: 180_000 }, () => {
  it('asks for confirmation, and refuses without a terminal', async () => {
    const { runs } = await json('runs', 'list')
    const id = runs.at(-1).runId as string
    await writeFile(join(world.folder, 'notes.md'), 'The colour is red.\n')
    expect((await world.run(['docs', 'add', 'notes.md'])).code).toBe(0)
    for (const [args, what] of [
      [['runs', 'delete', id.slice(0, 8)], `Delete run ${id.slice(0, 8)}?`],
      [['runs', 'delete', '--all'], /Delete \d+ runs\?/],
      [['docs', 'remove', 'notes.md'], 'Remove notes.md?'],
    ] as const) {
      const { code, err } = await world.run(args)
      expect([args, code]).toEqual([args, 2])
      expect(err).toMatch(what)
      expect(err).toContain('Add --yes to do it.')
    }
    expect(await json('docs', 'list')).toMatchObject({ documents: [{ name: 'notes.md' }] })
    expect((await json('runs', 'list')).runs).toHaveLength(runs.length)
  })

  it('accepts --yes for runs, and keeps their conversations', async () => {
    const { runs } = await json('runs', 'list')
    const id = runs.at(-1).runId as string
    const one = await world.run(['runs', 'delete', id.slice(0, 8), '--yes'])
    expect(one).toMatchObject({ code: 0, out: '' })
    expect(one.err).toContain(`Deleted run ${id.slice(0, 8)}.`)
    expect((await world.run(['runs', 'show', id])).code).toBe(2)
    expect((await json('runs', 'list')).runs).toHaveLength(runs.length - 1)
    expect((await json('runs', 'delete', '--all', '--yes')).deleted).toHaveLength(runs.length - 1)
    expect(await json('runs', 'delete', '--all', '--yes')).toEqual({ deleted: [] })
    expect((await json('runs', 'list')).runs).toEqual([])
    expect(await conversations()).not.toEqual([])
  })

  it('needs a name or --all', async () => {
    expect((await world.run(['runs', 'delete'])).err).toContain('Name the runs to delete, or use --all.')
    expect((await world.run(['runs', 'delete', 'x', '--all'])).code).toBe(2)
    expect((await world.run(['runs', 'delete', 'none', '--yes'])).err).toContain('List them with: tutti runs list')
  })
})
