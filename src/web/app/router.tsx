import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ChatPage } from '../features/chat/chat-page.tsx'
import { NotFound, Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** Each address of the app; pages other than the chat are loaded when they are opened. */
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
  createRoute({
    getParentRoute: () => root,
    path: '/runs',
    component: lazyRouteComponent(() => import('../features/runs/runs-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$runId',
    component: lazyRouteComponent(() => import('../features/runs/run-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/approvals',
    component: lazyRouteComponent(() => import('../features/approvals/approvals-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/documents',
    component: lazyRouteComponent(() => import('../features/documents/documents-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/agents',
    component: lazyRouteComponent(() => import('../features/agents/agents-page.tsx')),
  }),
] as const

export const router = createRouter({ routeTree: root.addChildren([...routes]), defaultPreload: 'intent' })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
