import { TuttiError } from '../../domain/errors.ts'
import { readServerUrl } from '../../domain/server-url.ts'

/**
 * Checks the address of a server in a variable, and removes a trailing slash.
 * @throws TuttiError `ConfigurationError` without the value, which may hold a password
 */
export function serverAddress(variable: string, value: string): string {
  const url = readServerUrl(value, variable)
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return value.replace(/\/+$/, '')
  throw new TuttiError(
    'ConfigurationError',
    `${variable} is not the address of a server; write it as https://host or http://host:port, without user name and password.`,
  )
}
