import { TuttiError } from './errors.ts'
import type { RunEvent } from './events.ts'
import { omitUndefined } from '../shared/omit-undefined.ts'
import { LOCAL_OWNER } from './owner.ts'
import { BY_USER } from './provenance.ts'
import type { RunState } from './state.ts'
import { NO_USAGE } from './usage.ts'

/** @throws TuttiError `StorageError` for anything but the start of a run */
export function initialState(event: RunEvent): RunState {
  if (event.type !== 'run.started' || event.seq !== 1) {
    throw new TuttiError('StorageError', `The log of run ${event.runId} does not begin with its start.`)
  }
  const { recollection, provenance, parent, forkOf } = event
  return {
    runId: event.runId,
    seq: 1,
    status: 'running',
    owner: event.owner ?? LOCAL_OWNER,
    request: event.request,
    ...omitUndefined({ recollection, provenance, parent, forkOf }),
    secrets: event.secrets ?? [],
    startedAt: event.at,
    jobs: new Map(),
    steps: new Map(),
    shared: new Map(),
    messages: [],
    resultProvenance: BY_USER,
    turns: 0,
    calls: new Map(),
    files: new Map(),
    transcripts: new Map(),
    approvals: new Map(),
    said: [],
    toldBits: new Map(),
    runApprovals: [],
    openApprovals: new Map(),
    effects: new Map(),
    sameEffects: new Map(),
    children: new Map(),
    childBudgets: new Map(),
    finishedChildren: new Set(),
    answerText: '',
    answerPart: 0,
    activeMs: 0,
    awayMs: 0,
    takeovers: 0,
    sessionStart: event.at,
    lastAt: event.at,
    usage: NO_USAGE,
  }
}
