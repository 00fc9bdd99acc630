import { randomUUID } from 'node:crypto'
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
} from '../../domain/profile.ts'
import type { DeleteOptions, JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { undoRemembered } from '../../memory/undo.ts'
import { printItems, printList } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { withIsoTimes } from './conversations.ts'
import { argument, option, JSON_OPTION, YES_OPTION } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'

const FIELD_NAMES = PROFILE_FIELDS.map(profileFieldLabel)

/** Commands to list, correct and erase the memory about the user. */
export function addMemory({ root, cli, command }: Program): void {
  const memory = root.command('memory').description('show, edit and delete what Tutti remembers about you')
  command(memory, 'show', 'show the stored facts and their runs', JSON_OPTION).withApp(
    async ({ profiles, conversations, runs: { owner } }, { json }: JsonOption) => {
      const entries = await profiles.entries(owner)
      const kept = await conversations.list(owner)
      if (json === true) {
        const profile = profileOf(entries) ?? { facts: {}, preferences: {} }
        const talks = kept.map(withIsoTimes)
        return printJson(cli, { owner, ...profile, entries: entries.map(dated), conversations: talks })
      }
      if (entries.length === 0)
        cli.err.line(
          `Nothing is stored about you. Mention it in a question, or run: ${cli.self} memory edit FIELD VALUE`,
        )
      else {
        const rows = entries.map(({ field, value, source }) => ({
          field: profileFieldLabel(field),
          value: valueText(value),
          source: sourceText(source),
          when: age(cli.clock.now() - source.at),
        }))
        printList(cli.out, ['field', 'value', 'source', 'when'], rows)
      }
      if (kept.length > 0) cli.err.line(`Conversations kept: ${kept.length}, the latest "${safeLine(kept[0]!.title)}".`)
    },
  )
  command(
    memory,
    'edit',
    'set a field',
    argument('<field>', FIELD_NAMES.join(', ')),
    argument('<value...>', 'value; projects separated by commas'),
  ).withApp(async ({ profiles, runs: { owner } }, name: string, words: readonly string[]) => {
    const field = fieldOf(name)
    const label = profileFieldLabel(field)
    const text = words.join(' ')
    const value = cleanValue(field, field === 'recentProjects' ? text.split(',') : text)
    if (value === undefined) {
      const message = `The value is empty. To erase the field: ${cli.self} memory forget ${label}`
      throw new TuttiError('InvalidRequest', message)
    }
    const source = { by: 'user', at: cli.clock.now() } as const
    const changes = await profiles.update(owner, { values: { [field]: value }, source, key: randomUUID() })
    cli.err.line(`${label}: ${safeLine(valueText(value))}${changes.length === 0 ? ' (unchanged)' : ''}`)
  })
  command(
    memory,
    'forget',
    'delete fields and their history',
    argument('[field...]', 'the fields'),
    option('--all', 'everything, including all conversations and skills'),
    YES_OPTION,
    JSON_OPTION,
  ).withApp(async (app, names: readonly string[], { all = false, yes, json }: DeleteOptions) => {
    const fields = names.map(fieldOf)
    if (all === fields.length > 0) {
      const message = `Name the fields to erase (${FIELD_NAMES.join(', ')}), or use --all.`
      throw new TuttiError('InvalidRequest', message)
    }
    const what = all
      ? 'everything that is remembered of you, with all conversations and skills'
      : fields.map(profileFieldLabel).join(', ')
    if (!(await askConfirmation(cli, { what: `Erase ${what}`, yes }))) return
    const { owner } = app.runs
    const erased = (await app.profiles.forget(owner, all ? undefined : fields)).map(profileFieldLabel)
    const conversations = all ? await app.conversations.remove(owner) : 0
    const skills = all ? await app.skills.forget(owner) : 0
    if (json === true) return printJson(cli, { erased, conversations, skills })
    const more = [
      ...(conversations === 0 ? [] : [pluralize(conversations, 'conversation')]),
      ...(skills === 0 ? [] : [pluralize(skills, 'skill')]),
    ]
    cli.err.line(`Erased: ${[...erased, ...more].join(', ') || 'nothing; there was nothing to erase'}.`)
    cli.err.line('Earlier run logs still contain these values.')
  })
  command(memory, 'undo', 'undo what one run stored', argument('<run>', 'id of the run')).withApp(
    async ({ profiles, runs }, id: string) => {
      const { runId } = await findRun(runs, cli, id)
      const fields = await undoRemembered(profiles, runs.owner, runId, cli.clock.now())
      cli.err.line(`Undone: ${fields.map(profileFieldLabel).join(', ') || 'nothing; the run stored nothing'}.`)
    },
  )
  command(memory, 'history', 'list changes', JSON_OPTION).withApp(
    async ({ profiles, runs: { owner } }, { json }: JsonOption) => {
      const changes = await profiles.history(owner)
      const rows = changes.map(({ field, before, after, source }) => ({
        field: profileFieldLabel(field),
        before: before === undefined ? '' : valueText(before),
        after: valueText(after),
        source: sourceText(source),
        when: age(cli.clock.now() - source.at),
      }))
      printItems(cli, {
        json,
        object: { owner, changes: changes.map(dated) },
        empty: 'There are no changes yet.',
        rows,
      })
    },
  )
}

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
  return { ...entry, source: { ...entry.source, at: new Date(entry.source.at).toISOString() } }
}

function valueText(value: ProfileValue): string {
  return typeof value === 'string' ? value : value.join(', ')
}

function sourceText({ by, runId }: MemorySource): string {
  return by === 'user' ? 'edited by you' : `said in run ${shortId(runId ?? '')}`
}
