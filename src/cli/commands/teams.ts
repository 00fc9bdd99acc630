import { TEAM_CHANGED, TEAM_GIVEN, TEAM_NAMED } from '../../agents/teams/architect.ts'
import { architectRequest, goalOf } from '../../agents/teams/architect-request.ts'
import { diagramOf } from '../../agents/teams/diagram.ts'
import { renameTeam } from '../../agents/teams/rename.ts'
import { teamRunRequest } from '../../agents/teams/team-agent.ts'
import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { RequestInput } from '../../domain/request.ts'
import { parseTeam, TEAM_TOOL, type TeamVersion } from '../../domain/team.ts'
import type { JsonOption, Program, CommandPart } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { readYaml } from '../../app/config/config-text.ts'
import { followRun } from '../follow.ts'
import { withApp as openFor } from '../open-app.ts'
import { requestOf, sourceOptions, type AskOptions } from '../option-values.ts'
import { teamText } from '../render/team.ts'
import { safeLine } from '../render/text.ts'
import { argument, option, JSON_OPTION, TRACE_OPTION, SOURCE_OPTIONS } from '../shared-options.ts'
import { readInputFile, writeOutputFile } from '../text-files.ts'

const NAME = 'name of the team'

export function addTeams({ root, cli, command }: Program): void {
  const teams = root.command('teams').description('build, run and share teams of agents')
  const named = (name: string, description: string, ...parts: CommandPart[]) =>
    command(teams, name, description, argument('<team>', NAME), ...parts)
  const say = (text: string): void => cli.out.line(safeLine(text))
  /** A command that starts a run. */
  const runCommand = (name: string, description: string, ...parts: CommandPart[]) =>
    command(teams, name, description, ...SOURCE_OPTIONS, TRACE_OPTION, JSON_OPTION, ...parts)
  const ask = (options: AskOptions, request: (app: App) => Promise<RequestInput>): Promise<ExitCode> =>
    openFor(cli, sourceOptions(options), async (app) => {
      const runId = await app.start(await request(app))
      return followRun(cli, app, runId, { json: options.json === true, trace: options.trace === true })
    })
  /** Runs only the architect agent. */
  const architect = (question: string, context: Readonly<Record<string, unknown>>, options: AskOptions) =>
    ask(options, async (app) => {
      const names = (await app.team()).map(({ name }) => name)
      const request = requestOf(question, options)
      const without = request.disableAgents?.flatMap((name) => name ?? [])
      return { ...request, ...architectRequest(question, names, { ...request.context, ...context }, without) }
    })
  runCommand(
    'build',
    'design a team for a goal; you approve it, and it is tried on its checks',
    argument('<goal>', 'purpose, such as "checks invoices against contracts and writes a report"'),
    option('--name <name>', 'name; by default the architect chooses one'),
  ).run((goal: string, { name, ...options }: AskOptions & { readonly name?: string }) =>
    architect(goalOf(goal), omitUndefined({ [TEAM_NAMED]: name }), options),
  )
  runCommand(
    'edit',
    'change a team in your words, as a new version; takes a language model',
    argument('<team>', NAME),
    argument('<change>', 'the change'),
  ).run((name: string, change: string, options: AskOptions) => architect(change, { [TEAM_CHANGED]: name }, options))
  runCommand(
    'import',
    'take a team from a file, as a new version where there is one of its name',
    argument('<file>', 'JSON file from "teams export"'),
  ).run(async (file: string, options: AskOptions) => {
    const text = await readInputFile(cli, file)
    const { value } = await readYaml(text).catch((thrown: unknown) => {
      const message = `${file} is no JSON, ${(thrown as Error).message}. Correct it, or export it again with "teams export".`
      throw new TuttiError('InvalidRequest', message)
    })
    return architect(`Take the team "${parseTeam(value).name}" from a file`, { [TEAM_GIVEN]: value }, options)
  })
  runCommand(
    'run',
    'put a question to one team',
    argument('<team>', NAME),
    argument('[question]', 'the question; the first check by default'),
  ).run((name: string, question: string | undefined, options: AskOptions) =>
    ask(options, async (app) => teamRunRequest(await findTeam(app, name), app.runs.owner, question)),
  )
  command(teams, 'list', 'list teams', JSON_OPTION).withApp(async (app, { json }: JsonOption) => {
    const { owner } = app.runs
    const used = await app.teams.teams(owner)
    const unused = await app.teams.unused(owner)
    const found = [...used, ...unused.filter(({ name }) => used.every((one) => one.name !== name))]
    if (json === true) return printJson(cli, { teams: found })
    if (found.length === 0) return cli.out.line(`There are no teams yet. Build one: ${cli.self} teams build "…"`)
    // What others use of a team may be another version than its owner's.
    const sharing = async (name: string, isShared: boolean): Promise<string> => {
      if (isShared) return ', shared'
      const versions = (await app.teams.versions(owner, name)).filter((one) => one.isShared)
      const numbers = versions.map(({ version }) => version).toSorted((a, b) => a - b)
      return numbers.length === 0 ? '' : `, shared is version ${numbers.join(' or ')}`
    }
    for (const { name, version, team, isShared, isCurrent, status, owner: by } of found) {
      const state = status === 'failed' ? ', not used: it did not pass its checks' : ', in trial'
      const whose = !isCurrent ? state : by === owner ? await sharing(name, isShared) : `, of ${by}`
      say(`${name}  version ${version}${whose}: ${team.purpose}`)
    }
  })
  named('show', 'show a team: members, diagram, versions', JSON_OPTION).withApp(
    async (app, name: string, { json }: JsonOption) => {
      const version = await findOwnTeam(app, name)
      const isMine = version.owner === app.runs.owner
      const versions = (await app.teams.versions(version.owner, name)).filter((one) => isMine || one.isShared)
      const diagram = diagramOf(version.team)
      if (json === true) return printJson(cli, { ...version, diagram, versions })
      cli.out.line(teamText(version.team, cli.out.style, version.version))
      diagram.forEach(say)
      for (const one of versions) {
        const used = (one.isCurrent ? ', in use' : '') + (one.isShared ? ', shared' : '')
        say(`version ${one.version}: ${one.status}${used}. ${one.remark ?? ''}`.trimEnd())
      }
    },
  )
  named(
    'rollback',
    'restore an earlier version of a team',
    argument('[version]', 'version; the previous one by default').argParser(Number),
  ).withApp(async (app, name: string, version: number | undefined) => {
    const versions = await app.teams.versions(app.runs.owner, name)
    const used = versions.find(({ isCurrent }) => isCurrent)?.version
    const before = versions.find((one) => one.status === 'ready' && one.version < (used ?? 0))?.version
    if (version === undefined && used !== undefined && before === undefined)
      throw new TuttiError('InvalidRequest', noEarlierVersion(name, used, versions))
    const wanted = version ?? before
    if (wanted === undefined || !(await app.teams.use(app.runs.owner, name, wanted))) {
      const ready = versions.filter(({ status }) => status === 'ready').map((one) => one.version)
      throw new TuttiError(
        'InvalidRequest',
        `There is no such version of "${name}" that can be used. There are: ${ready.join(', ') || 'none'}.`,
      )
    }
    say(`${name} now uses version ${wanted}.`)
  })
  named(
    'export',
    'print a team as JSON, or write it to a file',
    argument('[file]', 'file to write; prints by default'),
  ).withApp(async (app, name: string, file: string | undefined) => {
    const text = JSON.stringify((await findOwnTeam(app, name)).team, null, 2)
    if (file === undefined) return cli.out.line(text)
    await writeOutputFile(cli, file, `${text}\n`, 'wx')
    say(`Wrote ${file}.`)
  })
  named('share', 'share a team with all users of this installation', option('--off', 'stop sharing')).withApp(
    async (app, name: string, { off = false }: { readonly off?: boolean }) => {
      const { owner } = app.runs
      if (!(await app.teams.share(owner, name, !off))) throw teamNotFound(name, await app.teams.teams(owner))
      const shared = `All users can now use ${name} in this version. Share later versions separately.`
      say(off ? `${name} is no longer shared.` : shared)
    },
  )
  named('rename', 'rename a team in all its versions', argument('<name>', 'new name')).withApp(
    async (app, name: string, to: string) => {
      await renameTeam(app.teams, await app.teamRegistry(app.runs.owner), name, to)
      say(`${name} is now called ${to}.`)
    },
  )
  named('remove', 'remove a team for all users').withApp(async (app, name: string) => {
    const { owner } = app.runs
    if (!(await app.teams.remove(owner, name))) throw teamNotFound(name, await app.teams.teams(owner))
    const others = (await app.teams.teams(owner)).filter(({ team }) =>
      team.agents.some(({ tools }) => tools.includes(TEAM_TOOL + name)),
    )
    const used = others.length === 0 ? '' : ` It is missing now in: ${others.map((one) => one.name).join(', ')}.`
    say(`${name} is no longer used. A new team of this name continues its version numbers.${used}`)
  })
}

function noEarlierVersion(name: string, used: number, versions: readonly TeamVersion[]): string {
  const later = versions.filter(({ status, version }) => status === 'ready' && version > used)
  const named = later.map(({ version }) => version).join(', ')
  const more = named === '' ? '' : ` Name a later one to use it: ${named}.`
  return `There is no earlier version of "${name}" that can be used; version ${used} is in use.${more}`
}

/**
 * Returns the team in use, or the user's latest version that is not in use, so that a broken team can be exported, too.
 */
async function findOwnTeam(app: App, name: string): Promise<TeamVersion> {
  const { teams, runs } = app
  const isUsed = (await teams.teams(runs.owner)).some((one) => one.name === name)
  const unused = isUsed ? [] : await teams.unused(runs.owner)
  return unused.find((one) => one.name === name) ?? findTeam(app, name)
}

async function findTeam({ teams, runs }: App, name: string): Promise<TeamVersion> {
  const all = await teams.teams(runs.owner)
  const found = all.find((one) => one.name === name)
  if (found === undefined) throw teamNotFound(name, all)
  return found
}

function teamNotFound(name: string, all: readonly TeamVersion[]): TuttiError {
  const there = all.map((one) => one.name).join(', ') || 'none'
  return new TuttiError('InvalidRequest', `There is no team "${name}". There are: ${there}.`)
}
