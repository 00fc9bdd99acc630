import type { Cli, GlobalOptions } from '../cli.ts'
import {
  examine,
  type DatabaseReport,
  type DoctorOptions,
  type DoctorReport,
  type PartsReport,
} from '../doctor/examine.ts'
import type { PythonReport } from '../doctor/python.ts'
import type { DocumentsReport, SourcesReport } from '../doctor/sources.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { safeLine } from '../render/text.ts'

/** `tutti doctor`: what is configured, what works, what would leave the machine. */
export async function doctor(
  cli: Cli,
  globals: GlobalOptions,
  { json, ...options }: DoctorOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  const report = await examine(cli, globals, options)
  if (json === true) printJson(cli, report)
  else print(cli, report)
  return report.ok ? EXIT.ok : EXIT.configuration
}

function print(cli: Cli, report: DoctorReport): void {
  const { style } = cli.out
  const { platform, data, storage, configFile, parts, problems } = report
  section(cli, 'Machine', [
    `${platform.system}, Node.js ${platform.node}`,
    `data folder ${data.path}: ${data.problem ?? (data.exists ? 'can be written' : 'can be made')}`,
    `storage ${storage}`,
    `configuration ${configFile ?? 'no file; defaults'}`,
  ])
  if (parts !== undefined) {
    section(cli, 'Models', modelLines(parts))
    section(cli, 'Databases', orNone(parts.databases.flatMap(databaseLines)))
    section(cli, 'APIs', orNone(parts.apis.map((api) => `${api.name}: ${api.operations} operations at ${api.host}`)))
    section(cli, 'Documents', documentsLines(parts.sources.documents))
    section(cli, 'Mail', [mailLine(parts.sources.mail)])
    section(cli, 'Web search', [webLine(parts.sources.webSearch)])
    section(cli, 'Memory', ['on; "tutti memory show" shows what is remembered, --no-memory does without for one run'])
    section(cli, 'Agents', [parts.agents.join(', ')])
    section(cli, 'What would leave this machine', leavingLines(parts))
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

function modelLines({ models, checks }: PartsReport): string[] {
  if (models.providers.length === 0) return ['none configured; every answer is made by rules, without a model']
  return [
    ...models.providers.map(({ name, source, host }) => `${name}: from ${source}, at ${host}`),
    `default: ${models.default ?? 'none'}`,
    ...Object.entries(models.actors).map(([actor, model]) => `${actor}: ${model}`),
    ...(checks === undefined
      ? ['not asked; --check makes one small request to each']
      : checks.map(
          (check) => `${check.provider}:${check.model ?? '(unknown)'} ${check.message}, ${check.latencyMs} ms`,
        )),
  ]
}

function databaseLines({ name, message, walls }: DatabaseReport): string[] {
  if (walls === undefined) return [`${name}: ${message}`]
  const { standing, weak, advice } = walls
  return [
    `${name}: ${message}`,
    `  walls that stand: ${standing.join(', ')}`,
    ...weak.map((clause) => `  but ${clause}`),
    ...(advice.length === 0 ? [] : ['  a user that can only read:', ...advice.map((statement) => `    ${statement}`)]),
  ]
}

function documentsLines({ documents, passages, pending, embedding, message }: DocumentsReport): string[] {
  const there =
    documents === 0
      ? 'none taken in yet; "tutti docs add" takes some in'
      : `${counted(documents, 'document')}, ${counted(passages, 'passage')}`
  const waiting = pending === 0 ? '' : `; ${counted(pending, 'passage')} without a vector, "tutti docs add" makes them`
  return [
    message ?? there,
    embedding === null
      ? 'no embedding model is configured, so passages are found by their words alone'
      : `found by words and by the embedding model ${embedding.model} at ${embedding.host}${waiting}`,
  ]
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function mailLine(mail: SourcesReport['mail']): string {
  return mail === null ? 'none; TUTTI_MAIL_URL names an account' : `${mail.account}; mails come from ${mail.from}`
}

function webLine(search: SourcesReport['webSearch']): string {
  return search === null
    ? 'none; TAVILY_API_KEY or TUTTI_SEARXNG_URL sets one up'
    : `${search.service} at ${search.host}; pages that are asked for or found are read from wherever they lie`
}

function leavingLines({ leaving }: PartsReport): string[] {
  return leaving.length === 0
    ? ['nothing, unless a question names a web page, which is then read']
    : leaving.map(({ host, what, because }) => `${what} → ${host} (${because})`)
}

function isolationLines({ effects, sandbox }: PartsReport, isRoot: boolean): string[] {
  return [
    pythonLine(sandbox),
    'SQL is judged by its syntax tree, on PostgreSQL and SQLite also by what the database takes it for, then runs in a read-only session; SQLite in a process of its own',
    effects.length === 0
      ? 'no tool of any agent can change anything'
      : `tools that change something: ${effects.join(', ')}; what cannot be undone asks for approval`,
    ...(isRoot ? ['Tutti runs as root here; an account of its own is safer'] : []),
  ]
}

function pythonLine(python: PythonReport): string {
  if (!python.works) return `Python cannot run: ${python.problem ?? python.unavailable}`
  const { backend, level, memoryMb, peakMb, seccomp } = python
  const measured = peakMb === undefined ? '' : ` (measured just now: ${peakMb} MB when code took all it could get)`
  const filter = seccomp ? 'a system call filter' : 'no system call filter here'
  return (
    `Python (${backend}, ${level}): a process for each job, no network, no files of the machine, no environment, ` +
    `${memoryMb} MB for the whole process${measured}, ${filter}`
  )
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['none'] : lines
}
