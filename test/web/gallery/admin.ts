import type { Operations, Schemas } from '../../../src/client/api-types.ts'
import { list, type Replies } from './replies.ts'

type Told<Name extends keyof Operations> = Operations[Name]['answer']

const LARS = { userId: 'lars', name: 'Lars Bellander', role: 'member' } as const
const ODA = { userId: 'oda', name: 'Oda Marchetti-Vanderbruggen', role: 'member' } as const
const PIET = { userId: 'piet', name: 'Piet Okonjo', role: 'viewer' } as const

/** Replies for the admin pages about access and stored data. */
export const ADMIN_REPLIES: Replies = {
  '/grants': list(
    {
      source: 'database:brindlemoor',
      grants: [
        { to: 'group:sales', level: 'reader' },
        { to: 'user:lars', level: 'editor' },
      ],
    },
    { source: 'api:orders', grants: [{ to: 'group:service', level: 'reader' }] },
    { source: 'mcp:carrier-desk', grants: [] },
    { source: 'mailbox:main', grants: [{ to: 'user:lars', level: 'reader' }] },
  ),
  'POST /grants/preview': {
    items: [
      { ...LARS, source: 'database:brindlemoor', gains: [], loses: ['use', 'edit'] },
      { ...ODA, source: 'database:brindlemoor', gains: ['use'], loses: [] },
      { ...PIET, source: 'database:brindlemoor', gains: ['use'], loses: [] },
    ],
  } satisfies Told<'POST /grants/preview'>,
  '/groups/mine': list<Schemas['Group']>({ groupId: 'sales', name: 'Sales', members: 2 }),
  '/people/lars/access': {
    ...LARS,
    isDisabled: false,
    groups: [{ groupId: 'sales', name: 'Sales' }],
    sources: [
      {
        source: 'database:brindlemoor',
        may: ['use', 'edit'],
      },
      { source: 'api:orders', may: [] },
      { source: 'mcp:carrier-desk', may: [] },
      { source: 'mailbox:main', may: ['use'] },
    ],
    hasOwnMailbox: true,
    collections: [
      {
        collectionId: 'claims',
        name: 'Claims of 2026',
        may: ['use'],
      },
    ],
    ownCollections: 2,
    agents: [
      { name: 'sql' },
      { name: 'rag' },
      { name: 'mail' },
      { name: 'web', unavailable: 'No search engine is set up.' },
    ],
    teams: [{ name: 'returns-desk' }],
    ownTeams: 0,
  } satisfies Schemas['PersonAccess'],
  '/retention': {
    kept: [
      { kind: 'runs', days: 180, setting: 'retention.runDays' },
      { kind: 'conversations', setting: 'retention.conversationDays' },
      { kind: 'uploads', days: 365, setting: 'retention.uploadDays' },
      { kind: 'sessions', days: 30 },
      { kind: 'resets', days: 1 },
      { kind: 'skills', days: 180 },
      { kind: 'memory' },
      { kind: 'usage' },
      { kind: 'audit' },
    ],
  } satisfies Told<'GET /retention'>,
}
