/**
 * Adds three keys to the context: `genres` (figures by genre), `hits` (the found movies, each
 * compared with its genre) and `overview`. Bodies are texts, also those of other stages.
 */
function handleRequest() {
  const genres = readGenres(context.genreFigures)
  const { results } = JSON.parse(context.response.body)
  if (!results) throw new Error('The request has no query with the id "results"; this pipeline needs one')
  const hits = results.hits.hits.map((hit) => compare(hit, genres))

  console.log(`merged ${hits.length} hits`, { total: results.hits.total.value, first: hits[0] })
  if (!context.popularity) console.warn('popularity is missing: hits keep their order')

  return { genres, hits, overview: { total: results.hits.total.value, genres: countGenres(hits) } }
}

function readGenres(body) {
  const { buckets } = JSON.parse(body).aggregations.genres
  return Object.fromEntries(
    buckets.map(({ key, doc_count, rating }) => [key, { movies: doc_count, rating: rating.value }]),
  )
}

function compare(hit, genres) {
  const { title, major_genre: genre, imdb_rating: rating } = hit._source
  const usual = genres[genre]?.rating
  const known = usual !== undefined && rating !== undefined
  return { id: hit._id, title, genre, rating, aboveGenre: known ? round(rating - usual) : null }
}

function countGenres(hits) {
  const counts = {}
  for (const { genre } of hits) if (genre) counts[genre] = (counts[genre] ?? 0) + 1
  return counts
}

function round(number) {
  return Math.round(number * 100) / 100
}
