import { pluralize } from '../../shared/pluralize.ts'
import { TuttiError } from '../../domain/errors.ts'
import {
  cleanValue,
  profileFieldLabel,
  PROFILE_FIELDS,
  profileOf,
  type MemorySource,
  type ProfileField,
  type ProfileValue,
} from '../../domain/memory.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { askConfirmation } from '../confirm.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { findRun } from '../find-run.ts'
import { undoRemembered } from '../../memory/undo.ts'
import { printList } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { jsonOption, yesOption } from '../shared-options.ts'

/** Commands to list, correct and erase the memory about the user. */
export function addMemory({ root, cli, run }: Program): void {
  const memory = root.command('memory').description('see, correct and erase what is remembered of you')
  memory
    .command('show')
    .description('show what is remembered, and which run it comes from')
    .addOption(jsonOption())
    .action(run((options: JsonOption) => showMemory(cli, options)))
  memory
    .command('edit')
    .description('write one field')
    .argument('<field>', FIELD_NAMES.join(', '))
    .argument('<value...>', 'its value; projects separated by commas')
    .action(run((field: string, words: string[]) => editMemory(cli, field, words)))
  memory
    .command('forget')
    .description('erase fields with their history')
    .argument('[field...]', 'the fields')
    .option('--all', 'everything, all conversations and skills included')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(run((fields: string[], options: ForgetOptions) => forgetMemory(cli, fields, options)))
  memory
    .command('undo')
    .description('take back what one run remembered')
    .argument('<run>', 'the run, as its notice names it')
    .action(run((id: string) => undoMemory(cli, id)))
  memory
    .command('history')
    .description('list what was changed, when and by what')
    .addOption(jsonOption())
    .action(run((options: JsonOption) => memoryHistory(cli, options)))
}

interface JsonOption {
  readonly json?: boolean
}

/** `tutti memory show`: lists the memory about the user with its sources. */
async function showMemory(cli: Cli, { json }: JsonOption): Promise<void> {
  return withApp(cli, {}, async ({ profiles, conversations, runs: { owner } }) => {
    const entries = await profiles.entries(owner)
    const kept = await conversations.list(owner)
    if (json === true) {
      const profile = profileOf(entries) ?? { facts: {}, preferences: {} }
      const talks = kept.map((talk) => ({ ...talk, createdAt: iso(talk.createdAt), updatedAt: iso(talk.updatedAt) }))
      return printJson(cli, { owner, ...profile, entries: entries.map(dated), conversations: talks })
    }
    if (entries.length === 0)
      cli.err.line(`Nothing is remembered of you. Say it in a question, or: ${cli.self} memory edit FIELD VALUE`)
    else {
      const rows = entries.map(({ field, value, source }) => ({
        field: profileFieldLabel(field),
        value: valueText(value),
        source: sourceText(source),
        when: age(cli.clock.now() - source.at),
      }))
      printList(cli.out, ['field', 'value', 'source', 'when'], rows)
    }
    if (kept.length > 0) {
      cli.err.line(`Conversations kept: ${kept.length}, the latest "${safeLine(kept[0]!.title)}".`)
    }
  })
}

/** `tutti memory history`: every change, oldest first. */
async function memoryHistory(cli: Cli, { json }: JsonOption): Promise<void> {
  return withApp(cli, {}, async ({ profiles, runs: { owner } }) => {
    const changes = await profiles.history(owner)
    if (json === true) return printJson(cli, { owner, changes: changes.map(dated) })
    if (changes.length === 0) return cli.err.line('Nothing has been changed yet.')
    const rows = changes.map(({ field, before, after, source }) => ({
      field: profileFieldLabel(field),
      before: before === undefined ? '' : valueText(before),
      after: valueText(after),
      source: sourceText(source),
      when: age(cli.clock.now() - source.at),
    }))
    printList(cli.out, ['field', 'before', 'after', 'source', 'when'], rows)
  })
}

/** `tutti memory edit`: writes one field; projects are separated by commas and take the place of those known. */
async function editMemory(cli: Cli, name: string, words: readonly string[]): Promise<void> {
  const field = fieldOf(name)
  const text = words.join(' ')
  const value = cleanValue(field, field === 'recentProjects' ? text.split(',') : text)
  if (value === undefined) {
    throw new TuttiError(
      'InvalidRequest',
      `The value is empty. To erase the field: ${cli.self} memory forget ${profileFieldLabel(field)}`,
    )
  }
  return withApp(cli, {}, async ({ profiles, runs: { owner } }) => {
    const { randomUUID } = await import('node:crypto')
    const source = { by: 'user', at: cli.clock.now() } as const
    const changes = await profiles.update(owner, { values: { [field]: value }, source, key: randomUUID() })
    cli.err.line(
      `${profileFieldLabel(field)}: ${safeLine(valueText(value))}${changes.length === 0 ? ' (unchanged)' : ''}`,
    )
  })
}

interface ForgetOptions extends JsonOption {
  readonly all?: boolean
  readonly yes?: boolean
}

/** `tutti memory forget`: erases fields with their history; `--all` also every conversation. */
async function forgetMemory(
  cli: Cli,
  names: readonly string[],
  { all = false, yes, json }: ForgetOptions,
): Promise<void> {
  const fields = names.map(fieldOf)
  if (all === fields.length > 0) {
    throw new TuttiError('InvalidRequest', `Name the fields to erase (${FIELD_NAMES.join(', ')}), or use --all.`)
  }
  return withApp(cli, {}, async (app) => {
    const what = all
      ? 'everything that is remembered of you, with all conversations and skills'
      : fields.map(profileFieldLabel).join(', ')
    if (!(await askConfirmation(cli, { what: `Erase ${what}`, yes }))) return
    const { owner } = app.runs
    const erased = (await app.profiles.forget(owner, all ? undefined : fields)).map(profileFieldLabel)
    const conversations = all ? await app.conversations.remove(owner) : 0
    const skills = all ? await app.skills.forget(owner) : 0
    if (json === true) return printJson(cli, { erased, conversations, skills })
    const more = [some(conversations, 'conversation'), some(skills, 'skill')].flat()
    cli.err.line(`Erased: ${[...erased, ...more].join(', ') || 'nothing; there was nothing to erase'}.`)
    cli.err.line('The logs of runs keep what those runs were told.')
  })
}

/** `tutti memory undo`: takes back what a run remembered. */
async function undoMemory(cli: Cli, id: string): Promise<void> {
  return withApp(cli, {}, async ({ profiles, runs }) => {
    const { runId } = await findRun(runs, cli, id)
    const fields = await undoRemembered(profiles, runs.owner, runId, cli.clock.now())
    cli.err.line(`Taken back: ${fields.map(profileFieldLabel).join(', ') || 'nothing; nothing of it is kept'}.`)
  })
}

function some(count: number, what: string): string[] {
  return count === 0 ? [] : [pluralize(count, what)]
}

const FIELD_NAMES = PROFILE_FIELDS.map(profileFieldLabel)

/** Its name however it is spelled: `user-name`, `user_name`, `userName` or `name`. */
function fieldOf(text: string): ProfileField {
  const plain = text.toLowerCase().replace(/[^a-z]/g, '')
  const field =
    PROFILE_FIELDS.find((name) => name.toLowerCase() === plain) ??
    PROFILE_FIELDS.find((name) => plain !== '' && profileFieldLabel(name).split('-').includes(plain))
  if (field !== undefined) return field
  throw new TuttiError('InvalidRequest', `There is no field "${text}". There are: ${FIELD_NAMES.join(', ')}.`)
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
