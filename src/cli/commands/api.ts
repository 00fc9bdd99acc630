import type { Api } from '../../agents/api/open.ts'
import type { Endpoint } from '../../agents/api/catalogue/types.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { parseApi } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { safeLine, safeText } from '../render/text.ts'
import { shellWord } from '../own-command.ts'
import { argument, JSON_OPTION, ALLOW_HOST_OPTION } from '../shared-options.ts'

const CATALOGUE = 'file or URL of an OpenAPI document or catalogue'

export function addApi({ root, cli, command }: Program): void {
  const api = root.command('api').description('inspect the operations of an API')
  command(api, 'list', 'list operations', argument('<file>', CATALOGUE), ALLOW_HOST_OPTION, JSON_OPTION).run(
    (file: string, options: ApiOptions) => listEndpoints(cli, file, options),
  )
  command(
    api,
    'show',
    'show an operation',
    argument('<file>', CATALOGUE),
    argument('<operation>', 'its id, its path, or method and path such as "GET /orders"'),
    ALLOW_HOST_OPTION,
    JSON_OPTION,
  ).run((file: string, what: string, options: ApiOptions) => showEndpoint(cli, file, what, options))
}

interface ApiOptions {
  readonly allowHost?: readonly string[]
  readonly json?: boolean
}

/** `tutti api list`: the operations of a catalogue, as the API agent sees them. */
async function listEndpoints(cli: Cli, file: string, options: ApiOptions): Promise<void> {
  return withApi(cli, file, options, ({ catalogue }) => {
    if (options.json === true) {
      const { name, servers, endpoints } = catalogue
      return printJson(cli, { name, servers, endpoints: endpoints.map(describe) })
    }
    const rows = catalogue.endpoints.map(({ method, path, summary }) => ({ method, path, summary }))
    printList(cli.out, ['method', 'path', 'summary'], rows)
    cli.err.line(`${safeLine(catalogue.name)}: ${rows.length} operations.`)
  })
}

/** `tutti api show`: all that a catalogue tells of the operations at one path or of one name. */
async function showEndpoint(cli: Cli, file: string, what: string, options: ApiOptions): Promise<void> {
  const yaml = await import('yaml')
  return withApi(cli, file, options, ({ catalogue }) => {
    const { name, endpoints } = catalogue
    const wanted = what.trim().toLowerCase()
    const found = endpoints.filter(({ operationId, method, path }) => {
      return [operationId, path, `${method} ${path}`].some((text) => text.toLowerCase() === wanted)
    })
    if (found.length === 0) {
      throw new TuttiError(
        'InvalidRequest',
        `"${name}" has no operation "${what.trim()}". List them with: ${cli.self} api list ${shellWord(file)}`,
      )
    }
    if (options.json === true) return printJson(cli, found.map(describe))
    const text = found.map((one) => yaml.stringify(describe(one), { lineWidth: cli.out.helpWidth() }))
    cli.out.write(safeText(text.join('---\n')))
  })
}

function describe(endpoint: Endpoint) {
  const { method, path, body, ...rest } = endpoint
  return { method, path, ...rest, body: body() ?? null }
}

async function withApi(
  cli: Cli,
  file: string,
  { allowHost = [] }: ApiOptions,
  work: (api: Api) => void,
): Promise<void> {
  const apis = parseApi(file)
  return withApp(cli, { apis, allowHosts: allowHost, inMemory: true }, async (app) => work(app.apis.at(-1)!))
}
