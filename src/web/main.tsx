import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './ui/styles.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiError } from '../client/api.ts'
import { router } from './app/router.tsx'
import { startLanguage, WordsProvider } from './locales/words.tsx'

/** Show the sign-in page when the session has ended, on any page. */
function showWayIn(error: Error): void {
  if (error instanceof ApiError && error.status === 401) void client.invalidateQueries({ queryKey: ['session'] })
}

const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => (queryKey[0] === 'session' ? undefined : showWayIn(error)),
  }),
  mutationCache: new MutationCache({ onError: showWayIn }),
  defaultOptions: {
    // What the server refuses it refuses again.
    queries: {
      // A server on the same machine is reached without a network, too.
      networkMode: 'always',
      staleTime: 5_000,
      retry: (tries, error) => tries < 3 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})
const start = await startLanguage()
document.documentElement.lang = start.language

createRoot(document.querySelector('#root')!).render(
  <QueryClientProvider client={client}>
    <WordsProvider start={start}>
      <RouterProvider router={router} />
    </WordsProvider>
  </QueryClientProvider>,
)
