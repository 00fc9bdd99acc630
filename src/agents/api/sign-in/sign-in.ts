import { operatorValue, type OperatorContextKey } from '../../../domain/context.ts'
import type { Api, ApiSettings, Credential } from '../open.ts'
import type { Endpoint, SecurityScheme } from '../catalogue/types.ts'
import type { Firebase, FirebaseSettings } from './firebase.ts'

/** A sign-in's additions to a request. */
export interface Proof {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
}

/** A way to sign in. Only its label is ever shown. */
export interface SignIn {
  readonly label: string
  proof(signal: AbortSignal): Promise<Proof>
  /** Present if a refused token can be replaced by a new one. */
  readonly reject?: (proof: Proof) => void
}

export const NO_SIGN_IN: SignIn = { label: 'none', proof: async () => ({}) }

export interface SignInParts {
  readonly api: Api
  readonly endpoint: Endpoint | undefined
  /** Whether the call is sent to a server that the operator configured. */
  readonly isOperatorsServer: boolean
  readonly context: Readonly<Record<string, unknown>>
  /** The operator's. */
  readonly account?: ApiSettings['firebase'] | undefined
  readonly firebase: Firebase
}

/**
 * Chooses the sign-in, in this order: the caller's token; the operator's credentials for the endpoint's security
 * schemes; Firebase. A caller may send calls to a server of their choice (`api_base_url`); the operator's credentials
 * are never sent there.
 */
export function chooseSignIn(parts: SignInParts): SignIn {
  const { context, isOperatorsServer } = parts
  const direct = textIn(context, 'api_bearer_token') ?? textIn(context, 'firebase_id_token')
  if (direct !== undefined) return givenToken(direct, takesBearer(parts) ? firebaseSignIn(parts) : NO_SIGN_IN)
  const headerNames = Object.keys(headersOf(context))
  if (headerNames.some((name) => name.toLowerCase() === 'authorization')) return NO_SIGN_IN
  if (isOperatorsServer) {
    const configured = configuredSignIn(parts)
    if (configured !== undefined) return configured
  }
  return takesBearer(parts) ? firebaseSignIn(parts) : NO_SIGN_IN
}

/** The first of the endpoint's alternatives with configured credentials. */
function configuredSignIn({ api, endpoint }: SignInParts): SignIn | undefined {
  const { catalogue, credentials = {} } = api
  const schemes = catalogue.securitySchemes
  if (Object.keys(schemes).length === 0) {
    const [name, credential] = Object.entries(credentials)[0] ?? []
    return name === undefined ? undefined : combined([[name, proofOf(undefined, credential!)]])
  }
  const usable = (endpoint?.security ?? []).find((names) => names.every((name) => schemes[name] && credentials[name]))
  return usable === undefined
    ? undefined
    : combined(usable.map((name) => [name, proofOf(schemes[name], credentials[name]!)]))
}

function combined(proofs: readonly (readonly [string, Proof])[]): SignIn {
  const proof: Proof = {
    headers: Object.assign({}, ...proofs.map(([, { headers }]) => headers)),
    query: Object.assign({}, ...proofs.map(([, { query }]) => query)),
    cookies: Object.assign({}, ...proofs.map(([, { cookies }]) => cookies)),
  }
  return { label: proofs.map(([name]) => name).join(' and '), proof: async () => proof }
}

function proofOf(scheme: SecurityScheme | undefined, credential: Credential): Proof {
  if ('username' in credential) {
    const { username, password } = credential
    return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
  }
  const secret = 'token' in credential ? credential.token : credential.key
  if (scheme?.kind !== 'apiKey') return { headers: { authorization: `Bearer ${secret}` } }
  const entry = { [scheme.name]: secret }
  return scheme.in === 'header' ? { headers: entry } : scheme.in === 'query' ? { query: entry } : { cookies: entry }
}

function takesBearer({ api, endpoint }: SignInParts): boolean {
  const schemes = api.catalogue.securitySchemes
  if (Object.keys(schemes).length === 0 || endpoint === undefined) return true
  return endpoint.security.some((names) => names.some((name) => schemes[name]?.kind === 'bearer'))
}

/** The caller's own account may be used for any server; the operator's only for the operator's servers. */
function firebaseSignIn({ context, account: given = {}, firebase, isOperatorsServer }: SignInParts): SignIn {
  const own: FirebaseSettings = defined({
    webApiKey: textIn(context, 'firebase_web_api_key') ?? given.webApiKey,
    email: textIn(context, 'firebase_email'),
    password: textIn(context, 'firebase_password'),
  })
  const operators: FirebaseSettings = defined({
    file: given.file,
    contextFile: textIn(context, 'api_token_file'),
    webApiKey: own.webApiKey,
    email: own.email ?? given.email,
    password: own.email === undefined ? given.password : own.password,
  })
  const hasOwn = own.email !== undefined && own.password !== undefined && own.webApiKey !== undefined
  const account = isOperatorsServer && (!hasOwn || operators.contextFile !== undefined) ? operators : own
  const isSetUp = account.file ?? account.contextFile ?? (account.email && account.password && account.webApiKey)
  if (!isSetUp) return NO_SIGN_IN
  const settings = defined({ ...account, emulatorHost: given.emulatorHost })
  return {
    label: 'Firebase',
    async proof(signal) {
      const token = await firebase.token(settings, signal)
      return token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
    },
    reject: ({ headers }) => firebase.reject(settings, headers?.['authorization']?.replace('Bearer ', '') ?? ''),
  }
}

/** The caller's token until the service refuses it, then a new token of the account, if there is one. */
function givenToken(token: string, account: SignIn): SignIn {
  const label = 'token given with the request'
  const bearer: Proof = { headers: { authorization: `Bearer ${token.replace(/^Bearer\s+/i, '')}` } }
  if (account === NO_SIGN_IN) return { label, proof: async () => bearer }
  let isRefused = false
  return {
    label,
    proof: async (signal) => (isRefused ? account.proof(signal) : bearer),
    reject(proof) {
      if (isRefused) account.reject?.(proof)
      isRefused = true
    },
  }
}

function textIn(context: Readonly<Record<string, unknown>>, key: OperatorContextKey): string | undefined {
  const value = operatorValue(context, key)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== '')) as never
}

/** Context `api_headers`: names and texts, all else is left out. */
export function headersOf(context: Readonly<Record<string, unknown>>): Record<string, string> {
  const value = operatorValue(context, 'api_headers')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      return typeof entry === 'string' || typeof entry === 'number' ? [[name, String(entry)]] : []
    }),
  )
}
