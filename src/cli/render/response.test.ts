import { expect, it } from 'vitest'
import type { ArtifactRef } from '../../domain/artifacts.ts'
import type { RunResponse } from '../../domain/response.ts'
import { NO_USAGE } from '../../domain/usage.ts'
import type { Cli } from '../cli.ts'
import { createOutput } from '../output.ts'
import { printResponse } from './response.ts'

const ID = '1'.repeat(32)

function printed(files: readonly Partial<ArtifactRef>[], more: Partial<RunResponse> = {}): string {
  let text = ''
  const out = createOutput({ write: (piece) => ((text += piece), true) }, {})
  const err = createOutput({ write: () => true }, {})
  const metadata = { status: 'finished', runId: 'run-1', usage: NO_USAGE, latencyMs: 1 }
  const rest = { citations: [], agentResults: [], notices: [], basis: 'sources', metadata }
  const all = files.map((file) => ({ id: ID, name: 'heatmap.svg', ...file }))
  printResponse(
    { out, err, self: 'tutti' } as Cli,
    { answer: 'Here it is.', files: all, ...rest, ...more } as unknown as RunResponse,
  )
  return text
}

it('names the files of the answer, and where each is', () => {
  const name = 'orders\u001B[2J'
  expect(printed([{ path: '/data/1-heatmap.svg' }, { name, isKept: true }, {}]).split('\n')).toEqual([
    'Here it is.',
    '',
    'File: heatmap.svg (/data/1-heatmap.svg)',
    expect.stringMatching(/^File: orders[ -~]* \(GET \/runs\/run-1\/files\/1{32}, or the web app\)$/),
    'File: heatmap.svg (not kept: there is no data folder)',
    '',
  ])
})

it('shows how a review found its answer, unless that is the answer', () => {
  const found = printed([], { finalReasoningTrace: 'The database was asked [1].\nIt counts 92.' })
  expect(found).toBe('Here it is.\n\nHow this was found:\n  The database was asked [1].\n  It counts 92.\n')
  expect(printed([], { finalReasoningTrace: 'Here it is.' })).toBe('Here it is.\n')
})
