import { describe, expect, it, vi } from 'vitest'
import { createRandom } from '../demo/random.ts'
import { splitClauses } from './clauses.ts'
import { testSeed } from '../../test/support/seed.ts'

const SEED = testSeed()

const PIECES = [
  'if there are any and find the others ',
  'and what is the total, ',
  'list the orders of Ada and then count the invoices. ',
  'Draft a mail with the figures and what the terms say ',
  'the contract: how many days, - and also plot it; ',
  'please ',
  '... ',
  ' , ',
  '   ',
  '. ',
  '.',
  '“ ',
  '„',
  '« ',
  '"',
  '\n',
  'a@b.example and notes.txt ',
  'e.g. 3.5 vs. 4 ',
]

/** How many characters the patterns go through: from where each begins to where its match ends, or to the end. */
function workOf(text: string): number {
  const { exec } = RegExp.prototype
  let work = 0
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, given: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, given)
    work += found === null ? given.length - from : found.index + found[0].length - from
    return found
  })
  splitClauses(text)
  spy.mockRestore()
  return work
}

describe('splitClauses', () => {
  it('does about four times the work for a question four times as long', () => {
    const random = createRandom(SEED)
    for (let n = 0; n < 25; n++) {
      const some = Array.from({ length: random.int(1, 4) }, () => random.pick(PIECES))
      const ofLength = (length: number): string => {
        let text = ''
        while (text.length < length) text += random.chance(0.9) ? (some[0] ?? '') : random.pick(some)
        return text
      }
      const [short, long] = [workOf(ofLength(3_000)), workOf(ofLength(12_000))]
      expect(long / short, JSON.stringify(some)).toBeLessThan(7)
    }
  })

  it('splits what it split before, however far apart the parts are', () => {
    const parts = (question: string): string[] => splitClauses(question).map(({ text }) => text)
    expect(parts('How many orders are open, and what do they come to?')).toEqual([
      'How many orders are open',
      'what do they come to?',
    ])
    const far = `If it is late${' and so on'.repeat(60)}, tell me and find the invoice`
    expect(parts(far).at(-1)).toBe('find the invoice')
  })
})
