import { expect, test } from 'vitest'
import { createModels } from '../../models/registry.ts'
import type { Environment } from './environment.ts'
import { modelsConfigFromEnv } from './models.ts'

const describeEnv = (env: Environment) =>
  createModels(modelsConfigFromEnv(env), { clock: { now: () => 0, timer: () => () => {} } }).describe()

test('nothing set: no provider, no model, and variables of other programs are ignored', () => {
  expect(modelsConfigFromEnv({ PATH: '/bin', OPENAI_API_KEY: '  ', OLLAMA_HOST: 'x' })).toEqual({
    providers: [],
  })
  expect(describeEnv({})).toEqual({ providers: [], default: undefined, actors: {} })
})

test('each provider: its address, its variable and its model', () => {
  const all = describeEnv({
    OPENAI_API_KEY: 'k1',
    ANTHROPIC_API_KEY: 'k2',
    AZURE_OPENAI_API_KEY: 'k3',
    AZURE_OPENAI_ENDPOINT: 'https://acme.openai.azure.com',
    AZURE_OPENAI_DEPLOYMENT: 'chat',
    TUTTI_OLLAMA: '1',
    TUTTI_MODEL_URL: 'http://10.0.0.5:8000/v1/',
    TUTTI_MODEL: 'compatible:qwen3',
  })
  expect(all).toEqual({
    providers: [
      { name: 'compatible', kind: 'compatible', source: 'TUTTI_MODEL_URL', host: '10.0.0.5:8000' },
      { name: 'ollama', kind: 'ollama', source: 'TUTTI_OLLAMA', host: '127.0.0.1:11434' },
      { name: 'azure', kind: 'azure', source: 'AZURE_OPENAI_API_KEY', host: 'acme.openai.azure.com' },
      { name: 'openai', kind: 'openai', source: 'OPENAI_API_KEY', host: 'api.openai.com' },
      { name: 'anthropic', kind: 'anthropic', source: 'ANTHROPIC_API_KEY', host: 'api.anthropic.com' },
    ],
    default: 'compatible:qwen3',
    actors: {},
  })
  expect(JSON.stringify(all)).not.toMatch(/k[123]/)
})

test.each([
  [{ OPENAI_API_KEY: 'k' }, 'openai:gpt-5.4-mini'],
  [{ OPENAI_API_KEY: 'k', TUTTI_OLLAMA: 'true' }, 'ollama:(first model it lists)'],
  [{ OPENAI_API_KEY: 'k', TUTTI_OLLAMA: '0' }, 'openai:gpt-5.4-mini'],
  [{ TUTTI_OLLAMA: 'http://box:11434', TUTTI_MODEL_URL: 'http://vllm:8000/v1' }, 'compatible:(first model it lists)'],
])('without TUTTI_MODEL, %j uses %s', (env, expected) => {
  expect(describeEnv(env).default).toBe(expected)
})

test('the second model applies to every actor without its own', () => {
  const config = modelsConfigFromEnv({ OPENAI_API_KEY: 'k', GROQ_API_KEY: 'k', TUTTI_MODEL_SECOND: 'groq:small' })
  expect(config).toMatchObject({ seconds: { default: 'groq:small' } })
})

test.each([
  [{ TUTTI_OLLAMA: 'http://box:11434/' }, 'http://box:11434/v1'],
  [{ TUTTI_VLLM: 'http://gpu:8000' }, 'http://gpu:8000/v1'],
  [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, 'https://generativelanguage.googleapis.com/v1beta'],
  [{ GROQ_API_KEY: 'k' }, 'https://api.groq.com/openai/v1'],
  [
    { AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_ENDPOINT: 'https://a.openai.azure.com/', AZURE_OPENAI_DEPLOYMENT: 'd' },
    'https://a.openai.azure.com/openai/v1',
  ],
])('%j is asked at %s', (env, expected) => {
  expect(modelsConfigFromEnv(env).providers[0]!.baseUrl).toBe(expected)
})

test.each([
  [{ TUTTI_MODEL: 'openai:gpt-5.4' }, 'No provider is configured'],
  [{ TUTTI_MODEL: 'gpt-5.4', OPENAI_API_KEY: 'k' }, 'Configured providers: openai.'],
  [{ TUTTI_MODEL_KEY: 'k' }, 'TUTTI_MODEL_KEY'],
  [{ TUTTI_MODEL_URL: 'http://me:pw@host/v1' }, 'TUTTI_MODEL_URL'],
  [{ TUTTI_OLLAMA: 'maybe' }, 'TUTTI_OLLAMA'],
  [{ AZURE_OPENAI_API_KEY: 'k' }, 'AZURE_OPENAI_ENDPOINT'],
  [{ AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_ENDPOINT: 'https://a.b' }, 'AZURE_OPENAI_DEPLOYMENT'],
])('%j is one clear error', (env: Environment, named) => {
  const error = (() => {
    try {
      modelsConfigFromEnv(env)
    } catch (thrown) {
      return thrown as Error
    }
    return undefined
  })()
  expect(error).toMatchObject({ name: 'ConfigurationError' })
  expect(error!.message).toContain(named)
  expect(error!.message).not.toContain('pw')
})
