import { describe, expect, it } from 'vitest'
import { createApp } from '../../app/create-app.ts'
import { createDemoDatabase, DEMO_FILE_NAME, DEMO_TERMS, DEMO_TERMS_NAME } from '../../app/demo-data.ts'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** “send” and “and” would make two parts of it, one of them a mail's. */
const VERIFIED = 'Why do customers send goods back, and what did we refund?'

describe('a verified question', () => {
  it.each(['pipeline', 'graph', 'supervisor', 'review'])('is not split by %s', async (strategy) => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-known-'))
    await createDemoDatabase(join(folder, DEMO_FILE_NAME))
    await copyFile(DEMO_TERMS, join(folder, DEMO_TERMS_NAME))
    const app = await createApp({ databases: [{ url: `sqlite:${join(folder, DEMO_FILE_NAME)}` }] })
    const { data, metadata } = await app.ask({ question: VERIFIED, strategy })
    await app.close()
    await rm(folder, { recursive: true })
    expect(data?.rows).toHaveLength(4)
    expect(metadata).toMatchObject({ isAnswered: true, unanswered: [] })
  })
})
