import { describe, expect, it } from 'vitest'
import { embeddingFromEnv, qdrantFromEnv } from './embedding.ts'

describe('the Qdrant server of the environment', () => {
  it('names a server and its key', () => {
    expect(qdrantFromEnv({})).toBeUndefined()
    expect(qdrantFromEnv({ TUTTI_QDRANT_URL: ' http://q.internal:6333/ ', TUTTI_QDRANT_KEY: 'k' })).toEqual({
      url: 'http://q.internal:6333',
      key: 'k',
    })
    expect(qdrantFromEnv({ TUTTI_QDRANT_URL: 'https://gate/qdrant/' })).toEqual({ url: 'https://gate/qdrant' })
  })

  it.each([{ TUTTI_QDRANT_URL: 'q:6333' }, { TUTTI_QDRANT_URL: 'http://a:b@q' }, { TUTTI_QDRANT_KEY: 'secret' }])(
    'is refused without showing a key: %j',
    (env) => {
      expect(() => qdrantFromEnv(env)).toThrow(/TUTTI_QDRANT_(URL|KEY)/)
      expect(() => qdrantFromEnv(env)).not.toThrow(/secret/)
    },
  )
})

describe('the embedding model that the environment names', () => {
  it.each([
    [{}, undefined],
    [{ OPENAI_API_KEY: 'k' }, undefined],
    [
      { TUTTI_EMBEDDING_URL: 'http://host/v1/', TUTTI_EMBEDDING_MODEL: 'm:1', TUTTI_EMBEDDING_KEY: 'k' },
      { provider: 'compatible', model: 'm:1', url: 'http://host/v1', key: 'k' },
    ],
    [
      { TUTTI_EMBEDDING_MODEL: 'openai:text-embedding-3-small', OPENAI_API_KEY: 'k' },
      { provider: 'openai', model: 'text-embedding-3-small', url: 'https://api.openai.com/v1', key: 'k' },
    ],
    [
      { TUTTI_EMBEDDING_MODEL: 'ollama:bge-m3:latest', TUTTI_OLLAMA: 'http://gpu:11434' },
      { provider: 'ollama', model: 'bge-m3:latest', url: 'http://gpu:11434/v1' },
    ],
    [
      { TUTTI_EMBEDDING_MODEL: 'ollama:bge-m3' },
      { provider: 'ollama', model: 'bge-m3', url: 'http://127.0.0.1:11434/v1' },
    ],
  ])('%j', (env, config) => {
    expect(embeddingFromEnv(env)).toEqual(config)
  })

  it.each([
    [{ TUTTI_EMBEDDING_URL: 'http://host' }, 'TUTTI_EMBEDDING_MODEL'],
    [{ TUTTI_EMBEDDING_URL: 'host', TUTTI_EMBEDDING_MODEL: 'm' }, 'TUTTI_EMBEDDING_URL'],
    [{ TUTTI_EMBEDDING_KEY: 'k' }, 'TUTTI_EMBEDDING_KEY'],
    [{ TUTTI_EMBEDDING_MODEL: 'm' }, 'TUTTI_EMBEDDING_MODEL'],
    [{ TUTTI_EMBEDDING_MODEL: 'openai:m' }, 'OPENAI_API_KEY'],
    [{ TUTTI_EMBEDDING_MODEL: 'openai:', OPENAI_API_KEY: 'k' }, 'TUTTI_EMBEDDING_MODEL'],
  ])('%j is an error', (env, variable) => {
    expect(() => embeddingFromEnv(env)).toThrow(variable)
  })
})
