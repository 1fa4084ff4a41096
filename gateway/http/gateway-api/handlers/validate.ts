import {
  BackgroundTrial,
  Trial,
  TrialQuery,
  TrialSubmission,
} from '../../../contract/gateway-api/validate.ts'
import { PipelinePath } from '../../../contract/gateway-api/pipelines.ts'
import { errors } from '../../../errors.ts'
import { SEALED } from '../../../pipeline/seal-env-values.ts'
import { createMask } from '../../../trace/masking.ts'
import { type ApiRoute, defineRoute } from '../define-route.ts'
import { refused } from '../save-pipeline.ts'
import { toDraft } from '../to-draft.ts'

/** Trying a pipeline without saving it; domain, section 3.4. */
export const validateRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'POST',
    path: '/_pipeline/validate',
    summary: 'Run a pipeline once, with a trace, without saving it',
    access: 'admin',
    form: true,
    failures: [408, 409, 422, 503],
    query: TrialQuery,
    body: TrialSubmission,
    response: Trial,
    async handler({ body, query, signal }, services) {
      const { definition, plan, diagnostics } = services.compile(toDraft(body))
      if (!definition || !plan) throw refused(diagnostics)
      // Not saved, but used: the run sees what a save would have set.
      const own = (definition.global_envs ?? []).filter(({ value }) => value !== SEALED)
      const hideOwn = createMask(own.map(({ value }) => value))
      const hideKnown = services.maskOfNow()
      const { trial, failure } = await services.trials.run({
        plan,
        request: body.request,
        envs: services.runEnvs(Object.fromEntries(own.map(({ key, value }) => [key, value]))),
        mask: (text) => hideOwn(hideKnown(text)),
        verbose: query.verbose !== 'false',
        signal,
      })
      return { ...(failure !== undefined && { status: failure }), body: trial }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/validate/{id}',
    summary: 'What became of the background stages of a run without saving',
    access: 'admin',
    failures: [404],
    params: PipelinePath,
    response: BackgroundTrial,
    handler({ params: { id } }, { trials }) {
      const report = trials.background(id)
      if (report) return { body: report }
      throw errors.notFound(`There is no validate run "${id}": it is kept for 30 minutes`)
    },
  }),
]
