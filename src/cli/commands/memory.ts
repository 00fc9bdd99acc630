import type { App } from '../../app.ts'
import { TuttiError } from '../../core/errors.ts'
import {
  cleanValue,
  PROFILE_FIELDS,
  profileOf,
  type MemorySource,
  type ProfileField,
  type ProfileValue,
} from '../../core/memory.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { renderTable } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'

interface JsonOption {
  readonly json?: boolean
}

/** `tutti memory show`: what is remembered of the user, and where each of it comes from. */
export async function showMemory(cli: Cli, globals: GlobalOptions, { json }: JsonOption): Promise<ExitCode> {
  return withApp(cli, globals, {}, async ({ profiles, conversations, runs: { owner } }) => {
    const entries = await profiles.entries(owner)
    const kept = await conversations.list(owner)
    if (json === true) {
      const profile = profileOf(entries) ?? { facts: {}, preferences: {} }
      const talks = kept.map((talk) => ({ ...talk, createdAt: iso(talk.createdAt), updatedAt: iso(talk.updatedAt) }))
      printJson(cli, { owner, ...profile, entries: entries.map(dated), conversations: talks })
      return EXIT.ok
    }
    if (entries.length === 0)
      cli.err.line('Nothing is remembered of you. Say it in a question, or: tutti memory edit FIELD VALUE')
    else {
      const rows = entries.map(({ field, value, source }) => ({
        field,
        value: valueText(value),
        source: sourceText(source),
        when: age(cli.clock.now() - source.at),
      }))
      printTable(cli, ['field', 'value', 'source', 'when'], rows)
    }
    if (kept.length > 0) {
      cli.err.line(`Conversations kept: ${kept.length}, the latest "${safeLine(kept[0]!.title)}".`)
    }
    return EXIT.ok
  })
}

/** `tutti memory history`: every change, oldest first. */
export async function memoryHistory(cli: Cli, globals: GlobalOptions, { json }: JsonOption): Promise<ExitCode> {
  return withApp(cli, globals, {}, async ({ profiles, runs: { owner } }) => {
    const changes = await profiles.history(owner)
    if (json === true) {
      printJson(cli, { owner, changes: changes.map(dated) })
      return EXIT.ok
    }
    if (changes.length === 0) {
      cli.err.line('Nothing was changed yet.')
      return EXIT.ok
    }
    const rows = changes.map(({ field, before, after, source }) => ({
      field,
      before: before === undefined ? '' : valueText(before),
      after: valueText(after),
      source: sourceText(source),
      when: age(cli.clock.now() - source.at),
    }))
    printTable(cli, ['field', 'before', 'after', 'source', 'when'], rows)
    return EXIT.ok
  })
}

/** `tutti memory edit`: writes one field; projects are separated by commas and take the place of those known. */
export async function editMemory(
  cli: Cli,
  globals: GlobalOptions,
  name: string,
  words: readonly string[],
): Promise<ExitCode> {
  const field = fieldOf(name)
  const text = words.join(' ')
  const value = cleanValue(field, field === 'recentProjects' ? text.split(',') : text)
  if (value === undefined) {
    throw new TuttiError('InvalidRequest', `The value is empty. To erase the field: tutti memory forget ${field}`)
  }
  return withApp(cli, globals, {}, async ({ profiles, runs: { owner } }) => {
    const { randomUUID } = await import('node:crypto')
    const source = { by: 'user', at: cli.clock.now() } as const
    const changes = await profiles.update(owner, { values: { [field]: value }, source, key: randomUUID() })
    cli.err.line(`${field}: ${safeLine(valueText(value))}${changes.length === 0 ? ' (as before)' : ''}`)
    return EXIT.ok
  })
}

export interface ForgetOptions {
  readonly all?: boolean
  readonly yes?: boolean
}

/** `tutti memory forget`: erases fields with their history; `--all` also every conversation. */
export async function forgetMemory(
  cli: Cli,
  globals: GlobalOptions,
  names: readonly string[],
  { all = false, yes = false }: ForgetOptions,
): Promise<ExitCode> {
  const fields = names.map(fieldOf)
  if (all === fields.length > 0) {
    throw new TuttiError('InvalidRequest', `Name the fields to erase (${PROFILE_FIELDS.join(', ')}), or use --all.`)
  }
  return withApp(cli, globals, {}, async (app) => {
    const what = all ? 'everything that is remembered of you, with all conversations' : fields.join(', ')
    if (!yes && !(await isSure(cli, what))) {
      cli.err.line('Nothing was erased.')
      return EXIT.ok
    }
    cli.err.line(`Erased: ${await erase(app, all ? undefined : fields)}.`)
    cli.err.line('The logs of runs keep what those runs were told.')
    return EXIT.ok
  })
}

async function erase(app: App, fields: readonly ProfileField[] | undefined): Promise<string> {
  const { owner } = app.runs
  const erased = await app.profiles.forget(owner, fields)
  const conversations = fields === undefined ? await app.conversations.remove(owner) : 0
  const said = [
    ...erased,
    ...(conversations === 0 ? [] : [`${conversations} ${conversations === 1 ? 'conversation' : 'conversations'}`]),
  ]
  return said.join(', ') || 'nothing, since nothing of it was there'
}

/** @throws TuttiError `InvalidRequest` where nobody can be asked */
async function isSure(cli: Cli, what: string): Promise<boolean> {
  if (!cli.stdin.isTTY || !cli.err.isTty) {
    throw new TuttiError('InvalidRequest', `This erases ${what}, and cannot be undone. Add --yes to do it.`)
  }
  const { confirm, isCancel } = await import('@clack/prompts')
  const io = { input: cli.stdin, output: process.stderr, withGuide: false }
  const answer = await confirm({ ...io, message: `Erase ${what}? This cannot be undone.`, initialValue: false })
  return !isCancel(answer) && answer
}

const SHORT_NAMES: Readonly<Record<string, ProfileField>> = {
  name: 'userName',
  company: 'companyName',
  job: 'jobTitle',
  title: 'jobTitle',
  projects: 'recentProjects',
  detail: 'detailLevel',
}

/** `userName`, `user-name`, `user_name` or `name`. */
function fieldOf(text: string): ProfileField {
  const plain = text.toLowerCase().replace(/[^a-z]/g, '')
  const field = PROFILE_FIELDS.find((name) => name.toLowerCase() === plain) ?? SHORT_NAMES[plain]
  if (field !== undefined) return field
  throw new TuttiError('InvalidRequest', `There is no field "${text}". There are: ${PROFILE_FIELDS.join(', ')}.`)
}

/** With the time as ISO 8601. */
function dated<T extends { readonly source: MemorySource }>(entry: T) {
  return { ...entry, source: { ...entry.source, at: iso(entry.source.at) } }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function valueText(value: ProfileValue): string {
  return typeof value === 'string' ? value : value.join(', ')
}

function sourceText({ by, runId }: MemorySource): string {
  return by === 'user' ? 'edited by you' : `said in run ${shortId(runId ?? '')}`
}

function printTable(cli: Cli, columns: readonly string[], rows: readonly Record<string, string>[]): void {
  const { bold, dim } = cli.out.style
  const layout = { width: cli.out.width(), maxRows: Infinity, bold, dim }
  cli.out.line(renderTable({ columns, rows, rowCount: rows.length }, layout))
}
