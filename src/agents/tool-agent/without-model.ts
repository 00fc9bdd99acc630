import type { ActorContext, AgentTask } from '../../core/actor.ts'
import type { Outcome } from '../../core/result.ts'
import { sourceOf, textOf } from './tool-sources.ts'
import { onlyTextField, type BoundTool } from './tools.ts'

/**
 * What a declared agent can do without a model: with one tool, which reads and takes one text, the task is that text.
 * Declines otherwise.
 */
export async function answerWithoutModel(
  task: AgentTask,
  ctx: ActorContext,
  name: string,
  tools: readonly BoundTool[],
  reason = 'none is configured',
): Promise<Outcome> {
  const [bound, ...others] = tools
  const field = bound === undefined ? undefined : onlyTextField(bound)
  if (bound === undefined || field === undefined || others.length > 0 || bound.tool.effect !== 'read') {
    return ctx.decline(`The agent "${name}" needs a language model to work: ${reason}.`)
  }
  const input = { [field]: task.text }
  const output = await ctx.call(bound.tool, input)
  ctx.note('DECISION', `Without a model the question went to ${bound.tool.name} as it is`)
  const shown = inWords(output)
  return {
    answer: shown === '' ? `${bound.tool.name} returned nothing.` : shown,
    data: { calls: [{ tool: bound.tool.name, input }], by: 'rules' },
    sources: sourceOf(bound, input, output),
  }
}

function inWords(output: unknown): string {
  if (typeof output === 'object' && output !== null) {
    return textOf(output)?.trim() ?? `\`\`\`json\n${JSON.stringify(output, null, 2)}\n\`\`\``
  }
  return String(output ?? '').trim()
}
