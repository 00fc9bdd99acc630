import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TEAM_CHANGED, TEAM_GIVEN, TEAM_NAMED } from '../../agents/teams/architect.ts'
import { architectRequest, goalOf } from '../../agents/teams/architect-request.ts'
import { diagramOf } from '../../agents/teams/diagram.ts'
import { renameTeam } from '../../agents/teams/rename.ts'
import { teamRunRequest } from '../../agents/teams/team-agent.ts'
import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import type { RequestInput } from '../../domain/request.ts'
import { parseTeam, TEAM_TOOL, type TeamVersion } from '../../domain/team.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { readYaml } from '../../app/config/config-text.ts'
import { fileError } from '../file-error.ts'
import { followRun } from '../follow.ts'
import { withApp } from '../open-app.ts'
import { requestOf, sourceOptions, type AskOptions } from '../option-values.ts'
import { teamText } from '../render/team.ts'
import { safeLine } from '../render/text.ts'
import { jsonOption, traceOption, withSources } from '../shared-options.ts'

const NAME = 'name of the team'

export function addTeams({ root, cli, run }: Program): void {
  const teams = root.command('teams').description('build teams of agents, and use them as one agent')
  const asking = (name: string, what: string) =>
    withSources(teams.command(name)).description(what).addOption(traceOption()).addOption(jsonOption())
  asking('build', 'design a team for a goal; you approve it, and it is tried on its checks')
    .argument('<goal>', 'what it is for: "checks invoices against contracts and writes a report"')
    .option('--name <name>', 'what it is called; the architect finds a name when absent')
    .action(
      run((goal: string, { name, ...options }: AskOptions & { readonly name?: string }) =>
        architect(cli, goalOf(goal), omitUndefined({ [TEAM_NAMED]: name }), options),
      ),
    )
  asking('edit', 'change a team in your words, as a new version; takes a language model')
    .argument('<team>', NAME)
    .argument('<change>', 'what is to be different')
    .action(
      run((name: string, change: string, options: AskOptions) =>
        architect(cli, change, { [TEAM_CHANGED]: name }, options),
      ),
    )
  asking('import', 'take a team from a file, as a new version where there is one of its name')
    .argument('<file>', 'JSON, as "teams export" writes it')
    .action(run((file: string, options: AskOptions) => importTeam(cli, file, options)))
  asking('run', 'put a question to one team')
    .argument('<team>', NAME)
    .argument('[question]', 'the question; the first of its checks when absent')
    .action(
      run((name: string, question: string | undefined, options: AskOptions) => runTeam(cli, name, question, options)),
    )
  teams
    .command('list')
    .description('list the teams that can be used, and yours that are kept and not used')
    .addOption(jsonOption())
    .action(run((options: Json) => list(cli, options)))
  teams
    .command('show')
    .description('show a team: members, diagram, versions')
    .argument('<team>', NAME)
    .addOption(jsonOption())
    .action(run((name: string, options: Json) => show(cli, name, options)))
  teams
    .command('rollback')
    .description('use an earlier version of a team again')
    .argument('<team>', NAME)
    .argument('[version]', 'the one before the current when absent', Number)
    .action(run((name: string, version: number | undefined) => rollback(cli, name, version)))
  teams
    .command('export')
    .description('print a team as JSON, or write it to a file')
    .argument('<team>', NAME)
    .argument('[file]', 'where to')
    .action(run((name: string, file: string | undefined) => exportTeam(cli, name, file)))
  teams
    .command('share')
    .description('let everybody of this installation use a team of yours, in the version that you use')
    .argument('<team>', NAME)
    .option('--off', 'no longer')
    .action(run((name: string, { off = false }: { readonly off?: boolean }) => share(cli, name, !off)))
  teams
    .command('rename')
    .description('call a team of yours otherwise, in all of its versions')
    .argument('<team>', NAME)
    .argument('<name>', 'what it is to be called')
    .action(run((name: string, to: string) => rename(cli, name, to)))
  teams
    .command('remove')
    .description('take a team of yours out of use, for everybody')
    .argument('<team>', NAME)
    .action(run((name: string) => remove(cli, name)))
}

interface Json {
  readonly json?: boolean
}

/** Runs only the architect agent. */
function architect(
  cli: Cli,
  question: string,
  context: Readonly<Record<string, unknown>>,
  options: AskOptions,
): Promise<ExitCode> {
  return asked(cli, options, async (app) => {
    const names = (await app.team()).map(({ name }) => name)
    const runRequest = requestOf(question, options)
    const without = runRequest.disableAgents?.flatMap((name) => name ?? [])
    return { ...runRequest, ...architectRequest(question, names, { ...runRequest.context, ...context }, without) }
  })
}

/** `tutti teams import`: the file is untrusted, so the team needs the same approval as a designed one. */
async function importTeam(cli: Cli, file: string, options: AskOptions): Promise<ExitCode> {
  const text = await readFile(resolve(cli.cwd, file), 'utf8').catch((thrown: unknown) => {
    throw fileError(file, 'read', thrown)
  })
  const { value } = await readYaml(text).catch((thrown: unknown) => {
    const message = `${file} is no JSON, ${(thrown as Error).message}. Correct it, or export it again with "teams export".`
    throw new TuttiError('InvalidRequest', message)
  })
  const { name } = parseTeam(value)
  return architect(cli, `Take the team "${name}" from a file`, { [TEAM_GIVEN]: value }, options)
}

/** `tutti teams run`. */
function runTeam(cli: Cli, name: string, question: string | undefined, options: AskOptions): Promise<ExitCode> {
  return asked(cli, options, async (app) => teamRunRequest(await current(app, name), app.runs.owner, question))
}

function asked(cli: Cli, options: AskOptions, request: (app: App) => Promise<RequestInput>): Promise<ExitCode> {
  return withApp(cli, sourceOptions(options), async (app) => {
    const runId = await app.start(await request(app))
    return followRun(cli, app, runId, { json: options.json === true, trace: options.trace === true })
  })
}

/** `tutti teams list`. */
function list(cli: Cli, { json }: Json): Promise<void> {
  return withApp(cli, {}, async ({ teams, runs }) => {
    const used = await teams.teams(runs.owner)
    const unused = await teams.unused(runs.owner)
    const found = [...used, ...unused.filter(({ name }) => used.every((one) => one.name !== name))]
    if (json === true) return printJson(cli, { teams: found })
    if (found.length === 0) return cli.out.line(`There are no teams yet. Build one: ${cli.self} teams build "…"`)
    // What others use of a team may be another version than its owner's.
    const sharing = async (name: string, isShared: boolean): Promise<string> => {
      if (isShared) return ', shared'
      const versions = (await teams.versions(runs.owner, name)).flatMap((one) => (one.isShared ? [one.version] : []))
      return versions.length === 0 ? '' : `, shared is version ${versions.toSorted((a, b) => a - b).join(' or ')}`
    }
    for (const { name, version, team, isShared, isCurrent, status, owner } of found) {
      const state = status === 'failed' ? ', not used: it did not pass its checks' : ', in trial'
      const whose = !isCurrent ? state : owner === runs.owner ? await sharing(name, isShared) : `, of ${owner}`
      cli.out.line(safeLine(`${name}  version ${version}${whose}: ${team.purpose}`))
    }
  })
}

/** `tutti teams show`. */
function show(cli: Cli, name: string, { json }: Json): Promise<void> {
  return withApp(cli, {}, async (app) => {
    const version = await changeable(app, name)
    const isMine = version.owner === app.runs.owner
    const versions = (await app.teams.versions(version.owner, name)).filter((one) => isMine || one.isShared)
    if (json === true) return printJson(cli, { ...version, diagram: diagramOf(version.team), versions })
    const { team } = version
    cli.out.line(teamText(team, cli.out.style, version.version))
    for (const line of diagramOf(team)) cli.out.line(safeLine(line))
    for (const one of versions) {
      const used = (one.isCurrent ? ', in use' : '') + (one.isShared ? ', shared' : '')
      cli.out.line(safeLine(`version ${one.version}: ${one.status}${used}. ${one.remark ?? ''}`.trimEnd()))
    }
  })
}

/** `tutti teams rollback`. */
function rollback(cli: Cli, name: string, version: number | undefined): Promise<void> {
  return withApp(cli, {}, async ({ teams, runs }) => {
    const versions = await teams.versions(runs.owner, name)
    const used = versions.find(({ isCurrent }) => isCurrent)?.version
    const before = versions.find((one) => one.status === 'ready' && one.version < (used ?? 0))?.version
    if (version === undefined && used !== undefined && before === undefined) {
      throw new TuttiError('InvalidRequest', noEarlier(name, used, versions))
    }
    const wanted = version ?? before
    if (wanted === undefined || !(await teams.use(runs.owner, name, wanted))) {
      const ready = versions.filter(({ status }) => status === 'ready').map((one) => one.version)
      throw new TuttiError(
        'InvalidRequest',
        `There is no such version of "${name}" that can be used. There are: ${ready.join(', ') || 'none'}.`,
      )
    }
    cli.out.line(safeLine(`Version ${wanted} of ${name} is used from now on.`))
  })
}

function noEarlier(name: string, used: number, versions: readonly TeamVersion[]): string {
  const later = versions.filter(({ status, version }) => status === 'ready' && version > used)
  const named = later.map(({ version }) => version).join(', ')
  const more = named === '' ? '' : ` Name a later one to use it: ${named}.`
  return `There is no earlier version of "${name}" that can be used; version ${used} is in use.${more}`
}

/** `tutti teams export`. */
function exportTeam(cli: Cli, name: string, file: string | undefined): Promise<void> {
  return withApp(cli, {}, async (app) => {
    const text = JSON.stringify((await changeable(app, name)).team, null, 2)
    if (file === undefined) return cli.out.line(text)
    await writeFile(resolve(cli.cwd, file), `${text}\n`, { flag: 'wx' }).catch((thrown: unknown) => {
      throw fileError(file, 'written', thrown)
    })
    cli.out.line(safeLine(`Wrote ${file}.`))
  })
}

/** `tutti teams share`. */
function share(cli: Cli, name: string, isShared: boolean): Promise<void> {
  return withApp(cli, {}, async ({ teams, runs }) => {
    if (!(await teams.share(runs.owner, name, isShared))) throw unknown(name, await teams.teams(runs.owner))
    cli.out.line(
      safeLine(
        isShared
          ? `Everybody may use ${name} now, as it is; later versions once you share them, too.`
          : `${name} is yours alone again.`,
      ),
    )
  })
}

/** `tutti teams rename`. */
function rename(cli: Cli, name: string, to: string): Promise<void> {
  return withApp(cli, {}, async ({ teams, runs, teamRegistry }) => {
    await renameTeam(teams, await teamRegistry(runs.owner), name, to)
    cli.out.line(safeLine(`${name} is called ${to} from now on.`))
  })
}

/** `tutti teams remove`. */
function remove(cli: Cli, name: string): Promise<void> {
  return withApp(cli, {}, async ({ teams, runs }) => {
    if (!(await teams.remove(runs.owner, name))) throw unknown(name, await teams.teams(runs.owner))
    const others = (await teams.teams(runs.owner)).filter(({ team }) =>
      team.agents.some(({ tools }) => tools.includes(TEAM_TOOL + name)),
    )
    const used = others.length === 0 ? '' : ` It is missing now in: ${others.map((one) => one.name).join(', ')}.`
    cli.out.line(safeLine(`${name} is no longer used. A new team of this name continues its version numbers.${used}`))
  })
}

/**
 * Returns the team in use, or the user's latest version that is not in use, so that a broken team can be exported, too.
 */
async function changeable(app: App, name: string): Promise<TeamVersion> {
  const { teams, runs } = app
  const isUsed = (await teams.teams(runs.owner)).some((one) => one.name === name)
  const unused = isUsed ? [] : await teams.unused(runs.owner)
  return unused.find((one) => one.name === name) ?? current(app, name)
}

async function current({ teams, runs }: App, name: string): Promise<TeamVersion> {
  const all = await teams.teams(runs.owner)
  const found = all.find((one) => one.name === name)
  if (found === undefined) throw unknown(name, all)
  return found
}

function unknown(name: string, all: readonly TeamVersion[]): TuttiError {
  const there = all.map((one) => one.name).join(', ') || 'none'
  return new TuttiError('InvalidRequest', `There is no team "${name}". There are: ${there}.`)
}
