export interface TaggedEnd {
  /** What stands before the tag; of a text that is still coming, without what may become the tag. */
  readonly text: string
  /** What stands between the tags. */
  readonly end?: string
}

/** Splits a model's text from what it put between tags behind it. */
export function splitEnd(written: string, tag: string): TaggedEnd {
  const open = `<${tag}>`
  const at = written.indexOf(open)
  if (at < 0) {
    const tail = written.lastIndexOf('<')
    return { text: (tail >= 0 && open.startsWith(written.slice(tail)) ? written.slice(0, tail) : written).trimEnd() }
  }
  const [end = ''] = written.slice(at + open.length).split(`</${tag}>`)
  return { text: written.slice(0, at).trimEnd(), ...(end.trim() === '' ? {} : { end: end.trim() }) }
}
