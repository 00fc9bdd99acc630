import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import { createLines, type Lines } from '../chat-lines.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportFailure } from '../failure.ts'
import { findConversation } from '../find-run.ts'
import { followRun } from '../follow.ts'
import { assertAskable, assertModels } from '../assert-options.ts'
import { withApp } from '../open-app.ts'
import { requestOf, sourceOptions, type AskOptions } from '../option-values.ts'
import { createIngestView } from '../render/ingest-view.ts'
import { safeLine } from '../render/text.ts'
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
  const view = createIngestView(cli.err)
  const onDocument: typeof view.take = (progress) => {
    if (!/^(?:failed|skipped|unchanged)$/.test(progress.stage)) view.take(progress)
  }
  return withApp(cli, { ...sourceOptions(options), onDocument }, async (app) => {
    assertModels(app, options.model ?? {})
    await assertAskable(app, options)
    await assertReachable(cli, app, options.db?.length ?? 0)
    const talk = await begin(cli, app, options.conversation)
    const lines = await createLines(cli, talk.asked)
    let code: ExitCode
    try {
      code = await converse({ cli, app, options, lines, talk, endView: view.stop })
    } finally {
      lines.close()
    }
    if (talk.id !== undefined) {
      cli.err.line(`Continue this conversation with: ${cli.self} chat --conversation ${shortId(talk.id)}`)
    }
    return code
  })
}

interface Talk {
  /** Undefined until the first question. */
  id: string | undefined
  /** Earlier questions, oldest first. */
  readonly asked: readonly string[]
}

async function begin(cli: Cli, app: App, wanted: string | undefined): Promise<Talk> {
  const id = wanted === undefined ? undefined : await findConversation(app, cli, wanted)
  const messages = id === undefined ? [] : await app.conversations.messages(app.runs.owner, id)
  const model = app.models.describe().default
  const { dim } = cli.err.style
  if (model === undefined) {
    cli.err.line(
      'No model is configured: answers are made by rules. A follow-up question may change one part of the previous question.',
    )
  }
  cli.err.line(dim('Ask a question. /help lists the commands; /exit ends the chat.'))
  return { id, asked: messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])) }
}

interface Chat {
  readonly cli: Cli
  readonly app: App
  readonly options: AskOptions
  readonly lines: Lines
  readonly talk: Talk
  readonly endView: () => void
}

/** In a terminal the user has seen failures. Otherwise the exit code is that of the first question that failed. */
async function converse(chat: Chat): Promise<ExitCode> {
  const { cli, lines, talk } = chat
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
      talk.id = undefined
      cli.err.line('A new conversation begins.')
    } else if (line === '/history') await printHistory(chat)
    else if (line.startsWith('/')) cli.err.line(HELP)
    else codes.push(await answer(chat, line))
  }
}

const HELP = `  /history  list the questions and answers of this conversation
  /new      begin a new conversation
  /exit     end the chat, as Ctrl-D does
  Ctrl-C cancels the answer that is being made.`

/** A failed question does not end the chat. */
async function answer({ cli, app, options, talk, endView }: Chat, question: string): Promise<ExitCode> {
  try {
    const request = requestOf(question, options)
    const begun = app.start(talk.id === undefined ? request : { ...request, conversationId: talk.id })
    const runId = await begun.finally(endView)
    talk.id ??= (await app.runs.state(runId)).request.conversationId
    return await followRun(cli, app, runId, { json: false, trace: options.trace === true, isPart: true })
  } catch (thrown) {
    return reportFailure(cli, thrown, false)
  }
}

async function printHistory({ cli, app, talk }: Chat): Promise<void> {
  const messages = talk.id === undefined ? [] : await app.conversations.messages(app.runs.owner, talk.id)
  if (messages.length === 0) cli.err.line('The conversation is empty.')
  for (const { role, text } of messages) {
    cli.out.line(role === 'user' ? cli.out.style.bold(`> ${safeLine(text)}`) : `  ${safeLine(text)}`)
  }
}
