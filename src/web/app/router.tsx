import { createRootRoute, createRoute, createRouter, type lazyRouteComponent } from '@tanstack/react-router'
import { ChatPage } from '../features/chat/chat-page.tsx'
import { Broken, lazyComponent } from '../ui/lazy.tsx'
import { searchList, searchAs, searchIn, searchTexts, type Search } from './search.ts'
import { NotFound, Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** Any of them: the types of pages rest on the router's, and those on this one. */
type Load = Parameters<typeof lazyRouteComponent>[0]

/** A page whose code is loaded when it opens. */
function page<Path extends string, Name extends string = never>(path: Path, load: Load, ...params: readonly Name[]) {
  return pageWith(path, load, searchTexts(params))
}

function pageWith<Path extends string, Params>(path: Path, load: Load, validateSearch: (search: Search) => Params) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyComponent<object>(load as Parameters<typeof lazyComponent<object>>[0]),
    validateSearch,
  })
}

/** What of an address says which rows of a database are looked at. */
const SELECTION_PARAMS = ['database', 'table', 'where', 'sort', 'order', 'sql'] as const

const evaluations = () => import('../features/evaluations/evaluations-page.tsx')
const data = () => import('../features/data/data-page.tsx')
const settings = () => import('../features/settings/settings-page.tsx')
const admin = () => import('../features/admin/admin-page.tsx')

/** Each address of the app. */
const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: ChatPage,
    validateSearch: ({ q }: { q?: unknown }): { q?: string } => (typeof q === 'string' ? { q } : {}),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/c/$conversationId',
    component: ChatPage,
    validateSearch: searchTexts(['run', 'beside', 'tab', 'source', 'step']),
  }),
  pageWith(
    '/runs',
    () => import('../features/runs/runs-page.tsx'),
    (search) => ({
      ...searchTexts(['search', 'status', 'outcome', 'strategy', 'model', 'from', 'until'])(search),
      ...searchList('agent')(search),
    }),
  ),
  page('/runs/compare', () => import('../features/runs/compare-page.tsx'), 'a', 'b'),
  page('/runs/$runId', () => import('../features/runs/run-page.tsx'), 'tab'),
  page('/approvals', () => import('../features/approvals/approvals-page.tsx')),
  page('/documents', () => import('../features/documents/documents-page.tsx')),
  page('/documents/$documentId', () => import('../features/documents/document-page.tsx'), 'start', 'end', 'search'),
  page('/collections', () => import('../features/collections/collections-page.tsx')),
  page('/collections/$collectionId', () => import('../features/collections/collection-page.tsx')),
  page('/agents', () => import('../features/agents/agents-page.tsx')),
  page('/data', data, ...SELECTION_PARAMS),
  page('/data/$part', data, ...SELECTION_PARAMS),
  page('/evaluations', evaluations, 'shown', 'against', 'set'),
  page('/evaluations/$part', evaluations),
  page('/schedules', () => import('../features/schedules/schedules-page.tsx')),
  page('/schedules/$scheduleId', () => import('../features/schedules/schedule-page.tsx')),
  page('/teams', () => import('../features/teams/teams-page.tsx')),
  page('/teams/$team', () => import('../features/teams/team-page.tsx')),
  page('/skills', () => import('../features/skills/skills-page.tsx')),
  page('/servers', () => import('../features/servers/servers-page.tsx')),
  page('/setup', () => import('../features/setup/setup-page.tsx')),
  page('/dashboard', () => import('../features/dashboard/dashboard-page.tsx'), 'days'),
  page('/conversations', () => import('../features/conversations/conversations-page.tsx'), 'search', 'kept'),
  page('/shared/$token', () => import('../features/conversations/shared-page.tsx')),
  page('/docs', () => import('../features/api-docs/api-docs-page.tsx')),
  page('/settings', settings),
  page('/settings/$part', settings),
  page('/admin', admin),
  page('/admin/$part', admin, 'as', 'userId', 'actor', 'status'),
] as const

export const router = createRouter({
  routeTree: root.addChildren([...routes]),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  parseSearch: searchIn,
  stringifySearch: searchAs,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
