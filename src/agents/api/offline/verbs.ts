import type { Endpoint } from '../catalogue/types.ts'

/** What is to be done with the thing that a request is about. */
export type Kind = 'read' | 'create' | 'change' | 'delete'

const VERBS: readonly (readonly [Kind, RegExp])[] = [
  ['delete', /\b(delete|remove|erase|destroy|purge)\b/i],
  ['create', /\b(create|add|post|submit|place|register|insert|book|send|open a|make an?|new)\b/i],
  ['change', /\b(update|change|edit|modify|set|patch|rename|replace|mark|cancel|close|assign|enable|disable)\b/i],
]

/**
 * The kind of deed that a text asks for. Reading unless a verb of another kind stands at its beginning, after words of
 * courtesy; so "list the orders that were placed" stays a question.
 */
export function askedKind(question: string): Kind {
  const bare = question
    .trim()
    .replace(/^((please|can|could|would|you|i|we|want|need|to|let's|and|then|now|go|ahead)\b[\s,]*)+/i, '')
  const start = bare.split(/\s+/).slice(0, 2).join(' ')
  const found = VERBS.find(([, pattern]) => new RegExp(`^${pattern.source}`, 'i').test(start))
  return found?.[0] ?? 'read'
}

export function kindOf({ method, effect }: Endpoint): Kind {
  if (method === 'GET' || method === 'HEAD' || effect === 'read') return 'read'
  if (method === 'DELETE') return 'delete'
  return method === 'POST' ? 'create' : 'change'
}

/** Verbs are used up once the method is chosen; they are no filter that was overlooked. */
export function isVerb(word: string): boolean {
  return VERBS.some(([, pattern]) => new RegExp(`^${pattern.source}$`, 'i').test(word))
}
