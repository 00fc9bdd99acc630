import type { Page } from 'playwright-core'
import type { RunEvent } from '../../../src/domain/events.ts'
import { atChart, beside, designing, inTurn, openStep, press, review, trying } from './acts.ts'
import { DATA_SCENES } from './data-scenes.ts'
import { SETTINGS_SCENES } from './settings-scenes.ts'
import { ABOUT, REPLIES, SIGNED_IN, type Replies } from './replies.ts'
import { EVALUATED, UNDER_WAY } from './evaluated.ts'
import { ADMIN_REPLIES } from './admin.ts'
import { ADMIN_SCENES } from './admin-scenes.ts'
import { PAGE_REPLIES } from './pages.ts'
import { RUNS } from './runs.ts'
import { NEVER, Refusal } from './server.ts'

export interface Scene {
  readonly path: string
  /** Text that is on the page when it is fully loaded. */
  readonly shows: string | RegExp
  /** Replies of the server that differ. */
  readonly replies?: Replies
  /** Actions before the picture. */
  readonly act?: (page: Page) => Promise<unknown>
  /** Widths at which the scene can be reached. Default: all. */
  readonly widths?: readonly Width[]
  /** How it is drawn. Default: light and wide. */
  readonly drawn?: { readonly width?: Width; readonly theme?: Theme }
}

export const WIDTHS = { 390: 844, 768: 1024, 1440: 900 } as const
export type Width = keyof typeof WIDTHS
export type Theme = 'light' | 'dark'

const PHONE = { width: 390 } as const
const DARK = { theme: 'dark' } as const

const asViewer: Replies = { '/session': { ...SIGNED_IN, caller: { ...SIGNED_IN.caller, role: 'viewer' } } }
const none = { items: [] }
const broken = new Refusal(
  503,
  'StorageError',
  'The database of Tutti does not answer. Look at its log, then try again.',
)
/** A page that is empty. */
const empty = (address: string): Pick<Scene, 'replies'> => ({ replies: { [address]: none } })

const HOME = { path: '/', shows: 'Try one of these' }
const RUN_LIST = { path: '/runs', shows: 'Delete all orders of 2024' }
const TEAM_PAGE = { path: '/teams/returns-desk', shows: 'Draft one mail for each carrier.' }
/** The conversation of a run that is over, and one that waits for a decision. */
const over = (runId: string): Scene => ({ path: `/c/${runId}`, shows: 'Open run' })
const asking = (runId: string): Scene => ({ path: `/c/${runId}`, shows: 'Review', act: review })
/** A run on its own page, after these presses. */
const answeredRun = (...acts: readonly NonNullable<Scene['act']>[]): Scene => ({
  path: '/runs/answered',
  shows: 'Make a test',
  act: inTurn(...acts),
})
const PHONE_ONLY: Pick<Scene, 'drawn' | 'widths'> = { drawn: PHONE, widths: [390] }
const inDialog = (page: Page): Promise<void> => page.getByRole('dialog').waitFor()

export const SCENES: Readonly<Record<string, Scene>> = {
  'chat-empty': HOME,
  'chat-no-model': {
    path: '/',
    shows: /work without a model/,
    replies: { '/about': { ...ABOUT, model: undefined, models: [] }, '/conversations': none },
  },
  'chat-no-sources': {
    path: '/',
    shows: /Nothing is connected/,
    replies: { '/about': { ...ABOUT, sources: [], suggestions: [] } },
  },
  'chat-viewer': { path: '/', shows: /read/, replies: asViewer },
  'chat-strategies': { ...HOME, act: press(/^Strategy/) },
  'chat-sources-menu': { ...HOME, act: press(/^All sources/), drawn: PHONE },
  'chat-commands': { ...HOME, act: async (page) => page.getByRole('textbox').fill('/') },
  'chat-answered': over('answered'),
  'chat-answered-phone': { ...over('answered'), ...PHONE_ONLY },
  'chat-formulas': {
    path: '/c/formulas',
    shows: 'Half of one is $\\frac{1',
    act: (page) => page.locator('.prose math').nth(4).waitFor(),
  },
  'chat-plan': { ...over('answered'), act: beside('Plan') },
  'chat-trace': { ...over('answered'), act: beside('Trace') },
  'chat-source': {
    ...over('answered'),
    act: inTurn(
      (page) => page.locator('.cite').first().click(),
      (page) => page.locator('aside mark.passage').waitFor(),
    ),
  },
  'chat-source-rows': {
    ...over('series'),
    act: inTurn(
      (page) => page.locator('article .chip').first().click(),
      (page) => page.locator('aside pre.code').waitFor(),
    ),
  },
  'chat-source-gone': {
    ...over('answered'),
    replies: { '/documents/returns-policy/passage': new Refusal(404, 'SourceNotFound', 'There is no such document.') },
    act: (page) => page.locator('.cite').first().click(),
    drawn: PHONE,
  },
  'chat-citation': {
    ...over('answered'),
    act: inTurn(
      (page) => page.locator('.cite').first().focus(),
      (page) => page.getByText('Click to open it').waitFor(),
    ),
  },
  'chat-sql': { ...over('answered'), act: press('SQL') },
  'chat-series': over('series'),
  'chat-charts': { path: '/c/charts', shows: 'Forecast', act: atChart },
  'chat-markup': over('markup'),
  'chat-table-long': over('many'),
  'chat-streaming': { path: '/c/streaming', shows: /3 orders/ },
  'chat-running': { path: '/c/running', shows: /of \d+ steps/, act: beside('Plan') },
  'chat-declined': over('declined'),
  'chat-notices': over('notices'),
  'chat-failed': over('failed'),
  'chat-exhausted': over('exhausted'),
  'chat-waiting': { path: '/c/mail', shows: 'Review' },
  'chat-plan-first': { path: '/c/plan-first', shows: 'Here is the plan' },
  'chat-plan-edit': { path: '/c/plan-first', shows: 'Here is the plan', act: press('Change the plan'), drawn: DARK },
  'chat-feedback': { ...over('answered'), act: press('Wrong'), drawn: DARK },
  'chat-again': { ...over('answered'), act: press(/^Ask again|^Again/) },
  'chat-not-found': { path: '/c/nowhere', shows: /This conversation does not exist/ },
  'chat-menu': { ...over('answered'), act: press('More actions') },
  'chat-share': {
    ...over('answered'),
    act: inTurn(
      press('More actions'),
      (page) => page.getByRole('menuitem', { name: 'Share' }).click(),
      (page) => page.getByText('Active links').waitFor(),
    ),
  },
  shared: { path: '/shared/good', shows: 'taken back within 7 days' },
  'shared-gone': { path: '/shared/gone', shows: 'This link is invalid.' },
  conversations: { path: '/conversations', shows: 'Margins in March' },
  'plan-supervisor': { ...over('supervisor'), act: beside('Plan') },
  'plan-review': { ...over('review'), act: beside('Plan'), drawn: DARK },
  'plan-long': { path: '/c/long', shows: /of 30\d steps/, act: beside('Plan') },
  'plan-phone': { path: '/c/running', shows: /of \d+ steps/, act: beside('Plan'), ...PHONE_ONLY },
  'approval-mail': asking('mail'),
  'approval-tainted': { ...asking('tainted'), drawn: DARK },
  'approval-request': asking('request'),
  'approval-code': asking('code'),
  'chat-question': { path: '/c/question', shows: 'Do not answer' },
  'approval-phone': { ...asking('mail'), ...PHONE_ONLY },
  approvals: { path: '/approvals', shows: 'Review' },
  'approvals-empty': {
    path: '/approvals',
    shows: 'No pending approvals.',
    replies: { '/approvals?status=pending': none },
  },
  runs: RUN_LIST,
  'runs-phone': { ...RUN_LIST, ...PHONE_ONLY },
  'runs-empty': {
    path: '/runs',
    shows: /No runs/,
    replies: {
      '/runs': none,
      '/runs/counts': {
        from: '2026-10-31T09:30:00Z',
        until: '2026-10-31T09:30:00Z',
        stepMs: 3_600_000,
        ...none,
        isCut: false,
      },
    },
  },
  'runs-loading': { path: '/runs', shows: 'Runs', replies: { '/runs': NEVER, '/runs/counts': NEVER } },
  'runs-broken': { path: '/runs', shows: /does not answer/, replies: { '/runs': broken, '/runs/counts': broken } },
  'runs-compare': { path: '/runs/compare?a=answered&b=series', shows: /orders/ },
  'run-answer': { path: '/runs/answered', shows: 'Make a test' },
  'run-plan': { path: '/runs/running', shows: /steps/, act: press(/^Plan$/) },
  'run-trace': answeredRun(press('Trace')),
  'run-trace-long': {
    path: '/runs/contracts?tab=trace',
    shows: '300 steps',
    act: (page) => page.keyboard.press('e'),
    drawn: DARK,
  },
  'run-step': {
    ...answeredRun(press('Trace'), openStep, (page) => page.locator('main details').first().click()),
    drawn: DARK,
  },
  'run-fork': answeredRun(press('Trace'), openStep, press('Fork from here'), inDialog),
  'run-fork-plan': answeredRun(press('Trace'), openStep, press('Fork from here'), press('Change the plan')),
  documents: { path: '/documents', shows: 'returns-policy.pdf' },
  'documents-phone': { path: '/documents', shows: 'returns-policy.pdf', ...PHONE_ONLY },
  'documents-empty': { path: '/documents', shows: /No documents|Nothing/, ...empty('/documents') },
  collections: { path: '/collections', shows: 'Claims of 2026' },
  collection: { path: '/collections/contracts', shows: 'carrier-terms.pdf' },
  schedules: { path: '/schedules', shows: /complaint/ },
  schedule: { path: '/schedules/morning', shows: /limit of 200/ },
  'api-docs': { path: '/docs', shows: '/approvals/{approvalId}/decide' },
  ...DATA_SCENES,
  agents: { path: '/agents', shows: /tasks failed/, act: (page) => page.getByText('Recent errors').first().click() },
  teams: { path: '/teams', shows: 'Looks at what came back' },
  'teams-empty': { path: '/teams', shows: /No teams/, ...empty('/teams') },
  team: TEAM_PAGE,
  'team-designer': { ...TEAM_PAGE, act: designing },
  'team-designer-wrong': {
    ...TEAM_PAGE,
    replies: {
      'POST /teams/check': {
        issues: [{ path: ['agents', 0, 'purpose'], message: 'must not be empty' }],
        flaws: [],
        tools: [],
      },
    },
    act: inTurn(designing, (page) => page.getByText('must not be empty').waitFor()),
    drawn: PHONE,
  },
  evaluations: { path: '/evaluations', shows: 'What did cancelled orders cost us?' },
  'evaluations-compared': {
    path: '/evaluations?against=e1&shown=e2',
    shows: 'Which carrier is late most often?',
    act: press(/What did cancelled orders/),
  },
  'evaluations-phone': {
    path: '/evaluations?against=e1&shown=e2',
    shows: 'Which carrier is late most often?',
    ...PHONE_ONLY,
  },
  'evaluations-running': { path: '/evaluations?shown=e3', shows: '3 of 10 cases', replies: UNDER_WAY },
  'evaluations-empty': { path: '/evaluations', shows: 'No evaluations yet.', ...empty('/evaluations') },
  'evaluations-start': { path: '/evaluations', shows: 'What did cancelled orders cost us?', act: press(/^Run$/) },
  'evaluation-cases': { path: '/evaluations/cases', shows: 'Which coffees must we order again?' },
  'evaluation-cases-empty': {
    path: '/evaluations/cases',
    shows: 'No cases yet.',
    ...empty('/evaluations/cases'),
    drawn: PHONE,
  },
  'make-test': { ...over('answered'), act: press('Make a test') },
  skills: { path: '/skills', shows: 'Count the customers' },
  'skills-empty': { path: '/skills', shows: /Nothing|No skills/, ...empty('/skills') },
  'servers-accept': {
    path: '/servers',
    shows: 'Changed, off',
    act: inTurn(press(/^Accept/), inDialog),
  },
  servers: { path: '/servers', shows: 'read_meter' },
  setup: { path: '/setup', shows: 'Ask your first question' },
  'setup-dark': { path: '/setup', shows: 'Ask your first question', act: trying, drawn: DARK, widths: [1440] },
  'setup-closed': {
    path: '/setup',
    shows: /Sources can only be connected/,
    replies: {
      '/setup': {
        since: '2026-10-01T00:00:00.000Z',
        items: [],
        closed:
          'Sources can only be connected on the server’s own machine, since that opens files and addresses there.',
      },
    },
  },
  'setup-denied': { path: '/setup', shows: 'This page is for admins.', replies: asViewer },
  dashboard: { path: '/dashboard', shows: 'Latency' },
  'dashboard-phone': { path: '/dashboard', shows: 'Latency', ...PHONE_ONLY },
  'dashboard-empty': {
    path: '/dashboard',
    shows: /No runs|Nothing/,
    replies: { '/runs/usage': { items: [], isCut: false } },
  },
  ...SETTINGS_SCENES,
  ...ADMIN_SCENES,
  'admin-denied': { path: '/admin', shows: 'This page is for admins.', replies: asViewer },
  palette: { ...RUN_LIST, act: (page) => page.keyboard.press('Control+k'), drawn: DARK },
  help: { ...RUN_LIST, act: (page) => page.keyboard.press('?') },
  menu: { ...HOME, act: press('Menu'), ...PHONE_ONLY },
  account: { ...HOME, act: press(/Wiebke/), widths: [1440] },
  'sign-in': { path: '/', shows: 'Sign in', replies: { '/session': { registration: 'open', singleSignOn: true } } },
  'not-found': { path: '/nowhere', shows: 'This page does not exist.' },
}

export function toldIn({ replies = {} }: Scene): {
  replies: Replies
  runs: Readonly<Record<string, readonly RunEvent[]>>
} {
  return { replies: { ...REPLIES, ...EVALUATED, ...PAGE_REPLIES, ...ADMIN_REPLIES, ...replies }, runs: RUNS }
}
