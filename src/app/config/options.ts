import type { ApiSettings } from '../../agents/api/open.ts'
import type { Agent } from '../../domain/actor.ts'
import type { Clock } from '../../shared/clock.ts'
import type { TuttiError } from '../../domain/errors.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { Owner } from '../../domain/events.ts'
import type { RegisteredStrategy } from '../../domain/strategy.ts'
import type { ToolInfo } from '../../domain/tool.ts'
import type { ProxySettings } from '../../http/policy.ts'
import type { EmbeddingConfig } from '../../documents/embedding/config.ts'
import type { QdrantConfig } from '../../documents/qdrant/client.ts'
import type { IngestProgress } from '../../documents/types.ts'
import type { MailConfig } from '../../mail/open.ts'
import type { ModelsConfig, ProviderConfig } from '../../models/config.ts'
import type { TracingConfig } from '../../tracing/config.ts'
import type { WebSearchConfig } from '../../web-search/config.ts'
import type { ConfigInput } from './schema.ts'

/** Where runs, documents and memory are kept: a folder of this machine, or PostgreSQL, which many workers can share. */
export interface StoragePlace {
  /** Created if it is missing. With `databaseUrl` it only holds the key of the secrets. */
  readonly folder?: string
  /** `postgres://…`; wins over `folder`. */
  readonly databaseUrl?: string
  /** 64 hexadecimal digits, the key that encrypts secrets in runs; by default the file `secret.key` in `folder`. */
  readonly secretKey?: string
}

/** A model provider; its name defaults to its kind. */
export type ProviderOptions = Omit<ProviderConfig, 'name' | 'source' | 'fetch'> &
  Partial<Pick<ProviderConfig, 'name' | 'source'>>

/** Which models answer. Without a default the first provider's own model is used. */
export interface ModelOptions extends Omit<ModelsConfig, 'providers'> {
  readonly providers: readonly ProviderOptions[]
}

/**
 * Options of `createApp`; all are optional. Environment variables and files are not read:
 * `readSetup` creates options from those.
 */
export interface AppOptions {
  /** Agents of your own, made by `defineAgent`. */
  readonly agents?: readonly Agent[]
  /**
   * Tools made by `defineTool` that need no agent of yours: one with the name `tools` works with them. Agents in files can
   * name them, too.
   */
  readonly tools?: readonly ToolInfo[]
  /** Your own strategies, with roles made by `defineRole`; a request names the strategy that it uses. */
  readonly strategies?: readonly RegisteredStrategy[]
  /** Which models answer, or an object that does; by rules when absent. */
  readonly models?: ModelOptions | ModelPort
  /** Where data is stored; by default in memory, until the process ends. */
  readonly storage?: StoragePlace
  /** Same fields as a configuration file; `${NAME}` is not substituted here. */
  readonly config?: ConfigInput
  /** Databases in addition to those of `config`; stored with the runs that are started here. */
  readonly databases?: readonly { readonly url: string; readonly name?: string }[]
  /** APIs to ask, likewise: files or URLs of their catalogues. The host of such a URL may be internal. */
  readonly apis?: readonly { readonly catalogue: string; readonly name?: string }[]
  /** Key or token for the sign-ins of those APIs; not stored. */
  readonly apiKey?: string
  /** For all APIs. */
  readonly apiSettings?: ApiSettings
  /** Internal hosts that agents may reach, in addition to those of `config`; stored with the runs as well. */
  readonly allowHosts?: readonly string[]
  /** Documents: folders and files. Each run keeps them as they are when it starts. */
  readonly documents?: readonly string[]
  /** MCP servers in addition to those of `config`, as read from a file; the file is stored with the run. */
  readonly mcp?: readonly (Pick<ConfigInput, 'mcpServers'> & { readonly file: string })[]
  /**
   * Called before each request for the current MCP servers of tools, which replace those of `config` and `mcp`; returns
   * undefined if nothing has changed.
   */
  readonly mcpNow?: () => Promise<McpSetup | undefined>
  /** Where accepted tools of MCP servers are recorded; the folder of `storage` by default. */
  readonly mcpFolder?: string
  /** The file that `config` was read from; kept with each run. */
  readonly configFile?: string
  /** The named sources belong to the installation, like `config`; runs do not store them. */
  readonly isInstallation?: boolean
  /** Receives the progress of adding the documents. */
  readonly onDocument?: (progress: IngestProgress) => void
  /** The mailbox of the mail agent; wins over that of `config`. */
  readonly mail?: MailConfig
  readonly webSearch?: WebSearchConfig
  /** The model that makes vectors of passages; without one they are found by their words alone. */
  readonly embedding?: EmbeddingConfig
  /** Vector search for those embeddings; not used without `storage`. */
  readonly qdrant?: QdrantConfig
  /** Where traces of runs go, for OpenTelemetry or Langfuse; nowhere when absent. */
  readonly tracing?: TracingConfig
  /** Proxies for requests of agents. */
  readonly proxy?: ProxySettings
  /** Secrets in addition to the keys and passwords in these options; shown as `***` in runs. */
  readonly secrets?: readonly string[]
  /** Where relative paths start; by default the working directory. */
  readonly cwd?: string
  /** Take runs from the queue that several workers share, and put new ones there (PostgreSQL). */
  readonly queue?: boolean
  /** The owner of the runs; by default `local`, the local user of the machine. */
  readonly owner?: Owner
  /** Sentences for users that explain how to set up a missing source, if that is not done with these options. */
  readonly howToSetUp?: {
    readonly databases?: string
    readonly apis?: string
    readonly documents?: string
    readonly mail?: string
    readonly webSearch?: string
    /** Options to append to each command, such as `--config FILE`. */
    readonly commandOptions?: string
  }
  /** Receives errors that no caller waits for; by default they become warnings of the process. */
  readonly onError?: (error: TuttiError) => void
  readonly clock?: Clock
}

/** Where MCP servers are named: in a configuration, and in files of their own. */
export interface McpSetup {
  readonly config: Pick<ConfigInput, 'mcp' | 'mcpServers'>
  readonly mcp: NonNullable<AppOptions['mcp']>
}

/** Whether the models are an object that answers on its own. */
export function isModelPort(models: AppOptions['models']): models is ModelPort {
  return typeof models === 'object' && models !== null && 'ask' in models
}
