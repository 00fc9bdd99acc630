import type { Page } from 'playwright-core'
import type { Scene } from './scenes.ts'

const DARK = { theme: 'dark' } as const
const PHONE = { width: 390 } as const

/** An unsaved change. */
async function giving(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'brindlemoor: Everyone' }).click()
  await page.getByRole('menuitemradio', { name: /^may ask/ }).click()
}

/** The pages of Administration. */
export const ADMIN_SCENES: Readonly<Record<string, Scene>> = {
  'admin-people': { path: '/admin', shows: 'Piet Okonjo' },
  'admin-groups': { path: '/admin/groups', shows: 'Customer service' },
  'admin-access': { path: '/admin/access', shows: 'Access to sources' },
  'admin-access-phone': { path: '/admin/access', shows: 'Access to sources', drawn: PHONE, widths: [390] },
  'admin-access-dark': { path: '/admin/access', shows: 'Access to sources', act: giving, drawn: DARK },
  'admin-access-cell': {
    path: '/admin/access',
    shows: 'Access to sources',
    act: (page) => page.getByRole('button', { name: 'brindlemoor: Sales' }).click(),
  },
  'admin-see-as': { path: '/admin/access?as=lars', shows: 'Access of Lars Bellander' },
  'admin-retention': { path: '/admin/retention', shows: 'Retention periods' },
  'admin-retention-dark': { path: '/admin/retention', shows: 'Retention periods', drawn: DARK, widths: [768] },
  'admin-limits': { path: '/admin/limits', shows: 'Maximum' },
  'admin-audit': { path: '/admin/audit', shows: 'Audit log' },
  'setup-phone': { path: '/setup', shows: 'Ask your first question', drawn: PHONE, widths: [390] },
}
