// Before the first paint, so that a dark page does not flash white. A file of its own, since the page allows no inline scripts.
const dark = matchMedia('(prefers-color-scheme: dark)')
function applyTheme() {
  const kept = localStorage.getItem('tutti.theme')
  const isDark = kept === 'dark' || (kept !== 'light' && dark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
applyTheme()
dark.addEventListener('change', applyTheme)
