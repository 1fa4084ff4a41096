import { watch } from 'node:fs'

const SETTLE_MS = 60

/**
 * Tells which files of a folder changed, in one call a burst; editors write in several steps.
 * Paths are relative with forward slashes. Our own hidden folder is not looked at.
 */
export function watchFolder(root: string, onChange: (paths: string[]) => void) {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(root, { recursive: true }, (_kind, name) => {
    const path = name?.replaceAll('\\', '/')
    if (!path || /(^|\/)(\.sluice|\.git|node_modules)(\/|$)|\.tmp$/.test(path)) return
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = [...changed]
      changed.clear()
      onChange(paths)
    }, SETTLE_MS)
  })
  // A folder that vanishes ends the watch; reading it next time says so to the user.
  watcher.on('error', () => undefined)
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
