import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ChatPage } from '../features/chat/chat-page.tsx'
import { NotFound, Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** A page whose code is loaded when it is opened. */
function page<Path extends string>(path: Path, load: Parameters<typeof lazyRouteComponent>[0]) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })
}

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
    validateSearch: ({ run }: { run?: unknown }): { run?: string } => (typeof run === 'string' ? { run } : {}),
  }),
  page('/runs', () => import('../features/runs/runs-page.tsx')),
  page('/runs/$runId', () => import('../features/runs/run-page.tsx')),
  page('/approvals', () => import('../features/approvals/approvals-page.tsx')),
  page('/documents', () => import('../features/documents/documents-page.tsx')),
  page('/agents', () => import('../features/agents/agents-page.tsx')),
  page('/settings', settings),
  page('/settings/$part', settings),
  page('/admin', admin),
  page('/admin/$part', admin),
] as const

export const router = createRouter({ routeTree: root.addChildren([...routes]), defaultPreload: 'intent' })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
