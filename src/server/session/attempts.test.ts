import { expect, it } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { Attempts } from './attempts.ts'

it('allows thirty attempts a minute for each address', async () => {
  const clock = new ManualClock()
  const attempts = new Attempts(clock)
  for (let i = 0; i < 30; i++) attempts.count('here')
  expect(() => attempts.count('here')).toThrow('Too many attempts')
  attempts.count('there')
  await clock.advance(60_000)
  attempts.count('here')
})

/** The same numbers whenever it is run. */
function* numbers(below: number, seed = 7): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    yield Math.floor((state / 2 ** 32) * below)
  }
}

/** Ways to write an address, of which Node.js and proxies each have their own. */
function writings(words: readonly number[]): readonly string[] {
  const hex = words.map((word) => word.toString(16))
  const dotted = words.slice(6).flatMap((word) => [word >> 8, word & 255])
  const short = hex
    .join(':')
    .replace(/(?<![^:])0(?::0)+(?![^:])/, '')
    .replace(/^:(?!:)|(?<!:):$/, '::')
  const all = [
    hex.join(':'),
    hex
      .map((word) => word.padStart(4, '0'))
      .join(':')
      .toUpperCase(),
    `${hex.slice(0, 6).join(':')}:${dotted.join('.')}`,
    short.includes('::') ? short : hex.join(':'),
    `${hex.join(':')}%eth0`,
  ]
  return all
}

it('counts one IPv6 network as one address in any notation, and other networks separately', () => {
  const attempts = new Attempts(new ManualClock(), 1)
  const random = numbers(65_536)
  // Zeros, of which a row may be left out, are as frequent as others.
  const word = (): number => (random.next().value % 2 === 0 ? 0 : random.next().value)
  const seen = new Set<string>()
  for (let i = 0; i < 300; i++) {
    const network = [0x2001, word(), word(), word()]
    if (seen.has(network.join())) continue
    seen.add(network.join())
    const host = () => [word(), word(), word(), word()]
    const [first, ...others] = [...writings([...network, ...host()]), ...writings([...network, ...host()])]
    expect(() => attempts.count(first!), `${first} is another network than all before`).not.toThrow()
    for (const other of others) expect(() => attempts.count(other), `${other} beside ${first}`).toThrow('many attempts')
  }
  for (let i = 0; i < 300; i++) {
    const [high, low] = [random.next().value, random.next().value]
    const bytes = [high >> 8, high & 255, low >> 8, low & 255].join('.')
    expect(() => attempts.count(bytes)).not.toThrow()
    for (const mapped of writings([0, 0, 0, 0, 0, 0xffff, high, low]))
      expect(() => attempts.count(mapped), mapped).toThrow('many attempts')
  }
})

it('keeps the limit for any number of other addresses', () => {
  const attempts = new Attempts(new ManualClock(), 5)
  const tried = new Map<string, number>()
  const refused = (place: string): boolean => {
    tried.set(place, (tried.get(place) ?? 0) + 1)
    try {
      attempts.count(place)
      return false
    } catch {
      return true
    }
  }
  // The table is full of those who come twice, then of those who come once; a few who were there first come again and again.
  for (let i = 0; i < 150; i++) refused(`again ${i % 50}`)
  for (let i = 0; i < 20_000; i++) refused(`at first ${i % 10_000}`)
  const letIn: string[] = []
  const [few, many, which] = [numbers(50, 1), numbers(1_000_000, 2), numbers(4, 3)]
  for (let i = 0; i < 3_000; i++) {
    const place = which.next().value === 0 ? `again ${few.next().value}` : `once ${many.next().value}`
    if (!refused(place) && tried.get(place)! > 5) letIn.push(`${place} in attempt ${tried.get(place)}`)
  }
  expect(letIn).toEqual([])
  // A new address is let in although the table is full.
  expect(refused('new')).toBe(false)
})

it('remembers ten thousand addresses, and counts further ones as one of them', () => {
  const attempts = new Attempts(new ManualClock(), 1)
  for (let i = 0; i < 10_000; i++) attempts.count(`place ${i}`)
  expect(() => attempts.count('one more')).toThrow('many attempts')
})
