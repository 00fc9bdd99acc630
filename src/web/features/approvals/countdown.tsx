import { useNow } from '../../ui/use-now.ts'

/** The time that is left, by the clock. */
export function Countdown({ until }: { until: number }) {
  const left = Math.max(0, Math.round((until - useNow(true)) / 1000))
  const [minutes, seconds] = [Math.floor(left / 60), left % 60]
  const hours = Math.floor(minutes / 60)
  const two = (value: number): string => String(value).padStart(2, '0')
  return (
    <time className="mono" role="timer">
      {hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds)}` : `${minutes}:${two(seconds)}`}
    </time>
  )
}
