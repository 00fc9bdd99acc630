import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { makeDemo, makePapers } from './demo.ts'

vi.mock('../../app/demo-data.ts', async (load) => ({ ...(await load<object>()), hasDemoAssets: async () => false }))

it('writes nothing when the installation lacks demo files, and names them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-demo-'))
  const refusal = { code: 'ConfigurationError', message: expect.stringContaining('assets/demo') as string }
  await expect(makeDemo(join(folder, 'demo.db'))).rejects.toMatchObject(refusal)
  await expect(makePapers(folder)).rejects.toMatchObject(refusal)
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
