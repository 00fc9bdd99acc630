/** A user's initials in a circle, shown beside the name. */
export function Avatar({ name }: { name: string }) {
  const initials = name
    .split(/[\s._-]+/)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('')
    .slice(0, 2)
  return (
    <span
      className="grid size-7 flex-none place-items-center rounded-full bg-accent-soft text-11 font-semibold text-accent-text"
      aria-hidden
    >
      {initials}
    </span>
  )
}
