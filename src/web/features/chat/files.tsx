import { Download, File } from 'lucide-react'
import { isPicture, type ArtifactRef } from '../../../client/run.ts'
import { useWords } from '../../locales/words.tsx'

/** Files that the tools of a run stored: pictures are shown, others are links. SVG is only ever an `<img>`. */
export function Files({ runId, files }: { runId: string; files: readonly ArtifactRef[] }) {
  const { words } = useWords()
  return files.map((file) => {
    const { id, name } = file
    const href = `/runs/${encodeURIComponent(runId)}/files/${encodeURIComponent(id)}`
    const label = words.answer.download({ name })
    if (!isPicture(file)) {
      return (
        <a key={id} className="no-print btn max-w-full self-start" href={href} download={name} title={label}>
          <File size={16} aria-hidden className="flex-none" />
          <span className="truncate">{name}</span>
        </a>
      )
    }
    return (
      <figure key={id} className="card overflow-hidden">
        <figcaption className="flex min-h-11 items-center gap-2 border-b border-line px-4 py-1.5">
          <span className="min-w-0 truncate text-13 font-semibold">{name}</span>
          <a
            className="no-print btn btn-ghost btn-icon btn-sm ml-auto"
            href={href}
            download={name}
            title={label}
            aria-label={label}
          >
            <Download size={16} aria-hidden />
          </a>
        </figcaption>
        {/* Plots have black text and often no background. */}
        <div className="bg-white p-3">
          <img src={href} alt={name} className="mx-auto max-h-160 max-w-full" />
        </div>
      </figure>
    )
  })
}
