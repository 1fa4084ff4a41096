/** Makes the two engine queries from `{"text": "…"}`. */
function handleRequest() {
  const { text = '' } = JSON.parse(context.request.body || '{}')
  const minVotes = Number(context.envs.MIN_VOTES ?? 0)
  return {
    titlesQuery: JSON.stringify({
      size: 5,
      _source: ['title', 'imdb_rating'],
      query: {
        bool: {
          must: [{ match_phrase_prefix: { title: text } }],
          filter: [{ range: { imdb_votes: { gte: minVotes } } }],
        },
      },
    }),
    peopleQuery: JSON.stringify({
      size: 0,
      query: { match_phrase_prefix: { 'director.text': text } },
      aggs: { people: { terms: { field: 'director', size: 5 } } },
    }),
  }
}
