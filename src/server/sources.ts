import type { App } from '../app.ts'
import type { Owner } from '../core/owner.ts'
import { MAILBOX } from '../core/source-name.ts'

/** The sources of the installation that somebody may use: of the others they are told nothing. */
export async function sourcesOf(
  { as, databases, apis, mcp, mail }: App,
  userId: Owner,
): Promise<Pick<App, 'databases' | 'apis' | 'mcp' | 'mail'>> {
  const isGiven = await as(userId).isGiven()
  return {
    databases: databases.filter(({ name }) => isGiven(`database:${name}`)),
    apis: apis.filter(({ catalogue: { name } }) => isGiven(`api:${name}`)),
    mcp: mcp.filter(({ name }) => isGiven(`mcp:${name}`)),
    ...(mail === undefined || !isGiven(MAILBOX) ? {} : { mail }),
  }
}
