import { resolve } from 'node:path'
import type { Settings } from './check-options.ts'
import { isSecretName } from '../shared/secret-names.ts'

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

type NamedSources = Pick<Settings, 'databases' | 'apis' | 'allowHosts' | 'cwd'> & {
  readonly mcp?: readonly { readonly file: string }[] | undefined
}

/** Addresses of the sources that were named for one run, without passwords and keys; paths are absolute. */
export function ownSourcesOf({ databases = [], apis = [], allowHosts = [], mcp = [], cwd }: NamedSources): string[] {
  const addresses = [...databases.map(({ url }) => url), ...apis.map(({ catalogue }) => catalogue)]
  return [
    ...addresses.map((address) => removeUrlSecrets(absolutePath(address, cwd))),
    ...allowHosts,
    ...mcp.map(({ file }) => resolve(cwd, file)),
  ]
}
