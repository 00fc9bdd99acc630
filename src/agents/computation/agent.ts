import { defineAgent, type ActorContext, type Agent } from '../../domain/actor.ts'
import type { Toolkit } from '../../domain/tool.ts'
import { workWith } from '../../tool-loop/agent-loop.ts'
import { withStandIn, type StandIn } from '../stand-in.ts'
import { CHART, chartTool } from '../chart/chart.ts'
import { inputTables, type InputTable } from '../../tool-loop/input-tables.ts'
import { withPythonData } from '../python/outcome.ts'
import { type PythonRunner, pythonLoopTool, RUN_PYTHON, runPythonTool } from '../python/tools.ts'
import { CALCULATE, calculate } from './calculate.ts'

const INSTRUCTIONS = `## Arithmetic, Python and charts
calculate is for a few figures; run_python for statistics, simulations, projections and many rows. Give results to run_python and chart by id rather than retyping rows. State assumptions.`

/** Answers questions by computing: exact arithmetic, Python in the sandbox, and charts of results. */
export function computationAgent(sandbox: PythonRunner, offline?: StandIn<PythonRunner>): Agent {
  const agent = defineAgent({
    name: 'computation',
    label: 'the computation',
    description:
      'Computes: exact arithmetic, statistics and projections with Python in a sandbox, and charts, also over what other agents found.',
    capabilities: [
      'statistics, percentages, projections, simulations',
      'tables of computed results',
      'charts of results: bars, lines, pies',
    ],
    useCases: [
      'growth, shares and ratios of figures from other agents',
      'what-if calculations',
      'drawing a chart of what other agents found',
      'running a piece of Python',
    ],
    keywords:
      'calculate|difference|ratio|project|simulate|compute|forecast|estimate|compare|what is|percent|share'.split('|'),
    planning: { rank: 30, worksOnResults: true },
    typicalLatencyMs: 4_000,
    tools: [RUN_PYTHON, CALCULATE, CHART],
    limits: { timeoutMs: 180_000, retries: 1 },
    createTools: (task, ctx) => toolkitOf(sandbox, ctx, inputTables(task)).tools,
    toolkit: async (ctx) => toolkitOf(sandbox, ctx, []),
    async run(task, ctx) {
      const outcome = await workWith(task, ctx, toolkitOf(sandbox, ctx, inputTables(task)))
      return withPythonData(ctx, RUN_PYTHON.name, outcome)
    },
  })
  return withStandIn(agent, offline, () => sandbox)
}

/** @param given results of earlier tasks, which the tools know by name */
function toolkitOf(sandbox: PythonRunner, { artifacts }: ActorContext, given: readonly InputTable[]): Toolkit {
  return {
    instructions: INSTRUCTIONS,
    tools: [calculate, pythonLoopTool(runPythonTool({ sandbox, given, artifacts })), chartTool(given)],
  }
}
