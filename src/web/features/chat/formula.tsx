import '@fontsource/noto-sans-math/latin-400.css'
import './formula.css'
import { useLayoutEffect, useRef, useState } from 'react'
import temml, { type Options } from 'temml'

interface FormulaProps {
  readonly tex: string
  readonly isDisplay: boolean
  /** As it was written, for what cannot be drawn. */
  readonly source: string
}

/**
 * A formula as MathML, which browsers draw on their own. Nothing in it leads anywhere or loads anything (`trust`), and what its
 * macros make of it is bounded. It is made of elements one by one: the page's policy knows no style in text.
 */
export default function Formula({ tex, isDisplay, source }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null)
  const [isDrawn, setDrawn] = useState(true)
  useLayoutEffect(() => {
    try {
      temml.render(tex, place.current!, { displayMode: isDisplay, annotate: true, ...KATEX_OPTIONS })
      // Labels and what refers to them are of a document; on a page they would be its own.
      for (const one of place.current!.querySelectorAll('[id], [href]')) {
        one.removeAttribute('id')
        one.removeAttribute('href')
      }
      setDrawn(true)
    } catch {
      setDrawn(false)
    }
  }, [tex, isDisplay])
  return isDrawn ? (
    <span ref={place} className={isDisplay ? 'block overflow-x-auto' : 'formula-inline'} title={source} />
  ) : (
    source
  )
}

export const KATEX_OPTIONS: Options = {
  throwOnError: true,
  trust: false,
  strict: true,
  maxSize: [20, 20],
  maxExpand: 100,
}
