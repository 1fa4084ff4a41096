import { analyzeText } from '../../analysis/analyze.ts'
import { failures, requestInvalid, unsupported } from '../../errors.ts'
import { defineEndpoint } from '../../features/define.ts'
import { json } from '../reply.ts'

const REFUSED = ['tokenizer', 'filter', 'char_filter', 'normalizer', 'explain', 'attributes']

function readTexts(value: unknown): string[] {
  const texts = value === undefined ? [] : [value].flat()
  if (texts.length === 0) throw requestInvalid('text is missing')
  return texts.map((one) => {
    if (typeof one === 'string') return one
    throw failures.illegalArgument('text should be array of string or a string')
  })
}

/** `POST /{index}/_analyze`: the tokens of a text. */
export const analyze = defineEndpoint({
  name: 'indices.analyze',
  support: 'partial',
  methods: ['GET', 'POST'],
  paths: ['/_analyze', '/{index}/_analyze'],
  parameters: { prefer_local: 'no-effect', index: 'text' },
  body: 'required',
  handle(request, { cluster }) {
    if (request.body.length === 0)
      throw failures.parse('request body or source parameter is required')
    const { text, analyzer, field, ...rest } = request.object()
    for (const key of Object.keys(rest)) {
      if (REFUSED.includes(key)) throw unsupported(`analyze.${key}`, `[${key}] of _analyze`)
      throw failures.illegalArgument(`Unknown parameter [${key}] in request body of _analyze`)
    }
    const index = request.part('index')
    const target = index === '' ? undefined : cluster.get(index)
    const mapped = typeof field === 'string' ? target?.index.fields().field(field) : undefined
    if (mapped && mapped.type !== 'text' && mapped.type !== 'keyword')
      throw failures.illegalArgument(
        `Can't process field [${mapped.path}], Analysis requests are only supported on tokenized fields`,
      )
    if (analyzer !== undefined && typeof analyzer !== 'string')
      throw unsupported('analyze.analyzer', 'a custom [analyzer] of _analyze')
    const texts = readTexts(text)
    if (analyzer === undefined && mapped?.type === 'keyword')
      return json({ tokens: analyzeText('keyword', texts, 0) })
    const name = analyzer ?? mapped?.analyzer ?? 'standard'
    // Analyzers that belong to no index know no gap.
    const gap = target ? mapped?.positionIncrementGap : 0
    return json({ tokens: analyzeText(name, texts, gap) })
  },
})
