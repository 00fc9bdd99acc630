import type { Asking, HttpWorld } from './http-server.ts'

/** A browser: keeps cookies, and follows no redirects. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  private readonly ask: HttpWorld['fetch']

  constructor(ask: HttpWorld['fetch']) {
    this.ask = ask
  }

  async fetch(path: string, { headers, ...rest }: Asking = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.ask(path, { as: null, redirect: 'manual', ...rest, headers: { cookie, ...headers } })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value === '') this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    return response
  }

  async status(path: string, asking?: Asking): Promise<number> {
    return (await this.fetch(path, asking)).status
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- what is wanted of it is said where it is used
  async json<T = any>(path: string, asking?: Asking): Promise<T> {
    return (await (await this.fetch(path, asking)).json()) as T
  }

  /** Signs in with the single sign-on provider. */
  async signOn(): Promise<Response> {
    const begun = await this.fetch('/session/oidc')
    if (begun.status !== 302) return begun
    const back = await fetch(begun.headers.get('location')!, { redirect: 'manual' })
    return this.fetch(`/session/oidc/callback${new URL(back.headers.get('location')!).search}`)
  }
}
