import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { ApiError } from '../../client/api.ts'
import { Empty } from '../ui/states.tsx'
import { useWords } from '../locales/words.tsx'
import { useSession, useSignOut } from './session.ts'

/** In place of what is not there, or is another's, which nobody is told apart; with a way on. */
export function NotYours({ title }: { title: string }) {
  const { words } = useWords()
  const signOut = useSignOut()
  const person = useSession()?.person
  return (
    <Empty icon={SearchX} title={title}>
      {person === undefined ? null : <p>{words.problem.signedInAs({ name: person.displayName })}</p>}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <Link to="/" className="btn btn-primary">
          {words.nav.newChat}
        </Link>
        {person === undefined ? null : (
          <button type="button" className="btn" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            {words.problem.asAnother}
          </button>
        )}
      </div>
    </Empty>
  )
}

/** Whether the server says that there is none for who asks. */
export function isNotThere(error: Error | null | undefined): boolean {
  return error instanceof ApiError && error.status === 404
}
