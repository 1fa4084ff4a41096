/** One script before the engine call and two after it; each parses a body and prints it again. */
export const PIPELINE_SCRIPTS = [
  `function handleRequest() {
  const query = JSON.parse(context.request.body)
  query.size = Math.min(query.size ?? 10, 50)
  return { request: { body: JSON.stringify(query) } }
}`,
  `function handleRequest() {
  const answer = JSON.parse(context.response.body)
  for (const hit of answer.hits.hits) hit._source.decade = Math.floor(hit._source.year / 10) * 10
  return { response: { body: JSON.stringify(answer) } }
}`,
  `function handleRequest() {
  const answer = JSON.parse(context.response.body)
  answer.hits.hits.sort((a, b) => b._source.year - a._source.year)
  context.response.body = JSON.stringify(answer)
}`,
]
