import { resolve } from 'node:path'
import { omitUndefined } from '../shared/json.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Agent } from '../domain/actor.ts'
import type { Owner } from '../domain/events.ts'
import { parseRequest, TIME_ZONE, type Attached, type RequestInput, type RunRequest } from '../domain/request.ts'
import { localeOf, type Config } from './config/schema.ts'
import { assertProviders, providersOf } from './models.ts'
import { ownSourcesOf } from './addresses.ts'
import { AUTO } from './auto-strategy.ts'
import type { Settings } from './check-options.ts'
import type { OpenKnowledge } from './knowledge.ts'
import { isModelPort } from './config/options.ts'

/**
 * The question as a request, with the configuration's defaults. Each limit is defaulted on its own.
 * @throws TuttiError `InvalidRequest` if the input is neither a text nor an object
 */
function requestFrom(asked: RequestInput | string, { defaults, ...config }: Config): RequestInput {
  if (typeof asked !== 'string' && (typeof asked !== 'object' || asked === null)) {
    throw new TuttiError('InvalidRequest', 'Ask a question: a text, or an object with one, such as { question: "…" }.')
  }
  const request = typeof asked === 'string' ? { question: asked } : asked
  const budget = { ...defaults.budget, ...omitUndefined(Object(request.budget)) }
  const { tag: locale, timeZone } = localeOf(config)
  const context = timeZone === undefined ? request.context : { [TIME_ZONE]: timeZone, ...request.context }
  return {
    ...omitUndefined({ ...defaults, locale }),
    ...omitUndefined({ ...request, context }),
    budget,
  } as RequestInput
}

/** What else must be named again to continue the run elsewhere; nothing if all sources are those of the installation. */
function toNameAgain({ configFile, isInstallation, ...settings }: Settings) {
  if (isInstallation === true) return {}
  const ownSources = ownSourcesOf(settings)
  return {
    ...(ownSources.length > 0 && { ownSources }),
    ...(configFile !== undefined && { configFile: resolve(settings.cwd, configFile) }),
  }
}

export type Requests = ReturnType<typeof openRequests>

/** Builds the requests of an app. */
export function openRequests(
  options: Settings,
  models: Parameters<typeof assertProviders>[0],
  knowledge: Pick<OpenKnowledge, 'shared'>,
) {
  const port = isModelPort(options.models) ? options.models : undefined
  return {
    /** Whether a model is available, rather than rules only. */
    // A port that takes no turns only answers prompts: no agent can work with it.
    hasModel: port?.turn !== undefined || providersOf(options).length > 0,
    /** The question as a complete request, with the sources of this app. @throws TuttiError `InvalidRequest` */
    complete(asked: RequestInput | string, team: readonly Agent[], documents: readonly Attached[] = []): RunRequest {
      const names = new Set(team.map(({ name }) => name))
      const { attached: own, ...filled } = requestFrom(asked, options.config)
      const request = parseRequest(
        { strategy: AUTO, ...filled, ...toNameAgain(options), attached: [...(own ?? []), ...documents] },
        names,
      )
      if (port === undefined) assertProviders(models, request.models, 'InvalidRequest')
      return request
    },
    /**
     * Resolves collections to their ids; they are asked first.
     * @throws TuttiError `NotFound` for collections this user cannot see
     */
    async withCollections(user: Owner, asked: RequestInput | string): Promise<RequestInput | string> {
      if (typeof asked !== 'object' || !Array.isArray(asked?.collections)) return asked
      const collections = await knowledge.shared.chosenBy(user, asked.collections.map(String))
      return { ...asked, collections: [...collections], preferAgents: [...(asked.preferAgents ?? []), 'rag'] }
    },
  }
}
