import { joinsOf, type JoinedSelect } from '../joins.ts'
import { list, tree } from '../json.ts'
import { foldAscii, type TableCatalog } from '../tables.ts'
import { rejectQuery } from '../verdict.ts'
import { checkDoubling } from './expression-blowup.ts'
import type { LexedDialect, WordCount } from './lexer.ts'
import { checkRows } from './rows.ts'
import { walkQuery, type Walk } from './walk.ts'

/**
 * Judges sqlparser's tree of a MySQL or SQLite query; refuses by throwing, else says what the query reads and calls.
 * `words` is what the lexer counted in the text: a SELECT, FROM or JOIN that the tree does not account for means that parser and
 * text were read differently, and the database may side with the text.
 */
export function checkSqlparser(
  parsed: unknown,
  dialect: LexedDialect,
  words: WordCount,
  catalog: TableCatalog,
  own: readonly string[],
): { tables: string[]; functions: string[]; joins: JoinedSelect[] } {
  const statements = list(parsed)
  if (statements.length !== 1) {
    rejectQuery('statement-count', `The query has ${statements.length} statements; write exactly one SELECT.`)
  }
  const query = tree(statements[0])['Query']
  if (query === undefined) {
    const kind = typeof statements[0] === 'string' ? statements[0] : (Object.keys(tree(statements[0]))[0] ?? 'nothing')
    const shown = kind.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()
    if (kind.startsWith('Explain')) {
      rejectQuery('statement-kind', 'EXPLAIN is not available for this kind of database; write the SELECT alone.')
    }
    rejectQuery('statement-kind', `Only SELECT is allowed; this is a ${shown} statement.`)
  }
  const walk: Walk = {
    dialect,
    catalog,
    tables: new Set(),
    functions: new Set(),
    seen: { select: 0, from: 0, join: 0 },
    own: new Set(own.map(foldAscii)),
    widest: 1,
    depth: 0,
  }
  walkQuery(walk, tree(query), new Set())
  checkRows(tree(query))
  checkDoubling(tree(query))
  for (const word of ['select', 'from', 'join'] as const) {
    if (words[word] !== walk.seen[word]) {
      rejectQuery(
        'ambiguous',
        `The text has ${words[word]} ${word.toUpperCase()} but was read with ${walk.seen[word]}; quote names that are keywords.`,
      )
    }
  }
  return {
    tables: [...walk.tables],
    functions: [...walk.functions],
    joins: joinsOf(tree(query)),
  }
}
