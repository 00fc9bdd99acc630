import type { Scene } from './scenes.ts'

export const SETTINGS_SCENES: Readonly<Record<string, Scene>> = {
  settings: { path: '/settings', shows: 'Profile' },
  'settings-security': { path: '/settings/security', shows: 'Firefox, Linux' },
  'settings-keys': { path: '/settings/keys', shows: 'Nightly report' },
  'settings-memory': { path: '/settings/memory', shows: 'Brindlemoor Coffee' },
}
