import { useEffect, useState } from 'react'
import { IconButton } from '../icon-button.tsx'

/** Copies a text, which is only made when it is asked for, and says that it did. */
export function CopyButton({
  label,
  getText,
  icon = 'copy',
  tabIndex,
}: {
  label: string
  getText: () => string
  icon?: string
  tabIndex?: number
}) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => setDone(false), 1500)
    return () => clearTimeout(timer)
  }, [isDone])
  return (
    <IconButton
      icon={isDone ? 'check' : icon}
      label={isDone ? 'Copied' : label}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.stopPropagation()
        void navigator.clipboard.writeText(getText()).then(() => setDone(true))
      }}
    />
  )
}
