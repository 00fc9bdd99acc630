import { TuttiError } from '../core/errors.ts'
import type { Agent } from '../core/actor.ts'
import type { Owner } from '../core/owner.ts'
import { parseRequest, type Attached, type RequestInput, type RunRequest } from '../core/request.ts'
import type { Config } from './config.ts'
import { assertProviders } from './assert-providers.ts'
import { AUTO } from './auto-strategy.ts'
import type { Checked } from './check-options.ts'
import { sourcesToKeep } from './kept-sources.ts'
import type { OpenKnowledge } from './knowledge.ts'
import { providersOf } from './models.ts'
import { defined, isModelPort } from './options.ts'

/**
 * What was asked, as a request. What it leaves open is as the configuration says; each limit counts alone.
 * @throws TuttiError `InvalidRequest` for what is neither a text nor an object
 */
function requestFrom(asked: RequestInput | string, { defaults, locale }: Config): RequestInput {
  if (typeof asked !== 'string' && (typeof asked !== 'object' || asked === null)) {
    throw new TuttiError('InvalidRequest', 'Ask a question: a text, or an object with one, such as { question: "…" }.')
  }
  const request = typeof asked === 'string' ? { question: asked } : asked
  const budget = { ...defaults.budget, ...defined(Object(request.budget)) }
  return { ...defined({ ...defaults, locale }), ...defined(request), budget } as RequestInput
}

interface Requests {
  /** Whether anything but rules can be asked. */
  readonly hasModel: boolean
  /** What was asked as a whole request, with the sources of this app. @throws TuttiError `InvalidRequest` */
  completed(asked: RequestInput | string, team: readonly Agent[], documents?: readonly Attached[]): RunRequest
  /** With collections by their ids; they are asked first. @throws TuttiError `NotFound` for what is not there for this user */
  withCollections(user: Owner, asked: RequestInput | string): Promise<RequestInput | string>
}

/** What is made of whatever somebody asks of an app. */
export function openRequests(
  options: Checked,
  models: Parameters<typeof assertProviders>[0],
  knowledge: Pick<OpenKnowledge, 'shared'>,
): Requests {
  const port = isModelPort(options.models) ? options.models : undefined
  const hasPort = port !== undefined
  return {
    // A port that takes no turns only answers prompts: no agent can work with it.
    hasModel: port?.turn !== undefined || providersOf(options).length > 0,
    completed(asked, team, documents = []) {
      const attached = [...sourcesToKeep({ ...options, hasKey: Boolean(options.apiKey) }), ...documents]
      const known = new Set(team.map(({ name }) => name))
      const { attached: own, ...filled } = requestFrom(asked, options.config)
      const request = parseRequest({ strategy: AUTO, ...filled, attached: [...(own ?? []), ...attached] }, known)
      if (!hasPort) assertProviders(models, request.models, 'InvalidRequest')
      return request
    },
    async withCollections(user, asked) {
      if (typeof asked !== 'object' || !Array.isArray(asked?.collections)) return asked
      const collections = await knowledge.shared.chosenBy(user, asked.collections.map(String))
      return { ...asked, collections: [...collections], preferAgents: [...(asked.preferAgents ?? []), 'rag'] }
    },
  }
}
