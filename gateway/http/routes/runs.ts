import { z } from 'zod'
import { errors } from '../../errors.ts'
import type { Routes } from '../control-services.ts'

const Run = z.object({ runId: z.string() })
const Stage = Run.extend({ stageId: z.string() })

/** The traces in memory. */
export const runRoutes: Routes = (app, { runs }) => {
  const found = <T>(runId: string, trace: T | undefined) => {
    if (trace !== undefined) return trace
    throw errors.traceNotFound(
      `There is no trace of run "${runId}": it was not recorded, or newer runs took its place`,
    )
  }
  app.get('/api/runs', () => runs.list())
  app.get('/api/runs/:runId', { schema: { params: Run } }, ({ params: { runId } }) =>
    found(runId, runs.get(runId)),
  )
  app.get(
    '/api/runs/:runId/stages/:stageId',
    { schema: { params: Stage } },
    ({ params: { runId, stageId } }) => found(runId, runs.stage(runId, stageId)),
  )
  app.get('/api/runs/:runId/har', { schema: { params: Run } }, ({ params: { runId } }) =>
    found(runId, runs.har(runId)),
  )
}
