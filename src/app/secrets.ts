import type { Seal } from '../accounts/types.ts'
import type { KeyHolder } from '../storage/secret-key.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import type { ExecutionStore } from '../domain/execution.ts'
import type { Owner } from '../domain/events.ts'
import type { SkillStore } from '../domain/skill.ts'
import { createSecrets, secretsIn } from '../domain/secrets.ts'
import type { Settings } from './check-options.ts'
import type { Config } from './config/schema.ts'
import { isModelPort } from './config/options.ts'

/** Shorter values, such as "true" or "demo", occur in ordinary answers. */
const MIN_LENGTH = 8

/** Words, numbers, versions, places: parts of values that are not secret. */
const PLAIN_PARTS = /^(?:\p{L}?\p{Ll}{0,15}|\p{Lu}{0,15}|\d{0,4}|\p{L}{1,4}\d{1,2}|\d{1,2}\p{L}{1,4})$/u

/**
 * Whether a value is surely no secret, whatever its name: a path, an address, a number, or words. Secrets inside
 * addresses are recognized separately.
 */
function isPlain(value: string): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|[~.]{0,2}[/\\]|[a-z]:[/\\])/i.test(value) || /^-?[\d.,]+$/.test(value)) return true
  return value.split(/[\s\-_.,:;=@/\\]+/).every((part) => PLAIN_PARTS.test(part))
}

/** Options that may hold a named secret. */
const SETTINGS: readonly (keyof Settings)[] = [
  ...(['apiKey', 'apiSettings', 'databases', 'apis', 'mcp', 'mail'] as const),
  ...(['webSearch', 'embedding', 'qdrant', 'proxy', 'storage', 'tracing'] as const),
]

/** The secrets in the options: by name, in URLs, and declared ones. */
export function secretsOf(options: Settings): string[] {
  const { config, models, secrets = [], tracing } = options
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, options[name]]))
  const found = secretsIn([config, settings, isModelPort(models) ? [] : models])
  const headers = (tracing?.receivers ?? []).map((receiver) => receiver.headers ?? {})
  const headerValues = headers.flatMap((values) => Object.values(values)).filter((value) => !isPlain(value))
  return longEnough([...found, ...headerValues, ...config.mcp.flatMap(secretsOfServer), ...secrets])
}

/** Secrets among the settings of an MCP server: by name, and values of unknown kind. */
export function secretsOfServer(server: Config['mcp'][number]): string[] {
  const settings = Object.values('env' in server ? server.env : server.headers)
  return longEnough([...secretsIn(server), ...settings.filter((value) => !isPlain(value))])
}

function longEnough(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].filter((secret) => secret.length >= MIN_LENGTH)
}

/** The audit is a way out of the log, too. */
export function maskedExecutions(store: ExecutionStore, known: readonly string[]): ExecutionStore {
  const secrets = createSecrets(known)
  return {
    executions: async (...asked) => secrets.value(await store.executions(...asked)),
    allExecutions: async (...asked) => secrets.value(await store.allExecutions(...asked)),
  }
}

/**
 * Masks secrets in stored conversations, which users and models read.
 * @param secretsOf secrets of one owner, in addition to the known ones
 */
export function maskedConversations(
  store: ConversationStore,
  known: readonly string[],
  secretsOf: (owner: Owner) => Promise<readonly string[]>,
): ConversationStore {
  const masked = async <T>(owner: Owner, content: T): Promise<T> =>
    createSecrets([...known, ...(await secretsOf(owner))]).value(content)
  return Object.assign(Object.create(store) as ConversationStore, {
    open: async (owner, opened) => store.open(owner, { ...opened, title: await masked(owner, opened.title) }),
    addTurn: async (owner, turn) => store.addTurn(owner, await masked(owner, turn)),
    addSummary: async (owner, summary) => store.addSummary(owner, await masked(owner, summary)),
  } satisfies Partial<ConversationStore>)
}

/** Seals other stored secrets with the key of the installation, which is created on demand. */
export function sealWith(key: KeyHolder): Seal {
  return {
    close: async (text, place) => (await key(true))!.seal(text, place),
    open: async (sealed, place) => (await key(false))?.open(sealed, place),
  }
}

/** Examples are given to models. */
export function maskedSkills(store: SkillStore, known: readonly string[]): SkillStore {
  const secrets = createSecrets(known)
  return Object.assign(Object.create(store) as SkillStore, {
    learn: (owner, lessons) => store.learn(owner, secrets.value(lessons)),
  } satisfies Partial<SkillStore>)
}
