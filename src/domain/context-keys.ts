import { TuttiError } from './errors.ts'

/**
 * Context keys with credentials, and those that choose a server or a file. The command line and the library accept
 * them; over HTTP each needs the operator's permission (`server.allowContextKeys`).
 */
export const OPERATOR_CONTEXT_KEYS = [
  'api_base_url',
  'base_url',
  'api_headers',
  'api_bearer_token',
  'api_token_file',
  'firebase_id_token',
  'firebase_web_api_key',
  'firebase_email',
  'firebase_password',
] as const
export type OperatorContextKey = (typeof OPERATOR_CONTEXT_KEYS)[number]

/** The value under such a key: agents read them by this alone, so that the list above is complete. */
export function operatorValue(context: Readonly<Record<string, unknown>>, key: OperatorContextKey): unknown {
  return context[key]
}

/**
 * Checks every object named `context` in a JSON value, at any depth, so that no protocol or endpoint is left out.
 * @throws TuttiError `NotAllowed` that names the first key which the operator does not allow
 */
export function assertContextAllowed(json: unknown, allowed: readonly OperatorContextKey[]): void {
  const refused = OPERATOR_CONTEXT_KEYS.filter((key) => !allowed.includes(key))
  const open = [json]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    const { context } = value as { readonly context?: unknown }
    const key = refused.find((one) => typeof context === 'object' && context !== null && Object.hasOwn(context, one))
    if (key !== undefined) throw notAllowed(key)
    open.push(...Object.values(value))
  }
}

function notAllowed(key: OperatorContextKey): TuttiError {
  return new TuttiError(
    'NotAllowed',
    `The context key "${key}" is not accepted over HTTP. The operator can allow it with server.allowContextKeys in the configuration.`,
  )
}
