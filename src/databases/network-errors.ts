import { TuttiError } from '../domain/errors.ts'

const NETWORK_TROUBLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'it closed the connection',
  ENOENT: 'the socket, or a file that the URL names, is missing',
}

/** A database server that cannot be reached or refused the connection, in one sentence without the password. */
export function unreachableDatabase(
  product: string,
  url: URL,
  database: string,
  code: string | undefined,
  message: string,
  cause: unknown,
): TuttiError {
  const reason = (code === undefined ? undefined : NETWORK_TROUBLE[code]) ?? message
  return new TuttiError(
    'ConfigurationError',
    `Cannot connect to ${product} at ${url.host || 'the local socket'} for database "${database}": ${reason}.`,
    { cause },
  )
}
