import type { Operations, Schemas } from '../../../src/client/api-types.ts'
import { ago, list, type Replies } from './replies.ts'

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
  '/groups/sales/removal': {
    items: [
      { ...LARS, source: 'database:brindlemoor', gains: [], loses: ['edit'] },
      { ...ODA, source: 'database:brindlemoor', gains: [], loses: ['use'] },
      { ...ODA, source: 'collection:contracts', called: 'Contracts (lars)', gains: [], loses: ['use'] },
    ],
    limits: 1,
  } satisfies Told<'GET /groups/{groupId}/removal'>,
  '/groups/mine': list<Schemas['Group']>({ groupId: 'sales', name: 'Sales', members: 2 }),
  '/people/lars/access': {
    ...LARS,
    isDisabled: false,
    groups: [{ groupId: 'sales', name: 'Sales' }],
    sources: [
      {
        source: 'database:brindlemoor',
        may: ['use', 'edit'],
        why: [
          { by: 'grant', to: 'group:sales', name: 'Sales', level: 'reader' },
          { by: 'grant', to: 'user:lars', name: 'lars', level: 'editor' },
        ],
      },
      { source: 'api:orders', may: [], why: [] },
      { source: 'mcp:carrier-desk', may: [], why: [] },
      { source: 'mailbox:main', may: ['use'], why: [{ by: 'grant', to: 'user:lars', name: 'lars', level: 'reader' }] },
    ],
    hasOwnMailbox: true,
    collections: [
      {
        collectionId: 'claims',
        name: 'Claims of 2026',
        may: ['use'],
        why: [{ by: 'grant', to: 'everyone', level: 'reader' }],
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
      { kind: 'invitations', days: 7 },
      { kind: 'resets', days: 1 },
      { kind: 'unfinished', days: 1 },
      { kind: 'repeats', days: 1 },
      { kind: 'skills', days: 180 },
      { kind: 'memory' },
      { kind: 'usage' },
      { kind: 'audit' },
    ],
    swept: [
      { at: ago(0.02), runs: 0, conversations: 0, uploads: 0, waiting: 1 },
      { at: ago(1.3), runs: 14, conversations: 0, uploads: 2, waiting: 1 },
      { at: ago(2.1), runs: 1, conversations: 0, uploads: 0, waiting: 0 },
    ],
    nextAt: ago(-0.02),
  } satisfies Told<'GET /retention'>,
  '/retention/due': {
    runs: 23,
    conversations: 4,
    uploads: 1,
    waiting: 2,
    isCut: false,
  } satisfies Told<'GET /retention/due'>,
}
