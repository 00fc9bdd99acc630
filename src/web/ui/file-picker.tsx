import type { Ref } from 'react'

/** A hidden input that another button opens. The same file can be chosen again. */
export function FilePicker({ ref, add }: { ref: Ref<HTMLInputElement>; add: (files: readonly File[]) => void }) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      onChange={({ currentTarget }) => {
        add([...(currentTarget.files ?? [])])
        currentTarget.value = ''
      }}
    />
  )
}
