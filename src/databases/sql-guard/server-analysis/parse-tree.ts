import type { PoolClient, QueryConfig } from 'pg'
import { TuttiError } from '../../../domain/errors.ts'
import { printableName, Refusal } from '../verdict.ts'
import type { AllowLists } from './catalog.ts'
import { findViolations, type Violation } from './judge.ts'
import type { Kind } from './tree-fields.ts'
import { readParseTree, UnreadableTree, type ParseNode } from './tree.ts'
import { checkQueryCost } from './query-cost.ts'

/** The last setting enables the output, so that the other settings are not reported themselves. */
const ENABLE_PARSE_TREE = `SET LOCAL debug_print_rewritten = off; SET LOCAL debug_print_plan = off; SET LOCAL debug_pretty_print = off;
  SET LOCAL client_min_messages = log; SET LOCAL debug_print_parse = on`
const DISABLE_PARSE_TREE = `SET LOCAL debug_print_parse = off; SET LOCAL client_min_messages = warning; DEALLOCATE tutti_check`

/**
 * The tree of PREPARE itself; the query's own follows. SELECT INTO has another tree of this kind and none of its own.
 */
const UTILITY = /^\{QUERY :commandType 6\s/

/**
 * Asks the server how it parses a query. PREPARE resolves every name without planning or running anything. The
 * transaction must be read-only and cannot be used after an error.
 * @throws TuttiError `ConfigurationError` if the server does not report the tree, `QueryBlocked` if the text is not a
 * query; otherwise the server's error
 */
export async function requestParseTree(client: PoolClient, sql: string): Promise<string> {
  const notices: string[] = []
  const keep = ({ detail }: { readonly detail?: string | undefined }): void => {
    if (detail?.startsWith('{QUERY ') === true) notices.push(detail)
  }
  try {
    await client.query(ENABLE_PARSE_TREE)
  } catch (error) {
    throw noTreeError(error)
  }
  client.on('notice', keep)
  try {
    await client.query(extended(`PREPARE tutti_check AS ${sql}`))
  } finally {
    client.off('notice', keep)
  }
  await client.query(DISABLE_PARSE_TREE)
  if (notices.length === 0) throw noTreeError()
  const [tree, ...more] = notices.filter((text) => !UTILITY.test(text))
  if (tree === undefined || more.length > 0) throw blocked('For the server this is not one query that only reads.')
  return tree
}

/** The extended protocol refuses a second statement. */
function extended(text: string): QueryConfig {
  const query: QueryConfig & { queryMode: 'extended' } = { text, values: [], queryMode: 'extended' }
  return query
}

function noTreeError(cause?: unknown): TuttiError {
  return new TuttiError(
    'ConfigurationError',
    'This server does not say how it understands a query (PREPARE with debug_print_parse, as PostgreSQL does), so none is ' +
      'run. Write "serverCheck: false" for this database in the configuration file to go without this protection.',
    { cause },
  )
}

/**
 * Checks a tree against the lists.
 * @returns the parts that are not listed
 * @throws TuttiError `QueryBlocked` for a tree that cannot be parsed reliably, and for a query that would build
 * something huge
 */
export function judgeTree(text: string, { allowed, encoding }: AllowLists): Violation[] {
  try {
    const tree: ParseNode = readParseTree(text, encoding)
    const violations = findViolations(tree, allowed)
    checkQueryCost(tree)
    return violations
  } catch (thrown) {
    if (thrown instanceof UnreadableTree || thrown instanceof Refusal) {
      const reason = thrown.message.replace(/\.$/, '')
      throw blocked(`PostgreSQL's own reading of the query is refused: ${reason}. Write it more simply.`)
    }
    throw thrown
  }
}

const CATALOG_OF: Readonly<Record<Kind, string>> = {
  function: 'pg_proc',
  operatorFunction: 'pg_proc',
  frame: 'pg_proc',
  operator: 'pg_operator',
  relation: 'pg_class',
  type: 'pg_type',
  constant: 'pg_type',
}

const NAMES = `
  SELECT pg_describe_object($1::regclass, $2::oid, 0) AS name, (SELECT e.extname::text FROM pg_depend d
    JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    WHERE d.classid = $1::regclass AND d.objid = $2::oid) AS extension`

/** The refusal of a query for something on no list, by its name. */
export async function violationError(client: PoolClient, { kind, id }: Violation): Promise<TuttiError> {
  const { rows } = await client.query<{ name: string | null; extension: string | null }>(NAMES, [CATALOG_OF[kind], id])
  const { name, extension } = rows[0] ?? { name: null, extension: null }
  const hint =
    extension === null
      ? ''
      : ` It belongs to the extension ${printableName(extension)}; whoever runs this can name that under "extensions" of the database.`
  return blocked(
    `PostgreSQL would use ${printableName(name ?? `${kind} ${id}`)} for this query, which is not on the allow-list.${hint}`,
  )
}

function blocked(message: string): TuttiError {
  return new TuttiError('QueryBlocked', message, { details: { rule: 'server' } })
}
