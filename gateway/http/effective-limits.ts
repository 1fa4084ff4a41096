import { type Limits, usualLimits } from '../contract/limits.ts'

/**
 * The limits that hold: what the command line and the environment fix, then what the open workspace
 * says, then the usual ones. Computed anew only when the workspace's have changed.
 */
export function effectiveLimits(
  fixed: Partial<Limits>,
  ofWorkspace: () => Partial<Limits> | undefined,
): () => Limits {
  let seen: Partial<Limits> | undefined
  let limits: Limits = { ...usualLimits, ...fixed }
  return () => {
    const own = ofWorkspace()
    if (own !== seen) {
      seen = own
      limits = { ...usualLimits, ...own, ...fixed }
    }
    return limits
  }
}
