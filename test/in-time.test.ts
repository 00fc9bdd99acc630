import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTurns } from './support/turns.ts'

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
  const files = [
    ...Array.from({ length: 100 }, (_, at) => `src/${at}.test.ts`),
    ...Array.from({ length: 60 }, (_, at) => `test/${at}.test.ts`),
  ]
  const days = [0, 1, 2].map((day) => inTurns(files, (file) => file, day * DAY_MS))

  it('leaves none out', () => {
    for (const order of days) expect(order.toSorted()).toEqual(files.toSorted())
  })

  it('comes to an end with the sources early, without letting the others wait for all of them', () => {
    for (const order of days) {
      expect(order.findLastIndex((file) => file.startsWith('src/'))).toBeLessThan(120)
      expect(order.findIndex((file) => file.startsWith('test/'))).toBeLessThan(10)
    }
  })

  it('has each other file come in the first third of them on one of three days', () => {
    const firsts = days.flatMap((order) => order.filter((file) => file.startsWith('test/')).slice(0, 20))
    expect(firsts.sort()).toEqual(files.filter((file) => file.startsWith('test/')).sort())
  })
})
