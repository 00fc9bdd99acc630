import type { SandboxOptions } from '../sandbox/types.ts'
import { omitUndefined } from '../shared/json.ts'
import { createHttpClient, type HttpClient } from '../http/client.ts'
import type { MailAccount } from '../mail/types.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import type { Settings } from './check-options.ts'
import { openDatabases } from './databases.ts'
import { openMcpServers } from './mcp.ts'
import { httpPolicy, openAllApis, publicPolicy, listedHosts } from './network.ts'
import { guardedTarget } from '../http/connect.ts'
import { openMailAccount, type MailConfig } from '../mail/open.ts'
import { join } from 'node:path'
import { folderOf } from './storage.ts'

/** The sources of the tools, apart from documents. */
export type Sources = Awaited<ReturnType<typeof openSources>>

/** @throws TuttiError of an API that is named in the options and cannot be read */
export async function openSources(options: Settings) {
  const { clock } = options
  const { timeoutMs } = options.config.http
  const http = createHttpClient(httpPolicy(options), { clock, timeoutMs })
  const publicHttp = createHttpClient(publicPolicy(options), { clock, timeoutMs })
  const databases = openDatabases(options)
  const { apis, lacking } = await openAllApis(options, http)
  const sandbox = createSandbox(sandboxOptions(options), { clock })
  const mail = openMail(options, http)
  const mcp = openMcpServers(options)
  return {
    /** Also reaches the internal hosts that the operator allows. */
    http,
    /** Reaches the public internet only. */
    publicHttp,
    databases: databases.sources,
    storedTables: databases.stored,
    apis,
    /** The APIs that could not be read. */
    lacking,
    sandbox,
    mcp,
    mail,
    async close(): Promise<void> {
      const parts = [mcp, databases, http, publicHttp, sandbox, ...(mail === undefined ? [] : [mail])]
      await Promise.allSettled(parts.map((part) => part.close()))
    },
  }
}

/** The mailbox of the mail agent, if configured. */
export function openMail(options: Settings, http: HttpClient): MailAccount | undefined {
  const { mail: given, config, cwd, clock } = options
  const { url, smtpUrl, from, publicOnly } = config.mail
  const written: MailConfig | undefined = url === undefined ? undefined : { url, ...omitUndefined({ smtpUrl, from }) }
  const account = given ?? written
  if (account === undefined) return undefined
  const isGuarded = given === undefined && publicOnly === true
  const target = isGuarded ? guardedTarget({ allowHosts: listedHosts(options) }) : undefined
  return openMailAccount(account, { http, cwd, now: () => clock.now(), ...omitUndefined({ target }) })
}

/** Configuration of the Python sandbox. Files that are built once are cached in the data folder. */
function sandboxOptions(options: Settings): SandboxOptions {
  const folder = folderOf(options)
  return {
    ...(folder === undefined ? {} : { cacheDir: join(folder, 'cache') }),
    ...omitUndefined(options.config.sandbox),
  }
}
