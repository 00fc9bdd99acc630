import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'

it('money is formatted by the locale, also without a model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-money-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  const databases = [{ url: 'sqlite:demo.sqlite', name: 'demo' }]
  const app = await openConfiguredApp({ env: {}, cwd: folder, inMemory: true, databases })
  try {
    const ask = async (locale: string) =>
      (await app.ask({ question: 'What is the average line total of order lines?', locale })).answer
    expect(await ask('en-IN')).toMatch(/ is Rs\.[\d,]+\.\d\d\.$/)
    expect(await ask('en-IE')).toMatch(/ is [\d,]+\.\d\d\.$/)
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
})
