import type { App } from '../../app/user-app.ts'
import type { ConversationMessage } from '../../domain/conversation.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Owner } from '../../domain/events.ts'
import type { Source } from '../../domain/result.ts'
import { isSourceName, MAILBOX } from '../../shared/source-name.ts'
import { usableSources } from '../sources.ts'

/**
 * Whether answers use an existing source that their user may no longer use. Removed sources do not count, nor do
 * deleted runs, whose sources are not known.
 */
export async function usesRevokedSources(
  app: App,
  owner: Owner,
  messages: readonly Pick<ConversationMessage, 'role' | 'runId'>[],
): Promise<boolean> {
  const { as, knowledge, sources: all } = app
  const { response, isGiven } = as(owner)
  const answers = messages.filter(({ role }) => role === 'assistant').map(({ runId }) => placesOf(response(runId)))
  const places = (await Promise.all(answers)).flat()
  const isMine = await isGiven()
  const names = new Set(places.map(({ kind, name }) => `${kind}:${name}`).filter(isSourceName))
  if (all.some((source) => names.has(source) && !isMine(source))) return true
  const hasMail = places.some(({ kind }) => kind === 'mail')
  if (hasMail && all.includes(MAILBOX) && (await usableSources(app, owner)).mail === undefined) return true
  const documents = places.flatMap(({ passage }) => (passage === undefined ? [] : [passage.documentId]))
  if (documents.length === 0) return false
  const { shared, store } = knowledge
  const shelves = { reader: '', owners: await shared.all() }
  const [given, mine] = await Promise.all([
    store.placesOf(shelves, documents),
    store.placesOf(await shared.shelvesOf(owner), documents),
  ])
  return [...given.keys()].some((documentId) => !mine.has(documentId))
}

async function placesOf(answer: ReturnType<ReturnType<App['as']>['response']>): Promise<readonly Source[]> {
  const response = await answer.catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'RunNotFound')) throw thrown
  })
  const { agentResults = [], citations = [] } = response ?? {}
  return [...agentResults.flatMap(({ sources }) => sources), ...citations.map(({ source }) => source)]
}
