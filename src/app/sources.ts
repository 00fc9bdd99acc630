import { omitUndefined } from '../shared/json.ts'
import type { Api } from '../agents/api/api.ts'
import type { McpServers } from '../agents/mcp/servers.ts'
import type { SqlSource } from '../agents/sql/source.ts'
import { createHttpClient, type HttpClient } from '../http/client.ts'
import type { MailAccount } from '../mail/types.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import type { Checked } from './check-options.ts'
import { openDatabases } from './databases.ts'
import { openMail } from './mail.ts'
import { openMcpServers } from './mcp.ts'
import { httpPolicy, openAllApis, publicPolicy, type UnavailableService } from './network.ts'
import { sandboxOptions } from './sandbox.ts'
import type { StoredTables } from './stored-tables.ts'

/** The sources of the tools, apart from documents. */
export interface Sources {
  /** Also reaches the internal hosts that the operator allows. */
  readonly http: HttpClient
  /** Reaches the public internet only. */
  readonly publicHttp: HttpClient
  readonly databases: readonly SqlSource[]
  readonly storedTables: StoredTables
  readonly apis: readonly Api[]
  /** The APIs that could not be read. */
  readonly lacking: readonly UnavailableService[]
  readonly sandbox: Sandbox
  readonly mail?: MailAccount
  readonly mcp: McpServers
  close(): Promise<void>
}

/** @throws TuttiError of an API that is named in the options and cannot be read */
export async function openSources(options: Checked): Promise<Sources> {
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
    http,
    publicHttp,
    databases: databases.sources,
    storedTables: databases.stored,
    apis,
    lacking,
    sandbox,
    mcp,
    ...omitUndefined({ mail }),
    async close() {
      const parts = [mcp, databases, http, publicHttp, sandbox, ...(mail === undefined ? [] : [mail])]
      await Promise.allSettled(parts.map((part) => part.close()))
    },
  }
}
