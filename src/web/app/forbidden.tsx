import { SearchX } from 'lucide-react'
import { ApiError } from '../../client/api.ts'
import { Empty } from '../ui/states.tsx'
import { useWords } from '../locales/words.tsx'
import { useSession, useSignOut } from './session.ts'
import { Button, LinkButton } from '../ui/button.tsx'

/**
 * Shown for a page that does not exist or belongs to another user. It does not reveal which, and links to another page.
 */
export function Forbidden({ title }: { title: string }) {
  const { words } = useWords()
  const signOut = useSignOut()
  const person = useSession()?.person
  return (
    <Empty icon={SearchX} title={title}>
      {person === undefined ? null : <p>{words.problem.signedInAs({ name: person.displayName })}</p>}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <LinkButton label={words.nav.newChat} className="btn-primary" to="/" />
        {person === undefined ? null : <Button label={words.problem.asAnother} action={signOut} />}
      </div>
    </Empty>
  )
}

/** Returns whether the server answered 404 for this user. */
export function isNotFound(error: Error | null | undefined): boolean {
  return error instanceof ApiError && error.status === 404
}
