import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import type { Schemas } from '../../../client/api-types.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Copyable } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Fetched } from '../../ui/page.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Button } from '../../ui/button.tsx'

type Link = Schemas['Share']

/** Links under which anybody reads a conversation: made, shown once, and withdrawn. */
export default function ShareDialog({ conversationId, close }: { conversationId: string; close: () => void }) {
  const { words } = useWords()
  const path = `/conversations/${encodeURIComponent(conversationId)}/shares`
  const links = useGet<Items<Link>>(path)
  const [days, setDays] = useState<'30' | '90' | '365' | ''>('30')
  const make = useChange(() => api.post<Link & { path: string }>(path, days === '' ? {} : { days: Number(days) }), path)
  const withdraw = useChange(async (id: string) => {
    await api.delete(`${path}/${encodeURIComponent(id)}`)
    if (make.data?.shareId === id) make.reset()
  }, path)
  return (
    <Dialog label={words.conversations.share} close={close} className="dialog">
      <Form className="flex flex-col gap-3 px-5 pt-5 pb-4" submit={() => make.mutate()}>
        <h2 className="text-16 font-semibold">{words.conversations.share}</h2>
        <p className="text-13 text-text-2">{words.conversations.shareLead}</p>
        <Choice label={words.conversations.lasts} value={days} options={words.settings.days} onChange={setDays} />
        <ErrorBanner error={make.error ?? withdraw.error} isInText />
        {make.data === undefined ? null : (
          <div role="status" className="flex flex-col gap-1">
            <p className="text-12 text-warn">{words.conversations.once}</p>
            <Copyable text={location.origin + make.data.path} />
          </div>
        )}
        <Button
          label={words.conversations.makeLink}
          icon={Share2}
          className="btn-primary self-start"
          type="submit"
          disabled={make.isPending}
        />
      </Form>
      <Fetched query={links} lines={1}>
        {({ items }) =>
          items.length === 0 ? null : (
            <section className="border-t border-line" aria-label={words.conversations.links}>
              <h3 className="label px-5 pt-3">{words.conversations.links}</h3>
              <ul className="max-h-60 overflow-y-auto px-1">
                {items.map((link) => (
                  <CreatedLink key={link.shareId} link={link} withdraw={() => withdraw.mutate(link.shareId)} />
                ))}
              </ul>
            </section>
          )
        }
      </Fetched>
      <footer className="flex justify-end border-t border-line px-5 py-3">
        <Button label={words.app.close} onClick={close} />
      </footer>
    </Dialog>
  )
}

function CreatedLink({ link, withdraw }: { link: Link; withdraw: () => void }) {
  const { words, formats } = useWords()
  const { turns, createdAt, expiresAt } = link
  const when = (at: string): string => formats.date(Date.parse(at))
  return (
    <li className="line">
      <span className="min-w-0 flex-1">
        {when(createdAt)} · {words.conversations.turns({ n: turns })} ·{' '}
        {expiresAt === undefined ? words.settings.neverExpires : words.settings.until({ when: when(expiresAt) })}
      </span>
      <Button
        label={words.conversations.withdraw}
        className="btn-danger btn-sm"
        aria-label={`${words.conversations.withdraw}: ${when(createdAt)}`}
        onClick={withdraw}
      />
    </li>
  )
}
