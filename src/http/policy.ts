import { TuttiError } from '../domain/errors.ts'
import { isIpAddress, isInBlocks, isInternalKind, parseBlock, specialKind } from './addresses.ts'

/** The operator's policy. Absent options have safe defaults. */
export interface HttpPolicyOptions {
  /** With colon; default `https:` and `http:`. */
  readonly protocols?: readonly string[]
  /** Ports of hosts that are not on the allow-list; default 80, 443, 8080 and 8443. */
  readonly ports?: readonly number[]
  /**
   * Internal hosts that may be reached: `host`, `host:port`, `*.domain`, an address, or a block such as `10.1.0.0/16`.
   * An entry without a port allows all ports.
   */
  readonly allowHosts?: readonly string[]
  /** Proxies to use. Environment variables are ignored; see `proxyFromEnv`. */
  readonly proxy?: ProxySettings
}

export interface ProxySettings {
  readonly http?: string
  readonly https?: string
  /** Hosts reached directly, as in the variable `NO_PROXY`. */
  readonly noProxy?: string
}

interface AllowedName {
  /** Lower case; a leading dot matches all subdomains. */
  readonly name: string
  readonly port?: number
}

/** The compiled policy against server-side request forgery (SSRF). Immutable. */
export interface HttpPolicy {
  readonly protocols: readonly string[]
  readonly ports: readonly number[]
  /** Whether host and port are on the allow-list, by name or as an address. */
  isListed(host: string, port: number): boolean
  /** Why an address must not be connected to, or undefined. `host` is the name that resolved to it. */
  addressProblem(address: string, host: string, port: number): string | undefined
}

const DEFAULT_PORTS = [80, 443, 8080, 8443]

/**
 * Compiles the operator's options.
 * @throws TuttiError `ConfigurationError` that names an allow-list entry that is not valid
 */
export function createPolicy(options: HttpPolicyOptions = {}): HttpPolicy {
  const { protocols = ['https:', 'http:'], ports = DEFAULT_PORTS, allowHosts = [] } = options
  const entries = allowHosts.map(parseEntry)
  const names = entries.flatMap((entry) => ('name' in entry ? [entry] : []))
  const blocks = entries.flatMap((entry) => ('block' in entry ? [entry] : []))
  const isInBlock = (address: string, port: number): boolean =>
    blocks.some(({ block, port: only }) => (only === undefined || only === port) && isInBlocks(address, [block]))
  const isNamedHost = (host: string, port: number): boolean =>
    names.some(({ name, port: only }) => {
      if (only !== undefined && only !== port) return false
      return name.startsWith('.') ? host.endsWith(name) : host === name
    })
  return Object.freeze({
    protocols,
    ports,
    isListed: (host: string, port: number) => (isIpAddress(host) ? isInBlock(host, port) : isNamedHost(host, port)),
    addressProblem(address: string, host: string, port: number) {
      const kind = specialKind(address)
      if (kind === undefined || isInBlock(address, port)) return undefined
      // A listed name may resolve to an internal host, but never to a metadata service.
      if (isInternalKind(kind) && !isIpAddress(host) && isNamedHost(host, port)) return undefined
      return kind
    },
  })
}

/** The policy without the allow-list: for redirects from public hosts. */
export function withoutAllowList(policy: HttpPolicy): HttpPolicy {
  const { protocols, ports } = policy
  return createPolicy({ protocols, ports })
}

type Entry = AllowedName | { readonly block: NonNullable<ReturnType<typeof parseBlock>>; readonly port?: number }

function parseEntry(text: string): Entry {
  const entry = text.trim().toLowerCase()
  const bare = parseBlock(entry.replace(/^\[(.*)\]$/, '$1'))
  if (bare !== undefined) return { block: bare }
  const [, host = '', port] = /^(.+?)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const only = port === undefined ? {} : { port: Number(port) }
  const block = parseBlock(host.replace(/^\[(.*)\]$/, '$1'))
  if (block !== undefined) return { block, ...only }
  const name = host.replace(/^\*(?=\.)/, '').replace(/\.$/, '')
  if (/^\.?([a-z0-9_-]+\.)*[a-z0-9_-]+$/.test(name)) return { name, ...only }
  throw new TuttiError(
    'ConfigurationError',
    `"${text}" is not an entry for the list of allowed hosts; write host, host:port, *.domain, an address, or a block such as 10.1.0.0/16.`,
  )
}
