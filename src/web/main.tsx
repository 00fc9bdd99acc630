import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './ui/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiError } from '../client/api.ts'
import { router } from './app/router.tsx'
import { startLanguage, WordsProvider } from './words/words.tsx'

const client = new QueryClient({
  defaultOptions: {
    // What the server refuses it refuses again.
    queries: {
      staleTime: 5_000,
      retry: (tries, error) => tries < 3 && !(error instanceof ApiError && error.status < 500),
    },
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
