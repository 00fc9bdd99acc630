import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Files of the data folder are refused on `/setup`':
    'test/server/setup.test.ts › connects no file of Tutti, by whatever name, and no file outside of the listed folders',
  'calls that would build huge values are refused': 'src/databases/gate/gate.test.ts › attacks in ${dialect} › %s: %s',
  'a name that is also a function or type is refused': 'src/databases/gate/resolution.test.ts › never passes: %s',
  'with a built-in name is refused': 'src/databases/gate/resolution.test.ts › are not taken for built-in ones: %s',
  'whatever is on none of them is refused by name': 'src/databases/word/word.test.ts › names what the server would use',
  'The session cannot write': [
    'src/databases/postgres.test.ts › %s fails and changes nothing',
    'src/databases/mysql.test.ts › %s fails and changes nothing',
    'src/databases/sqlite-query.test.ts › has a handle that cannot write, even after query_only was switched off',
  ],
  'are refused, and so are accounts':
    'src/databases/postgres-rights.test.ts › %s is refused, unless the operator allows it',
  'Types that may not be used are refused':
    'src/databases/word/word.test.ts › attacks are refused, whoever is logged in › %s',
  'are refused by name, until you list it':
    'src/databases/word/word.test.ts › uses operators and types of an extension that the operator named, and says so of one that it did not',
  'does not show its reading (CockroachDB and others) is refused':
    'src/databases/postgres-rights.test.ts › a server that keeps its trees to itself is not asked anything',
  'so a second look-up cannot differ':
    'src/http/http.test.ts › the answer of each look-up is checked, so rebinding between two requests is seen',
  'what the caller gave, which a plan cannot change':
    'src/agents/api/request/declared.test.ts › are nobody else’s: a plan’s values are left out',
  'in a path value is refused': 'src/agents/api/agent.test.ts › cannot leave the operation by the path value %s',
  'Line breaks in addresses and subjects never reach a header':
    'src/agents/mail/agent.test.ts › is told what is wrong with a mail before anybody is asked: %j',
  'never leads to an internal host, whatever you allow':
    'src/agents/web/agent.test.ts › reads an address inside only where the user named it, now or before',
  'later ones are refused with the reason':
    'src/engine/approvals/approvals.test.ts › counts once; whoever is late is told',
  'agents cannot drop them':
    'src/engine/approvals/approvals.test.ts › travels through agents that touch nothing themselves',
  'is always shown to you': [
    'src/engine/approvals/scopes.test.ts › of an irreversible call in a turn that has seen more than the user’s words is for that call alone',
    'test/e2e/hidden-instructions.test.ts › sends nothing without an approval that shows payload and origin, %s',
  ],
  '(reads only), or always':
    'src/engine/approvals/scopes.test.ts › that stands is listed, and revoked by its owner alone',
  'Syntax added by newer versions is refused': 'src/databases/gate/gate.test.ts › attacks in ${dialect} › %s: %s',
  'It is always': 'src/sandbox/cpython/parts.test.ts › is an error of configuration when a job comes, and shown before',
  'are never part of a prompt, log or trace':
    'test/secrets/keys.test.ts › keys and passwords of the installation are in no prompt, and in no file of the data folder',
}
