import { TASK_RULES, workWith } from '../../tool-loop/agent-loop.ts'
import { ASSISTANT_INSTRUCTIONS, askAgentTool, DELEGATE } from '../../agents/assistant/tools.ts'
import type { ActorContext, Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import type { JobState, RunState } from '../../domain/state.ts'
import type { Toolkit } from '../../domain/tool.ts'
import type { ToolDefinition, TranscriptHead } from '../../domain/turn.ts'
import type { Differences } from '../../evaluation/cassette/difference.ts'
import type { AgentRecord } from '../../evaluation/cassette/format.ts'
import type { Tape } from '../../evaluation/cassette/tape.ts'
import { ASSISTANT } from '../../strategies/direct/types.ts'
import { contentsIn } from '../../strategies/planning/usable-agents.ts'
import { profileSection } from '../../tool-loop/messages.ts'
import { ASK_USER, FIND_TOOLS, READ_RESULT, REPORT_GAP, USE_TOOL } from '../../tool-loop/tool-list.ts'
import type { RecordedCalls } from './tools.ts'

/** Tools that the loop and the assistant add to toolkits. */
const OWN_TOOLS: ReadonlySet<string> = new Set([FIND_TOOLS, USE_TOOL, READ_RESULT, REPORT_GAP, ASK_USER, DELEGATE])

/**
 * The instructions of a head between the loop's rules and the run's additions; undefined for roles, which have no
 * toolkits.
 * @throws TuttiError `InvalidRequest` if an agent's instructions do not begin with the rules of this version
 */
export function toolkitIn(
  { key, actor, task }: Pick<JobState, 'key' | 'actor' | 'task'>,
  { instructions }: TranscriptHead,
  { recollection, request }: RunState,
): string | undefined {
  if (task === undefined && actor !== ASSISTANT) return undefined
  const rules = actor === ASSISTANT ? ASSISTANT_INSTRUCTIONS : TASK_RULES
  if (!instructions.startsWith(rules)) {
    const message = `The instructions of the job "${key}" are not those of this version. Ask the question again, and export that run.`
    throw new TuttiError('InvalidRequest', message)
  }
  const added = [recollection && profileSection(recollection), request.systemPrompt].filter(Boolean).join('\n\n')
  const end = added !== '' && instructions.endsWith(`\n\n${added}`) ? added.length + 2 : 0
  return instructions.slice(rules.length, instructions.length - end).replace(/^\n\n/, '')
}

interface Parts {
  readonly tape: Tape
  readonly calls: RecordedCalls
  readonly differences: Differences
  readonly isExact: boolean
}

/**
 * The agents of a cassette: the given ones as they are, and stand-ins with the recorded tools and results for the
 * others.
 * @throws TuttiError `InvalidRequest` if only some of the agents merged into the assistant's instructions are given
 */
export function agentsOf(parts: Parts, real: readonly Agent[]): readonly Agent[] {
  const { tape, calls } = parts
  const head = tape.headOf(ASSISTANT, ASSISTANT)
  const names = namesIn(head)
  const merged = tape.cassette.agents.filter((agent) => names.has(agent.name) && !isAsked(agent, head))
  const missing = merged.filter(({ name }) => !real.some((agent) => agent.name === name))
  if (real.length > 0 && missing.length > 0) {
    const list = missing.map(({ name }) => name).join(', ')
    throw new TuttiError('InvalidRequest', `Name all sources of the recorded run, or none: there are none for ${list}.`)
  }
  return tape.cassette.agents.map((record) => {
    const agent = real.find(({ name }) => name === record.name)
    if (agent !== undefined) return { ...agent, run: (task, ctx) => agent.run(task, calls.within(ctx)) }
    return standIn(parts, record, {
      isUsed: names.has(record.name) || tape.cassette.jobs.some(({ actor }) => actor === record.name),
      at: merged.indexOf(record),
      of: merged.length,
    })
  })
}

/** Agents that the assistant could give tasks to. */
function namesIn(head: TranscriptHead | undefined): ReadonlySet<string> {
  const delegate = head?.tools.find(({ name }) => name === DELEGATE)
  const { properties } = (delegate?.inputSchema ?? {}) as {
    readonly properties?: { readonly tasks: { readonly items: { readonly properties: Schemas } } }
  }
  return new Set(properties?.tasks.items.properties['agent']?.enum)
}
type Schemas = Readonly<Record<string, { readonly enum?: readonly string[] }>>

/** Whether an agent is one tool of the assistant, or lends it none. */
function isAsked(agent: AgentRecord, head: TranscriptHead | undefined): boolean {
  const { name } = askAgentTool(agent as Agent)
  return agent.name === 'code' || head?.tools.some((tool) => tool.name === name) === true
}

/** @param place of its toolkit among those of the assistant; -1 without one */
function standIn(
  { tape, calls, differences, isExact }: Parts,
  { unavailable, ...record }: AgentRecord,
  place: { readonly isUsed: boolean; readonly at: number; readonly of: number },
): Agent {
  const toolsOf = ({ key, actor }: ActorContext['job']): Pick<Toolkit, 'tools'> => {
    const isOwn = ({ name }: ToolDefinition): boolean => !OWN_TOOLS.has(name) && !name.startsWith('ask_')
    return { tools: (tape.headOf(key, actor)?.tools ?? []).filter(isOwn).map((tool) => calls.standIn(tool, key)) }
  }
  const own = ({ job }: ActorContext): Toolkit => {
    const { key, actor } = job
    return {
      instructions: tape.toolkitOf(actor, key),
      ...toolsOf(job),
      ...omitUndefined({ sources: tape.headOf(key, actor)?.sources }),
    }
  }
  /** The first toolkit of the assistant has all tools; each has one paragraph of the instructions, and the first the rest. */
  const merged = async (ctx: ActorContext): Promise<Toolkit> => {
    const all = own(ctx)
    const paragraphs = all.instructions.split('\n\n')
    const first = paragraphs.length - place.of + 1
    if (place.at > 0) return { instructions: paragraphs[first + place.at - 1] ?? '', tools: [] }
    return { ...all, instructions: paragraphs.slice(0, first).join('\n\n') }
  }
  return {
    ...record,
    ...(place.isUsed ? {} : { unavailable }),
    ...(place.at >= 0 ? { toolkit: merged } : {}),
    createTools: (_task, { job }) => toolsOf(job).tools,
    holds: async ({ job }) => contentsIn(tape.offered(job.key), record.name),
    run: async (task, ctx): Promise<Outcome> => {
      const job = tape.job(ctx.job.key)
      if (job !== undefined && job.transcript.length === 0 && job.result !== undefined) return outcomeIn(job.result)
      if (job === undefined && tape.headOf(ctx.job.key, ctx.job.actor) === undefined) {
        differences.add(`job ${ctx.job.key}`, `The cassette has no job of the agent "${record.name}".`)
        throw new TuttiError('ToolError', `The agent "${record.name}" was not recorded.`)
      }
      const within = calls.within(ctx)
      const outcome = await workWith(task, within, own(within))
      // The record contains the result that the real agent made from its loop.
      return isExact && differences.isNone && job?.result !== undefined ? outcomeIn(job.result) : outcome
    },
  }
}

function outcomeIn({
  provenance: _labels,
  latencyMs: _ms,
  usage: _usage,
  models: _models,
  ...outcome
}: NonNullable<ReturnType<Tape['job']>>['result'] & object): Outcome {
  return outcome
}
