// Soak test: builds snapshots of Python.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../shared/clock.ts'
import { createSandbox } from './sandbox.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-snapshot-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function runs(): Promise<unknown> {
  const sandbox = createSandbox({ cacheDir: folder, allowWeakIsolation: true }, { clock: systemClock })
  try {
    return (await sandbox.run({ code: 'print(6 * 7)' })).stdout
  } finally {
    await sandbox.close()
  }
}

it('a damaged snapshot is rebuilt', { timeout: 120_000 }, async () => {
  expect(await runs()).toContain('42')
  const [name, ...others] = await readdir(folder)
  expect(others).toEqual([])
  const whole = await readFile(join(folder, name!))
  const damaged = Buffer.from(whole)
  damaged.fill(0, damaged.length >> 1)
  await writeFile(join(folder, name!), damaged)

  expect(await runs()).toContain('42')
  const kept = await readdir(folder)
  expect(kept).toHaveLength(1)
  expect((await readFile(join(folder, kept[0]!))).equals(damaged)).toBe(false)
  // A whole one is taken as it is.
  expect(await runs()).toContain('42')
  expect(await readdir(folder)).toEqual(kept)
})
