import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { LOCAL_OWNER, type Owner } from '../domain/events.ts'
import { isFinal } from '../domain/store.ts'
import { createHttpClient, type HttpClient } from '../http/client.ts'
import type { People } from '../accounts/people.ts'
import { Schedules } from '../schedules/schedules.ts'
import type { NewSchedule, ScheduleChange } from '../schedules/types.ts'
import { ScheduleWork } from '../schedules/schedule-work.ts'
import type { AppOf } from './user-app.ts'
import type { RunId } from '../domain/events.ts'
import type { RunResponse } from '../domain/response.ts'
import type { AppParts } from './app-parts.ts'
import { listedHosts, publicPolicy } from './network.ts'

/** Scheduled questions, and the worker that asks them. */
export interface OpenSchedules extends Pick<
  Schedules,
  'list' | 'get' | 'pause' | 'remove' | 'fire' | 'listFirings' | 'findHook' | 'decryptRow'
> {
  /** As `Schedules.add`. @throws TuttiError also `InvalidRequest` for a webhook that may not be reached */
  add(owner: Owner, asked: NewSchedule): ReturnType<Schedules['add']>
  /** As `Schedules.edit`. @throws TuttiError also for a request that could not be started */
  edit(owner: Owner, scheduleId: string, change: ScheduleChange): Promise<void>
  /** Why a user's schedules do not run at the moment; `undefined` if they do. */
  refusal(owner: Owner): Promise<string | undefined>
  /** Runs due schedules, until the app is closed. */
  work(): void
}

type Parts = Pick<AppParts, 'options' | 'storage' | 'seal' | 'people' | 'memory' | 'users'>

/** Puts them together. Only hosts that the operator lists are reached inside; agents' services are no webhooks. */
export function openSchedules({ options, storage, seal, people, memory, users }: Parts) {
  const { as, check } = users
  const { clock, onTrouble } = options
  const policy = { allowHosts: listedHosts(options), ...publicPolicy(options) }
  const http = createHttpClient(policy)
  const schedules = new Schedules(storage.sql, clock, seal)
  const refusal = (owner: Owner): Promise<string | undefined> => refusalOf(people, owner)
  const work = new ScheduleWork({
    schedules,
    clock,
    conversations: memory.conversations,
    http,
    refusal,
    start: (owner, request, runId, provenance) => as(owner).start(request, runId, undefined, undefined, provenance),
    outcome: (owner, runId) => finishedResponse(as(owner), runId),
    onTrouble,
  })
  const opened: OpenSchedules = Object.assign(Object.create(schedules) as Schedules, {
    async add(owner: Owner, asked: NewSchedule) {
      await check(owner, asked.request)
      if (asked.webhook !== undefined) assertReachable(http, asked.webhook)
      return schedules.add(owner, asked)
    },
    async edit(owner: Owner, scheduleId: string, change: ScheduleChange) {
      if (change.request !== undefined) await check(owner, change.request)
      await schedules.edit(owner, scheduleId, change)
    },
    refusal,
    work: () => work.begin(),
  })
  const close = async (): Promise<void> => {
    await work.stop()
    await http.close()
  }
  return { schedules: opened, close }
}

/** The response of a run; `running` if it has not ended, `none` if it does not exist. */
export async function finishedResponse(
  { runs, response }: AppOf,
  runId: RunId,
): Promise<RunResponse | 'running' | 'none'> {
  const record = await runs.run(runId)
  if (record === undefined) return 'none'
  return isFinal(record.status) ? response(runId) : 'running'
}

/** Why a user's scheduled questions are not asked, given their current permissions. */
export async function refusalOf({ accounts }: People, owner: Owner): Promise<string | undefined> {
  if (owner === LOCAL_OWNER) return undefined
  const person = await accounts.byId(owner)
  if (person === undefined) return (await accounts.hasAny()) ? 'This account was deleted.' : undefined
  if (person.isDisabled) return 'This account is disabled.'
  return person.role === 'viewer' ? 'This account may only read.' : undefined
}

function assertReachable(http: HttpClient, url: string): void {
  try {
    http.check({ method: 'POST', url })
  } catch (cause) {
    throw new TuttiError('InvalidRequest', `This webhook cannot be reached: ${toTuttiError(cause).message}`, { cause })
  }
}
