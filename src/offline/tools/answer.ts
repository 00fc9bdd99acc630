import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { truncate } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import type { LoopTool } from '../../domain/tool.ts'
import { toolSources, outputText } from '../../tool-loop/tool-sources.ts'
import type { StandIn } from '../../agents/stand-in.ts'
import { isDisabled, type ToolAgentParts } from '../../agents/tool-agent/tool-agent.ts'
import { onlyTextField, type KnownTool } from '../../agents/tool-agent/tools.ts'
import { TuttiError } from '../../domain/errors.ts'
import { writtenCall, type WrittenCall } from './written-call.ts'
import { plainName, toolsNamed } from './tool-names.ts'
import { writtenFields } from '../../agents/tool-agent/written-fields.ts'

const MAX_SHOWN = 4_000
const MAX_QUOTED = 200

/** Makes the call that a task writes out. An agent's only tool that reads one text gets the task. */
export const toolStandIn: StandIn<ToolAgentParts> = {
  async answer(task, ctx, { name, toolsFor, bind }) {
    const opened = await toolsFor(task)
    assertNotDisabled(task, opened)
    declineRivals(ctx, task, opened)
    return callAsWritten(task, ctx, name, bind(opened, task))
  },
}

async function callAsWritten(
  task: AgentTask,
  ctx: ActorContext,
  name: string,
  tools: readonly LoopTool[],
): Promise<Outcome> {
  const written = writtenCall(task.text, tools)
  const chosen = 'why' in written ? (wholeTask(task, tools) ?? written) : written
  if ('why' in chosen) {
    const reason = tools.length === 0 ? '' : ` Without one, ${chosen.why}.`
    return ctx.decline(`The agent "${name}" needs a language model to work.${reason}`)
  }
  const { bound, input, rest } = chosen
  const output = await ctx.call(bound.tool, input)
  ctx.note('DECISION', `Without a model, ${bound.tool.name} was called as the question says it`)
  const outputInWords = inWords(output)
  return {
    answer: outputInWords === '' ? `${bound.tool.name} returned nothing.` : truncate(outputInWords, MAX_SHOWN),
    data: { calls: [{ tool: bound.tool.name, input }], by: 'rules' },
    sources: toolSources(bound, input, output),
    ...(rest === '' ? {} : { unanswered: [rest], remarks: [notAnswered(rest)] }),
  }
}

function notAnswered(rest: string): string {
  const quoted = `“${truncate(rest, MAX_QUOTED)}”`
  return `Not answered: ${quoted}. This needs a language model to work with the results.`
}

/** If the field is written out, the task contains more than its value. */
function wholeTask({ text }: AgentTask, tools: readonly LoopTool[]): Exclude<WrittenCall, { why: string }> | undefined {
  const [bound, ...others] = tools
  const field = bound === undefined ? undefined : onlyTextField(bound)
  if (bound === undefined || field === undefined || others.length > 0 || bound.tool.effect !== 'read') return undefined
  if (Object.hasOwn(writtenFields(text, { [field]: { type: 'string' } }).input, field)) return undefined
  return { bound, input: { [field]: text }, rest: '' }
}

function inWords(output: unknown): string {
  if (typeof output !== 'object' || output === null) return String(output ?? '').trim()
  return outputText(output)?.trim() ?? `\`\`\`json\n${JSON.stringify(output, null, 2)}\n\`\`\``
}

/**
 * Rejects a task that needs a quarantined tool, instead of leaving it to another tool, which may do something else.
 * @throws TuttiError `ConfigurationError`, so that no other agent is asked
 */
function assertNotDisabled({ text }: AgentTask, opened: readonly KnownTool[]): void {
  const disabled = opened.filter(isDisabled)
  const all = disabled.map(({ info }) => info.name)
  const named = new Set(toolsNamed(text, all).map(({ name }) => name))
  const meant = disabled.find(({ info }) => named.has(info.name))
  if (meant !== undefined) throw new TuttiError('ConfigurationError', meant.disabledReason)
}

/** Declines a task that may be meant for another agent's tool of the same name. */
function declineRivals(ctx: ActorContext, { tools = [] }: AgentTask, own: readonly KnownTool[]): void {
  const isOwn = (name: string): boolean => own.some(({ info }) => info.name === name)
  const mine = tools.find(isOwn)
  const others = tools.filter((name) => !isOwn(name) && mine !== undefined && plainName(name) === plainName(mine))
  if (mine === undefined || others.length === 0) return
  const all = [...tools].sort().join(' or ')
  ctx.decline(`Several servers have a tool "${plainName(mine)}": write the one that is meant, ${all}.`)
}
