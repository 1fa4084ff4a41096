import type { Cluster } from '../cluster/cluster.ts'
import type { Limits, Profile } from '../config.ts'
import type { Feature } from '../features/index.ts'

/** What handlers work with. */
export interface Engine {
  readonly cluster: Cluster
  readonly profile: Profile
  readonly limits: Limits
  readonly features: readonly Feature[]
  /** @throws {EngineFailure} circuit_breaking_exception when memory is short. */
  checkMemory(wantedBytes: number): void
}
