import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/schema.ts'
import { sealWith } from '../secrets.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { parseHostAndPort } from '../../mail/personal.ts'
import type { MailConfig } from '../../mail/open.ts'
import { readJsonFile, writeJsonFile } from '../../mcp/json-file.ts'
import type { ModelsConfig, ProviderConfig } from '../../models/config.ts'
import { presetAt, presetFields } from '../../models/presets.ts'
import { KEY_FILE, lastingKey } from '../../storage/secret-key.ts'

const short = z.string().trim().min(1).max(300)
const server = short.refine((text) => parseHostAndPort(text) !== undefined, 'must be host or host:port')

/** Form fields to connect a model, a database and the mailbox. */
export const CONNECTABLE = {
  model: z.strictObject({
    address: z
      .url({ protocol: /^https?$/ })
      .max(1_000)
      .refine((url) => !/^[^/]+\/\/[^/]*@/.test(url), 'must hold no user name or password; use the key')
      .describe('Base URL of a server that speaks as OpenAI’s, such as http://127.0.0.1:11434/v1'),
    model: short.optional().describe('The first one that the server lists when absent'),
    key: z.string().trim().min(1).max(2_000).optional(),
  }),
  database: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/, 'must not contain anything but letters, digits, - and _'),
    // The connection test reports invalid addresses, like all other problems.
    address: z.string().trim().min(1).max(2_000).describe('sqlite:/path/to/file.db, postgres://… or mysql://…'),
    schema: short
      .optional()
      .describe('PostgreSQL: the schemas to read, with commas between them; `public` when absent'),
  }),
  mailbox: z.strictObject({
    server: server.describe('IMAP: `host` or `host:port`'),
    smtp: server.optional().describe('`host` or `host:port`; without it mails are read and drafted, not sent'),
    user: short,
    password: z.string().min(1).max(1_000),
    from: short.describe('What mails are sent from: `Name <address>` or the address alone'),
  }),
} as const

export type Kind = keyof typeof CONNECTABLE
export type Connectable<K extends Kind = Kind> = z.infer<(typeof CONNECTABLE)[K]>

const reach = { publicOnly: z.boolean().optional() }
/** The stored form. A connection of an admin may use the public internet and hosts that the operator allows. */
export type Stored<K extends Kind = Kind> = Connectable<K> & z.infer<z.ZodObject<typeof reach>>

/** The connections made on the page. */
export interface Connected {
  readonly model?: Stored<'model'>
  readonly databases: readonly Stored<'database'>[]
  readonly mailbox?: Stored<'mailbox'>
}

/** The source of a provider that was connected on the page. */
export const ON_PAGE = 'the page /setup'

/** Each is encrypted as a whole, because addresses may contain passwords. */
const storedSchema = z.strictObject({
  model: z.string().optional(),
  databases: z.record(z.string(), z.string()).default({}),
  mailbox: z.string().optional(),
})
type StoredFile = z.infer<typeof storedSchema>

export type ConnectionFile = ReturnType<typeof connectionFile>

/** The file with the connections made on the page, next to the configuration, which is not changed. */
export function connectionFile(dataDir: string, secretKey: string | undefined) {
  const file = join(dataDir, 'setup.json')
  const seal = sealWith(lastingKey(secretKey, join(dataDir, KEY_FILE)))
  const changes: { readonly before: StoredFile; readonly what: string }[] = []
  const readFile = async (): Promise<StoredFile> =>
    (await readJsonFile(file, storedSchema, 'with the page /setup')) ?? { databases: {} }
  const change = async (kind: Kind, name: string, to: (now: StoredFile) => StoredFile): Promise<void> => {
    const previous = await readFile()
    await writeJsonFile(file, to(previous))
    changes.push({ before: previous, what: kind === name ? kind : `${kind} ${name}` })
  }
  const open = async <K extends Kind>(kind: K, sealed: string, name: string = kind): Promise<Stored<K>> => {
    const text = await seal.open(sealed, sealContext(kind, name))
    if (text !== undefined) return CONNECTABLE[kind].extend(reach).parse(JSON.parse(text)) as Stored<K>
    const message = `What was connected on the page /setup is encrypted with another key. Restore ${KEY_FILE} or TUTTI_SECRET_KEY, or delete ${file} and connect it again.`
    throw new TuttiError('ConfigurationError', message)
  }
  return {
    /** @throws TuttiError `ConfigurationError` for data that was encrypted with another key; `StorageError` */
    async read(): Promise<Connected> {
      const { model, databases, mailbox } = await readFile()
      const opened = Object.entries(databases).map(([name, sealed]) => open('database', sealed, name))
      return {
        databases: await Promise.all(opened),
        ...omitUndefined({
          model: model === undefined ? undefined : await open('model', model),
          mailbox: mailbox === undefined ? undefined : await open('mailbox', mailbox),
        }),
      }
    },
    async keep<K extends Kind>(kind: K, entry: Stored<K>): Promise<void> {
      const name = 'name' in entry ? entry.name : kind
      const sealed = await seal.close(JSON.stringify(entry), sealContext(kind, name))
      await change(kind, name, (now) =>
        kind === 'database' ? { ...now, databases: { ...now.databases, [name]: sealed } } : { ...now, [kind]: sealed },
      )
    },
    /** @throws TuttiError `NotFound` */
    remove: (kind: Kind, name: string): Promise<void> =>
      change(kind, name, (now) => {
        const { databases, ...others } = now
        const all: Readonly<Record<string, string | undefined>> = kind === 'database' ? databases : others
        const key = kind === 'database' ? name : kind
        if (!Object.hasOwn(all, key))
          throw new TuttiError(
            'NotFound',
            'It was not connected on this page; remove it from the environment or file that sets it.',
          )
        const { [key]: _, ...left } = all
        return storedSchema.parse(kind === 'database' ? { ...others, databases: left } : { ...left, databases })
      }),
    /**
     * Undoes the last change since `confirmChanges`; each further call undoes the one before.
     * @returns the name of the change, such as `database shop`; undefined if no change is left
     */
    async undoLastChange(): Promise<string | undefined> {
      const last = changes.pop()
      if (last !== undefined) await writeJsonFile(file, last.before)
      return last?.what
    },
    /** Confirms all changes so far; they can no longer be undone. */
    confirmChanges: () => void changes.splice(0),
  }
}

function sealContext(kind: Kind, name: string): string {
  return `setup ${kind} ${name}`
}

/** Adds these connections to the configuration, unless environment or configuration set them. */
export function withConnected(config: Config, { databases, mailbox }: Connected): Config {
  const names = new Set(config.databases.map(({ name }) => name))
  const more = databases.filter(({ name }) => !names.has(name)).map(databaseOf)
  const mail =
    config.mail.url === undefined && mailbox !== undefined
      ? { ...mailOf(mailbox), ...omitUndefined({ publicOnly: mailbox.publicOnly }) }
      : {}
  return { ...config, databases: [...config.databases, ...more], mail: { ...config.mail, ...mail } }
}

export function withConnectedModel(models: ModelsConfig, { model }: Connected): ModelsConfig {
  return models.providers.length > 0 || model === undefined ? models : { ...models, providers: [providerOf(model)] }
}

export function databaseOf({ name, address, schema, publicOnly }: Stored<'database'>): Config['databases'][number] {
  const schemas = (schema ?? '').split(',').flatMap((one) => one.trim() || [])
  return { name, url: address, ...(schemas.length === 0 ? {} : { schema: schemas }), ...omitUndefined({ publicOnly }) }
}

/** A service of the presets is known by its host; any other address is an OpenAI-compatible server. */
export function providerOf({ address, model, key, publicOnly }: Stored<'model'>): ProviderConfig {
  const preset = presetAt(address) ?? ({ name: 'compatible', kind: 'compatible', baseUrl: address } as const)
  const baseUrl = address.replace(/\/+$/, '')
  const settings = omitUndefined({ apiKey: key, defaultModel: model, publicOnly })
  return { ...presetFields(preset), source: ON_PAGE, baseUrl, ...settings }
}

export function mailOf({ server: imap, smtp, user, password, from }: Connectable<'mailbox'>): MailConfig {
  const signIn = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const url = (kind: 'imap' | 'smtp', place: string): string => {
    const isTls = [undefined, 993, 465].includes(parseHostAndPort(place)?.port)
    return `${kind}${isTls ? 's' : ''}://${signIn}@${place}`
  }
  return { url: url('imap', imap), from, ...(smtp === undefined ? {} : { smtpUrl: url('smtp', smtp) }) }
}
