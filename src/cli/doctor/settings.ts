import type { App } from '../../app/user-app.ts'
import { isSchema } from '../../databases/glossary/tables.ts'
import { nearest } from '../../shared/nearest.ts'

type CheckedParts = Pick<App, 'config' | 'databases' | 'apis' | 'agents'>

const TIMEOUT_MS = 15_000

/**
 * Finds settings that refer to missing tools, tables or security schemes. Their syntax is valid, so only a lookup finds
 * them.
 */
export async function settingsProblems(app: CheckedParts): Promise<string[]> {
  return [...credentialProblems(app), ...allowProblems(app), ...(await tableProblems(app))]
}

function credentialProblems({ config, apis }: CheckedParts): string[] {
  return config.apis.flatMap(({ name, catalogue: location, credentials = {} }, i) => {
    // An API that could not be read is reported elsewhere and has no schemes to compare.
    const api = apis.find((one) =>
      name === undefined ? hasAll(one.credentials ?? {}, credentials) : one.catalogue.name === name,
    )
    const schemes = Object.keys(api?.catalogue.securitySchemes ?? {})
    if (api === undefined || schemes.length === 0) return []
    return Object.keys(credentials)
      .filter((scheme) => !schemes.includes(scheme))
      .map((scheme) => {
        const where = `apis.${i} (${name ?? location})`
        return `${where}: the document has no security scheme "${scheme}"${suggestName(scheme, schemes)} It has: ${schemes.join(', ')}.`
      })
  })
}

/** Entries with a colon are requests, which the configuration has already validated. */
function allowProblems({ config, agents }: CheckedParts): string[] {
  const names = [...new Set(agents.flatMap(({ tools = [] }) => tools.map(({ name }) => name)))]
  return config.approvals.allow
    .filter((entry) => !entry.includes(':') && !names.includes(entry))
    .map((entry) => `approvals.allow: no agent has a tool "${entry}"${suggestName(entry, names)}`)
}

function hasAll(given: object, wanted: object): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => JSON.stringify(Reflect.get(given, name)) === JSON.stringify(value),
  )
}

async function tableProblems({ config, databases }: CheckedParts): Promise<string[]> {
  const found = await Promise.all(
    config.databases.map(async ({ tables = [] }, i) => {
      const source = databases[i]
      if (tables.length === 0 || source === undefined) return []
      // A database that does not answer is reported elsewhere.
      const schema = await source.schema(AbortSignal.timeout(TIMEOUT_MS)).catch(() => undefined)
      if (schema === undefined || !isSchema(schema)) return []
      const names = schema.tables.map((table) => table.name)
      return tables.flatMap((table) => {
        const bare = table.split('.').at(-1)!.toLowerCase()
        if (names.some((name) => name.toLowerCase() === bare)) return []
        return [`databases.${i} (${source.name}): there is no table "${table}"${suggestName(table, names)}`]
      })
    }),
  )
  return found.flat()
}

function suggestName(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? '.' : `; did you mean "${near}"?`
}
