import { withGetters } from '../agents/mcp/agent.ts'
import type { SqlSource } from '../agents/sql/source.ts'
import type { Agent } from '../domain/actor.ts'
import { TuttiError } from '../domain/errors.ts'

/** The error about a broken source for non-admins: it names the source but not its address, which only admins see. */
export function isBroken(source: string): string {
  return `${source} does not answer at the moment; an admin can see why.`
}

/** A database whose errors name no host. */
export function redactDatabase(source: SqlSource): SqlSource {
  const { name, terms } = source
  const redacted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (thrown) {
      if (!TuttiError.is(thrown, 'ConfigurationError')) throw thrown
      const { retryable } = thrown
      throw new TuttiError('ConfigurationError', isBroken(`The database “${name}”`), { retryable, cause: thrown })
    }
  }
  return {
    name,
    schema: (signal) => redacted(source.schema(signal)),
    check: (sql, signal) => redacted(source.check(sql, signal)),
    query: (sql, signal) => redacted(source.query(sql, signal)),
    ...(terms === undefined ? {} : { terms: () => terms.call(source) }),
    protections: (signal) => redacted(source.protections(signal)),
  }
}

/** An agent of an MCP server whose error says that the server is down, without the reason. */
export function redactServer(agent: Agent, server: string): Agent {
  const broken = () => (agent.unavailable === undefined ? [] : [isBroken(`The MCP server “${server}”`)])
  return withGetters(agent, {
    description: () => agent.description,
    keywords: () => agent.keywords,
    tools: () => agent.tools,
    unavailable: () => broken()[0],
    lacking: broken,
  })
}
