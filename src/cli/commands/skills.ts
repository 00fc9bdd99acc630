import { Option } from 'commander'
import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { pluralize } from '../../shared/pluralize.ts'
import { skillStatus, type Skill, type SkillEdit, type SkillStatus } from '../../domain/skill.ts'
import type { DeleteOptions, JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findById } from '../find-run.ts'
import { printItems } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { argument, option, JSON_OPTION, YES_OPTION } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'

const SKILL = 'its id, or the beginning of it'

interface EditOptions {
  readonly task?: string
  readonly status?: SkillStatus | 'auto'
  readonly share?: boolean
  readonly private?: boolean
}

/** Commands to list, correct and erase the examples that agents learn from. */
export function addSkills({ root, cli, command }: Program): void {
  const group = root.command('skills').description('show, edit and delete skills learned from earlier tasks')
  const statusOf = (skill: Skill): SkillStatus => skillStatus(skill, cli.clock.now())
  /** Without owner and vector, with its status and ISO 8601 times. */
  const skillJson = (whole: Skill) => {
    const { owner: _owner, vector: _vector, ...skill } = whole
    const [createdAt, usedAt] = [skill.createdAt, skill.usedAt].map((ms) => new Date(ms).toISOString())
    return { ...skill, status: statusOf(whole), createdAt, usedAt }
  }
  const find = async ({ skills, runs: { owner } }: App, text: string, isOwn = false): Promise<Skill> => {
    const all = (await skills.list(owner)).filter((skill) => !isOwn || skill.owner === owner)
    return findById(all, text, { name: 'skill', list: `${cli.self} skills list`, idOf: ({ skillId }) => skillId })
  }
  command(group, 'list', 'list skills, most recently used first', JSON_OPTION).withApp(
    async ({ skills, runs }, { json }: JsonOption) => {
      const known = await skills.list(runs.owner)
      const rows = known.map((skill) => ({
        id: shortId(skill.skillId),
        agent: skill.agent,
        status: statusOf(skill),
        helped: skill.helped,
        misled: skill.hurt,
        used: age(cli.clock.now() - skill.usedAt),
        task: `${safeLine(skill.task)}${skill.shared ? ' (shared)' : ''}`,
      }))
      printItems(cli, {
        json,
        object: { skills: known.map(skillJson) },
        empty: 'There are no skills. Agents learn where the configuration says workers.skills: true.',
        rows,
      })
    },
  )
  command(
    group,
    'show',
    'show a skill and how often it helped or misled',
    argument('<id>', SKILL),
    JSON_OPTION,
  ).withApp(async (app, id: string, { json }: JsonOption) => {
    const skill = await find(app, id)
    if (json === true) return printJson(cli, skillJson(skill))
    const { skillId, agent, task, steps, outcome, helped, hurt, verdict, runId, provenance } = skill
    const suffix = verdict === undefined ? '' : ', as you said'
    const from = provenance.sources.length === 0 ? '' : `, from ${provenance.sources.join(', ')}`
    for (const line of [
      `${cli.out.style.bold(skillId)}  ${agent}, ${statusOf(skill)}${suffix}${skill.shared ? ', shared' : ''}`,
      `Task: ${safeLine(task)}`,
      ...steps.map(({ tool, input }) => `  ${safeLine(tool)} ${safeLine(input)}`.trimEnd()),
      `Came to ${safeLine(outcome)}; it is ${provenance.author}${safeLine(from)}.`,
      `Helped in ${pluralize(helped, 'run')}, misled in ${hurt}; made in run ${shortId(runId)}.`,
    ])
      cli.out.line(line)
  })
  command(
    group,
    'edit',
    'change the task, status or sharing of a skill',
    argument('<id>', SKILL),
    option('--task <text>', 'its task'),
    new Option('--status <status>', 'what you say of it; auto lets runs decide again').choices([
      'candidate',
      'trusted',
      'quarantined',
      'auto',
    ]),
    new Option('--share', "give it to every user's agents").conflicts('private'),
    option('--private', 'use it only for your own runs'),
  ).withApp(async (app, id: string, { task, status, share, private: isPrivate }: EditOptions) => {
    const change: SkillEdit = omitUndefined({
      task: task?.trim() || undefined,
      shared: share ?? (isPrivate === true ? false : undefined),
      verdict: status === 'auto' ? null : status,
    })
    if (Object.keys(change).length === 0) {
      throw new TuttiError('InvalidRequest', 'Nothing to change. Use --task, --status, --share or --private.')
    }
    const { skillId } = await find(app, id, true)
    await app.skills.edit(app.runs.owner, skillId, change)
    cli.err.line(`Changed skill ${shortId(skillId)}.`)
  })
  command(
    group,
    'forget',
    'delete skills',
    argument('[id...]', SKILL),
    option('--all', 'all your skills, including shared ones'),
    YES_OPTION,
    JSON_OPTION,
  ).withApp(async (app, ids: readonly string[], { all = false, yes, json }: DeleteOptions) => {
    if (all === ids.length > 0) throw new TuttiError('InvalidRequest', 'Name the skills to erase, or use --all.')
    const found = new Set<string>()
    for (const id of ids) found.add((await find(app, id, true)).skillId)
    const [first] = found
    const some = found.size === 1 ? `skill ${shortId(first!)}` : `${found.size} skills`
    if (!(await askConfirmation(cli, { what: `Erase ${all ? 'all of your skills' : some}`, yes }))) return
    const count = await app.skills.forget(app.runs.owner, all ? undefined : [...found])
    if (json === true) return printJson(cli, { erased: count })
    cli.err.line(`Erased ${pluralize(count, 'skill')}. Earlier run logs still contain them.`)
  })
}
