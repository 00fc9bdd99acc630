import { press, inTurn } from './acts.ts'
import type { Scene } from './scenes.ts'
import { NEVER } from './server.ts'

const REFUSED = {
  sql: "-- cancelled orders before 2026\nDELETE FROM orders\nWHERE status = 'cancelled'\n  AND order_date < '2026-01-01'",
  checked: {
    allowed: false,
    rule: 'statement-kind',
    reason: 'Only SELECT is allowed; this is a DELETE statement.',
    at: { from: 32, to: 38 },
    instead: "SELECT * FROM orders WHERE status = 'cancelled'\n  AND order_date < '2026-01-01'",
  },
}

/** The page of databases. */
export const DATA_SCENES: Readonly<Record<string, Scene>> = {
  data: { path: '/data?table=returns', shows: 'damaged in transit' },
  'data-phone': { path: '/data?table=returns', shows: 'damaged in transit', drawn: { width: 390 }, widths: [390] },
  'data-terms': { path: '/data/terms', shows: 'Verified questions' },
  'data-console': { path: '/data/console', shows: 'History' },
  'data-filters': {
    path: '/data?table=returns&where=reason%3Ais%3Adamaged+in+transit%0Arefund_amount%3Age%3A20&sort=return_date&order=down',
    shows: 'refund_amount ≥ 20',
    act: press(/^Filter/),
  },
  'data-refused': {
    path: `/data/console?${new URLSearchParams({ sql: REFUSED.sql })}`,
    shows: 'History',
    replies: { 'POST /databases/brindlemoor/check': REFUSED.checked },
    act: (page) => page.getByText('Allowed instead:').waitFor(),
  },
  'data-running': {
    path: '/data/console?sql=SELECT+count(*)+FROM+orders+a%2C+orders+b',
    shows: 'History',
    replies: { 'POST /databases/brindlemoor/check': { allowed: true }, 'POST /databases/brindlemoor/query': NEVER },
    act: inTurn(press(/^Run/), (page) => page.getByRole('button', { name: 'Stop' }).waitFor()),
  },
}
