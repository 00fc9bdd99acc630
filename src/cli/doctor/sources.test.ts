import { describe, expect, it } from 'vitest'
import type { App } from '../../app/user-app.ts'
import type { DocumentRecord } from '../../documents/types.ts'
import { openMailAccount } from '../../mail/open.ts'
import { reportSources } from './sources.ts'

/** Documents with this number of passages, some of them with vectors. */
function knowledge(...records: readonly Pick<DocumentRecord, 'chunks' | 'embedded'>[]) {
  const store = { documents: () => Promise.resolve(records) }
  return { hasDocuments: true, store } as unknown as App['knowledge']
}

describe('sourcesOf', () => {
  it('reports keyword search only when no embedding model is configured', async () => {
    const { documents, mail, webSearch } = await reportSources(
      { knowledge: knowledge({ chunks: 7, embedded: 0 }, { chunks: 5, embedded: 0 }) },
      {},
    )
    expect(documents).toEqual({ ok: true, documents: 2, passages: 12, pending: 0, embedding: null })
    expect({ mail, webSearch }).toEqual({ mail: null, webSearch: null })
  })

  it('counts the passages without vectors, and names the embedding model without its key', async () => {
    const env = { TUTTI_EMBEDDING_MODEL: 'openai:text-embedding-3-small', OPENAI_API_KEY: 'sk-geheim' }
    const app = { knowledge: knowledge({ chunks: 7, embedded: 7 }, { chunks: 5, embedded: 1 }) }
    const report = await reportSources(app, env)
    expect(report.documents).toMatchObject({
      pending: 4,
      embedding: { model: 'openai:text-embedding-3-small', host: 'api.openai.com' },
    })
    expect(JSON.stringify(report)).not.toContain('geheim')
  })

  it('does not create a missing store', async () => {
    const app = { knowledge: { hasDocuments: false } as unknown as App['knowledge'] }
    expect((await reportSources(app, {})).documents).toMatchObject({ ok: true, documents: 0 })
  })

  it('reports documents that cannot be looked at', async () => {
    const store = { documents: () => Promise.reject(new Error('disk is gone')) }
    const app = { knowledge: { hasDocuments: true, store } as unknown as App['knowledge'] }
    expect((await reportSources(app, {})).documents).toMatchObject({
      ok: false,
      message: expect.stringContaining('disk'),
    })
  })

  it('shows the mail account without its password, and which search service is used', async () => {
    const env = {
      TAVILY_API_KEY: 'geheim',
      TUTTI_SEARXNG_URL: 'http://localhost:8888',
    }
    const http = {} as Parameters<typeof openMailAccount>[1]['http']
    const [url, smtpUrl] = ['imaps://ada:geheim@imap.example.org', 'smtps://smtp.example.org']
    const mail = openMailAccount({ url, smtpUrl, from: 'ada@example.org' }, { http, cwd: '/', now: () => 0 })
    const report = await reportSources({ knowledge: knowledge(), mail }, env)
    expect(report).toMatchObject({
      mail: { account: 'IMAP imap.example.org as ada, SMTP smtp.example.org', from: 'ada@example.org' },
      webSearch: { service: 'Tavily', host: 'api.tavily.com' },
    })
    expect(JSON.stringify(report)).not.toContain('geheim')
  })
})
