import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { openForEach } from '../support/opened.ts'

const app = openForEach(() => createApp({ config: { people: { registration: 'open' } } }))

const asking = (authorization: string, more: object = {}) =>
  ({ headers: { host: '127.0.0.1:8080', authorization, ...more }, ip: '127.0.0.1' }) as never

describe('an unknown key', () => {
  it('is the only user of the machine without accounts, because OpenAI clients always send a key', async () => {
    const caller = await authenticateBy(app.people)(asking('Bearer any'))
    expect(caller).toMatchObject({ userId: 'local', kind: 'demo' })
  })

  it.each([
    ['through a proxy', { 'x-forwarded-for': '192.0.2.1' }],
    ['by the name of a site', { host: 'evil.example' }],
  ])('gives no access %s', async (_, more) => {
    await expect(authenticateBy(app.people)(asking('Bearer any', more))).rejects.toMatchObject({ code: 'NotAllowed' })
  })

  it('gives no access once an account exists', async () => {
    const authenticate = authenticateBy(app.people)
    await authenticate(asking('Bearer any'))
    await app.people.accounts.register({ username: 'root', password: 'a long enough sentence' }, 'open')
    await expect(authenticate(asking('Bearer any'))).rejects.toMatchObject({ code: 'NotSignedIn' })
    await expect(authenticate(asking('Basic any'))).rejects.toMatchObject({ code: 'NotSignedIn' })
  })
})
