import { Option } from 'commander'
import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Firing, Schedule } from '../../schedules/types.ts'
import { HOOK_KINDS, type HookKind, type Timing } from '../../schedules/timing.ts'
import type { JsonOption, Program, CommandPart } from '../command.ts'
import { printJson } from '../failure.ts'
import { findById } from '../find-run.ts'
import { followRun } from '../follow.ts'
import { parseNames, requestOf, type AskOptions } from '../option-values.ts'
import { printItems, printList } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { shortId } from '../render/units.ts'
import { argument, option, strategyOption, JSON_OPTION, CONTEXT_OPTION } from '../shared-options.ts'

const ID = 'its id; the beginning is enough'

interface AddOptions extends AskOptions {
  readonly cron?: string
  readonly zone?: string
  readonly at?: string
  readonly hook?: HookKind | true
  readonly mail?: string
  readonly webhook?: string
}

/** Commands for questions that `tutti serve` asks automatically. */
export function addSchedule({ root, cli, command }: Program): void {
  const group = root.command('schedule').description('manage schedules and hooks')
  const named = (name: string, description: string, ...parts: CommandPart[]) =>
    command(group, name, description, argument('<id>', ID), ...parts)
  /** Works with the schedule of an id. */
  const withSchedule =
    <A extends readonly unknown[], R>(work: (app: App, schedule: Schedule, ...args: A) => Promise<R>) =>
    async (app: App, id: string, ...args: A): Promise<R> => {
      const all = await app.schedules.list(app.runs.owner)
      const list = `${cli.self} schedule list`
      const schedule = findById(all, id, { name: 'schedule', list, idOf: ({ scheduleId }) => scheduleId })
      return work(app, schedule, ...args)
    }
  command(
    group,
    'add',
    'add a schedule or hook, which runs while "serve" does',
    argument('<question>', 'the question'),
    option('--cron <line>', 'minute, hour, day of the month, month, day of the week: "0 8 * * MON-FRI"'),
    option('--zone <zone>', "time zone of the cron line, such as Europe/Berlin (default: this machine's)"),
    option('--at <time>', 'once, such as 2027-01-31T08:00, in the zone of this machine or its own'),
    new Option('--hook [kind]', 'whenever a program calls, with a secret or signed with it').choices([...HOOK_KINDS]),
    option('--mail <address>', 'also mail the answer, after your approval'),
    option('--webhook <url>', 'also send the answer, signed'),
    strategyOption(),
    option('--prefer <agents>', 'preferred agents, separated by commas; repeatable', parseNames),
    option('--disable <agents>', 'agents to exclude; repeatable', parseNames),
    CONTEXT_OPTION,
    JSON_OPTION,
  ).withApp(async ({ schedules, runs }, question: string, options: AddOptions) => {
    const { mail, webhook, json } = options
    const { schedule, secrets } = await schedules.add(runs.owner, {
      timing: timingOf(options),
      request: requestOf(question, options),
      ...omitUndefined({ mail, webhook }),
    })
    if (json === true) return printJson(cli, { schedule: dated(schedule), secrets })
    const { scheduleId } = schedule
    cli.out.line(safeLine(`${shortId(scheduleId)}  ${whenOf(schedule)}: ${question}`))
    if (secrets.hook !== undefined) {
      cli.out.line(`Programs call it at POST /hooks/${scheduleId} of "${cli.self} serve".`)
      cli.out.line(`Its secret, which is shown this once: ${secrets.hook}`)
    }
    if (secrets.webhook !== undefined)
      cli.out.line(`Answers are signed with this, which is shown this once: ${secrets.webhook}`)
  })
  command(group, 'list', 'list schedules and hooks', JSON_OPTION).withApp(
    async ({ schedules, runs }, { json }: JsonOption) => {
      const found = await schedules.list(runs.owner)
      const rows = found.map((schedule) => ({
        id: shortId(schedule.scheduleId),
        when: whenOf(schedule),
        next: schedule.isPaused ? 'paused' : schedule.nextAt === undefined ? '' : iso(schedule.nextAt),
        question: schedule.request.question,
      }))
      printItems(cli, {
        json,
        object: { schedules: found.map(dated) },
        empty: `There are no schedules yet. Add one with: ${cli.self} schedule add "…" --cron "0 8 * * *"`,
        rows,
      })
    },
  )
  named('show', 'show a schedule and its latest times', JSON_OPTION).withApp(
    withSchedule(async (app, schedule, { json }: JsonOption) => {
      const firings = await app.schedules.listFirings(schedule.owner, schedule.scheduleId)
      const times = firings.map(({ runId, dueAt, status, note, failure, tryAt }: Firing) => ({
        dueAt: iso(dueAt),
        runId,
        status,
        ...omitUndefined({ note, failure, nextTryAt: failure === undefined ? undefined : iso(tryAt) }),
      }))
      if (json === true) return printJson(cli, { ...dated(schedule), times })
      const { request, mail, webhook, isPaused, nextAt } = schedule
      cli.out.line(safeLine(`${shortId(schedule.scheduleId)}  ${whenOf(schedule)}: ${request.question}`))
      if (mail !== undefined) cli.out.line(safeLine(`The answer is mailed to ${mail}, once you approve.`))
      if (webhook !== undefined) cli.out.line(safeLine(`The answer is sent to ${webhook}`))
      const next = nextAt === undefined ? 'It has no next time.' : `Next: ${iso(nextAt)}`
      cli.out.line(isPaused ? 'It is paused.' : next)
      if (times.length === 0) return
      const rows = times.map(({ note = '', failure, nextTryAt, ...time }) => ({
        ...time,
        runId: shortId(time.runId),
        note: failure === undefined ? note : `${failure} The next try is due at ${nextTryAt}. ${note}`.trim(),
      }))
      printList(cli.out, ['dueAt', 'runId', 'status', 'note'], rows)
    }),
  )
  for (const [name, isPaused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    named(name, isPaused ? 'pause a schedule until "resume"' : 'resume a schedule at its next time').withApp(
      withSchedule(async ({ schedules }, { owner, scheduleId }) => {
        await schedules.pause(owner, scheduleId, isPaused)
        const { nextAt } = await schedules.get(owner, scheduleId)
        const next = nextAt === undefined ? '' : ` Next: ${iso(nextAt)}`
        cli.err.line(isPaused ? `Schedule ${shortId(scheduleId)} is paused.` : `Resumed.${next}`)
      }),
    )
  }
  named('run', 'run a schedule now', JSON_OPTION).withApp(
    withSchedule(async (app, { owner, scheduleId }, { json = false }: JsonOption) => {
      const runId = await app.schedules.fire(owner, scheduleId)
      await app.schedules.advance(runId)
      // Unless a server has already taken it, it runs here.
      if ((await app.runs.run(runId)) === undefined) {
        const firing = (await app.schedules.listFirings(owner, scheduleId)).find((one) => one.runId === runId)
        const message = firing?.note ?? 'It has not begun yet; look again with "schedule show".'
        throw new TuttiError('InvalidRequest', message)
      }
      const code = await followRun(cli, app, runId, { json, trace: false })
      // Store the answer in the inbox, then send it.
      for (let step = 0; step < 2; step++) await app.schedules.advance(runId)
      return code
    }),
  )
  named('remove', 'remove a schedule; its answers are kept').withApp(
    withSchedule(async ({ schedules }, { owner, scheduleId }) => {
      await schedules.remove(owner, scheduleId)
      cli.err.line(`Removed schedule ${shortId(scheduleId)}. Its answers are kept.`)
    }),
  )
}

/** @throws TuttiError `InvalidRequest` if no timing option or several are given */
function timingOf({ cron, zone, at, hook }: AddOptions): Timing {
  const ways: Timing[] = [
    ...(cron === undefined ? [] : [{ cron, zone: zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone }]),
    ...(at === undefined ? [] : [{ at: momentOf(at) }]),
    ...(hook === undefined ? [] : [{ hook: hook === true ? 'bearer' : hook } as const]),
  ]
  const [timing, other] = ways
  if (timing !== undefined && other === undefined && (zone === undefined || cron !== undefined)) return timing
  throw new TuttiError('InvalidRequest', 'Use exactly one of --cron (with --zone), --at and --hook.')
}

function momentOf(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new TuttiError('InvalidRequest', `"${text}" is not a time. Write 2027-01-31T08:00.`)
  return time
}

function whenOf({ timing }: Schedule): string {
  if ('hook' in timing) return `hook (${timing.hook})`
  return 'at' in timing ? `at ${iso(timing.at)}` : `${timing.cron} ${timing.zone}`
}

function dated({ createdAt, nextAt, timing, ...rest }: Schedule) {
  const when = 'at' in timing ? { at: iso(timing.at) } : timing
  return { ...rest, ...when, createdAt: iso(createdAt), ...(nextAt === undefined ? {} : { nextAt: iso(nextAt) }) }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
