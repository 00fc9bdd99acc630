import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { TuttiError } from '../../domain/errors.ts'
import type { McpServer, McpTool, ToolStates, Visitor } from '../../mcp/tool-list.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { sourceOptions, type SourceOptions } from '../option-values.ts'
import { safeLine, escapeHidden } from '../render/text.ts'
import { packageVersion } from '../package-version.ts'
import { shellWord, typedOptions } from '../printed-commands.ts'
import { argument, JSON_OPTION, YES_OPTION, MCP_OPTION, SOURCE_OPTIONS } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'

export function addMcp({ root, cli, command }: Program): void {
  const mcp = root.command('mcp').description('manage MCP servers, or run as an MCP server')
  command(
    mcp,
    'list',
    'start the servers and list their tools: accepted, changed, added, removed',
    argument('[server]', 'name of a server; all by default'),
    MCP_OPTION,
    JSON_OPTION,
  ).run((server: string | undefined, options: McpOptions) => list(cli, server, options))
  command(
    mcp,
    'accept',
    'accept the current tools of a server',
    argument('<server>', 'its name'),
    MCP_OPTION,
    YES_OPTION,
  ).run((server: string, options: McpOptions) => accept(cli, server, options))
  command(mcp, 'login', 'sign in to a server in the browser', argument('<server>', 'its name'), MCP_OPTION).run(
    (server: string, options: McpOptions) => login(cli, server, options),
  )
  command(mcp, 'serve', 'run as an MCP server on standard input and output', ...SOURCE_OPTIONS).run(
    (options: SourceOptions) => serve(cli, options),
  )
}

interface McpOptions {
  readonly mcp?: readonly string[]
  readonly json?: boolean
  readonly yes?: boolean
}

/** A server with its tools, or with the reason why they are unknown. */
type CheckedServer = { readonly server: McpServer } & ({ readonly states: ToolStates } | { readonly problem: string })

/** `tutti mcp list`: exits with 1 if a server does not answer. */
async function list(cli: Cli, name: string | undefined, { json = false, ...options }: McpOptions): Promise<ExitCode> {
  return withServers(cli, name, options, async (servers) => {
    const checks = await Promise.all(
      servers.map((server) =>
        server.states().then(
          (states): CheckedServer => ({ server, states }),
          (error: Error): CheckedServer => ({ server, problem: error.message }),
        ),
      ),
    )
    if (json) printJson(cli, { servers: checks.map(({ server, ...rest }) => ({ name: server.name, ...rest })) })
    else for (const one of checks) cli.out.line(textOf(cli, one, options.mcp))
    return checks.some((one) => 'problem' in one) ? EXIT.failed : EXIT.ok
  })
}

/** `tutti mcp accept`: shows the tools in quarantine and asks. Exactly the shown ones are accepted. */
async function accept(cli: Cli, name: string, { yes, ...options }: McpOptions): Promise<ExitCode> {
  return withServers(cli, name, options, async ([server]) => {
    await server!.states()
    let isRefused = false
    const look = async (states: ToolStates): Promise<void> => {
      const { changed, added } = states
      for (const line of [...changedLines(states), ...toolLines('added   ', added)]) cli.out.line(line)
      const names = [...changed, ...added].map((tool) => tool.name)
      if (names.length === 0) return
      const what = safeLine(`Let ${names.join(', ')} of ${name} be used as they are described now`)
      isRefused = !(await askConfirmation(cli, { what, yes, isFinal: false }))
      if (isRefused) throw new TuttiError('Cancelled', 'Nothing was accepted.')
    }
    const names = await server!.accept(look).catch((thrown: unknown) => {
      if (isRefused) return undefined
      throw thrown
    })
    if (names === undefined) return EXIT.ok
    const what = names.length === 0 ? 'No tools were disabled' : `Accepted ${names.join(', ')}`
    cli.out.line(safeLine(`${what}. ${server!.tools.length} tools of ${name} can be used.`))
    return EXIT.ok
  })
}

/** `tutti mcp login`. */
async function login(cli: Cli, name: string, options: McpOptions): Promise<ExitCode> {
  return withServers(cli, name, options, async ([server]) => {
    const visitor = await browserVisitor((url) => {
      cli.err.line('Open this page and sign in there:')
      cli.err.line(safeLine(url.href))
    })
    try {
      await server!.signIn(visitor)
    } finally {
      visitor.close()
    }
    cli.out.line(`Signed in to ${safeLine(name)}.`)
    return EXIT.ok
  })
}

const SIGN_IN_TIMEOUT_MS = 300_000

/**
 * A person who signs in with a browser, which then comes back to a port of this machine (RFC 8252, "Loopback Interface Redirection").
 * @param show tells the person the page of the sign-in
 */
async function browserVisitor(show: (url: URL) => void): Promise<Visitor & { close(): void }> {
  const codes = new Map<string, string>()
  let wake = (): void => undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const code = searchParams.get('code')
    if (pathname !== '/callback') return void response.writeHead(404).end()
    if (code !== null) codes.set(searchParams.get('state') ?? '', code)
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end(code === null ? 'The sign-in was refused.' : 'You are signed in, and can close this page.')
    wake()
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    open: show,
    async code(state) {
      // It may have come back before anybody waits for it.
      if (codes.size === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, SIGN_IN_TIMEOUT_MS)
          wake = () => (clearTimeout(timer), resolve())
        })
      }
      const code = codes.get(state)
      if (code !== undefined) return code
      throw new TuttiError('ConfigurationError', 'The sign-in timed out. Start again and open the page that is shown.')
    },
    close: () => void server.close(),
  }
}

/** `tutti mcp serve`: started by a client, which asks through its tools like the command line. */
async function serve(cli: Cli, options: SourceOptions): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { tuttiServer } = await import('../../server/protocols/mcp/tools.ts')
  const { LOCAL_CALLER } = await import('../../server/access.ts')
  return withApp(cli, sourceOptions(options), async (app) => {
    const server = await tuttiServer(app, packageVersion(), () => LOCAL_CALLER)
    const ended = Promise.race([once(cli.stdin, 'end'), cli.untilStopped()])
    const stdout = new Writable({
      write(message, _encoding, done) {
        cli.out.write(String(message))
        done()
      },
    })
    await server.connect(new StdioServerTransport(cli.stdin, stdout))
    await ended
    await server.close()
  })
}

function withServers(
  cli: Cli,
  name: string | undefined,
  options: McpOptions,
  work: (servers: readonly McpServer[]) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withApp(cli, { ...sourceOptions(options), inMemory: true }, async ({ mcp }) => {
    const servers = mcp.filter((server) => name === undefined || server.name === name)
    if (servers.length > 0) return work(servers)
    const there = mcp.map((server) => server.name).join(', ')
    throw new TuttiError(
      'ConfigurationError',
      there === ''
        ? 'No MCP server with tools is set up; name a file with --mcp.'
        : `No MCP server is named "${name}". There are: ${there}.`,
    )
  })
}

function textOf(cli: Cli, { server, ...looked }: CheckedServer, files: readonly string[] = []): string {
  const named = [...files.map((file) => `--mcp ${shellWord(file)}`), typedOptions(cli) ?? []].flat()
  const accept = ['tutti mcp accept', server.name, ...named].join(' ')
  const head = cli.out.style.bold(safeLine(server.name))
  if ('problem' in looked) return `${head}  does not answer: ${safeLine(looked.problem)}`
  const { accepted, changed, added, gone, leftOut } = looked.states
  return [
    head,
    ...toolLines('accepted', accepted),
    ...changedLines(looked.states),
    ...toolLines('added   ', added),
    ...gone.map((name) => safeLine(`  gone      ${name}`)),
    ...leftOut.map((reason) => safeLine(`  left out  ${reason}`)),
    ...(changed.length + added.length === 0
      ? []
      : [`  What is changed or added is not used until it is accepted: ${accept}`]),
  ].join('\n')
}

function toolLines(word: string, tools: readonly McpTool[]): string[] {
  return tools.map(({ name, description, readOnly }) =>
    safeLine(`  ${word}  ${name}${readOnly ? ' (says that it only reads)' : ''}: ${description}`),
  )
}

/** Changed tools, each with its previous description. */
function changedLines({ changed, before }: ToolStates): string[] {
  return changed.flatMap((tool, at) => [
    safeLine(`  changed   ${tool.name}${tool.readOnly ? ' (says that it only reads)' : ''}`),
    ...toolChange(before[at]!, tool).map((line) => `              ${line}`),
  ])
}

/** Lines of a description or schema that are shown; hidden ones are counted. */
const SHOWN_LINES = 60
/** Longer lines are shown in pieces, so that what changed far in one is seen. */
const PIECE = /.{1,200}/gsu

/** What a server says of a tool now, and said when it was accepted: lines that went, and lines that came, of its schema, too. */
export function toolChange(before: McpTool, now: McpTool): string[] {
  const [old, own] = [linesOf(before), linesOf(now)]
  const lines = [
    ...old.filter((line) => !own.includes(line)).map((line) => `- ${line}`),
    ...own.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ]
  // The same lines in another order.
  const all = lines.length > 0 ? lines : own.map((line) => `+ ${line}`)
  const visible = all.slice(0, SHOWN_LINES).map((line) => safeLine(escapeHidden(line)))
  const left = all.length - visible.length
  return left === 0 ? visible : [...visible, `… ${left} more lines: "tutti mcp list --json" has all of them`]
}

function linesOf({ description, readOnly, inputSchema }: McpTool): string[] {
  const hint = readOnly ? 'says that it only reads' : 'does not say that it only reads'
  const lines = [...description.split('\n'), hint, ...JSON.stringify(inputSchema, null, 1).split('\n')]
  return lines.flatMap((line) => line.match(PIECE) ?? [])
}
