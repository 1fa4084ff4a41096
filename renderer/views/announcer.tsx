import { useEffect } from 'react'
import { useSurface } from '../stores/surface.ts'
import { showToast, Toaster } from '../ui/toast.tsx'

/** Reads announcements out and shows messages. */
export function Announcer() {
  const announcement = useSurface((surface) => surface.announcement)
  const notice = useSurface((surface) => surface.notice)
  useEffect(() => {
    if (notice) showToast(notice.title, notice.description, notice.kind)
  }, [notice])
  return (
    <>
      <p className="visually-hidden" role="status" aria-live="polite" data-testid="live-region">
        {announcement}
      </p>
      <Toaster />
    </>
  )
}
