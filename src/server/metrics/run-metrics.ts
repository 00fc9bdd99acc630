import type { Counter, Registry } from 'prom-client'
import type { App } from '../../app/user-app.ts'
import type { Clock } from '../../shared/clock.ts'
import type { RunRecord } from '../../domain/store.ts'
import { usageByModel } from '../../accounts/usage.ts'
import { outcomeIn } from '../runs/outcomes.ts'

const STATES = ['queued', 'working', 'waiting'] as const

interface RunMetricsParts {
  readonly app: Pick<App, 'onRunOver' | 'store'>
  readonly clock: Clock
  readonly register: Registry
}

/**
 * Metrics of runs: those that this process ended, their model usage, and open runs of all processes.
 * @returns stops counting
 */
export async function countRuns({ app, clock, register }: RunMetricsParts): Promise<() => void> {
  const prom = await import('prom-client')
  const registers = [register]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> =>
    new prom.Counter({ name, help, labelNames, registers })
  const runs = counter('tutti_runs_total', 'Runs that this process ended', ['outcome'])
  const seconds = new prom.Histogram({
    name: 'tutti_run_duration_seconds',
    help: 'Duration of runs, including the time spent waiting for approval',
    buckets: [0.1, 0.3, 1, 3, 10, 30, 60, 300, 1_800],
    registers,
  })
  const calls = counter('tutti_model_calls_total', 'Requests to models', ['model'])
  const tokens = counter('tutti_model_tokens_total', 'Tokens that models read and wrote', ['model', 'direction'])
  const cost = counter('tutti_model_cost_usd_total', 'Cost of models in US dollars, if prices are known', ['model'])
  const open = new prom.Gauge({
    name: 'tutti_open_runs',
    help: 'Open runs of all processes: queued, running or waiting for approval',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const found = await app.store.runs({ status: ['running', 'waiting'], isFirst: true })
      const states = found.map((run) => stateOf(run, clock.now()))
      for (const state of STATES) this.set({ state }, states.filter((one) => one === state).length)
    },
  })
  register.registerMetric(open)
  return app.onRunOver((run, log) => {
    for (const [model, used] of usageByModel(log)) {
      if (used.calls === 0) continue
      calls.inc({ model }, used.calls)
      tokens.inc({ model, direction: 'input' }, used.inputTokens)
      tokens.inc({ model, direction: 'output' }, used.outputTokens)
      cost.inc({ model }, used.costUsd)
    }
    // Nested runs count as part of their parent; their model usage is in their own log.
    if (run.parentId !== undefined) return
    runs.inc({ outcome: run.status === 'finished' ? outcomeIn(log) : run.status })
    seconds.observe((Date.parse(log.at(-1)!.at) - run.createdAt) / 1_000)
  })
}

function stateOf({ status, worker, leaseUntil = 0 }: RunRecord, now: number): (typeof STATES)[number] {
  if (status === 'waiting') return 'waiting'
  return worker !== undefined && leaseUntil > now ? 'working' : 'queued'
}
