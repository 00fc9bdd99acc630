import { omitUndefined } from '../shared/json.ts'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import type { ApiSettings } from '../agents/api/open.ts'
import { systemClock, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { LOCAL_OWNER, type Owner } from '../domain/events.ts'
import { readServerUrl } from '../domain/server-url.ts'
import { configSchema, mcpFileSchema, type Config } from './config/schema.ts'
import { allMcpServers } from './mcp.ts'
import { problemsIn } from '../domain/schema-problems.ts'
import { isModelPort, type AppOptions } from './config/options.ts'

/** Options that are right, with their defaults. */
export interface Checked extends Omit<AppOptions, 'config'> {
  readonly config: Config
  readonly cwd: string
  readonly owner: Owner
  readonly clock: Clock
  readonly onTrouble: (error: TuttiError) => void
}

/** @throws TuttiError `ConfigurationError` that names every option that is wrong */
export function checkOptions(given: AppOptions): Checked {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw wrong('createApp takes one object with options, such as { agents: [myAgent] }')
  }
  const schema = z.strictObject(fields(isModelPort(given.models)))
  const parsed = schema.safeParse(given, { reportInput: true })
  if (!parsed.success) {
    const issues = problemsIn(parsed.error, schema).map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw wrong(`createApp cannot take these options: ${issues.join('; ')}`)
  }
  const options = omitUndefined(given)
  const written = parsed.data.config as Config
  const mcp = allMcpServers(written, parsed.data.mcp as Parameters<typeof allMcpServers>[1])
  const { config, ...places } = withFullPaths({ ...written, mcp: [...mcp], mcpServers: {} }, options)
  if (config.http.proxyFromEnv && options.proxy === undefined) {
    throw wrong('config.http.proxyFromEnv is for configuration files; name the proxies with the option proxy')
  }
  return {
    ...options,
    ...places,
    config,
    // Without `cwd` all paths are absolute, and this base is not used.
    cwd: options.cwd ?? resolve('/'),
    owner: options.owner ?? LOCAL_OWNER,
    clock: options.clock ?? systemClock,
    onTrouble: options.onTrouble ?? warn,
  }
}

/** Reports a problem that fails no call, as a warning of the process. */
function warn({ message, code }: TuttiError): void {
  process.emitWarning(message, { type: 'TuttiWarning', code })
}

/** @throws TuttiError `ConfigurationError` for a relative path without a base folder */
function withFullPaths(
  config: Config,
  { cwd, apiSettings = {}, ...options }: Partial<AppOptions>,
): { readonly config: Config; readonly apiSettings: ApiSettings } {
  const { agentFolders, prompts } = config
  const tokenFile = apiSettings.firebase?.file
  if (cwd !== undefined) {
    const from = (path: string): string => resolve(cwd, path)
    return {
      config: {
        ...config,
        mcp: config.mcp.map((server) =>
          'command' in server && isPath(server.command) ? { ...server, command: from(server.command) } : server,
        ),
        ...(agentFolders && { agentFolders: agentFolders.map(from) }),
        ...(prompts && { prompts: from(prompts) }),
      },
      apiSettings:
        tokenFile === undefined
          ? apiSettings
          : { ...apiSettings, firebase: { ...apiSettings.firebase, file: from(tokenFile) } },
    }
  }
  const addresses = [
    ...[...config.databases, ...(options.databases ?? [])].map(({ url }) => url.replace(/^sqlite:(?:\/\/)?/i, '')),
    ...[...config.apis, ...(options.apis ?? [])].map(({ catalogue }) => catalogue),
    ...config.databases.map(({ terms }) => terms),
    (options.mail?.url ?? config.mail.url)?.replace(/^maildir:/i, ''),
  ].filter((address) => !/^[a-z][a-z0-9+.-]+:/i.test(address ?? ''))
  const programs = config.mcp.flatMap((server) => ('command' in server ? server.command : [])).filter(isPath)
  const folders = [...(options.documents ?? []), ...(agentFolders ?? []), options.storage?.folder]
  const paths = [...addresses, ...folders, ...programs, prompts, tokenFile].filter((path) => Boolean(path)) as string[]
  const relative = paths.find((path) => !isAbsolute(path))
  if (relative === undefined) return { config, apiSettings }
  throw wrong(`"${relative}" is a relative path; write it in full, or say with the option cwd where it starts`)
}

/** Program names without a path are searched in the system's program folders. */
function isPath(command: string): boolean {
  return /[\\/]/.test(command)
}

function wrong(message: string): TuttiError {
  return new TuttiError('ConfigurationError', `${message}.`)
}

const text = z.string().min(1)
const texts = z.array(z.string())
const strings = z.record(z.string(), z.string())
const count = z.number().int().positive()
const call = z.custom<unknown>((value) => typeof value === 'function', 'must be a function')

/** Accepts an object with at least these fields, and keeps its identity. */
function having(shape: z.ZodRawShape, maker: string): z.ZodType {
  const fields = z.looseObject(shape)
  return z.any().superRefine((value, context) => {
    if (typeof value !== 'object' || value === null) return context.addIssue(`must be made by ${maker}`)
    const { error } = fields.safeParse(value, { reportInput: true })
    for (const { path, message } of error === undefined ? [] : problemsIn(error, fields)) {
      context.addIssue({ code: 'custom', path: [...path], message: `${message}; use ${maker}` })
    }
  })
}

const server = z.string().superRefine((address, context) => {
  try {
    if (/^https?:$/.test(readServerUrl(address, 'It')?.protocol ?? '')) return
    context.addIssue('must be the address of a server, such as https://host:8080')
  } catch (thrown) {
    context.addIssue((thrown as TuttiError).message.replace(/\.$/, ''))
  }
})

const agent = having(
  { name: text, description: text, capabilities: texts, useCases: texts, keywords: texts, run: call },
  'defineAgent',
)
const tool = having(
  { name: text, description: z.string(), effect: z.enum(['read', 'write', 'irreversible']), run: call },
  'defineTool',
)

const models = z.strictObject({
  providers: z.array(
    z.strictObject({
      kind: z.enum(['openai', 'anthropic', 'azure', 'compatible', 'ollama']),
      ...optional({ name: text, source: text, apiKey: text, baseUrl: server, defaultModel: text }),
      ...optional({ structuredOutputs: z.boolean(), publicOnly: z.boolean() }),
    }),
  ),
  ...optional({
    default: text,
    actors: z.record(z.string(), z.string()),
    settings: z.record(z.string(), z.strictObject(optional({ temperature: z.number(), maxOutputTokens: count }))),
    prices: configSchema.shape.models.unwrap().shape.prices,
    timeouts: configSchema.shape.models.unwrap().shape.timeouts,
  }),
})

const storage = z
  .strictObject(optional({ folder: text, databaseUrl: text, secretKey: z.string() }))
  .refine(({ folder, databaseUrl }) => folder !== undefined || databaseUrl !== undefined, {
    message: 'needs folder or databaseUrl; leave it out to keep everything in memory',
  })
  .refine(({ folder, secretKey }) => folder !== undefined || secretKey !== undefined, {
    message: 'needs secretKey, which workers on other machines share, or folder, where it is kept',
  })

const strategy = z.strictObject({
  strategy: having({ name: text, next: call }, '{ name, next }'),
  roles: z.array(having({ name: text, run: call }, 'defineRole')).optional(),
})

const firebase = { file: text, webApiKey: text, email: text, password: text, emulatorHost: text }
const gmail = { accessToken: text, refreshToken: text, clientId: text, clientSecret: text }
const setupHints = { databases: text, apis: text, documents: text, mail: text, webSearch: text }

const receiver = z.strictObject({
  kind: z.enum(['otlp', 'langfuse']),
  url: server,
  ...optional({ headers: strings, timeoutMs: count }),
})

/** Every option there is; a missing one does not compile. */
function fields(hasModelPort: boolean) {
  const shape = {
    agents: z.array(agent),
    tools: z.array(tool),
    strategies: z.array(strategy),
    models: hasModelPort ? having({ ask: call }, '{ ask }') : models,
    storage,
    databases: z.array(z.strictObject({ url: text, name: text.optional() })),
    apis: z.array(z.strictObject({ catalogue: text, name: text.optional() })),
    apiKey: z.string(),
    apiSettings: z.strictObject(optional({ baseUrl: z.string(), firebase: z.strictObject(optional(firebase)) })),
    allowHosts: texts,
    documents: z.array(text),
    mcp: z.array(mcpFileSchema.extend({ file: text })),
    mcpNow: call,
    mcpFolder: text,
    configFile: text,
    isInstallation: z.boolean(),
    onDocument: call,
    mail: z.strictObject({
      url: text,
      ...optional({ smtpUrl: text, from: text, gmail: z.strictObject(optional(gmail)) }),
    }),
    webSearch: z.strictObject(
      optional({
        tavily: z.strictObject({ apiKey: text, url: server }),
        searxng: z.strictObject({ url: server }),
      }),
    ),
    embedding: z.strictObject({ provider: text, model: text, url: server, ...optional({ key: text, window: count }) }),
    qdrant: z.strictObject({ url: server, key: text.optional() }),
    tracing: z.strictObject({
      receivers: z.array(receiver),
      ...optional({ serviceName: text, resource: strings, content: z.boolean() }),
    }),
    proxy: z.strictObject(optional({ http: text, https: text, noProxy: z.string() })),
    secrets: texts,
    cwd: z.string().refine(isAbsolute, 'must be a whole path'),
    queue: z.boolean(),
    owner: text,
    howToSetUp: z.strictObject(
      optional({ ...setupHints, commands: z.strictObject({ self: text, options: text.optional() }) }),
    ),
    onTrouble: call,
    clock: having({ now: call, timer: call }, '{ now, timer }'),
  } satisfies Record<Exclude<keyof AppOptions, 'config'>, z.ZodType>
  return { ...optional(shape), config: configSchema.prefault({}) }
}

/** The fields of a schema, each of which may be absent. */
function optional<S extends z.ZodRawShape>(shape: S) {
  return z.object(shape).partial().shape
}
