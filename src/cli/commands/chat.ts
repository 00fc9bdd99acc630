import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportFailure } from '../failure.ts'
import { findConversation } from '../find-run.ts'
import { followRun } from '../follow.ts'
import { assertAskable, assertModels } from '../assert-options.ts'
import { withApp } from '../open-app.ts'
import { requestOf, sourceOptions, type AskOptions } from '../option-values.ts'
import { ingestPrinter } from '../render/ingest-line.ts'
import { shortId } from '../render/units.ts'
import { assertReachable } from './ask.ts'
import { ANSWER_OPTIONS } from '../shared-options.ts'

export function addChat({ root, cli, command }: Program): void {
  command(root, 'chat', 'start a conversation; questions can refer to earlier ones', ...ANSWER_OPTIONS).run(
    (options: AskOptions) => chat(cli, options),
  )
}

/** `tutti chat`: questions and answers in one conversation until `/exit`. Ctrl-C cancels an answer, not the chat. */
async function chat(cli: Cli, options: AskOptions): Promise<ExitCode> {
  // Failures are printed as warnings.
  const onDocument = ingestPrinter(cli.err, true)
  return withApp(cli, { ...sourceOptions(options), onDocument }, async (app) => {
    assertModels(app, options.model ?? {})
    await assertAskable(app, options)
    await assertReachable(app, options.db?.length ?? 0)
    const conversation = await begin(cli, app, options.conversation)
    const lines = await createLines(cli)
    let code: ExitCode
    try {
      code = await converse({ cli, app, options, lines, conversation })
    } finally {
      lines.close()
    }
    if (conversation.id !== undefined) {
      cli.err.line(`Continue this conversation with: tutti chat --conversation ${shortId(conversation.id)}`)
    }
    return code
  })
}

interface Conversation {
  /** Undefined until the first question. */
  id: string | undefined
}

async function begin(cli: Cli, app: App, wanted: string | undefined): Promise<Conversation> {
  const id = wanted === undefined ? undefined : await findConversation(app, wanted)
  const model = app.models.describe().default
  const { dim } = cli.err.style
  if (model === undefined) {
    cli.err.line(
      'No model is configured: answers are made by rules. A follow-up question may change one part of the previous question.',
    )
  }
  cli.err.line(dim('Ask a question. /help lists the commands; /exit ends the chat.'))
  return { id }
}

interface Chat {
  readonly cli: Cli
  readonly app: App
  readonly options: AskOptions
  readonly lines: Lines
  readonly conversation: Conversation
}

/** In a terminal the user has seen failures. Otherwise the exit code is that of the first question that failed. */
async function converse(chat: Chat): Promise<ExitCode> {
  const { cli, lines, conversation } = chat
  const codes: ExitCode[] = []
  for (;;) {
    const line = (await lines.next())?.trim()
    if (line === undefined || /^\/(?:exit|quit)$/.test(line)) {
      if (cli.stdin.isTTY) return EXIT.ok
      if (codes.length === 0) throw new TuttiError('InvalidRequest', 'No question was asked; give one on each line.')
      return codes.find((code) => code !== EXIT.ok) ?? EXIT.ok
    }
    if (line === '') continue
    if (line === '/new') {
      conversation.id = undefined
      cli.err.line('A new conversation begins.')
    } else if (line.startsWith('/')) cli.err.line(HELP)
    else codes.push(await answer(chat, line))
  }
}

const HELP = `  /new   begin a new conversation
  /exit  end the chat, as Ctrl-D does
  Ctrl-C cancels the answer that is being made.`

/** A failed question does not end the chat. */
async function answer({ cli, app, options, conversation }: Chat, question: string): Promise<ExitCode> {
  try {
    const request = requestOf(question, options)
    const runId = await app.start(
      conversation.id === undefined ? request : { ...request, conversationId: conversation.id },
    )
    conversation.id ??= (await app.runs.state(runId)).request.conversationId
    return await followRun(cli, app, runId, { json: false, trace: options.trace === true, isPart: true })
  } catch (thrown) {
    return reportFailure(cli, thrown, false)
  }
}

/** The user's input, line by line. */
interface Lines {
  /** Returns undefined at the end of the input. */
  next(): Promise<string | undefined>
  close(): void
}

const PROMPT = '> '

/** Reads lines from a pipe or a terminal. */
async function createLines(cli: Cli): Promise<Lines> {
  const { createInterface } = await import('node:readline')
  if (!cli.stdin.isTTY) {
    const reader = createInterface({ input: cli.stdin })
    const lines = reader[Symbol.asyncIterator]()
    return {
      next: async () => ((await lines.next()) as IteratorResult<string, undefined>).value,
      close: () => reader.close(),
    }
  }
  return {
    // Create one interface per line: between lines the terminal belongs to the run, which may ask for approvals.
    next: () =>
      new Promise((resolve) => {
        const reader = createInterface({ input: cli.stdin, output: process.stderr, prompt: PROMPT })
        reader.once('line', (line) => {
          resolve(line)
          reader.close()
        })
        // Ctrl-D and Ctrl-C close it, too.
        reader.once('close', () => resolve(undefined))
        reader.prompt()
      }),
    close: () => undefined,
  }
}
