import { describe, expect, it } from 'vitest'
import { configSchema } from '../../app/config/schema.ts'
import { outgoingData } from './outgoing-data.ts'

const none = { providers: [], default: undefined, actors: {} }

describe('leavingOf', () => {
  it('is empty for files and for local services', () => {
    const models = {
      ...none,
      providers: [
        { name: 'ollama', kind: 'ollama', source: 'TUTTI_OLLAMA', host: '127.0.0.1:11434' },
        { name: 'local', kind: 'compatible', source: 'TUTTI_MODEL_URL', host: '[::1]:8000' },
      ],
    } as const
    const databases = [{ url: 'sqlite:/a/b.db' }, { url: 'shop.db' }, { url: 'postgres://u:p@localhost:5432/x' }]
    expect(outgoingData(models, { databases, mcp: [] }, [])).toEqual([])
  })

  it('names hosts that only look like this machine', () => {
    const databases = [
      { url: 'mysql://u:p@127.0.0.1.example.org/x' },
      { url: 'postgres://u:p@localhost.example.org/y' },
    ]
    const hosts = outgoingData(none, { databases, mcp: [] }, []).map(({ host }) => host)
    expect(hosts).toEqual(['127.0.0.1.example.org', 'localhost.example.org'])
  })

  it('names the user of each service, and never a password', () => {
    const models = {
      providers: [{ name: 'openai', kind: 'openai', source: 'OPENAI_API_KEY', host: 'api.openai.com' }],
      default: undefined,
      actors: { sql: 'openai:gpt' },
    } as const
    const { mcp } = configSchema.parse({ mcp: [{ name: 'crm', url: 'https://mcp.example.org/x' }] })
    const leaving = outgoingData(models, { databases: [], mcp }, [{ url: 'postgres://u:geheim@db.example.org/shop' }])
    expect(leaving).toEqual([
      expect.objectContaining({ host: 'api.openai.com', because: expect.stringContaining('used by sql') }),
      { host: 'db.example.org', what: 'SQL queries', because: 'database shop' },
      { host: 'mcp.example.org', what: 'SQL queries', because: 'MCP server crm' },
    ])
    expect(JSON.stringify(leaving)).not.toContain('geheim')
  })

  it('names embedding, vector, mail and search servers and the shared database, without their keys', () => {
    const outside = {
      embedding: { provider: 'compatible', model: 'm', url: 'https://vectors.example.org/v1', key: 'geheim' },
      qdrant: { url: 'https://qdrant.example.org:6333', key: 'geheim' },
      mail: ['imaps://ada:geheim@imap.example.org', 'smtps://ada:geheim@smtp.example.org:465'],
      web: { tavily: { apiKey: 'geheim', url: 'https://api.tavily.com' } },
      storage: 'postgres://u:geheim@db.example.org:5433/tutti',
    }
    const leaving = outgoingData(none, { databases: [], mcp: [] }, [], [], outside)
    expect(leaving.map(({ host, because }) => [host, because])).toEqual([
      ['vectors.example.org', 'embedding model compatible:m'],
      ['qdrant.example.org:6333', 'TUTTI_QDRANT_URL'],
      ['imap.example.org', 'mail account'],
      ['smtp.example.org:465', 'mail account'],
      ['api.tavily.com', 'web search by Tavily'],
      ['db.example.org:5433', 'DATABASE_URL'],
    ])
    expect(JSON.stringify(leaving)).not.toContain('geheim')
  })

  it('counts Gmail as external, and a local mailbox, Ollama and SearXNG on this machine as local', () => {
    const gmail = outgoingData(none, { databases: [], mcp: [] }, [], [], { mail: ['gmail:'] })
    expect(gmail).toMatchObject([{ host: 'gmail.googleapis.com' }])
    const outside = {
      embedding: { provider: 'ollama', model: 'm', url: 'http://127.0.0.1:11434/v1' },
      mail: ['maildir:demo/mailbox', 'maildir:/var/mail/ada'],
      web: { searxng: { url: 'http://localhost:8888' } },
      storage: 'postgres://localhost/tutti',
    }
    expect(outgoingData(none, { databases: [], mcp: [] }, [], [], outside)).toEqual([])
  })
})
