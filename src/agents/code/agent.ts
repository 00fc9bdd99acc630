import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { workWith } from '../../tool-loop/agent-loop.ts'
import { withStandIn, type StandIn } from '../stand-in.ts'
import { CHART, chartTool } from '../chart/chart.ts'
import { inputTables } from '../../tool-loop/input-tables.ts'
import { withPythonData } from '../python/outcome.ts'
import { type PythonParts, type PythonRunner, EXECUTE_CODE, executeCode, pythonLoopTool } from '../python/tools.ts'

const INSTRUCTIONS = `## Programs
Write a Python 3 program for the task and run it with execute_code. The user reads it and decides whether it may run: keep it short and plain, with a comment where a reader would ask. It does exactly what the task asks.
Print what the user should see. A picture is a file that the program writes into its working folder, such as picture.svg.
When the program fails, correct it and call execute_code again. Say in the answer what the program did and what came of it.`

/** Writes a Python program for a task, has the user approve it, runs it in the sandbox and reports the result. */
export function codeAgent(sandbox: PythonRunner, offline?: StandIn<PythonRunner>): Agent {
  const agent = defineAgent({
    name: 'code',
    label: 'the program',
    description: 'Writes a Python program and runs it in a sandbox, after a person has approved the code.',
    capabilities: ['Python programs', 'working through documents and tables of other agents', 'pictures as SVG'],
    useCases: ['running given Python', 'reshaping or checking what other agents found', 'drawing a picture'],
    // Phrases, since "code", "script" and "program" alone also occur in postal codes, descriptions and loyalty
    // programs. Phrases that a question may begin with have a leading space: "Plot the sales" needs data first, from
    // another agent.
    keywords: (
      'python,write code,write a script,write a program,write a function,run code,run this code,run the code,' +
      'execute this,execute the code,script that,script to,program that,program to,code that,code to,in a chart,' +
      'as a chart, plot, histogram, visualise, visualize'
    ).split(','),
    planning: { rank: 40, worksOnResults: true },
    typicalLatencyMs: 6_000,
    tools: [EXECUTE_CODE, CHART],
    limits: { timeoutMs: 180_000, retries: 1 },
    createTools: (task, ctx) => [pythonLoopTool(executeCode(partsFor(task, ctx, sandbox)))],
    run: (task, ctx) => writeAndRun(task, ctx, partsFor(task, ctx, sandbox)),
  })
  return withStandIn(agent, offline, () => sandbox)
}

function partsFor(task: AgentTask, { artifacts }: ActorContext, sandbox: PythonRunner): PythonParts {
  return { sandbox, given: inputTables(task), artifacts }
}

async function writeAndRun(task: AgentTask, ctx: ActorContext, parts: PythonParts): Promise<Outcome> {
  const tools = [pythonLoopTool(executeCode(parts)), chartTool(parts.given)]
  const outcome = await workWith(task, ctx, { instructions: INSTRUCTIONS, tools })
  return withPythonData(ctx, EXECUTE_CODE.name, outcome)
}
