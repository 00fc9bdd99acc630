import { omitUndefined } from '../shared/json.ts'
import { DEFAULT_MODELS, DEFAULT_URLS, type ProviderConfig, type ProviderKind } from './config.ts'

/** A provider that needs only a key, or only to be switched on. */
export interface Preset {
  readonly name: string
  readonly kind: ProviderKind
  readonly baseUrl: string
  readonly defaultModel?: string
  readonly structuredOutputs?: boolean
}

interface Hosted extends Preset {
  /** Environment variable. */
  readonly key: string
}

interface Local extends Preset {
  /** Environment variable: `1`, or the server's address. */
  readonly variable: string
}

/** Services with a key, in order of preference. */
export const HOSTED: readonly Hosted[] = [
  { ...official('openai'), key: 'OPENAI_API_KEY' },
  { ...official('anthropic'), key: 'ANTHROPIC_API_KEY' },
  { ...official('google'), key: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  {
    name: 'mistral',
    kind: 'compatible',
    baseUrl: 'https://api.mistral.ai/v1',
    defaultModel: 'mistral-medium-latest',
    structuredOutputs: true,
    key: 'MISTRAL_API_KEY',
  },
  {
    name: 'groq',
    kind: 'compatible',
    baseUrl: 'https://api.groq.com/openai/v1',
    defaultModel: 'openai/gpt-oss-120b',
    structuredOutputs: true,
    key: 'GROQ_API_KEY',
  },
  {
    name: 'openrouter',
    kind: 'compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    defaultModel: 'openrouter/auto',
    structuredOutputs: true,
    key: 'OPENROUTER_API_KEY',
  },
]

/** Servers on this machine, or one of your own. */
export const LOCAL: readonly Local[] = [
  { name: 'ollama', kind: 'ollama', baseUrl: DEFAULT_URLS.ollama!, variable: 'TUTTI_OLLAMA' },
  {
    name: 'lmstudio',
    kind: 'compatible',
    baseUrl: 'http://127.0.0.1:1234/v1',
    structuredOutputs: true,
    variable: 'TUTTI_LMSTUDIO',
  },
  {
    name: 'vllm',
    kind: 'compatible',
    baseUrl: 'http://127.0.0.1:8000/v1',
    structuredOutputs: true,
    variable: 'TUTTI_VLLM',
  },
]

function official(kind: 'openai' | 'anthropic' | 'google'): Preset {
  return { name: kind, kind, baseUrl: DEFAULT_URLS[kind]!, defaultModel: DEFAULT_MODELS[kind]! }
}

/** The fields of a provider that its preset defines, except the address. */
export function presetFields({ name, kind, defaultModel, structuredOutputs }: Preset): Omit<ProviderConfig, 'source'> {
  return {
    name,
    kind,
    ...omitUndefined({ defaultModel, structuredOutputs }),
  }
}

/** The service that is reached at an address, if it is one of these. */
export function presetAt(address: string): Preset | undefined {
  const { hostname } = new URL(address)
  return HOSTED.find(({ baseUrl }) => new URL(baseUrl).hostname === hostname)
}
