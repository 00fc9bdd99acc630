import { expect, it } from 'vitest'
import { rateLimitKey } from './attempts.ts'

it.each([
  [['2001:db8:0:7::1', '2001:DB8:0:7:1:2:3:4', '2001:db8:0:7::5%eth0', '2001:db8:0:7:0:0:1.2.3.4'], '2001:db8:0:8::1'],
  [['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207'], '192.0.2.8'],
  [['a user'], 'another user'],
])('counts %j as one address, and %s separately', (same, other) => {
  const keys = new Set(same.map(rateLimitKey))
  expect(keys.size).toBe(1)
  expect(keys).not.toContain(rateLimitKey(other))
})
