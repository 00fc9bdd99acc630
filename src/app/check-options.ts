import { omitUndefined } from '../shared/json.ts'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import type { ApiSettings } from '../agents/api/api.ts'
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
  const programs = config.mcp.flatMap((server) => ('command' in server ? server.command : [])).filter(isPath)
  const addresses = [
    ...[...config.databases, ...(options.databases ?? [])].map(({ url }) => url.replace(/^sqlite:(?:\/\/)?/i, '')),
    ...[...config.apis, ...(options.apis ?? [])].map(({ catalogue }) => catalogue),
    ...config.databases.flatMap(({ terms }) => terms ?? []),
    ...[options.mail?.url ?? config.mail.url].flatMap((url) => url?.replace(/^maildir:/i, '') ?? []),
  ].filter((address) => !/^[a-z][a-z0-9+.-]+:/i.test(address))
  const paths = [
    ...addresses,
    ...(options.documents ?? []),
    ...(agentFolders ?? []),
    ...programs,
    prompts ?? '',
    tokenFile ?? '',
  ]
  const relative = [...paths, ...[options.storage?.folder].flatMap((folder) => folder ?? [])].find(
    (path) => path !== '' && !isAbsolute(path),
  )
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
      name: text.optional(),
      source: text.optional(),
      apiKey: text.optional(),
      baseUrl: server.optional(),
      defaultModel: text.optional(),
      structuredOutputs: z.boolean().optional(),
      publicOnly: z.boolean().optional(),
    }),
  ),
  default: text.optional(),
  actors: z.record(z.string(), z.string()).optional(),
  settings: z
    .record(
      z.string(),
      z.strictObject({ temperature: z.number().optional(), maxOutputTokens: z.number().int().positive().optional() }),
    )
    .optional(),
  prices: configSchema.shape.models.unwrap().shape.prices.optional(),
  timeouts: configSchema.shape.models.unwrap().shape.timeouts.optional(),
})

const storage = z
  .strictObject({ folder: text.optional(), databaseUrl: text.optional(), secretKey: z.string().optional() })
  .refine(({ folder, databaseUrl }) => folder !== undefined || databaseUrl !== undefined, {
    message: 'needs folder or databaseUrl; leave it out to keep everything in memory',
  })
  .refine(({ folder, secretKey }) => folder !== undefined || secretKey !== undefined, {
    message: 'needs secretKey, which workers on other machines share, or folder, where it is kept',
  })

/** Every option there is; a missing one does not compile. */
function fields(hasModelPort: boolean) {
  return {
    agents: z.array(agent).optional(),
    tools: z.array(tool).optional(),
    strategies: z
      .array(
        z.strictObject({
          strategy: having({ name: text, next: call }, '{ name, next }'),
          roles: z.array(having({ name: text, run: call }, 'defineRole')).optional(),
        }),
      )
      .optional(),
    models: hasModelPort ? having({ ask: call }, '{ ask }') : models.optional(),
    storage: storage.optional(),
    config: configSchema.prefault({}),
    databases: z.array(z.strictObject({ url: text, name: text.optional() })).optional(),
    apis: z.array(z.strictObject({ catalogue: text, name: text.optional() })).optional(),
    apiKey: z.string().optional(),
    apiSettings: z
      .strictObject({
        baseUrl: z.string().optional(),
        firebase: z
          .strictObject({
            file: text.optional(),
            webApiKey: text.optional(),
            email: text.optional(),
            password: text.optional(),
            emulatorHost: text.optional(),
          })
          .optional(),
      })
      .optional(),
    allowHosts: texts.optional(),
    documents: z.array(text).optional(),
    mcp: z.array(mcpFileSchema.extend({ file: text })).optional(),
    mcpNow: call.optional(),
    mcpFolder: text.optional(),
    configFile: text.optional(),
    isInstallation: z.boolean().optional(),
    onDocument: call.optional(),
    mail: z
      .strictObject({
        url: text,
        smtpUrl: text.optional(),
        from: text.optional(),
        gmail: z
          .strictObject({
            accessToken: text.optional(),
            refreshToken: text.optional(),
            clientId: text.optional(),
            clientSecret: text.optional(),
          })
          .optional(),
      })
      .optional(),
    webSearch: z
      .strictObject({
        tavily: z.strictObject({ apiKey: text, url: server }).optional(),
        searxng: z.strictObject({ url: server }).optional(),
      })
      .optional(),
    embedding: z
      .strictObject({
        provider: text,
        model: text,
        url: server,
        key: text.optional(),
        window: z.number().int().positive().optional(),
      })
      .optional(),
    qdrant: z.strictObject({ url: server, key: text.optional() }).optional(),
    tracing: z
      .strictObject({
        receivers: z.array(
          z.strictObject({
            kind: z.enum(['otlp', 'langfuse']),
            url: server,
            headers: z.record(z.string(), z.string()).optional(),
            timeoutMs: z.number().int().positive().optional(),
          }),
        ),
        serviceName: text.optional(),
        resource: z.record(z.string(), z.string()).optional(),
        content: z.boolean().optional(),
      })
      .optional(),
    proxy: z.strictObject({ http: text.optional(), https: text.optional(), noProxy: z.string().optional() }).optional(),
    secrets: texts.optional(),
    cwd: z.string().refine(isAbsolute, 'must be a whole path').optional(),
    queue: z.boolean().optional(),
    owner: text.optional(),
    howToSetUp: z
      .strictObject({
        databases: text.optional(),
        apis: text.optional(),
        documents: text.optional(),
        mail: text.optional(),
        webSearch: text.optional(),
        commands: z.strictObject({ self: text, options: text.optional() }).optional(),
      })
      .optional(),
    onTrouble: call.optional(),
    clock: having({ now: call, timer: call }, '{ now, timer }').optional(),
  } satisfies Record<keyof AppOptions, z.ZodType>
}
