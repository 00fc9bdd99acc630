import type { Cli } from '../cli.ts'
import { pluralize } from '../../shared/pluralize.ts'
import type { DatabaseReport } from '../../app/check-source.ts'
import type { DoctorOptions, DoctorReport, PartsReport } from '../doctor/examine.ts'
import type { DocumentsReport, SourcesReport } from '../doctor/sources.ts'
import type { ModelProbe } from '../../models/probe.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { safeLine } from '../render/text.ts'
import { option, JSON_OPTION, DATABASE_OPTION, API_OPTION, MCP_OPTION, ALLOW_HOST_OPTION } from '../shared-options.ts'
import type { PythonReport } from '../doctor/machine.ts'

export function addDoctor({ root, cli, command }: Program): void {
  command(
    root,
    'doctor',
    'check the configuration',
    option('--check', 'send one small request to each model, and open the mailbox'),
    option(
      '--probe [what]',
      'try what each model can do; "context" measures its context window, for many tokens',
    ).choices(['context']),
    DATABASE_OPTION,
    API_OPTION,
    MCP_OPTION,
    ALLOW_HOST_OPTION,
    JSON_OPTION,
  ).run((options: DoctorOptions) => doctor(cli, options))
}

/** `tutti doctor`: reports the configuration and what works. */
async function doctor(cli: Cli, options: DoctorOptions): Promise<ExitCode> {
  const { json } = options
  const { examine } = await import('../doctor/examine.ts')
  const report = await examine(cli, options)
  if (json === true) printJson(cli, report)
  else print(cli, report)
  return report.ok ? EXIT.ok : EXIT.configuration
}

function print(cli: Cli, report: DoctorReport): void {
  const { style } = cli.out
  const { platform, data, storage, configFile, parts, problems } = report
  section(cli, 'Machine', [
    `${platform.system}, Node.js ${platform.node}`,
    `data folder ${data.path}: ${data.problem ?? (data.exists ? 'can be written' : 'can be created')}`,
    `storage ${storage}`,
    `configuration ${configFile ?? 'no file; defaults'}`,
  ])
  if (parts !== undefined) {
    section(cli, 'Models', modelLines(parts))
    section(cli, 'Databases', orNone(parts.databases.flatMap(databaseLines)))
    section(cli, 'MCP servers', orNone(parts.mcp.flatMap(databaseLines)))
    section(cli, 'APIs', orNone(parts.apis.map((api) => `${api.name}: ${api.operations} operations at ${api.host}`)))
    section(cli, 'Documents', documentsLines(parts.sources.documents))
    section(cli, 'Mail', [parts.mailProblem === undefined ? mailLine(parts.sources.mail) : SEE_PROBLEMS])
    section(cli, 'Web search', [webLine(parts.sources.webSearch)])
    section(cli, 'Tracing', tracingLines(parts.tracing))
    section(cli, 'Kept', [
      parts.retention === null
        ? 'indefinitely; set "retention" in the configuration to delete old data'
        : `deleted by "tutti serve": ${parts.retention}`,
    ])
    section(cli, 'Agents', [parts.agents.join(', ')])
    section(cli, 'Isolation', isolationLines(parts, platform.isRoot))
  }
  if (problems.length === 0) return cli.out.line(style.green('Everything that is configured works.'))
  cli.out.line(style.bold('Problems'))
  for (const problem of problems) cli.out.line(style.red(`  ✗ ${safeLine(problem)}`))
}

function section(cli: Cli, title: string, lines: readonly string[]): void {
  cli.out.line(cli.out.style.bold(title))
  for (const line of lines) cli.out.line(`  ${safeLine(line)}`)
  cli.out.line()
}

function modelLines({ models, checks, probes = [] }: PartsReport): string[] {
  if (models.providers.length === 0) return ['none configured; answers come from the offline rules']
  return [
    ...models.providers.map(({ name, source, host }) => `${name}: from ${source}, at ${host}`),
    `default: ${models.default ?? 'none'}`,
    ...Object.entries(models.actors).map(([actor, model]) => `${actor}: ${model}`),
    ...Object.entries(models.seconds ?? {}).map(([actor, model]) => `second model, ${actor}: ${model}`),
    ...(checks === undefined
      ? ['not asked; --check makes one small request to each']
      : checks.map(({ provider, model, ok, message, latencyMs }) => {
          return `${provider}:${model ?? '(unknown)'} ${ok ? `${message}, ${latencyMs} ms` : SEE_PROBLEMS}`
        })),
    ...probes.map(probeLine),
  ]
}

function probeLine({ model, contextWindow, problem, ...abilities }: ModelProbe): string {
  const results = PROBED.map(([key, name]) => `${name} ${abilities[key] ? 'yes' : 'no'}`)
  const context =
    contextWindow === undefined
      ? []
      : [`context window at least ${contextWindow} tokens (models.contextWindows keeps it)`]
  return [`${model}: ${[...results, ...context].join(', ')}`, ...(problem === undefined ? [] : [problem])].join('; ')
}

const PROBED = [
  ['streaming', 'streaming'],
  ['tools', 'tools'],
  ['parallelTools', 'parallel tools'],
  ['structuredOutput', 'structured output'],
] as const satisfies readonly (readonly [keyof ModelProbe, string])[]

function databaseLines({ name, ok, message, protections }: DatabaseReport): string[] {
  if (!ok) return [`${name}: ${SEE_PROBLEMS}`]
  if (protections === undefined) return [`${name}: ${message}`]
  const { standing, weak, advice } = protections
  return [
    `${name}: ${message}`,
    `  protections in place: ${standing.join(', ')}`,
    ...weak.map((clause) => `  but ${clause}`),
    ...(advice.length === 0 ? [] : ['  a user that can only read:', ...advice.map((statement) => `    ${statement}`)]),
  ]
}

/** What went wrong is said once, under the problems. */
const SEE_PROBLEMS = 'does not work; see Problems'

function documentsLines({ ok, documents, passages, pending, embedding }: DocumentsReport): string[] {
  const there =
    documents === 0
      ? 'none yet; "tutti docs add" adds some'
      : `${pluralize(documents, 'document')}, ${pluralize(passages, 'passage')}`
  const waiting =
    pending === 0 ? '' : `; ${pluralize(pending, 'passage')} without a vector, "tutti docs add" makes them`
  return [
    ok ? there : SEE_PROBLEMS,
    embedding === null
      ? 'no embedding model is configured, so passages are found by their words alone'
      : `found by words and by the embedding model ${embedding.model} at ${embedding.host}${waiting}`,
  ]
}

function mailLine(mail: SourcesReport['mail']): string {
  return mail === null ? 'none; TUTTI_MAIL_URL names an account' : `${mail.account}; mails come from ${mail.from}`
}

function webLine(search: SourcesReport['webSearch']): string {
  return search === null
    ? 'none; TAVILY_API_KEY, BRAVE_API_KEY or TUTTI_SEARXNG_URL sets one up'
    : `${search.service} at ${search.host}; pages that are named or found are read wherever they are`
}

function tracingLines({ receivers, content }: PartsReport['tracing']): string[] {
  if (receivers.length === 0) return ['off; OTEL_EXPORTER_OTLP_ENDPOINT or the keys of Langfuse turn it on']
  const scope = content ? 'with questions, answers and inputs' : 'without any content'
  return receivers.map(
    ({ kind, host, problem }) => `${kind} at ${host}, ${scope}: ${problem === undefined ? 'answers' : SEE_PROBLEMS}`,
  )
}

function isolationLines({ effects, sandbox }: PartsReport, isRoot: boolean): string[] {
  return [
    pythonLine(sandbox),
    'SQL guard: syntax tree, on PostgreSQL and SQLite also server analysis; read-only session; SQLite in its own process',
    effects.length === 0
      ? 'no tool of any agent can change anything'
      : `tools that change something: ${effects.join(', ')}; what cannot be undone waits for approval`,
    ...(isRoot ? ['Tutti runs as root here; an account of its own is safer'] : []),
  ]
}

function pythonLine(python: PythonReport): string {
  if (python.problem !== undefined) return `Python ${SEE_PROBLEMS}`
  if (!python.works) return `Python cannot run: ${python.unavailable}`
  const { level, memoryMb } = python
  const filter = level === 'strong' ? 'a system call filter' : 'no system call filter here'
  return (
    `Python (${level}): a process for each job, no network, no files of the machine, no environment, ` +
    `${memoryMb} MB for the whole process, ${filter}`
  )
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['none'] : lines
}
