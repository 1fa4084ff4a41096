/** Bytes for people, in thousands: `312 B`, `12.4 kB`, `1.3 MB`. */
export function formatBytes(bytes: number) {
  if (bytes < 1000) return `${bytes} B`
  const kilobytes = bytes / 1000
  if (kilobytes < 999.5)
    return `${kilobytes < 99.95 ? kilobytes.toFixed(1) : Math.round(kilobytes)} kB`
  const megabytes = kilobytes / 1000
  return `${megabytes < 99.95 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`
}

/** The exact count, for tooltips. */
export const formatExactBytes = (bytes: number) => `${bytes.toLocaleString('en')} bytes`
