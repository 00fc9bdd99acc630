import { Option } from 'commander'
import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { skillStatus, type Skill, type SkillEdit, type SkillStatus } from '../../domain/skill.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { askConfirmation } from '../confirm.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { printList } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { jsonOption, yesOption } from '../shared-options.ts'

const SKILL = 'its id, or the beginning of it'

/** Commands to list, correct and erase the examples that agents learn from. */
export function addSkills({ root, cli, run }: Program): void {
  const group = root.command('skills').description('see, correct and erase how tasks were done before')
  group
    .command('list')
    .description('list skills, the latest used first')
    .addOption(jsonOption())
    .action(run((options: JsonOption) => list(cli, options)))
  group
    .command('show')
    .description('show the steps, the result, and how often the skill helped or misled')
    .argument('<id>', SKILL)
    .addOption(jsonOption())
    .action(run((id: string, options: JsonOption) => show(cli, id, options)))
  group
    .command('edit')
    .description('change what a skill is for, whether it is used, and who is given it')
    .argument('<id>', SKILL)
    .option('--task <text>', 'the task that it is an example of')
    .addOption(
      new Option('--status <status>', 'what you say of it; auto lets runs decide again').choices([
        'candidate',
        'trusted',
        'quarantined',
        'auto',
      ]),
    )
    .option('--share', "give it to every user's agents")
    .option('--private', 'give it to your agents alone')
    .action(run((id: string, options: EditOptions) => edit(cli, id, options)))
  group
    .command('forget')
    .description('erase skills')
    .argument('[id...]', SKILL)
    .option('--all', 'all of yours, those that you share included')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(run((ids: string[], options: ForgetOptions) => forget(cli, ids, options)))
}

interface JsonOption {
  readonly json?: boolean
}

async function list(cli: Cli, { json }: JsonOption): Promise<void> {
  return withApp(cli, {}, async ({ skills, runs: { owner } }) => {
    const known = await skills.list(owner)
    if (json === true) return printJson(cli, { skills: known.map((skill) => skillJson(skill, cli)) })
    if (known.length === 0) {
      cli.err.line('There are no skills. Agents learn where the configuration says workers.skills: true.')
      return
    }
    const rows = known.map((skill) => ({
      id: shortId(skill.skillId),
      agent: skill.agent,
      status: skillStatus(skill, cli.clock.now()),
      helped: skill.helped,
      misled: skill.hurt,
      used: age(cli.clock.now() - skill.usedAt),
      task: `${safeLine(skill.task)}${skill.shared ? ' (shared)' : ''}`,
    }))
    printList(cli.out, ['id', 'agent', 'status', 'helped', 'misled', 'used', 'task'], rows)
  })
}

/** A skill as JSON, without owner and vector, with its status and ISO 8601 times. */
function skillJson({ owner: _owner, vector: _vector, ...skill }: Skill, cli: Cli) {
  const [createdAt, usedAt] = [skill.createdAt, skill.usedAt].map((ms) => new Date(ms).toISOString())
  return { ...skill, status: skillStatus(skill, cli.clock.now()), createdAt, usedAt }
}

async function show(cli: Cli, id: string, { json }: JsonOption): Promise<void> {
  return withApp(cli, {}, async (app) => {
    const skill = await findSkill(app, cli, id)
    if (json === true) return printJson(cli, skillJson(skill, cli))
    const { skillId, agent, task, steps, outcome, helped, hurt, verdict, runId, provenance } = skill
    const suffix = verdict === undefined ? '' : ', as you said'
    const from = provenance.sources.length === 0 ? '' : `, from ${provenance.sources.join(', ')}`
    for (const line of [
      `${cli.out.style.bold(skillId)}  ${agent}, ${skillStatus(skill, cli.clock.now())}${suffix}${skill.shared ? ', shared' : ''}`,
      `Task: ${safeLine(task)}`,
      ...steps.map(({ tool, input }) => `  ${safeLine(tool)} ${safeLine(input)}`.trimEnd()),
      `Came to ${safeLine(outcome)}; it is ${provenance.author}${safeLine(from)}.`,
      `Helped in ${helped} ${helped === 1 ? 'run' : 'runs'}, misled in ${hurt}; made in run ${shortId(runId)}.`,
    ])
      cli.out.line(line)
  })
}

interface EditOptions {
  readonly task?: string
  readonly status?: SkillStatus | 'auto'
  readonly share?: boolean
  readonly private?: boolean
}

async function edit(cli: Cli, id: string, options: EditOptions): Promise<void> {
  const { task, status, share, private: isPrivate } = options
  if (share === true && isPrivate === true) {
    throw new TuttiError('InvalidRequest', 'A skill is shared or private; choose one of the two.')
  }
  const shared = share === true ? true : isPrivate === true ? false : undefined
  const change: SkillEdit = omitUndefined({
    task: task?.trim() || undefined,
    shared,
    verdict: status === 'auto' ? null : status,
  })
  if (Object.keys(change).length === 0) {
    throw new TuttiError('InvalidRequest', 'Say what to change: --task, --status, --share or --private.')
  }
  return withApp(cli, {}, async (app) => {
    const { skillId } = await findSkill(app, cli, id, true)
    await app.skills.edit(app.runs.owner, skillId, change)
    cli.err.line(`Changed skill ${shortId(skillId)}.`)
  })
}

interface ForgetOptions extends JsonOption {
  readonly all?: boolean
  readonly yes?: boolean
}

async function forget(cli: Cli, ids: readonly string[], { all = false, yes, json }: ForgetOptions): Promise<void> {
  if (all === ids.length > 0) throw new TuttiError('InvalidRequest', 'Name the skills to erase, or use --all.')
  return withApp(cli, {}, async (app) => {
    const found = new Set<string>()
    for (const id of ids) found.add((await findSkill(app, cli, id, true)).skillId)
    const what = all
      ? 'all of your skills'
      : found.size === 1
        ? `skill ${shortId([...found][0]!)}`
        : `${found.size} skills`
    if (!(await askConfirmation(cli, { what: `Erase ${what}`, yes }))) return
    const count = await app.skills.forget(app.runs.owner, all ? undefined : [...found])
    if (json === true) return printJson(cli, { erased: count })
    cli.err.line(
      `Erased ${count} ${count === 1 ? 'skill' : 'skills'}. The logs of runs keep what those runs were given.`,
    )
  })
}

/** @throws TuttiError `InvalidRequest` if no skill or several have this prefix */
async function findSkill(
  { skills, runs: { owner } }: Pick<App, 'skills' | 'runs'>,
  { self }: Pick<Cli, 'self'>,
  text: string,
  isOwn = false,
): Promise<Skill> {
  const wanted = text.trim().toLowerCase()
  const known = (await skills.list(owner)).filter((skill) => !isOwn || skill.owner === owner)
  const matches = wanted === '' ? [] : known.filter(({ skillId }) => skillId.startsWith(wanted))
  if (matches.length === 1) return matches[0]!
  throw new TuttiError(
    'InvalidRequest',
    matches.length === 0
      ? `There is no skill "${text}"${isOwn ? ' of yours' : ''}. List them with: ${self} skills list`
      : `${matches.length} skills begin with "${text}"; type more of its id.`,
  )
}
