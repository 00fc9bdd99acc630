import type { ProviderKind } from './config.ts'
import type { Prompt } from './provider.ts'
import type { Wording } from './wording.ts'

/**
 * Anthropic caches the text before a mark, with at most four marks; other providers detect common prefixes
 * automatically.
 */
export const CACHE_MARK = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' as const } } } }

/** A wording in the SDK's format, with cache marks if the provider needs them. */
export function promptOf(wording: Wording, kind: ProviderKind): Prompt {
  return kind === 'anthropic' ? marked(wording) : plain(wording)
}

function plain({ instructions, preamble, stable, messages }: Wording): Prompt {
  const system = joined([instructions, preamble])
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.map(({ role, text }, at) => textMessage(role, [{ text: at === 0 ? joined([stable, text]) : text }])),
  ]
}

/** Cache marks end the rules, the constant text, and in a conversation the messages so far. */
function marked({ instructions, preamble, stable, messages }: Wording): Prompt {
  return [
    ...(instructions === '' ? [] : [{ role: 'system' as const, content: instructions, ...CACHE_MARK }]),
    ...(preamble === undefined ? [] : [{ role: 'system' as const, content: preamble }]),
    ...messages.map(({ role, text }, at) => {
      const isLast = at > 0 && at === messages.length - 1
      const before = at > 0 || stable === undefined ? [] : [{ text: stable, ...CACHE_MARK }]
      return textMessage(role, [...before, { text, ...(isLast ? CACHE_MARK : {}) }])
    }),
  ]
}

function textMessage(role: 'user' | 'assistant', texts: readonly ({ text: string } & Partial<typeof CACHE_MARK>)[]) {
  return { role, content: texts.map((part) => ({ type: 'text' as const, ...part })) }
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n')
}
