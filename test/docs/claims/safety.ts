import type { Claims } from './claim.ts'

export const claims: Claims = {
  'so a second DNS look-up cannot differ':
    'src/http/http.test.ts › the answer of each look-up is checked, so rebinding between two requests is seen',
  "A plan cannot change the credentials or the caller's values":
    'src/agents/api/request/declared-params.test.ts › are nobody else’s: a plan’s values are left out',
  'in a path value is refused': 'src/agents/api/agent.test.ts › cannot leave the operation by the path value %s',
  'never leads to an internal host, even if that host is allowed':
    'src/agents/web/agent.test.ts › reads an address inside only where the user named it, now or before',
  '(reads only), or always':
    'src/engine/approvals/scopes.test.ts › that stands is listed, and revoked by its owner alone',
  'Files of the data folder are refused on `/setup`':
    'test/server/setup.test.ts › connects no file of Tutti, by whatever name, and no file outside of the listed folders',
  'Line breaks in addresses and subjects never reach a header':
    'src/agents/mail/agent.test.ts › is told what is wrong with a mail before anybody is asked: %j',
  'later ones are refused with the reason':
    'src/engine/approvals/approvals.test.ts › counts once; whoever is late is told',
  'agents cannot drop them':
    'src/engine/approvals/approvals.test.ts › travels through agents that touch nothing themselves',
  'is always shown to you': [
    'src/engine/approvals/scopes.test.ts › of an irreversible call in a turn that has seen more than the user’s words is for that call alone',
    'test/e2e/hidden-instructions.test.ts › sends nothing without an approval that shows payload and origin, %s',
  ],
  'are never part of a prompt, log or trace':
    'test/secrets/keys.test.ts › keys and passwords of the installation are in no prompt, and in no file of the data folder',
}
