import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { turnsOf } from './support/turns.ts'

const run = promisify(execFile)
const DAY_MS = 86_400_000

describe('a run of tests whose time is over', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-in-time-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('ends with what is under way, passes, and names what it left out', async () => {
    const results = join(folder, 'results.json')
    const args = ['--config', 'test/fixtures/in-time/vitest.config.ts', '--reporter=json', `--outputFile=${results}`]
    const env = { ...process.env, TUTTI_TEST_UNTIL: String(Math.ceil(Date.now() / 1000) + 600) }
    await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', ...args], { env })
    const { stdout, stderr } = await run(process.execPath, ['scripts/count-tests.mjs', results, '0'])
    expect(stdout).toBe('1 0\n')
    expect(stderr).toContain(
      'test/fixtures/in-time/begun.fixture.ts\ntest/fixtures/in-time/later.fixture.ts\n2 of 2 files',
    )
  })
})

describe('the order in which tests are run where time may be short', () => {
  const files = ['test/web/a.test.ts', 'src/b.test.ts', 'test/c.test.ts', 'test/cli/d.test.ts', 'test/e.test.ts']
  const firsts = [0, 1, 2].map((day) => {
    const turns = turnsOf(files, day * DAY_MS)
    return files.filter((_, at) => turns[at] === 0)
  })

  it('always begins with what stands beside the sources', () => {
    for (const first of firsts) expect(first).toContain('src/b.test.ts')
  })

  it('has each other file among the first on one of three days', () => {
    expect(
      firsts
        .flat()
        .filter((file) => file.startsWith('test/'))
        .sort(),
    ).toEqual(files.filter((file) => file.startsWith('test/')).sort())
  })
})
