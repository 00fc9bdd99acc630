/**
 * Plain JavaScript, because it runs in the page and cannot import. Returns the layout faults of a page as sentences.
 * An element counts with the part that is visible after clipping by its ancestors.
 * @returns {string[]}
 */
export function layoutFaults() {
  const faults = new Set()
  const width = document.documentElement.clientWidth
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const root = dialog ?? coverOf() ?? document.body
  /** An element that covers the whole page, such as a sheet on a phone. */
  function coverOf() {
    for (let one = document.elementFromPoint(width / 2, innerHeight / 2); one !== null; one = one.parentElement) {
      const box = one.getBoundingClientRect()
      const isWhole = box.width >= width && box.height >= innerHeight
      if (isWhole && getComputedStyle(one).position === 'fixed') return one
    }
    return null
  }
  const named = (one) =>
    `<${one.tagName.toLowerCase()} class="${one.getAttribute('class') ?? ''}"> ${(one.textContent ?? '').trim().slice(0, 60)}`
  const isCut = (value) => value !== 'visible'

  /** The visible part of a box; empty when it is scrolled out of view. */
  const seen = (box, from) => {
    let { left, top, right, bottom } = box
    for (let around = from; around !== null; around = around.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(around)
      const edge = around.getBoundingClientRect()
      if (isCut(overflowX)) [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)]
      if (isCut(overflowY)) [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)]
      if (position === 'fixed' || around === root) break
    }
    return right - left > 2 && bottom - top > 2 ? { left, top, right, bottom } : undefined
  }
  /** In drawings only texts count. */
  const isDrawn = (one) => one.closest('svg') !== null && one.tagName !== 'text'
  const isHidden = (one) => {
    return !one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || one.closest('.sr-only') !== null
  }
  const hasTitle = (one) => one.closest('[title]') !== null

  if (document.documentElement.scrollWidth > width + 1)
    faults.add(`The page is ${document.documentElement.scrollWidth} px wide.`)
  const texts = []
  for (const one of root.querySelectorAll('*')) {
    const box = one.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || isHidden(one) || isDrawn(one)) continue
    const style = getComputedStyle(one)
    const words = [...one.childNodes].filter((node) => node.nodeType === 3 && (node.nodeValue ?? '').trim() !== '')
    const isField = one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement
    // Horizontal scrolling, which only tables and code may need.
    if (
      /auto|scroll/.test(style.overflowX) &&
      one.scrollWidth > one.clientWidth + 1 &&
      one.querySelector('h2, section, form') !== null
    )
      faults.add(`Scrolls sideways: ${named(one)}`)
    if (words.length === 0 && !isField && !(one instanceof HTMLButtonElement)) continue
    // Outside the page and not reachable by scrolling.
    const inner = seen(box, one)
    if (inner === undefined) continue
    const scrolls = (axis) => {
      for (
        let around = one.parentElement;
        around !== null && around !== root.parentElement;
        around = around.parentElement
      ) {
        if (/auto|scroll/.test(getComputedStyle(around)[axis])) return true
      }
      return false
    }
    if ((box.right > width + 1 || box.left < -1) && !scrolls('overflowX')) faults.add(`Beyond the edge: ${named(one)}`)
    if (
      isCut(style.overflowX) &&
      one.scrollWidth > one.clientWidth + 1 &&
      !/auto|scroll/.test(style.overflowX) &&
      !hasTitle(one)
    )
      faults.add(`Cut off without a title: ${named(one)}`)
    const isTyped = isField && !/checkbox|radio/.test(one.type)
    const isSliver = isCut(style.overflowX) && one.clientWidth < 40 && one.scrollWidth > 2 * one.clientWidth
    if (isSliver || (isTyped && box.width < 60)) faults.add(`Too narrow to say anything: ${named(one)}`)
    if (
      isCut(style.overflowY) &&
      one.scrollHeight > one.clientHeight + 3 &&
      !/auto|scroll/.test(style.overflowY) &&
      !hasTitle(one)
    )
      faults.add(`Cut off below without a title: ${named(one)}`)
    if (words.length === 0) continue
    const range = document.createRange()
    const boxes = words.flatMap((node) => {
      range.selectNodeContents(node)
      return [...range.getClientRects()].flatMap((rect) => seen(rect, one) ?? [])
    })
    // The part that an ancestor clips.
    for (const node of words) {
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        const rest = seen(rect, one)
        const isSlit = rest !== undefined && rest.right - rest.left < rect.width - 2
        if (isSlit && !scrolls('overflowX') && style.overflowX === 'visible' && !hasTitle(one))
          faults.add(`Cut off by what is around it: ${named(one)}`)
      }
    }
    texts.push({ one, boxes })
  }
  /** Covered by another element. */
  for (const { one, boxes } of texts.filter((text) => text.one.tagName !== 'text')) {
    for (const { left, top, right, bottom } of boxes) {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      if (x < 0 || y < 0 || x >= width || y >= innerHeight) continue
      const upon = document.elementFromPoint(x, y)
      if (upon === null || upon.contains(one) || one.contains(upon) || one.closest('label')?.contains(upon) === true)
        continue
      // Temporary overlays may hide it.
      const isOver =
        upon.closest('[role=menu], [role=listbox], dialog, [data-radix-popper-content-wrapper], [data-floats]') !== null
      if (!isOver && getComputedStyle(one).pointerEvents !== 'none') faults.add(`Under ${named(upon)}: ${named(one)}`)
    }
  }
  /** Two texts in the same place. */
  const LAYERS = '[role=menu], [role=listbox], aside, [data-floats]'
  for (const [at, a] of texts.entries()) {
    for (const b of texts.slice(at + 1)) {
      if (a.one.contains(b.one) || b.one.contains(a.one)) continue
      if (a.one.closest(LAYERS) !== b.one.closest(LAYERS)) continue
      const meet = a.boxes.some((p) =>
        b.boxes.some(
          (q) =>
            Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 &&
            Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 4,
        ),
      )
      if (meet) faults.add(`On top of each other: ${named(a.one)} | ${named(b.one)}`)
    }
  }
  return [...faults]
}
