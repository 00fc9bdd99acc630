import type { ProviderKind } from './config.ts'

/** Tokens; assumed where nothing else is known. */
const DEFAULT_CONTEXT_WINDOW = 32_000

/**
 * Context windows in tokens by the beginning of a model's name, as the providers state them; the longest that fits wins.
 * Only of hosted models: a server of one's own decides on its own how much of a model's window it serves.
 */
const WINDOWS: Readonly<Record<string, number>> = {
  'gpt-5': 272_000,
  'gpt-4.1': 1_000_000,
  'gpt-4o': 128_000,
  'gpt-oss': 128_000,
  o3: 200_000,
  'o4-mini': 200_000,
  claude: 200_000,
  gemini: 1_000_000,
  'mistral-large': 128_000,
  'mistral-medium': 128_000,
  'llama-3.1': 128_000,
  'llama-3.3': 128_000,
}

/** Providers, or presets of compatible ones, that the operator hosts. */
const OWN_SERVERS = new Set(['ollama', 'lmstudio', 'vllm', 'compatible'])

/**
 * How many tokens a model reads and writes in one turn.
 * @param given by `provider:model`: from the configuration, or measured by the probe
 */
export function modelContextWindow(
  ref: string,
  kindOf: (provider: string) => ProviderKind | undefined,
  given: Readonly<Record<string, number>>,
): number {
  const own = Object.hasOwn(given, ref) ? given[ref] : undefined
  if (own !== undefined) return own
  const provider = ref.slice(0, ref.indexOf(':'))
  if (OWN_SERVERS.has(provider) || kindOf(provider) === 'ollama') return DEFAULT_CONTEXT_WINDOW
  // Gateways put the maker before the name: `openai/gpt-oss-120b`.
  const model = ref.slice(ref.indexOf(':') + 1).replace(/^.*(?:\/|\b(?:anthropic|meta|mistral)\.)/, '')
  const known = Object.keys(WINDOWS)
    .filter((name) => model.startsWith(name))
    .toSorted((a, b) => b.length - a.length)[0]
  return known === undefined ? DEFAULT_CONTEXT_WINDOW : WINDOWS[known]!
}
