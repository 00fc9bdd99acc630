import type { ServerSignIn } from './spec.ts'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { z } from 'zod'
import { TuttiError } from '../domain/errors.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import type { Visitor } from './tool-list.ts'

/** A client that was registered manually with the authorization server. */
export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret?: string
}

export interface SignInOptions {
  readonly server: string
  readonly url: string
  /** Folder for tokens; in memory if absent. */
  readonly folder?: string | undefined
  readonly client?: RegisteredClient | undefined
  readonly scope?: string | undefined
  /** URL of the client metadata, for servers that use it instead of registration. */
  readonly metadataUrl?: string | undefined
  /** Absent if no person can sign in: stored tokens are used and refreshed. */
  readonly visitor?: Visitor | undefined
}

const storedSchema = z.object({
  client: z.custom<OAuthClientInformationMixed>((value) => typeof value === 'object').optional(),
  tokens: z.custom<OAuthTokens>((value) => typeof value === 'object').optional(),
})

/** Sign-in to an MCP server: OAuth 2.1 with PKCE, with the client of the MCP SDK. Tokens are stored and refreshed. */
export class SignIn implements OAuthClientProvider, ServerSignIn {
  readonly clientMetadataUrl?: string
  readonly #options: SignInOptions
  readonly #state = randomUUID()
  #verifier = ''
  #memory: z.output<typeof storedSchema> = {}

  constructor(options: SignInOptions) {
    this.#options = options
    if (options.metadataUrl !== undefined) this.clientMetadataUrl = options.metadataUrl
  }

  /** A copy with a person who can sign in. */
  with(visitor: Visitor): SignIn {
    return new SignIn({ ...this.#options, visitor })
  }

  /** Whether there are credentials. Otherwise the authorization server is not requested. */
  async isReady(): Promise<boolean> {
    return this.#options.visitor !== undefined || (await this.tokens()) !== undefined
  }

  /** Values that must be masked everywhere. */
  async secrets(): Promise<readonly string[]> {
    const { access_token: access, refresh_token: refresh } = (await this.tokens()) ?? {}
    return [access, refresh].filter((token) => token !== undefined)
  }

  get redirectUrl(): string {
    return this.#options.visitor?.redirectUrl ?? 'http://127.0.0.1/callback'
  }

  get clientMetadata() {
    const { scope } = this.#options
    return {
      client_name: 'Tutti',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(scope === undefined ? {} : { scope }),
    }
  }

  state(): string {
    return this.#state
  }

  async clientInformation(): Promise<OAuthClientInformationMixed | undefined> {
    const { client, visitor } = this.#options
    if (client !== undefined) {
      const { clientId, clientSecret } = client
      return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }
    }
    const known = (await this.#read()).client
    // A client that was registered with another redirect URL is registered again.
    const addresses = known !== undefined && 'redirect_uris' in known ? known.redirect_uris : undefined
    return visitor !== undefined && addresses?.includes(visitor.redirectUrl) === false ? undefined : known
  }

  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    if (this.#options.client === undefined) await this.#write({ ...(await this.#read()), client })
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    return (await this.#read()).tokens
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    await this.#write({ ...(await this.#read()), tokens })
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { visitor, server } = this.#options
    if (visitor === undefined) throw signInFirst(server)
    if (!/^https?:$/.test(url.protocol))
      throw new TuttiError('ConfigurationError', `The sign-in of MCP server "${server}" is at no web page.`)
    await visitor.open(url)
  }

  /** Waits for the authorization code after `redirectToAuthorization`. */
  async code(): Promise<string> {
    const { visitor, server } = this.#options
    if (visitor === undefined) throw signInFirst(server)
    return visitor.code(this.#state)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const { client, tokens } = await this.#read()
    if (scope === 'all') await this.#write({})
    else if (scope === 'client') await this.#write(tokens === undefined ? {} : { tokens })
    else if (scope === 'tokens') await this.#write(client === undefined ? {} : { client })
  }

  get #path(): string | undefined {
    const { folder, server, url } = this.#options
    if (folder === undefined) return undefined
    const name = createHash('sha256')
      .update(JSON.stringify([server, url]))
      .digest('hex')
      .slice(0, 32)
    return join(folder, `${name}.sign-in.json`)
  }

  async #read(): Promise<z.output<typeof storedSchema>> {
    const path = this.#path
    return path === undefined ? this.#memory : ((await readJsonFile(path, storedSchema)) ?? {})
  }

  async #write(value: z.output<typeof storedSchema>): Promise<void> {
    const path = this.#path
    if (path === undefined) this.#memory = value
    else await writeJsonFile(path, value)
  }
}

/** The error if no person can sign in. */
function signInFirst(server: string): TuttiError {
  const message = `The sign-in to the MCP server "${server}" is no longer valid; sign in with "tutti mcp login ${server}".`
  return new TuttiError('ConfigurationError', message)
}
