import type { Configuration, CustomFetch } from 'openid-client'
import { TuttiError } from '../domain/errors.ts'
import { isPlainName } from '../shared/plain-name.ts'
import { isLoopbackHost } from '../domain/server-url.ts'
import type { Accounts } from './accounts.ts'
import { MAX_DISPLAY_NAME_LENGTH, noAdminError, isName } from './new-accounts.ts'
import type { Groups } from './groups.ts'
import type { Person } from './types.ts'

/** An OpenID Connect provider. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Redirect URL, as registered with the provider. */
  readonly redirectUrl: string
  /** Claim with the names of the user's groups. */
  readonly groupsClaim: string
}

/** Timeout of a request to the provider, in seconds. A user is waiting. */
const PROVIDER_TIMEOUT_S = 10
/** OpenID Connect Core 1.0, section 2: maximum length of a subject. */
const MAX_SUBJECT_LENGTH = 255

/** Kept by the browser while the user is with the provider. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Sign-in with a provider: authorization code flow with PKCE. */
export class SingleSignOn {
  private readonly config: OidcConfig
  private readonly accounts: Accounts
  private readonly groups: Groups
  private readonly send: typeof fetch
  private found: Promise<Configuration> | undefined

  constructor(config: OidcConfig, accounts: Accounts, groups: Groups, send: typeof fetch) {
    this.config = config
    this.accounts = accounts
    this.groups = groups
    this.send = send
  }

  /**
   * Returns the address to which the browser is redirected.
   * @param isAgain whether the provider must ask for credentials again
   * @throws TuttiError `ConfigurationError` if the provider cannot be reached; `NotAllowed` if no accounts exist yet
   */
  async begin(isAgain = false): Promise<{ readonly url: string; readonly underWay: PendingSignIn }> {
    if (!(await this.accounts.hasAny())) throw noAdminError()
    const client = await import('openid-client')
    const provider = await this.provider()
    const underWay = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: this.config.redirectUrl,
      scope: 'openid profile email',
      ...(isAgain ? { prompt: 'login' } : {}),
      state: underWay.state,
      nonce: underWay.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(underWay.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, underWay }
  }

  /**
   * Completes the sign-in. A subject without an account gets one. An existing account with the same name is never
   * linked: it may be another person.
   * @param query of the address that the browser was redirected to
   * @throws TuttiError `NotSignedIn` if the response does not belong to this browser or is not valid
   */
  async finish(query: string, { state, nonce, verifier }: PendingSignIn): Promise<Person> {
    const client = await import('openid-client')
    const provider = await this.provider()
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const url = new URL(this.config.redirectUrl)
    url.search = query
    const claims = await client.authorizationCodeGrant(provider, url, checks).then(
      (tokens) => tokens.claims(),
      (cause: unknown) => {
        throw new TuttiError('NotSignedIn', 'Sign-in with the provider failed. Try again.', { cause })
      },
    )
    // OpenID Connect Core 1.0, section 3.1.3.7: the authorized party. The library checks it only if there are several
    // audiences.
    if (claims?.azp !== undefined && claims.azp !== this.config.clientId) {
      const cause = new Error('The claim azp names another client.')
      throw new TuttiError('NotSignedIn', 'The provider issued a token for another application.', { cause })
    }
    // A subject is never shortened or cleaned: it would be another user's.
    if (!claims?.sub || claims.sub.length > MAX_SUBJECT_LENGTH || !isPlainName(claims.sub)) {
      const reason = `The claim sub must have 1 to ${MAX_SUBJECT_LENGTH} characters, without control characters.`
      const cause = new Error(reason)
      throw new TuttiError('NotSignedIn', 'The provider sent no valid user ID.', { cause })
    }
    // Optional claims that cannot be stored are left out.
    const text = (name: string): string | undefined => (typeof claims[name] === 'string' ? claims[name] : undefined)
    const name = text('name')
    const names = [text('preferred_username'), text('email')?.split('@')[0], `user-${claims.sub}`]
    const person = await this.accounts.findBySubject(`${claims.iss} ${claims.sub}`, {
      usernames: names.filter((one) => one !== undefined),
      ...(name !== undefined && isName(name, MAX_DISPLAY_NAME_LENGTH) ? { displayName: name } : {}),
    })
    const groups = claims[this.config.groupsClaim]
    const claimed = Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : []
    await this.groups.follow(person.userId, claimed)
    return person
  }

  private provider(): Promise<Configuration> {
    this.found ??= this.discover().catch((cause: unknown) => {
      this.found = undefined
      const message = `The provider ${this.config.issuer} cannot be reached: ${(cause as Error).message}. Check people.oidc.issuer.`
      throw new TuttiError('ConfigurationError', message, { cause })
    })
    return this.found
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.config
    const url = new URL(issuer)
    // Without TLS the provider is not authenticated; allow it only on the same machine.
    const inClear = url.protocol === 'http:' && isLoopbackHost(url.hostname) ? [allowInsecureRequests] : []
    // The TLS connection alone does not authenticate the token: its signature is checked as well.
    const execute = [...inClear, enableNonRepudiationChecks]
    const options = { execute, timeout: PROVIDER_TIMEOUT_S, [customFetch]: this.send as CustomFetch }
    return discovery(url, clientId, clientSecret, undefined, options)
  }
}
