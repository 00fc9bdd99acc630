import { expect, it } from 'vitest'
import { statusPage } from './page.ts'

it('escapes what it is told', () => {
  const page = statusPage({
    version: '1',
    storage: 'SQLite in /a/<script>alert(1)</script>',
    model: '"><img src=x>',
    agents: ['a&b'],
    commands: ["tutti ask 'x' <y>"],
  })
  expect(page).not.toMatch(/<script|<img/)
  expect(page).toContain('a&amp;b')
  expect(page).toContain('&lt;y&gt;')
})
