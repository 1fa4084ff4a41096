/** Writes what `enrich` found into the answer, next to each hit and as `overview`. */
function handleRequest() {
  const answer = JSON.parse(context.response.body)
  const byId = Object.fromEntries(context.hits.map((hit) => [hit.id, hit]))
  for (const hit of answer.results.hits.hits) hit.above_genre = byId[hit._id].aboveGenre
  answer.overview = context.overview
  return { response: { body: JSON.stringify(answer) } }
}
