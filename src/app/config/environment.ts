import { omitUndefined } from '../../shared/json.ts'
import type { ApiSettings } from '../../agents/api/open.ts'
import type { StoragePlace } from './options.ts'
import { TuttiError } from '../../domain/errors.ts'
import { CLASSIFIER } from '../../engine/approvals/instructions.ts'
import { readServerUrl } from '../../domain/server-url.ts'
import type { ProxySettings } from '../../http/policy.ts'
import type { MailConfig } from '../../mail/open.ts'
import { BRAVE_URL, TAVILY_URL, type WebSearchConfig } from '../../web-search/config.ts'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

export type ReadVariable = (name: string) => string | undefined

/** Reads variables without surrounding whitespace. An empty variable counts as not set. */
export function variableReader(env: Environment): ReadVariable {
  return (name) => env[name]?.trim() || undefined
}

export function configurationError(message: string): TuttiError {
  return new TuttiError('ConfigurationError', message)
}

/** Reads TUTTI_MAIL_URL, TUTTI_SMTP_URL, TUTTI_MAIL_FROM and TUTTI_GMAIL_*; undefined when no account is named. */
export function mailConfigFromEnv(env: Environment): MailConfig | undefined {
  const read = variableReader(env)
  const gmail = omitUndefined({
    refreshToken: read('TUTTI_GMAIL_REFRESH_TOKEN'),
    clientId: read('TUTTI_GMAIL_CLIENT_ID'),
    clientSecret: read('TUTTI_GMAIL_CLIENT_SECRET'),
  })
  const hasGmail = gmail.refreshToken !== undefined
  const url = read('TUTTI_MAIL_URL') ?? (hasGmail ? 'gmail:' : undefined)
  if (url === undefined) return undefined
  return {
    url,
    ...omitUndefined({ smtpUrl: read('TUTTI_SMTP_URL'), from: read('TUTTI_MAIL_FROM') }),
    ...(hasGmail ? { gmail } : {}),
  }
}

/**
 * Reads `TAVILY_API_KEY`, `BRAVE_API_KEY` and `TUTTI_SEARXNG_URL`.
 * @throws TuttiError `ConfigurationError` for an address that is not valid
 */
export function webSearchFromEnv(env: Environment): WebSearchConfig {
  const read = variableReader(env)
  const apiKey = read('TAVILY_API_KEY')
  const braveKey = read('BRAVE_API_KEY')
  const searxngUrl = read('TUTTI_SEARXNG_URL')
  return {
    ...(apiKey === undefined ? {} : { tavily: { apiKey, url: TAVILY_URL } }),
    ...(braveKey === undefined ? {} : { brave: { apiKey: braveKey, url: BRAVE_URL } }),
    ...(searxngUrl === undefined ? {} : { searxng: { url: serverAddress('TUTTI_SEARXNG_URL', searxngUrl) } }),
  }
}

/**
 * Reads `HITL_TIMEOUT_SECONDS`, in milliseconds.
 * @throws TuttiError `ConfigurationError` for an invalid number of seconds
 */
export function approvalTimeoutFromEnv(env: Environment): number | undefined {
  const seconds = variableReader(env)('HITL_TIMEOUT_SECONDS')
  if (seconds === undefined) return undefined
  if (/^\d{1,7}$/.test(seconds) && Number(seconds) > 0) return Number(seconds) * 1_000
  throw configurationError(
    `HITL_TIMEOUT_SECONDS is how long an approval is waited for; write it as a number of seconds, such as 120, not "${seconds}".`,
  )
}

/**
 * Reads `HITL_CLASSIFIER_PROVIDER` and `HITL_CLASSIFIER_MODEL`: the model that classifies instructions of approvals.
 */
export function classifierFromEnv(env: Environment): Record<string, string> {
  const read = variableReader(env)
  const model = read('HITL_CLASSIFIER_MODEL')
  if (model === undefined) return {}
  return { [CLASSIFIER]: `${read('HITL_CLASSIFIER_PROVIDER') ?? 'openai'}:${model}` }
}

/** The usual proxy variables, for operators who enable them. */
export function proxyFromEnv(env: Environment): ProxySettings {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined
  const [http, https, noProxy] = [read('HTTP_PROXY'), read('HTTPS_PROXY'), read('NO_PROXY')]
  for (const [name, url] of Object.entries({ HTTP_PROXY: http, HTTPS_PROXY: https })) {
    if (url !== undefined && readServerUrl(url, name) === undefined) {
      throw configurationError(`${name} is not the address of a proxy; write it as http://host:port.`)
    }
  }
  return omitUndefined({ http, https, noProxy })
}

/** Reads API_AGENT_BASE_URL and FIREBASE_*. */
export function apiSettingsFromEnv(env: Environment): ApiSettings {
  return omitUndefined({
    baseUrl: env['API_AGENT_BASE_URL'],
    firebase: omitUndefined({
      file: env['FIREBASE_TOKEN_FILE'] || undefined,
      webApiKey: env['FIREBASE_WEB_API_KEY'] || undefined,
      email: env['FIREBASE_EMAIL'] || undefined,
      password: env['FIREBASE_PASSWORD'] || undefined,
      emulatorHost: env['FIREBASE_AUTH_EMULATOR_HOST'] || undefined,
    }),
  })
}

/** Reads DATABASE_URL, TUTTI_DATA and TUTTI_SECRET_KEY. @param dataDir wins over TUTTI_DATA */
export function storageFromEnv({ env, cwd }: Surroundings, dataDir: string | undefined): StoragePlace {
  const read = variableReader(env)
  const [databaseUrl, secretKey] = [read('DATABASE_URL'), read('TUTTI_SECRET_KEY')]
  return { folder: dataDirOf(dataDir, { env, cwd }), ...omitUndefined({ databaseUrl, secretKey }) }
}

/**
 * Checks the address of a server in a variable, and removes a trailing slash.
 * @throws TuttiError `ConfigurationError` without the value, which may hold a password
 */
export function serverAddress(variable: string, value: string): string {
  const url = readServerUrl(value, variable)
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return value.replace(/\/+$/, '')
  throw configurationError(
    `${variable} is not the address of a server; write it as https://host or http://host:port, without user name and password.`,
  )
}

interface Surroundings {
  readonly env: Environment
  /** The folder that names are of. */
  readonly cwd: string
}

/** Where Tutti keeps its runs: `--data`, else `TUTTI_DATA`, else the platform's own place for application data. */
export function dataDirOf(
  named: string | undefined,
  { env, cwd }: Surroundings,
  platform: NodeJS.Platform = process.platform,
): string {
  const chosen = named ?? variableReader(env)('TUTTI_DATA')
  if (chosen !== undefined) return resolve(cwd, chosen)
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Tutti')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Tutti')
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'tutti')
}
