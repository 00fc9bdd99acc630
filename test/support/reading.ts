/** Readers of runs in tests: the text that they assemble, and their number of store calls. */
import type { RunEvent } from '../../src/domain/events.ts'
import type { RunFeed, TextPosition } from '../../src/domain/store.ts'
import type { LiveItem } from '../../src/engine/readers/live.ts'

/** Text assembled by a reader. Each piece must begin where the last one ended. */
export class Page {
  text = ''
  part = 0
  seq = 0
  readonly events: RunEvent[] = []

  take(item: LiveItem): void {
    if (item.type !== 'live.text') {
      if (item.seq <= this.seq) throw new Error(`Event ${item.seq} came after ${this.seq}.`)
      this.seq = item.seq
      if (item.type !== 'answer.delta') {
        this.events.push(item)
        return
      }
    }
    if (item.part > this.part) {
      this.part = item.part
      this.text = ''
    }
    if (item.part !== this.part || item.offset !== this.text.length) {
      throw new Error(`Text at ${item.part}:${item.offset} does not follow ${this.part}:${this.text.length}.`)
    }
    this.text += item.text
  }

  get position(): TextPosition {
    return { part: this.part, length: this.text.length }
  }
}

/** The same feed, with the number of its calls. */
export function counted(feed: RunFeed) {
  const asked = { pages: 0, rows: 0, heads: 0, answers: 0 }
  const counting: RunFeed = {
    async page(...args) {
      asked.pages++
      const page = await feed.page(...args)
      asked.rows += page.events.length
      return page
    },
    heads(runIds) {
      asked.heads++
      return feed.heads(runIds)
    },
    lastText(...args) {
      asked.answers++
      return feed.lastText(...args)
    },
    listen: (onNews) => feed.listen(onNews),
    mayHaveNews: (now) => feed.mayHaveNews(now),
  }
  const reset = (): void => void Object.assign(asked, { pages: 0, rows: 0, heads: 0, answers: 0 })
  return { feed: counting, asked, reset }
}
