import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { workWith } from '../agent-loop.ts'
import { CHART, CHART_INSTRUCTIONS, chartTool } from '../chart/chart.ts'
import { givenPassages, givenTables, type GivenTable } from '../python/given-data.ts'
import { withPythonData } from '../python/outcome.ts'
import type { PythonRunner } from '../python/run.ts'
import { CALCULATE, calculate } from './calculate.ts'
import { computeOffline } from './offline.ts'
import { RUN_PYTHON, runPythonLoopTool } from './tools.ts'

const INSTRUCTIONS = `## Arithmetic, Python and charts
calculate works out sums, differences, shares and growth of a few figures exactly.
run_python is for statistics, simulations, projections and work over many rows. Hand it results by id rather than retyping rows. When it fails, correct the code and call it again.
State assumptions that a computation makes. Take figures from the results or the user, and report those that are missing.
${CHART_INSTRUCTIONS}`

/** Answers questions by computing: exact arithmetic, Python in the sandbox, and charts of results. */
export function computationAgent(sandbox: PythonRunner): Agent {
  return defineAgent({
    name: 'computation',
    label: 'the computation',
    description:
      'Computes: exact arithmetic, statistics and projections with Python in a sandbox, and charts, also over what other agents found.',
    capabilities: [
      'statistics, percentages, projections, simulations',
      'tables of computed results',
      'charts of results: bars, lines, areas, pies, scatter',
    ],
    useCases: [
      'growth, shares and ratios of figures from other agents',
      'what-if calculations',
      'drawing a chart of what other agents found',
      'running a piece of Python',
    ],
    // The keywords of SPEC P3, and those of shares.
    keywords:
      'calculate|difference|ratio|project|simulate|compute|forecast|estimate|compare|what is|percent|share'.split('|'),
    planning: { rivals: ['sql'], rank: 30, worksOnResults: true },
    typicalLatencyMs: 4_000,
    tools: [RUN_PYTHON, CALCULATE, CHART],
    limits: { timeoutMs: 180_000, retries: 1 },
    lend: (task, ctx) => toolkitOf(sandbox, ctx, resultsOf(task)).tools,
    toolkit: async (ctx) => toolkitOf(sandbox, ctx, []),
    async run(task, ctx) {
      if ((await ctx.transcript.model()) === undefined) return computeOffline(task, ctx, sandbox)
      const outcome = await workWith(task, ctx, toolkitOf(sandbox, ctx, resultsOf(task)))
      return withPythonData(ctx, RUN_PYTHON.name, outcome)
    },
  })
}

/** @param given results of earlier tasks, which the tools know by name */
function toolkitOf(sandbox: PythonRunner, { artifacts }: ActorContext, given: readonly GivenTable[]): Toolkit {
  return {
    instructions: INSTRUCTIONS,
    tools: [calculate, runPythonLoopTool({ sandbox, given, artifacts }), chartTool(given)],
  }
}

function resultsOf(task: AgentTask): readonly GivenTable[] {
  return [...givenTables(task), ...givenPassages(task)]
}
