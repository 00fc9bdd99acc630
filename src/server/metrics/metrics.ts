import type { Resource } from '../context.ts'
import { countRuns } from './run-metrics.ts'
import { access } from '../access.ts'

/** `/metrics` for Prometheus: requests, runs, open work and the process. Contains nothing from questions or answers. */
export const metrics: Resource = async (routes, { app, clock }) => {
  const { collectDefaultMetrics, Histogram, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  const seconds = new Histogram({
    name: 'tutti_http_request_duration_seconds',
    help: 'Duration of HTTP requests until the last byte; includes the whole time of streams',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 60, 600],
    registers: [register],
  })
  routes.server.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const labels = { method, route: routeOptions.url ?? 'none', status: reply.statusCode }
    seconds.observe(labels, reply.elapsedTime / 1_000)
  })
  const stop = await countRuns({ app, clock, register })
  routes.server.addHook('onClose', async () => {
    stop()
    register.clear()
  })
  routes.server.get('/metrics', { config: access.metrics, schema: { hide: true } }, async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  )
}

// The hook must apply to the routes of all resources.
Object.assign(metrics, { [Symbol.for('skip-override')]: true })
