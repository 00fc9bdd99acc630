import type { Claims } from './claim.ts'

export const claims: Claims = {
  'of other extensions are refused by name, until you list':
    'src/databases/sql-guard/server-analysis/word.soak.test.ts › uses operators and types of an extension that the operator listed, and names one that is not listed',
  'calls that would build huge values are refused':
    'src/databases/sql-guard/gate.soak.test.ts › attacks in ${dialect} › %s: %s',
  'a name that is also a function or type is refused': 'src/databases/sql-guard/resolution.test.ts › never passes: %s',
  'with a built-in name is refused': 'src/databases/sql-guard/resolution.test.ts › are not taken for built-in ones: %s',
  'An object that is on no list is refused by name':
    'src/databases/sql-guard/server-analysis/word.soak.test.ts › names the objects that the server would use',
  'The session cannot write': [
    'src/databases/postgres.int.test.ts › %s fails and changes nothing',
    'src/databases/mysql.int.test.ts › %s fails and changes nothing',
    'src/databases/sqlite-query.test.ts › has a handle that cannot write, even after query_only was switched off',
  ],
  'or all rights are refused':
    'src/databases/postgres-rights.int.test.ts › %s is refused, unless the operator allows it',
  'does not return its analysis (CockroachDB and others) is refused':
    'src/databases/postgres-rights.int.test.ts › a server that does not print parse trees gets no query',
  'Syntax added by newer versions is refused':
    'src/databases/sql-guard/gate.soak.test.ts › attacks in ${dialect} › %s: %s',
}
