import { isIP } from 'node:net'
import { REGISTRATION } from '../../accounts/types.ts'
import { z } from 'zod'
import { OPERATOR_CONTEXT_KEYS } from '../../domain/context.ts'
import { omitUndefined } from '../../shared/json.ts'
import { isKnownLocale } from '../../shared/locale.ts'
import { budgetSchema } from '../../domain/request.ts'
import { parseHostAndPort } from '../../mail/personal.ts'
import { isZone } from '../../schedules/timing.ts'
import { api, database, mcpServer, mcpServers } from './source-schemas.ts'

/** A range that contains all addresses would trust everybody. */
const proxyAddress = z.string().refine(
  (text) => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
    const family = isIP(address)
    return family !== 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)))
  },
  { error: 'must be an address such as 10.0.0.7, or a range such as 10.0.0.0/8 or fd00::/8' },
)

const price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cachedInput: z.number().min(0).optional(),
  cacheWrite: z.number().min(0).optional(),
})

const name = z.string().min(1)
const count = z.number().int().positive()

/** A group of settings, which may be left out. */
function section<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject(shape).prefault({} as never)
}

/** Settings for one agent or role; absent fields have the defaults. */
const actorModel = z.strictObject({
  /** `provider:model`. */
  model: name.optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: count.optional(),
})

const days = count.max(36_500).optional()

const NO_LOCALE = 'is no language tag; use one such as en-GB or de-DE'
const NO_ZONE = 'is no time zone; use one such as Europe/Berlin'
const localeTag = z
  .string()
  // For editors, which do not know the values of variables.
  .regex(/^(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*|.*\$\{.*)$/, { error: NO_LOCALE, abort: true })
  .refine(isKnownLocale, NO_LOCALE)

export const configSchema = z.strictObject({
  /** For editors: the path of this file's JSON schema. */
  $schema: z.string().optional(),
  databases: z.array(database).default([]),
  /** MCP servers. */
  mcp: z.array(mcpServer).default([]),
  /** MCP servers that offer tools, by name, in the common `mcpServers` format. */
  mcpServers: mcpServers.default({}),
  apis: z.array(api).default([]),
  /** How the sql agent works. */
  sql: section({
    /** Maximum number of consecutive turns whose queries all failed or were blocked. */
    maxAttempts: count.optional(),
  }),
  /** What the agents may reach over the network. */
  http: section({
    /** Internal hosts that may be reached: `host`, `host:port`, `*.domain`, an address or a block of addresses. */
    allowHosts: z.array(z.string()).default([]),
    /** Of one request, redirects included. */
    timeoutMs: count.optional(),
    /** Honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
    proxyFromEnv: z.boolean().default(false),
  }),
  /** The mailbox of the mail agent; TUTTI_MAIL_URL wins. */
  mail: section({
    /** `imaps://user:password@host`, `maildir:folder` or `gmail:`. */
    url: name.optional(),
    smtpUrl: z.string().optional(),
    /** Sender of mails: `Name <address>`. */
    from: z.string().optional(),
    /** Connect only to addresses of the public internet, and to the hosts of `http.allowHosts`. */
    publicOnly: z.boolean().optional(),
    /** Servers for users' own mailboxes: `host` or `host:port`; none when empty. */
    personalServers: z
      .array(z.string().refine((text) => parseHostAndPort(text) !== undefined, 'must be host or host:port'))
      .default([]),
    /** Addresses by name, for "send it to Anna". */
    contacts: z.record(z.string(), z.string()).default({}),
  }),
  /** Where Python runs. */
  sandbox: section({
    /** Run code even if the kernel cannot filter system calls. */
    allowWeakIsolation: z.boolean().default(false),
    memoryMb: z.number().int().min(256).max(4_096).optional(),
    timeoutMs: count.optional(),
  }),
  /** Accounts of the server's users. */
  people: section({
    /** Who may create an account: anybody or nobody. The first user always may. */
    registration: z.enum(REGISTRATION).default('closed'),
    /** An OpenID Connect provider for sign-in. Users that it authenticates get an account. */
    oidc: z
      .strictObject({
        issuer: z.url(),
        clientId: name,
        clientSecret: name.optional(),
        /** `https://<your host>/session/oidc/callback`, as registered with the provider. */
        redirectUrl: z.url(),
        /** The claim with the names of a user's groups; unknown groups are ignored. */
        groupsClaim: name.default('groups'),
      })
      .optional(),
  }),
  /** How others reach `tutti serve`. */
  server: section({
    /**
     * The public URL, such as `https://tutti.example.com`, for links that commands print. By default that of
     * `people.oidc.redirectUrl`.
     */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** Proxies in front of the server, by address or range. Only their forwarding headers are trusted. */
    trustProxy: z.array(proxyAddress).default([]),
    /**
     * Whether admins may connect sources on the page /setup from other machines; it can open files and addresses of
     * the server's machine.
     */
    setup: z.boolean().default(false),
    /** Folders whose SQLite files admins may connect on the page /setup, relative to this file; none when empty. */
    databaseFolders: z.array(name).default([]),
    /** Context keys with credentials or addresses that requests over HTTP may have; none when empty. */
    allowContextKeys: z.array(z.enum(OPERATOR_CONTEXT_KEYS)).default([]),
  }),
  /** After how many days `tutti serve` deletes unused data; data without a setting is kept. */
  retention: section({
    /** Runs that are over, with their files. */
    runDays: days,
    /** Conversations that are not pinned. */
    conversationDays: days,
    /** Documents that were sent to the server, and belong to no run. */
    uploadDays: days,
  }),
  /** Folders with agents in files, relative to this file; by default the folder `agents` next to it, if it exists. */
  agentFolders: z.array(name).optional(),
  models: section({
    default: z.string().optional(),
    /** By agent or role: `provider:model`, or settings of its own for whichever model is used. */
    actors: z.record(z.string(), z.union([z.string(), actorModel])).default({}),
    /** `provider:model` to use after the first one failed, by agent or role, or `default` for all others. */
    seconds: z.record(z.string(), z.string()).default({}),
    /** US dollars per million tokens, by `provider:model`. */
    prices: z.record(z.string(), price).default({}),
    /** Tokens that a model reads and writes in one turn, by `provider:model`. */
    contextWindows: z.record(z.string(), count).default({}),
    /** Of one request, in milliseconds; a local server may need longer to load a model. */
    timeouts: z
      .object({
        firstChunkMs: count.optional(),
        idleMs: count.optional(),
        totalMs: count.optional(),
        answerMs: count.optional(),
      })
      .strict()
      .prefault({}),
  }),
  /** How numbers are written, or that and the time zone of days and of "today"; UTC when absent. */
  locale: z
    .union([localeTag, z.strictObject({ tag: localeTag.optional(), timeZone: z.string().refine(isZone, NO_ZONE) })])
    .optional(),
  /** Defaults of requests. */
  defaults: section({
    strategy: name.optional(),
    preferAgents: z.array(name).optional(),
    disableAgents: z.array(name).optional(),
    systemPrompt: name.optional(),
    maxTurns: count.optional(),
    maxRetries: count.optional(),
    budget: budgetSchema.optional(),
  }),
  /** Middleware around the work of all agents, for every strategy. */
  workers: section({
    /** Review of results by a model (one more call). */
    reflection: z.enum(['off', 'model']).optional(),
    /** Give agents examples of earlier tasks, and learn from accepted results; needs reflection. */
    skills: z.boolean().optional(),
  }),
  approvals: section({
    timeoutMs: count.optional(),
    /** Irreversible tools that need no approval when nothing but the user's own words went into the call. */
    allow: z.array(name).default([]),
  }),
  egress: section({
    /**
     * Destinations that reads may carry private data to without approval: a host (`api.example.com`, with a port that is
     * not the usual one), `mcp:<server>`, or `web_search`.
     */
    allow: z.array(name).default([]),
  }),
})

/** A file with MCP servers alone, as other programs have them. */
export const mcpFileSchema = z.strictObject({ mcpServers })

/** The fields of a configuration file, also for `createApp` under `config`; see docs/configuration.md. */
export type ConfigInput = z.input<typeof configSchema>
/** The same with its defaults. */
export type Config = z.output<typeof configSchema>

/** The JSON schema of configuration files in YAML and JSON, for editors. */
export function configJsonSchema(): object {
  return { title: 'Configuration of Tutti', ...z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) }
}

/** The settings in `locale`, which may be a tag alone. */
export function localeOf({ locale }: Pick<Config, 'locale'>): { readonly tag?: string; readonly timeZone?: string } {
  return typeof locale === 'string' ? { tag: locale } : omitUndefined({ tag: locale?.tag, timeZone: locale?.timeZone })
}
