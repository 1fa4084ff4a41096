/** A search over the sample's movies: the body, and what belongs into the address. */
export interface SearchRequest {
  name: string
  body: Record<string, unknown>
  parameters?: string
}

type Body = Record<string, unknown>
const FACTS = ['title', 'director', 'major_genre', 'imdb_rating']

/** The clause that a declarative search becomes. */
const declarative = (value: string, fields: string[]) => ({
  bool: {
    should: [
      { multi_match: { query: value, fields, type: 'cross_fields', operator: 'or' } },
      { multi_match: { query: value, fields, type: 'best_fields', operator: 'or', fuzziness: 0 } },
      { multi_match: { query: value, fields, type: 'phrase', operator: 'or' } },
      { multi_match: { query: value, fields, type: 'phrase_prefix', operator: 'or' } },
    ],
    minimum_should_match: '1',
  },
})
const cross = (query: string, fields: string[], more: Body = {}): Body => ({
  query: { multi_match: { query, fields, type: 'cross_fields', ...more } },
})
const query = (body: Body): Body => ({ query: body, _source: FACTS })
const sorted = (sort: unknown, more: Body = {}): Body => ({ sort, _source: FACTS, ...more })
const aggs = (body: Body, more: Body = {}): Body => ({ size: 0, aggs: { it: body }, ...more })

const BODIES: Record<string, Body> = {
  everything: {},
  'everything, 3 of it': { size: 3 },
  'nothing but the total': { size: 0, query: { match: { title: 'the' } } },
  'exact totals': { size: 1, track_total_hits: true, query: { match_all: {} } },
  'no totals': { size: 2, track_total_hits: false, query: { match: { title: 'love' } } },
  'totals up to a number': { size: 2, track_total_hits: 100, query: { match: { title: 'the' } } },

  'match: one word': query({ match: { title: 'star' } }),
  'match: two words': query({ match: { title: 'Dead Man' } }),
  'match: stop words': query({ match: { title: 'the of a' } }),
  'match: and': query({ match: { title: { query: 'star wars', operator: 'and' } } }),
  'match: minimum': query({
    match: { title: { query: 'lord of the rings', minimum_should_match: '75%' } },
  }),
  'match: negative minimum': query({
    match: { title: { query: 'dead poets hereafter', minimum_should_match: '-30%' } },
  }),
  'match: a word twice': query({ match: { title: 'love love story' } }),
  'match: fuzzy': query({ match: { title: { query: 'godfahter', fuzziness: 'AUTO' } } }),
  'match: fuzzy, two words': query({
    match: { title: { query: 'indana jons', fuzziness: 1, operator: 'and' } },
  }),
  'match: accents': query({ match: { title: 'Amélie Léon' } }),
  'match: no such word': query({ match: { title: 'sluicegate' } }),
  'match: no such field': query({ match: { no_such_field: 'x' } }),
  'match: nothing to look for': query({ match: { title: '' } }),
  'match: nothing to look for, all': query({
    match: { title: { query: '!!!', zero_terms_query: 'all' } },
  }),
  'match: keyword': query({ match: { major_genre: 'Black Comedy' } }),
  'match: number as text': query({ match: { imdb_rating: '8.1' } }),
  'match: date': query({ match: { release_date: '1999-12-31' } }),
  'match: boost': query({ match: { title: { query: 'house', boost: 2.5 } } }),

  'cross_fields: title and director': cross('spielberg jurassic', ['title', 'director.text']),
  'cross_fields: and': cross('steven spielberg indiana', ['title', 'director.text'], {
    operator: 'and',
  }),
  'cross_fields: boosts': cross('tim burton planet', ['title^3', 'director.text^0.5']),
  'cross_fields: one word': cross('scott', ['title', 'director.text']),
  'cross_fields: one field': cross('dark knight', ['title']),
  'cross_fields: three fields': cross('western eastwood good', [
    'title^2',
    'director.text',
    'major_genre.text',
  ]),
  'cross_fields: a keyword field between': cross('drama', ['title', 'major_genre']),
  'cross_fields: tie breaker': cross('john ford', ['title', 'director.text'], {
    tie_breaker: 0.4,
  }),
  'cross_fields: minimum': cross('woody allen new york', ['title', 'director.text'], {
    minimum_should_match: '60%',
  }),
  'cross_fields: rare and frequent': cross('the zodiac', ['title^4', 'director.text']),
  'cross_fields: a word twice': cross('man man', ['title', 'director.text']),
  'cross_fields: words only one field knows': cross('zemeckis', ['title', 'director.text']),
  'cross_fields: all fields by pattern': cross('spike lee', ['title', 'direct*']),
  'cross_fields: boost of the query': cross('ridley scott', ['title', 'director.text'], {
    boost: 1.7,
  }),

  best_fields: query({
    multi_match: { query: 'brown sugar', fields: ['title', 'director.text'] },
  }),
  'best_fields: tie breaker and boosts': query({
    multi_match: {
      query: 'frank miller',
      fields: ['title^2', 'director.text^3'],
      tie_breaker: 0.3,
    },
  }),
  'best_fields: and': query({
    multi_match: { query: 'woody allen', fields: ['title', 'director.text'], operator: 'and' },
  }),
  'best_fields: fuzzy': query({
    multi_match: { query: 'speilberg', fields: ['title', 'director.text'], fuzziness: 'AUTO' },
  }),
  most_fields: query({
    multi_match: {
      query: 'adventure time',
      fields: ['title', 'major_genre.text'],
      type: 'most_fields',
    },
  }),
  'phrase over fields': query({
    multi_match: { query: 'clint eastwood', fields: ['title', 'director.text'], type: 'phrase' },
  }),
  'phrase over fields: slop': query({
    multi_match: { query: 'lord rings', fields: ['title^2'], type: 'phrase', slop: 3 },
  }),
  'phrase_prefix over fields': query({
    multi_match: { query: 'harry po', fields: ['title^3', 'director.text'], type: 'phrase_prefix' },
  }),
  'phrase_prefix over fields: one letter': query({
    multi_match: { query: 's', fields: ['title', 'director.text'], type: 'phrase_prefix' },
  }),
  'a declarative search: one word': query(declarative('man', ['title^3.00', 'director.text^1.00'])),
  'a declarative search: two words': query(declarative('star war', ['title', 'director.text'])),
  'a declarative search: name and title': query(
    declarative('coppola godfather', ['title', 'director.text^2.00']),
  ),
  'a declarative search: unknown words': query(declarative('qwertz zzyzx', ['title'])),
  'a declarative search with facets chosen': {
    query: {
      bool: {
        must: [
          { bool: { must: [{ terms: { major_genre: ['Action', 'Adventure'] } }] } },
          { bool: { should: [{ range: { imdb_rating: { gte: 6, lte: 9, boost: 2 } } }] } },
          declarative('the lost', ['title^3.00', 'director.text^1.00']),
        ],
      },
    },
    size: 12,
    from: 0,
    _source: { includes: FACTS, excludes: ['us_*'] },
  },

  match_phrase: query({ match_phrase: { title: 'the last' } }),
  'match_phrase: slop': query({ match_phrase: { title: { query: 'man iron mask', slop: 2 } } }),
  'match_phrase: exchanged words': query({
    match_phrase: { title: { query: 'rings the lord', slop: 5 } },
  }),
  'match_phrase: one word': query({ match_phrase: { title: 'alien' } }),
  match_phrase_prefix: query({ match_phrase_prefix: { title: 'the go' } }),
  'match_phrase_prefix: one letter': query({ match_phrase_prefix: { title: 'x' } }),
  'match_phrase_prefix: few expansions': query({
    match_phrase_prefix: { title: { query: 'the s', max_expansions: 3 } },
  }),

  'term: keyword': query({ term: { director: 'Steven Spielberg' } }),
  'term: keyword, boost': query({ term: { mpaa_rating: { value: 'G', boost: 3 } } }),
  'term: text': query({ term: { title: 'alien' } }),
  'term: number': query({ term: { rotten_tomatoes_rating: 100 } }),
  'term: date': query({ term: { release_date: '2000-12-22' } }),
  'terms: keyword': query({ terms: { major_genre: ['Western', 'Musical'] } }),
  'terms: numbers, boost': query({ terms: { running_time_min: [90, 91, 92], boost: 1.5 } }),
  'range: number': query({ range: { imdb_rating: { gt: 8.5 } } }),
  'range: dates': query({ range: { release_date: { gte: '1960-01-01', lt: '1962-01-01' } } }),
  'range: date math': query({
    range: { release_date: { gte: '1960-05-05||/y', lt: '1961-01-01' } },
  }),
  'range: date format': query({
    range: { release_date: { gte: '01/06/1995', lte: '1996', format: 'dd/MM/yyyy||yyyy' } },
  }),
  'range: keyword': query({ range: { 'title.keyword': { gte: 'Q', lt: 'R' } } }),
  'range: no bound': query({ range: { imdb_votes: {} } }),
  exists: query({ exists: { field: 'us_dvd_sales' } }),
  'exists: no such field': query({ exists: { field: 'no_such_field' } }),
  ids: query({ ids: { values: ['3', '1', '2000', '99999'] } }),

  'bool: everything': query({
    bool: {
      must: [{ match: { title: 'love' } }],
      should: [{ term: { major_genre: 'Romantic Comedy' } }, { match: { title: 'story' } }],
      filter: [{ range: { imdb_votes: { gte: 1000 } } }],
      must_not: [{ term: { mpaa_rating: 'R' } }],
    },
  }),
  'bool: only filter': query({ bool: { filter: { term: { creative_type: 'Super Hero' } } } }),
  'bool: only must_not': query({ bool: { must_not: [{ exists: { field: 'director' } }] } }),
  'bool: two of three': query({
    bool: {
      should: [
        { match: { title: 'american' } },
        { match: { title: 'beauty' } },
        { term: { major_genre: 'Drama' } },
      ],
      minimum_should_match: 2,
    },
  }),
  'bool: nested, boosts': query({
    bool: {
      should: [
        { bool: { must: [{ match: { title: 'night' } }], boost: 2 } },
        { bool: { should: [{ match: { title: 'day' } }, { match: { title: 'night' } }] } },
      ],
    },
  }),
  'bool: a disjunction that stands there twice': query({
    bool: {
      should: ['cross_fields', 'best_fields', 'phrase', 'phrase_prefix'].map((type) => ({
        multi_match: { query: 'in paris', fields: ['title'], type },
      })),
    },
  }),
  'bool: empty': query({ bool: {} }),

  'sort: number': sorted([{ imdb_rating: 'desc' }, { imdb_votes: { order: 'desc' } }]),
  'sort: number, missing first': sorted([
    { us_dvd_sales: { order: 'asc', missing: '_first' } },
    'title.keyword',
  ]),
  'sort: missing as a number': sorted([
    { running_time_min: { order: 'desc', missing: 500 } },
    { release_date: 'asc' },
  ]),
  'sort: keyword': sorted(['title.keyword', '_doc'], { size: 5, from: 20 }),
  'sort: date with score': sorted(['release_date', '_score'], {
    query: { match: { title: 'king' } },
    track_scores: true,
  }),
  'sort: score then number': sorted(['_score', { production_budget: 'desc' }], {
    query: { match: { title: 'house' } },
  }),
  'sort: ties': sorted([{ mpaa_rating: 'asc' }], { size: 20 }),
  'from and size': { from: 15, size: 7, query: { match: { title: 'the' } }, _source: FACTS },
  'from beyond the end': { from: 500, query: { match: { title: 'star' } } },
  'source: none': { _source: false, size: 2, query: { match: { title: 'king' } } },
  'source: patterns': { _source: ['*_gross', 'ti*'], size: 2, query: { ids: { values: ['9'] } } },
  'source: exclusion': { _source: { excludes: ['*o*'] }, query: { ids: { values: ['9'] } } },
  'source: the same in and out': { _source: { includes: ['title'], excludes: ['title'] } },
  'versions and sequence numbers': {
    version: true,
    seq_no_primary_term: true,
    query: { ids: { values: ['9'] } },
  },

  'terms aggregation': aggs({ terms: { field: 'major_genre' } }),
  'terms aggregation: few, by key': aggs({
    terms: { field: 'director', size: 4, order: { _key: 'asc' } },
  }),
  'terms aggregation: rest counted': aggs({ terms: { field: 'distributor', size: 3 } }),
  'terms aggregation: missing': aggs({
    terms: { field: 'mpaa_rating', size: 20, missing: 'N/A' },
  }),
  'terms aggregation: numbers': aggs({ terms: { field: 'rotten_tomatoes_rating', size: 5 } }),
  'terms aggregation: floating numbers': aggs({ terms: { field: 'imdb_rating', size: 5 } }),
  'terms aggregation: dates': aggs({ terms: { field: 'release_date', size: 3 } }),
  'terms aggregation: inside another': aggs({
    terms: { field: 'major_genre', size: 3 },
    aggs: {
      ratings: { stats: { field: 'imdb_rating' } },
      kinds: { terms: { field: 'creative_type', size: 2 } },
    },
  }),
  'terms aggregation: ordered by a metric': aggs({
    terms: { field: 'major_genre', order: { rating: 'desc' }, size: 5 },
    aggs: { rating: { avg: { field: 'imdb_rating' } } },
  }),
  'terms aggregation: rising counts': aggs({
    terms: { field: 'source', order: { _count: 'asc' }, size: 3 },
  }),
  'terms aggregation: ordered by what some have not': aggs({
    terms: { field: 'director', order: { length: 'desc' }, size: 600 },
    aggs: { length: { avg: { field: 'running_time_min' } } },
  }),
  'terms aggregation: in the gaps of a histogram': aggs(
    {
      date_histogram: { field: 'release_date', calendar_interval: 'year' },
      aggs: { kinds: { terms: { field: 'imdb_rating', min_doc_count: 0, size: 3 } } },
    },
    { query: { match: { title: 'vampire' } } },
  ),
  'terms aggregation: least number': aggs({
    terms: { field: 'director', min_doc_count: 12, size: 50 },
  }),
  'terms aggregation: including': aggs({
    terms: { field: 'source', include: 'Based on .*', exclude: '.*(TV|Game)', size: 20 },
  }),
  'terms aggregation: of a query': aggs(
    { terms: { field: 'creative_type' } },
    { query: { match: { title: 'the' } }, size: 1, _source: false },
  ),
  histogram: aggs({ histogram: { field: 'imdb_rating', interval: 0.5 } }),
  'histogram: offset, least number': aggs({
    histogram: { field: 'running_time_min', interval: 25, offset: 5, min_doc_count: 1 },
  }),
  'histogram: gaps kept': aggs(
    { histogram: { field: 'rotten_tomatoes_rating', interval: 10, min_doc_count: 0 } },
    { query: { match: { title: 'vampire' } } },
  ),
  'histogram: of nothing': aggs(
    { histogram: { field: 'imdb_rating', interval: 1 } },
    { query: { match: { title: 'sluicegate' } } },
  ),
  'min and max': {
    size: 0,
    aggs: { low: { min: { field: 'imdb_rating' } }, high: { max: { field: 'us_gross' } } },
  },
  'min of dates': aggs({ min: { field: 'release_date' } }),
  'sum of dates, beyond the year 9999': aggs({ sum: { field: 'release_date' } }),
  avg: aggs({ avg: { field: 'production_budget' } }),
  stats: aggs({ stats: { field: 'imdb_rating' } }),
  'stats: of nothing': aggs({ stats: { field: 'imdb_rating' } }, { query: { match_none: {} } }),
  'stats: missing as a number': aggs({ stats: { field: 'running_time_min', missing: 0 } }),
}

/** What the sample's movies are asked, on both engines. */
export const SEARCH_REQUESTS: SearchRequest[] = [
  ...Object.entries(BODIES).map(([name, body]) => ({ name, body })),
  {
    name: 'totals as a number',
    body: query({ match: { title: 'star' } }),
    parameters: 'rest_total_hits_as_int=true',
  },
  { name: 'a query in the address', body: { size: 3 }, parameters: 'preference=me&size=2' },
  { name: 'typed keys', body: aggs({ stats: { field: 'imdb_votes' } }), parameters: 'typed_keys' },
]
