import { press } from './acts.ts'
import { SIGNED_IN } from './replies.ts'
import type { Scene } from './scenes.ts'

export const SETTINGS_SCENES: Readonly<Record<string, Scene>> = {
  settings: { path: '/settings', shows: 'Profile' },
  'settings-security': { path: '/settings/security', shows: 'Firefox, Linux' },
  'settings-second-factor': {
    path: '/settings/security',
    shows: 'Firefox, Linux',
    replies: { '/session': { ...SIGNED_IN, person: { ...SIGNED_IN.person, hasSecondFactor: false } } },
    act: async (page) => {
      const factor = page.getByRole('region', { name: 'Second factor' })
      await factor.getByLabel('Password').fill('long ago and far away')
      await press('Turn on')(page)
      await factor.getByRole('img').scrollIntoViewIfNeeded()
    },
  },
  'settings-keys': { path: '/settings/keys', shows: 'Nightly report' },
  'settings-memory': { path: '/settings/memory', shows: 'Brindlemoor Coffee' },
}
