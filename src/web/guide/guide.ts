import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '../ui/styles.css'
import './guide.css'
import { setTheme } from '../app/theme.ts'
import { searchGuide, type Entry } from './search.ts'

const find = <Kind extends HTMLElement>(selector: string): Kind => document.querySelector<Kind>(selector)!

find('#theme').addEventListener('click', () =>
  setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'),
)

// As code is copied in the app.
for (const sample of document.querySelectorAll('.sample')) {
  const button = find<HTMLTemplateElement>('#copy').content.firstElementChild!.cloneNode(true) as HTMLButtonElement
  const label = button.textContent
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.querySelector('code')!.textContent)
    button.textContent = button.dataset['done']!
    setTimeout(() => (button.textContent = label), 2_000)
  })
  // Where the page is not served over TLS the text can still be marked by hand.
  if (navigator.clipboard !== undefined) sample.append(button)
}

const field = find<HTMLInputElement>('#search')
const results = find('#found')
let entries: Promise<readonly Entry[]> | undefined

const load = async (): Promise<readonly Entry[]> => {
  const response = await fetch('/guide/search.json')
  if (!response.ok) throw new Error(String(response.status))
  return (await response.json()) as readonly Entry[]
}

async function show(): Promise<void> {
  const query = field.value.trim()
  results.hidden = query === ''
  if (query === '') return
  try {
    entries ??= load()
    const hits = searchGuide(query, await entries)
    if (field.value.trim() !== query) return
    results.replaceChildren(
      ...(hits.length === 0 ? [`${results.dataset['none']}${query}`] : hits.map((hit) => row(hit))),
    )
  } catch {
    entries = undefined
    results.replaceChildren(results.dataset['failed']!)
  }
}

function row({ to, title, heading, before, hit, after }: ReturnType<typeof searchGuide>[number]): HTMLElement {
  const link = document.createElement('a')
  link.href = to
  const name = document.createElement('b')
  name.textContent = heading === '' ? title : `${title} › ${heading}`
  const mark = document.createElement('mark')
  mark.className = 'passage'
  mark.textContent = hit
  const text = document.createElement('span')
  text.append(before, mark, after)
  link.append(name, text)
  return link
}

field.addEventListener('input', () => void show())
field.addEventListener('focus', () => void show())

const rows = (): HTMLAnchorElement[] => [...results.querySelectorAll('a')]
addEventListener('keydown', (event) => {
  const at = rows().indexOf(document.activeElement as HTMLAnchorElement)
  const isSearching = document.activeElement === field || at >= 0
  if (event.key === '/' && !isSearching) field.focus()
  else if (event.key === 'Escape' && isSearching) {
    results.hidden = true
    field.focus()
  } else if (event.key === 'ArrowDown' && isSearching) rows()[at + 1]?.focus()
  else if (event.key === 'ArrowUp' && at >= 0) (rows()[at - 1] ?? field).focus()
  else if (event.key === 'Enter' && document.activeElement === field) rows()[0]?.click()
  else return
  event.preventDefault()
})
addEventListener('click', ({ target }) => {
  const isLink = target instanceof Element && target.closest('#found a') !== null
  if (isLink || !(target instanceof Node && find('search').contains(target))) results.hidden = true
})
