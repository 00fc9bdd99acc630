import { TuttiError } from '../../domain/errors.ts'
import { parseModelRef, type ModelsConfig, type ProviderConfig } from '../../models/config.ts'
import { HOSTED, LOCAL, presetFields } from '../../models/presets.ts'
import { type Environment, serverAddress } from './environment.ts'

/** Variables of this family that do not name an actor. */
const SETTINGS = new Set(['TUTTI_MODEL_URL', 'TUTTI_MODEL_KEY', 'TUTTI_MODEL_STRUCTURED_OUTPUTS'])

/**
 * Reads which models to use from environment variables.
 *
 * | variable | meaning |
 * |---|---|
 * | `TUTTI_MODEL_URL`, `TUTTI_MODEL_KEY` | provider `compatible`: any OpenAI-compatible base URL, and its key if it needs one |
 * | `TUTTI_MODEL_STRUCTURED_OUTPUTS=1` | that server takes a JSON schema as response format |
 * | `TUTTI_OLLAMA`, `TUTTI_LMSTUDIO`, `TUTTI_VLLM` = `1` or a URL | providers `ollama`, `lmstudio`, `vllm`; never looked for without it |
 * | `AZURE_OPENAI_API_KEY` with `AZURE_OPENAI_ENDPOINT` or `AZURE_OPENAI_RESOURCE`, and `AZURE_OPENAI_DEPLOYMENT` | provider `azure` |
 * | `OPENAI_API_KEY`, `OPENAI_BASE_URL` | provider `openai` |
 * | `ANTHROPIC_API_KEY`, `ANTHROPIC_BASE_URL` | provider `anthropic` |
 * | `GEMINI_API_KEY`, `MISTRAL_API_KEY`, `GROQ_API_KEY`, `OPENROUTER_API_KEY` | providers `google`, `mistral`, `groq`, `openrouter` |
 * | `AWS_BEARER_TOKEN_BEDROCK`, `AWS_REGION` | provider `bedrock`, with the package `@ai-sdk/amazon-bedrock` |
 * | `TUTTI_MODEL=provider:model` | the default model |
 * | `TUTTI_MODEL_SECOND=provider:model` | the model that is asked when the first one failed |
 * | `TUTTI_MODEL_<ACTOR>=provider:model` | the model of one actor, such as `TUTTI_MODEL_SQL` |
 *
 * Without `TUTTI_MODEL` the first provider of this table is used: what was set up for Tutti itself, and is likely to be
 * in the house, goes before keys that other programs may have left in the environment.
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong
 */
export function modelsConfigFromEnv(env: Environment): ModelsConfig {
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const providers = [
    compatible(read),
    ...LOCAL.map((preset) => local(read, preset)),
    azure(read),
    ...HOSTED.map((preset) => hosted(read, preset)),
    bedrock(read),
  ].filter((provider) => provider !== undefined)
  const named = read('TUTTI_MODEL')
  if (named !== undefined) parseModelRef(named, providers, 'TUTTI_MODEL')
  const actors: Record<string, string> = {}
  const second = read('TUTTI_MODEL_SECOND')
  if (second !== undefined) parseModelRef(second, providers, 'TUTTI_MODEL_SECOND')
  for (const name of Object.keys(env)) {
    const value = read(name)
    if (name === 'TUTTI_MODEL_SECOND') continue
    if (value === undefined || SETTINGS.has(name) || !name.startsWith('TUTTI_MODEL_')) continue
    // A model of an unconfigured provider is dropped with a warning.
    if (providers.some((provider) => provider.name === value.split(':')[0])) parseModelRef(value, providers, name)
    actors[name.slice('TUTTI_MODEL_'.length).toLowerCase()] = value
  }
  return {
    providers,
    ...(named === undefined ? {} : { default: named }),
    actors,
    ...(second === undefined ? {} : { seconds: { default: second } }),
  }
}

type Read = (name: string) => string | undefined

function compatible(read: Read): ProviderConfig | undefined {
  const url = read('TUTTI_MODEL_URL')
  if (url === undefined) {
    const stray = [...SETTINGS].find((name) => read(name) !== undefined)
    if (stray !== undefined)
      throw wrong(stray, 'is set, but TUTTI_MODEL_URL is not; set the base URL of the server, too')
    return undefined
  }
  return {
    name: 'compatible',
    kind: 'compatible',
    source: 'TUTTI_MODEL_URL',
    baseUrl: serverAddress('TUTTI_MODEL_URL', url),
    structuredOutputs: isOn('TUTTI_MODEL_STRUCTURED_OUTPUTS', read('TUTTI_MODEL_STRUCTURED_OUTPUTS')),
    ...keyOf(read('TUTTI_MODEL_KEY')),
  }
}

function local(read: Read, preset: (typeof LOCAL)[number]): ProviderConfig | undefined {
  const { variable } = preset
  const value = read(variable)
  if (value === undefined) return undefined
  const isUrl = /^https?:/i.test(value)
  if (!isUrl && !isOn(variable, value)) return undefined
  const baseUrl = isUrl ? withPath(serverAddress(variable, value), '/v1') : preset.baseUrl
  return { ...presetFields(preset), source: variable, baseUrl }
}

function azure(read: Read): ProviderConfig | undefined {
  const apiKey = read('AZURE_OPENAI_API_KEY')
  if (apiKey === undefined) return undefined
  const endpoint = read('AZURE_OPENAI_ENDPOINT')
  const resource = read('AZURE_OPENAI_RESOURCE')
  if (endpoint === undefined && resource === undefined) {
    throw wrong('AZURE_OPENAI_API_KEY', 'is set, but neither AZURE_OPENAI_ENDPOINT nor AZURE_OPENAI_RESOURCE is')
  }
  if (resource !== undefined && !/^[a-z0-9-]+$/i.test(resource)) {
    throw wrong('AZURE_OPENAI_RESOURCE', 'must be the bare name of the resource; put a URL into AZURE_OPENAI_ENDPOINT')
  }
  const url =
    endpoint === undefined ? `https://${resource}.openai.azure.com` : serverAddress('AZURE_OPENAI_ENDPOINT', endpoint)
  const deployment = read('AZURE_OPENAI_DEPLOYMENT')
  const isNamed = read('TUTTI_MODEL')?.startsWith('azure:') === true
  if (deployment === undefined && !isNamed) {
    throw wrong(
      'AZURE_OPENAI_DEPLOYMENT',
      'is missing; set it to the name of your deployment, which Azure needs as model',
    )
  }
  const defaultModel = deployment === undefined ? {} : { defaultModel: deployment }
  const baseUrl = withPath(url, '/openai/v1')
  return { name: 'azure', kind: 'azure', source: 'AZURE_OPENAI_API_KEY', baseUrl, apiKey, ...defaultModel }
}

function hosted(read: Read, preset: (typeof HOSTED)[number]): ProviderConfig | undefined {
  const source = preset.keys.find((name) => read(name) !== undefined)
  if (source === undefined) return undefined
  const address = read(preset.address)
  const url = address === undefined ? preset.baseUrl : serverAddress(preset.address, address)
  // Anthropic's own programs write this address without the version.
  const baseUrl = preset.kind === 'anthropic' ? withPath(url, '/v1') : url
  return { ...presetFields(preset), source, baseUrl, ...keyOf(read(source)) }
}

function bedrock(read: Read): ProviderConfig | undefined {
  const source = 'AWS_BEARER_TOKEN_BEDROCK'
  const apiKey = read(source)
  if (apiKey === undefined) return undefined
  const region = read('AWS_REGION')
  if (region === undefined || !/^[a-z0-9-]+$/.test(region)) {
    throw wrong('AWS_REGION', 'must name the region of Bedrock, such as eu-central-1')
  }
  const baseUrl = `https://bedrock-runtime.${region}.amazonaws.com`
  return { name: 'bedrock', kind: 'bedrock', source, baseUrl, apiKey }
}

function keyOf(apiKey: string | undefined): { apiKey?: string } {
  return apiKey === undefined ? {} : { apiKey }
}

function withPath(url: string, path: string): string {
  return url.endsWith(path) ? url : `${url}${path}`
}

function isOn(name: string, value: string | undefined): boolean {
  if (value === undefined || /^(0|false|no|off)$/i.test(value)) return false
  if (/^(1|true|yes|on)$/i.test(value)) return true
  throw wrong(
    name,
    `must be 1 or 0${LOCAL.some(({ variable }) => variable === name) ? ' or a URL' : ''}, but is "${value}"`,
  )
}

function wrong(name: string, what: string): TuttiError {
  return new TuttiError('ConfigurationError', `${name} ${what}.`)
}
