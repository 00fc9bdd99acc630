// Before the first paint, so that a dark page does not flash white. A file of its own, since the page allows no inline scripts.
const kept = localStorage.getItem('tutti.theme')
const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
