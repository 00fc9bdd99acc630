import type { App } from '../app/user-app.ts'
import type { Owner } from '../domain/events.ts'
import { MAILBOX } from '../shared/source-name.ts'

/** The sources that a user may use: those of the installation and their own mailbox. Others are not revealed. */
export async function usableSources(
  { as, databases, apis, mcp, mail: shared, mailboxes }: App,
  userId: Owner,
): Promise<Pick<App, 'databases' | 'apis' | 'mcp' | 'mail'>> {
  const [isGiven, own] = await Promise.all([as(userId).isGiven(), mailboxes.of(userId)])
  const mail = own === undefined ? (isGiven(MAILBOX) ? shared : undefined) : own.account
  return {
    databases: databases.filter(({ name }) => isGiven(`database:${name}`)),
    apis: apis.filter(({ catalogue: { name } }) => isGiven(`api:${name}`)),
    mcp: mcp.filter(({ name }) => isGiven(`mcp:${name}`)),
    ...(mail === undefined ? {} : { mail }),
  }
}
