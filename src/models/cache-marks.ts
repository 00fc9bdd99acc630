import type { ModelMessage, SystemModelMessage } from 'ai'
import type { ProviderKind } from './config.ts'
import type { Wording } from './wording.ts'

/** Anthropic keeps what stands before a mark, four of them at most; other providers find a common beginning by themselves. */
const MARK = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' as const } } } }

interface SentWording {
  readonly instructions?: string | SystemModelMessage[]
  readonly messages: ModelMessage[]
}

/** A wording as the SDK takes it, with marks where the provider needs them. */
export function sentAs(wording: Wording, kind: ProviderKind): SentWording {
  return kind === 'anthropic' ? marked(wording) : plain(wording)
}

function plain({ instructions, preamble, stable, messages }: Wording): SentWording {
  const system = joined([instructions, preamble])
  return {
    ...(system === '' ? {} : { instructions: system }),
    messages: messages.map(({ role, text }, at) => ({ role, content: at === 0 ? joined([stable, text]) : text })),
  }
}

/** Marks stand behind the rules, behind what stays the same, and in a conversation behind all that was said so far. */
function marked({ instructions, preamble, stable, messages }: Wording): SentWording {
  const system = [
    ...(instructions === '' ? [] : [{ role: 'system' as const, content: instructions, ...MARK }]),
    ...(preamble === undefined ? [] : [{ role: 'system' as const, content: preamble }]),
  ]
  const sent = messages.map(({ role, text }, at): ModelMessage => {
    const isLast = at > 0 && at === messages.length - 1
    const own = { type: 'text' as const, text, ...(isLast ? MARK : {}) }
    const before = at > 0 || stable === undefined ? [] : [{ type: 'text' as const, text: stable, ...MARK }]
    return { role, content: [...before, own] }
  })
  return { ...(system.length === 0 ? {} : { instructions: system }), messages: sent }
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n')
}
