import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  FastifyContextConfig,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { omitUndefined } from '../shared/json.ts'
import { access } from './access.ts'
import type { Server } from './context.ts'
import { id } from './schemas.ts'

/** Who may use a route, and the schemas of its request and response. */
interface RouteSpec
  extends
    Omit<FastifyContextConfig, 'access' | 'url' | 'method'>,
    Pick<RouteShorthandOptions, 'errorHandler' | 'exposeHeadRoute'> {
  readonly access: keyof typeof access
  readonly summary: string
  /** Default: each parameter of the path is an ID. */
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly consumes?: readonly string[]
  /** Schema of the response with status 200, or schemas by status. Default: 204, without a body. */
  readonly response?: z.ZodType | Readonly<Record<number, unknown>>
}

type ParamNames<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The schemas of a route in the form of Fastify. */
interface Schemas<Path, Spec extends RouteSpec> {
  readonly params: Spec['params'] extends z.ZodType
    ? Spec['params']
    : z.ZodType<Readonly<Record<ParamNames<Path>, string>>>
  readonly querystring: Spec['query']
  readonly body: Spec['body']
  readonly response: Spec['response'] extends z.ZodType
    ? { readonly 200: Spec['response'] }
    : undefined extends Spec['response']
      ? { readonly 204: z.ZodNull }
      : Spec['response']
}

type Handler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  unknown,
  Schema,
  ZodTypeProvider
>

type AddRoute = <const Path extends string, const Spec extends RouteSpec>(
  path: Path,
  spec: Spec,
  handler: Handler<Schemas<Path, Spec>>,
) => void

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Adds the routes of a resource. */
export type Routes = Readonly<Record<(typeof METHODS)[number], AddRoute>> & {
  /** For hooks, content types, and routes that are not part of the described API. */
  readonly server: Server
}

export function routesOf(server: Server): Routes {
  const methods = METHODS.map((method): [string, AddRoute] => [
    method,
    (path, spec, handler) => void server[method](path, routeOptions(path, spec), handler as never),
  ])
  return { ...Object.fromEntries(methods), server } as Routes
}

function routeOptions(path: string, spec: RouteSpec): RouteShorthandOptions {
  const { access: needed, summary, query, body, consumes, errorHandler, exposeHeadRoute, ...others } = spec
  const { params = paramsOf(path), response, ...config } = others
  const byStatus = response instanceof z.ZodType ? { 200: response } : (response ?? { 204: z.null() })
  const schema = { summary, params, querystring: query, body, consumes, response: byStatus }
  return {
    ...omitUndefined({ errorHandler, exposeHeadRoute }),
    config: { ...config, ...access[needed] },
    schema: omitUndefined(schema),
  }
}

function paramsOf(path: string): z.ZodType | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, id])))
}
