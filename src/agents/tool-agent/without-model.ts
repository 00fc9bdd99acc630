import { isDeepStrictEqual } from 'node:util'
import type { ActorContext, AgentTask } from '../../core/actor.ts'
import { cut } from '../../core/outside.ts'
import type { Outcome } from '../../core/result.ts'
import { wishesOf } from '../user-words.ts'
import { callByWords, writtenFields, type SaidCall } from './call-by-words.ts'
import { countsSaid } from './count-said.ts'
import { notWorkedOut, openParts } from './left-open.ts'
import { sourceOf, textOf } from './tool-sources.ts'
import { onlyTextField, type BoundTool } from './tools.ts'

const MOST_SHOWN = 4_000
const MOST_QUOTED = 200

/**
 * What an agent of tools can do without a model: make the call that the task says in so many words; with one tool, which
 * reads and takes one text, give it the task. Declines otherwise.
 */
export async function answerWithoutModel(
  task: AgentTask,
  ctx: ActorContext,
  name: string,
  tools: readonly BoundTool[],
  given?: string,
): Promise<Outcome> {
  const reason = given ?? 'none is configured'
  const said = callByWords(task.text, tools)
  const whole = 'why' in said ? wholeTask(task, tools) : undefined
  const chosen = whole ?? said
  const wishes = wishesOf(task)
  if (wishes.length > 0 && whole === undefined && isAsPlanned(said, task, tools)) {
    const quoted = wishes.map((text) => `“${cut(text, MOST_QUOTED)}”`).join(', ')
    return ctx.decline(
      `Nothing was done: without a language model (${reason}) the instructions ${quoted} were not understood. ` +
        `Say the whole call anew: the name of the tool, and each field as name=value.`,
    )
  }
  if ('why' in chosen) {
    const why = tools.length === 0 ? '' : ` Without one, ${chosen.why}.`
    return ctx.decline(`The agent "${name}" needs a language model to work: ${reason}.${why}`)
  }
  const { bound, input } = chosen
  const output = await ctx.call(bound.tool, input)
  ctx.note(
    'DECISION',
    whole === undefined
      ? `Without a model, ${bound.tool.name} was called as the question says it`
      : `Without a model the question went to ${bound.tool.name} as it is`,
  )
  const shown = inWords(output)
  const result = shown === '' ? `${bound.tool.name} returned nothing.` : cut(shown, MOST_SHOWN)
  const parts = whole === undefined ? openParts(task.text, chosen, tools, shown) : []
  const counts = countsSaid(parts, input, shown)
  const open = parts.filter((text) => !counts.some(({ part }) => part === text))
  return {
    answer: [result, ...counts.map(({ said }) => said)].join('\n\n'),
    data: { calls: [{ tool: bound.tool.name, input }], by: 'rules' },
    sources: sourceOf(bound, input, output),
    ...(open.length === 0 ? {} : { unanswered: open, remarks: [notWorkedOut(open, given)] }),
  }
}

/** Whether instructions changed nothing: there is no call with them, or the very one that there was without them. */
function isAsPlanned(said: ReturnType<typeof callByWords>, { planned = '' }: AgentTask, tools: readonly BoundTool[]) {
  if ('why' in said) return true
  const before = callByWords(planned, tools)
  return !('why' in before) && before.bound === said.bound && isDeepStrictEqual(before.input, said.input)
}

/** With one tool, which reads and takes one text, the task is that text. */
function wholeTask(task: AgentTask, tools: readonly BoundTool[]): SaidCall | undefined {
  const [bound, ...others] = tools
  const field = bound === undefined ? undefined : onlyTextField(bound)
  if (bound === undefined || field === undefined || others.length > 0 || bound.tool.effect !== 'read') return undefined
  // Whoever writes the field says what is for it: the text around that is not.
  if (Object.hasOwn(writtenFields(task.text, { [field]: { type: 'string' } }).input, field)) return undefined
  return { bound, input: { [field]: task.text } }
}

function inWords(output: unknown): string {
  if (typeof output === 'object' && output !== null) {
    return textOf(output)?.trim() ?? `\`\`\`json\n${JSON.stringify(output, null, 2)}\n\`\`\``
  }
  return String(output ?? '').trim()
}
