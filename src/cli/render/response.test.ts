import { expect, it } from 'vitest'
import type { ArtifactRef } from '../../domain/artifacts.ts'
import type { RunResponse } from '../../domain/response.ts'
import { NO_USAGE } from '../../domain/usage.ts'
import type { Cli } from '../cli.ts'
import { createOutput } from '../output.ts'
import { printResponse } from './response.ts'

const ID = '1'.repeat(32)

function printed(files: readonly Partial<ArtifactRef>[]): string {
  const all = files.map((file) => ({ id: ID, name: 'heatmap.svg', ...file }))
  return print({ files: all as readonly ArtifactRef[] }).text
}

function print(more: Partial<RunResponse>): { readonly text: string; readonly notes: string } {
  let text = ''
  let notes = ''
  const out = createOutput({ write: (piece) => ((text += piece), true) }, {})
  const err = createOutput({ write: (piece) => ((notes += piece), true) }, {})
  const metadata = { status: 'finished', runId: 'run-1', usage: { ...NO_USAGE, calls: 1 }, latencyMs: 1 }
  const rest = { actions: [], citations: [], agentResults: [], notices: [], basis: 'sources', metadata }
  printResponse({ out, err } as Cli, { answer: 'Here it is.', ...rest, ...more } as unknown as RunResponse)
  return { text, notes }
}

it('says once that no source was used, and shows how a review reached its answer', () => {
  const text = 'No source was used for this answer.'
  const notices = [{ code: 'no_source', params: {}, severity: 'info', text }] as const
  expect(print({ basis: 'model' }).notes).toContain('no source used, nothing changed, ')
  const sent = { tool: 'send_email', effect: 'irreversible' } as const
  expect(print({ actions: [sent, { ...sent, error: 'cut off' }] }).notes).toContain(
    'changed by send_email, send_email (not certain), ',
  )
  const { notes } = print({ basis: 'model', notices, finalReasoningTrace: 'Two steps [1].' })
  expect(notes).toContain(`Note: ${text}`)
  expect(notes).not.toContain('no source used')
  expect(notes).toContain('How the answer was reached:\n  Two steps [1].\n')
})

it('names the files of the answer, and where each is', () => {
  const name = 'orders\u001B[2J'
  expect(printed([{ name }, {}]).split('\n')).toEqual([
    'Here it is.',
    '',
    expect.stringMatching(/^File: orders[ -~]* \(GET \/runs\/run-1\/files\/1{32}, or the web app\)$/),
    expect.stringMatching(/^File: heatmap.svg /),
    '',
  ])
})
