import { defineStage } from './define.ts'
import { askByQueryId } from './ask-by-query-id.ts'
import { engineCall, EngineInputs, sendCall } from './engine-call.ts'

/** Sends the request to the search engine and keeps its response, whatever its status. */
export const searchEngineQuery = defineStage({
  use: 'searchEngineQuery',
  summary: 'Query the search engine',
  mayBeAsync: true,
  inputs: EngineInputs,
  async run(context, inputs, services) {
    const { request: call, isDeclarativeSearch } = engineCall(context, inputs, services)
    const isById = inputs.parseResponseToReactivesearch ?? isDeclarativeSearch
    const response = isById
      ? await askByQueryId({ context, call, independentBody: inputs.independentBody, services })
      : await sendCall(call, services)
    if (services.async) return { output: response.body }
    return { changes: { request: call, response } }
  },
})
