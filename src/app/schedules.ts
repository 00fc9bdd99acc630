import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { createHttpClient, type HttpClient } from '../http/client.ts'
import { Schedules } from '../schedules/schedules.ts'
import type { NewSchedule, ScheduleChange } from '../schedules/types.ts'
import { ScheduleWork } from '../schedules/schedule-work.ts'
import type { AppParts } from './app-parts.ts'
import { listedHosts, publicPolicy } from './network.ts'
import { userRuns } from './user-runs.ts'

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
  const { check } = users
  const { clock, onError } = options
  const policy = { allowHosts: listedHosts(options), ...publicPolicy(options) }
  const http = createHttpClient(policy)
  const schedules = new Schedules(storage.sql, clock, seal)
  const runs = userRuns(people, users)
  const work = new ScheduleWork({
    schedules,
    clock,
    conversations: memory.conversations,
    http,
    ...runs,
    onError,
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
    refusal: runs.refusal,
    work: () => work.begin(),
  })
  const close = async (): Promise<void> => {
    await work.stop()
    await http.close()
  }
  return { schedules: opened, close }
}

function assertReachable(http: HttpClient, url: string): void {
  try {
    http.check({ method: 'POST', url })
  } catch (cause) {
    throw new TuttiError('InvalidRequest', `This webhook cannot be reached: ${toTuttiError(cause).message}`, { cause })
  }
}
