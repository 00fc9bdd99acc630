import { omitUndefined } from '../../shared/json.ts'
import type { TuttiError } from '../../domain/errors.ts'
import { parseModelRef, type ModelsConfig, type ProviderConfig } from '../../models/config.ts'
import { HOSTED, LOCAL, presetFields } from '../../models/presets.ts'
import {
  configurationError,
  type Environment,
  type ReadVariable,
  serverAddress,
  variableReader,
} from './environment.ts'

/**
 * Reads which models to use from environment variables.
 *
 * | variable | meaning |
 * |---|---|
 * | `TUTTI_MODEL_URL`, `TUTTI_MODEL_KEY` | provider `compatible`: any OpenAI-compatible base URL, and its key if it needs one |
 * | `TUTTI_OLLAMA`, `TUTTI_LMSTUDIO`, `TUTTI_VLLM` = `1` or a URL | providers `ollama`, `lmstudio`, `vllm`; never looked for without it |
 * | `AZURE_OPENAI_API_KEY`, `AZURE_OPENAI_ENDPOINT`, `AZURE_OPENAI_DEPLOYMENT` | provider `azure` |
 * | `OPENAI_API_KEY` | provider `openai` |
 * | `ANTHROPIC_API_KEY` | provider `anthropic` |
 * | `GOOGLE_GENERATIVE_AI_API_KEY`, `MISTRAL_API_KEY`, `GROQ_API_KEY`, `OPENROUTER_API_KEY` | providers `google`, `mistral`, `groq`, `openrouter` |
 * | `TUTTI_MODEL=provider:model` | the default model |
 * | `TUTTI_MODEL_SECOND=provider:model` | the model that is asked when the first one failed |
 *
 * Without `TUTTI_MODEL` the first provider of this table is used: what was set up for Tutti itself, and is likely to be
 * in the house, goes before keys that other programs may have left in the environment.
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong
 */
export function modelsConfigFromEnv(env: Environment): ModelsConfig {
  const read = variableReader(env)
  const providers = [
    compatible(read),
    ...LOCAL.map((preset) => local(read, preset)),
    azure(read),
    ...HOSTED.map((preset) => hosted(read, preset)),
  ].filter((provider) => provider !== undefined)
  const named = read('TUTTI_MODEL')
  if (named !== undefined) parseModelRef(named, providers, 'TUTTI_MODEL')
  const second = read('TUTTI_MODEL_SECOND')
  if (second !== undefined) parseModelRef(second, providers, 'TUTTI_MODEL_SECOND')
  const seconds = second === undefined ? undefined : { default: second }
  return { providers, ...omitUndefined({ default: named, seconds }) }
}

function compatible(read: ReadVariable): ProviderConfig | undefined {
  const url = read('TUTTI_MODEL_URL')
  if (url === undefined) {
    if (read('TUTTI_MODEL_KEY') === undefined) return undefined
    throw variableError('TUTTI_MODEL_KEY', 'is set, but TUTTI_MODEL_URL is not; set the base URL of the server, too')
  }
  return {
    name: 'compatible',
    kind: 'compatible',
    source: 'TUTTI_MODEL_URL',
    baseUrl: serverAddress('TUTTI_MODEL_URL', url),
    ...omitUndefined({ apiKey: read('TUTTI_MODEL_KEY') }),
  }
}

function local(read: ReadVariable, preset: (typeof LOCAL)[number]): ProviderConfig | undefined {
  const { variable } = preset
  const value = read(variable)
  if (value === undefined) return undefined
  const isUrl = /^https?:/i.test(value)
  if (!isUrl && !isOn(variable, value)) return undefined
  const baseUrl = isUrl ? withPath(serverAddress(variable, value), '/v1') : preset.baseUrl
  return { ...presetFields(preset), source: variable, baseUrl }
}

function azure(read: ReadVariable): ProviderConfig | undefined {
  const apiKey = read('AZURE_OPENAI_API_KEY')
  if (apiKey === undefined) return undefined
  const endpoint = read('AZURE_OPENAI_ENDPOINT')
  if (endpoint === undefined) throw variableError('AZURE_OPENAI_API_KEY', 'is set, but AZURE_OPENAI_ENDPOINT is not')
  const deployment = read('AZURE_OPENAI_DEPLOYMENT')
  const isNamed = read('TUTTI_MODEL')?.startsWith('azure:') === true
  if (deployment === undefined && !isNamed) {
    throw variableError(
      'AZURE_OPENAI_DEPLOYMENT',
      'is missing; set it to the name of your deployment, which Azure needs as model',
    )
  }
  const baseUrl = withPath(serverAddress('AZURE_OPENAI_ENDPOINT', endpoint), '/openai/v1')
  const defaultModel = omitUndefined({ defaultModel: deployment })
  return { name: 'azure', kind: 'azure', source: 'AZURE_OPENAI_API_KEY', baseUrl, apiKey, ...defaultModel }
}

function hosted(read: ReadVariable, preset: (typeof HOSTED)[number]): ProviderConfig | undefined {
  const { key } = preset
  const apiKey = read(key)
  if (apiKey === undefined) return undefined
  // The provider's own SDK reads this variable, too: requests through a gateway must not go past it.
  const address = key.replace('_API_KEY', '_BASE_URL')
  const gateway = read(address)
  const baseUrl = gateway === undefined ? preset.baseUrl : serverAddress(address, gateway)
  return { ...presetFields(preset), source: key, baseUrl, apiKey }
}

function withPath(url: string, path: string): string {
  return url.endsWith(path) ? url : `${url}${path}`
}

function isOn(name: string, value: string | undefined): boolean {
  if (value === undefined || /^(0|false|no|off)$/i.test(value)) return false
  if (/^(1|true|yes|on)$/i.test(value)) return true
  throw variableError(name, `must be 1 or 0 or a URL, but is "${value}"`)
}

function variableError(name: string, problem: string): TuttiError {
  return configurationError(`${name} ${problem}.`)
}
