import { expect, it } from 'vitest'
import { request } from '../../test/support/engine-world.ts'
import type { ArtifactRef } from './artifacts.ts'
import { logOf } from '../../test/support/strategy-events.ts'
import type { EventBody } from './events.ts'
import { filesIn } from './answer-files.ts'
import { BY_USER } from './provenance.ts'
import { responseOf } from './response.ts'
import { fold } from './state.ts'

const file = (digit: string, name: string): ArtifactRef => {
  return { id: digit.repeat(32), name, mediaType: 'image/svg+xml', bytes: 9 }
}
const started = (key: string, more: object = {}): EventBody => {
  return { type: 'job.started', key, actor: 'a', attempt: 1, ...more }
}
const settled = (key: string): EventBody => {
  return { type: 'job.settled', key, result: { status: 'succeeded', provenance: BY_USER, latencyMs: 1 } }
}
const call = (key: string, output: unknown, n = 0): EventBody => {
  return { type: 'call.finished', key, path: `${key}@1/t:${n}`, kind: 'tool', name: 't', latencyMs: 1, output }
}

const log = (includeData: boolean, ...bodies: readonly EventBody[]) =>
  logOf({ type: 'run.started', request: { ...request([]), includeData } }, ...bodies)

const filesOf = (...bodies: readonly EventBody[]): ArtifactRef[] => filesIn(fold(log(true, ...bodies)))

it('lists the files in the outputs of tools, of several with the same name the last', () => {
  const [first, again, reply] = [file('1', 'a.svg'), file('2', 'a.svg'), file('3', 'shop-orders')]
  const calls = [call('a', { images: [first] }), call('a', { images: [again] }, 1), call('a', { artifact: reply }, 2)]
  expect(filesOf(started('a'), ...calls)).toEqual([again, reply])
})

it('lists files of irreversible calls', () => {
  const done: EventBody = { type: 'effect.done', key: 'a', path: 'a@1/t', output: { images: [file('1', 'a.svg')] } }
  expect(filesOf(started('a'), done, settled('a'))).toEqual([file('1', 'a.svg')])
})

it('lists no file of an attempt that was replaced', () => {
  const [old, current] = [file('1', 'old.svg'), file('2', 'new.svg')]
  const first = [started('a'), call('a', { images: [old] }), settled('a')]
  expect(filesOf(...first, started('b', { replaces: 'a' }), call('b', { images: [current] }))).toEqual([current])
})

it.each([
  ['what is no file', { images: [{ name: 'a.svg' }, 'a.svg', null] }],
  ['an id that no store gives', { artifact: { ...file('1', 'a.svg'), id: '../secret' } }],
  ['a list', [file('1', 'a.svg')]],
])('passes over %s', (_, output) => {
  expect(filesOf(started('a'), call('a', output))).toEqual([])
})

it('is part of the response unless it is to be without data', () => {
  const bodies = [started('a'), call('a', { images: [file('1', 'a.svg')] }), settled('a')]
  expect(responseOf(log(true, ...bodies)).files).toEqual([file('1', 'a.svg')])
  expect(responseOf(log(false, ...bodies))).not.toHaveProperty('files')
  expect(responseOf(log(true, started('a')))).not.toHaveProperty('files')
})
