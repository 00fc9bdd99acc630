import type { Claims } from './claim.ts'

export const claims: Claims = {
  'so a second DNS look-up cannot differ':
    'src/http/http.test.ts › the result of each lookup is checked, so rebinding between two requests is detected',
  "A plan cannot change the credentials or the caller's values":
    'src/agents/api/request/declared-params.test.ts › are reserved for it: values of a plan are dropped',
  'in a path value is refused': 'src/agents/api/agent.test.ts › cannot leave the operation by the path value %s',
  'never leads to an internal host, even if that host is allowed':
    'src/agents/web/agent.test.ts › reads an internal address only if the user named it, now or earlier',
  '(reads only), or always':
    'src/engine/approvals/scopes.int.test.ts › with a scope is listed, and revoked by its owner only',
  'Files of the data folder are refused on `/setup`':
    'test/server/setup.int.test.ts › connects no file of Tutti under any name, and no file outside the listed folders',
  'Line breaks in addresses and subjects never reach a header':
    'src/agents/mail/agent.int.test.ts › receives the error of an invalid mail before the user is asked: %j',
  'later ones are refused with the reason':
    'src/engine/approvals/approvals.int.test.ts › counts once; a late decision is refused with the reason',
  'agents cannot drop them':
    'src/engine/approvals/approvals.int.test.ts › passes through agents that read nothing themselves',
  'is always shown to you': [
    'src/engine/approvals/scopes.int.test.ts › of an irreversible call in a turn with content other than the user’s words covers only that call',
    'test/e2e/hidden-instructions.test.ts › sends nothing without an approval that shows payload and origin, %s',
  ],
  'are never part of a prompt, log or trace':
    'test/secrets/keys.test.ts › keys and passwords of the installation are in no prompt, and in no file of the data folder',
}
