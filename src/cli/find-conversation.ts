import type { App } from '../app.ts'
import { TuttiError } from '../core/errors.ts'
import type { Cli } from './cli.ts'

/**
 * The id of a conversation of the user, by `last`, its id or the beginning of that.
 * @throws TuttiError `InvalidRequest` when there is none, or several begin so
 */
export async function findConversation(
  { conversations, runs: { owner } }: Pick<App, 'conversations' | 'runs'>,
  { self }: Pick<Cli, 'self'>,
  text: string,
): Promise<string> {
  const wanted = text.trim()
  if (wanted === 'last') {
    const [latest] = await conversations.list(owner, 1)
    if (latest !== undefined) return latest.conversationId
    throw new TuttiError('InvalidRequest', 'There is no conversation yet; leave --conversation out to start one.')
  }
  const exact = wanted === '' ? undefined : await conversations.get(owner, wanted)
  if (exact !== undefined) return exact.conversationId
  const all = wanted === '' ? [] : await conversations.list(owner, Number.MAX_SAFE_INTEGER)
  const matches = all.filter(({ conversationId }) => conversationId.startsWith(wanted))
  if (matches.length === 1) return matches[0]!.conversationId
  throw new TuttiError(
    'InvalidRequest',
    matches.length === 0
      ? `There is no conversation "${text}". List them with: ${self} conversations list`
      : `${matches.length} conversations begin with "${text}"; type more of its id.`,
  )
}
