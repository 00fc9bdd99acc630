import { join } from 'node:path'
import type { App } from '../../app/user-app.ts'
import { checkDatabase, checkServer, mailProblem, type DatabaseReport } from '../../app/check-source.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { configFileOf } from '../../app/config/config-file.ts'
import { dataDirOf } from '../../app/config/environment.ts'
import type { ModelCheck } from '../../models/check.ts'
import type { ModelProbe } from '../../models/probe.ts'
import type { ReceiverState } from '../../tracing/exporter.ts'
import type { ModelsDescription } from '../../models/describe.ts'
import type { Cli } from '../cli.ts'
import { openCliApp } from '../open-app.ts'
import { sourceOptions as namedBy, type SourceOptions } from '../option-values.ts'
import { hostAndPort, checkFolder, fileExists, checkPython, type FolderReport, type PythonReport } from './machine.ts'
import { reportSources, type SourcesReport } from './sources.ts'

/** Report on the parts, available once the configuration can be read. */
export interface PartsReport {
  readonly models: ModelsDescription
  /** With `--check` only. */
  readonly checks?: readonly ModelCheck[]
  /** With `--probe` only. */
  readonly probes?: readonly ModelProbe[]
  readonly databases: readonly DatabaseReport[]
  /** MCP servers. */
  readonly mcp: readonly DatabaseReport[]
  readonly apis: readonly { readonly name: string; readonly operations: number; readonly host: string }[]
  readonly sources: SourcesReport
  /** Why the mailbox cannot be read. Only with `--check`. */
  readonly mailProblem?: string
  readonly sandbox: PythonReport
  /** Receivers of traces; none if the list is empty. */
  readonly tracing: { readonly content: boolean; readonly receivers: readonly ReceiverState[] }
  /** Retention periods; null if nothing is deleted by age. */
  readonly retention: string | null
  readonly agents: readonly string[]
  /** Effects of the agents' tools. */
  readonly effects: readonly string[]
}

export interface DoctorReport {
  /** True if everything that is configured works. */
  readonly ok: boolean
  readonly platform: { readonly system: string; readonly node: string; readonly isRoot: boolean }
  readonly data: FolderReport
  readonly storage: string
  readonly configFile: string | null
  readonly parts?: PartsReport
  /** Problems, one sentence each. */
  readonly problems: readonly string[]
}

export interface DoctorOptions extends SourceOptions {
  readonly json?: boolean
  /** Makes one small request to every model, and opens the mailbox. */
  readonly check?: boolean
  /** Probes the features of every model; `context` also measures its context window. */
  readonly probe?: true | 'context'
}

/** Checks everything that a run needs. Problems are reported, never thrown. */
export async function examine(cli: Cli, options: DoctorOptions): Promise<DoctorReport> {
  const problems: string[] = []
  const data = await checkFolder(dataDirOf(cli.globals.data, cli))
  const isShared = (cli.env['DATABASE_URL']?.trim() ?? '') !== ''
  if (!isShared && data.problem !== undefined) problems.push(`The data folder cannot be used: ${data.problem}.`)
  const place = isShared ? 'PostgreSQL at DATABASE_URL' : `SQLite in ${data.path}`
  const isNew = !isShared && data.problem === undefined && !(await fileExists(join(data.path, 'tutti.db')))

  const app = await open(cli, options, isNew || data.problem !== undefined, problems)
  const parts = app === undefined ? undefined : await partsOf(app, cli, options).finally(() => app.close())
  for (const { ok, name, message } of parts?.databases ?? []) if (!ok) problems.push(`Database ${name}: ${message}`)
  for (const { ok, name, message } of parts?.mcp ?? []) if (!ok) problems.push(`MCP server ${name}: ${message}`)
  const documents = parts?.sources.documents
  if (documents?.message !== undefined) problems.push(`Documents: ${documents.message}`)
  for (const { host, problem } of parts?.tracing.receivers ?? []) {
    if (problem !== undefined) problems.push(`Tracing: ${host} takes no traces: ${problem}.`)
  }
  if (parts?.mailProblem !== undefined) problems.push(`Mail: ${parts.mailProblem}`)
  if (parts?.sandbox.problem !== undefined) problems.push(`Python: ${parts.sandbox.problem}`)
  for (const check of parts?.checks ?? []) {
    if (!check.ok) problems.push(`Model ${check.provider}:${check.model ?? '(unknown)'}: ${check.message}.`)
  }
  return {
    ok: problems.length === 0,
    platform: {
      system: `${process.platform} ${process.arch}`,
      node: process.versions.node,
      isRoot: process.getuid?.() === 0,
    },
    data,
    storage: isNew ? `${place}, created by the first run` : place,
    configFile: (await configFileOf(cli.cwd, cli.globals.config)) ?? null,
    ...(parts === undefined ? {} : { parts }),
    problems,
  }
}

/** With the real storage where there is one; its trouble does not keep the rest from being looked at. */
async function open(cli: Cli, options: DoctorOptions, inMemory: boolean, problems: string[]): Promise<App | undefined> {
  try {
    return await openCliApp(cli, { ...namedBy(options), inMemory }, ({ message }) => void problems.push(message))
  } catch (thrown) {
    const error = toTuttiError(thrown)
    problems.push(error.message)
    return error.code === 'StorageError' && !inMemory ? open(cli, options, true, problems) : undefined
  }
}

async function partsOf(app: App, { env }: Cli, { check, probe }: DoctorOptions): Promise<PartsReport> {
  const { signal } = new AbortController()
  const tools = app.agents.flatMap((agent) => agent.tools ?? [])
  return {
    models: app.models.describe(),
    ...(check === true ? { checks: await app.models.check(signal) } : {}),
    ...(probe === undefined ? {} : { probes: await app.models.probe(signal, probe === 'context') }),
    databases: await Promise.all(app.databases.map(checkDatabase)),
    mcp: await Promise.all(app.mcp.map(checkServer)),
    apis: app.apis.map(({ catalogue, baseUrl }) => {
      const host = hostAndPort(baseUrl ?? catalogue.servers[0] ?? '') ?? 'a host named with the request'
      return { name: catalogue.name, operations: catalogue.endpoints.length, host }
    }),
    sources: await reportSources(app, env),
    ...(check === true ? await checkMail(app) : {}),
    sandbox: await checkPython(app.sandbox),
    tracing: { content: app.tracing.content, receivers: await app.tracing.check() },
    retention: app.retention.description ?? null,
    agents: app.agents.map((agent) => agent.name),
    effects: tools.filter((tool) => tool.effect !== 'read').map((tool) => `${tool.name} (${tool.effect})`),
  }
}

async function checkMail({ mail }: App): Promise<{ mailProblem?: string }> {
  const problem = mail === undefined ? undefined : await mailProblem(mail)
  return problem === undefined ? {} : { mailProblem: problem }
}
