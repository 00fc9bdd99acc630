import { resolve } from 'node:path'
import type { Attached } from '../domain/request.ts'
import { isSecretName } from '../shared/secret-names.ts'

/** Sources that the caller named, in addition to those of the configuration. */
export interface NamedSources {
  readonly databases?: readonly { readonly url: string; readonly name?: string }[]
  readonly apis?: readonly { readonly catalogue: string; readonly name?: string }[]
  readonly allowHosts?: readonly string[]
  /** Files with MCP servers. */
  readonly mcp?: readonly { readonly file: string }[]
  /** Path of the configuration file, if there is one. */
  readonly configFile?: string
  /** None of it is a single run's. */
  readonly isInstallation?: boolean
  /** Whether a key for those APIs was given. */
  readonly hasKey: boolean
  /** Where relative paths start. */
  readonly cwd: string
}

/**
 * The part of the sources that a run stores, so that a resumed run can attach the same ones: addresses without their
 * secrets, and whether there were some.
 */
export function sourcesToKeep({
  databases = [],
  apis = [],
  allowHosts = [],
  mcp = [],
  configFile,
  isInstallation = false,
  hasKey,
  cwd,
}: NamedSources): Attached[] {
  if (isInstallation) return []
  const entry = (kind: Attached['kind'], given: string, name: string | undefined): Attached => {
    const absolute = absolutePath(given, cwd)
    const address = removeUrlSecrets(absolute)
    return {
      kind,
      address,
      ...(name === undefined ? {} : { name }),
      ...(address === absolute ? {} : { withoutPassword: true }),
    }
  }
  return [
    ...databases.map(({ url, name }) => entry('database', url, name)),
    ...apis.map(({ catalogue, name }) => ({
      ...entry('api', catalogue, name),
      ...(hasKey ? { withoutKey: true } : {}),
    })),
    ...allowHosts.map((address): Attached => ({ kind: 'host', address })),
    ...mcp.map(({ file }): Attached => ({ kind: 'mcp', address: resolve(cwd, file) })),
    ...(configFile === undefined
      ? []
      : [{ kind: 'config', address: resolve(cwd, configFile), folder: resolve(cwd) } as const]),
  ]
}

/** A path means the same from any working directory. */
export function absolutePath(address: string, cwd: string): string {
  if (/^(?!sqlite:)[a-z][a-z0-9+.-]+:/i.test(address)) return address
  const path = address.replace(/^sqlite:(?:\/\/)?/i, '')
  return `${address.startsWith('sqlite:') ? 'sqlite:' : ''}${resolve(cwd, path)}`
}

/** An address without the password before its host, which may contain an `@`, and without secret parameters. */
export function removeUrlSecrets(address: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address
  const [head = '', query] = address.replace(/^([^:]+:\/\/[^:@/?#]*):[^/?#]*@/, '$1@').split(/\?(.*)/s)
  if (query === undefined) return head
  const parameters = query.split('&').filter((parameter) => !isSecretName(parameter.split('=', 1)[0]!))
  return parameters.length === 0 ? head : `${head}?${parameters.join('&')}`
}
