/** One list of suggestions: titles by score, then people by number of movies. */
function handleRequest() {
  const titles = JSON.parse(context.titles).hits.hits.map(({ _id, _source }) => ({
    type: 'title',
    id: _id,
    text: _source.title,
    rating: _source.imdb_rating,
  }))
  const people = JSON.parse(context.people).aggregations.people.buckets.map((bucket) => ({
    type: 'person',
    text: bucket.key,
    movies: bucket.doc_count,
  }))
  console.log('suggestions', { titles: titles.length, people: people.length })
  return {
    response: {
      code: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ suggestions: [...titles, ...people] }),
    },
  }
}
