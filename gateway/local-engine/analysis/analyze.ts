import { failures } from '../errors.ts'
import { getAnalyzer } from './analyzer.ts'

/** One token in the shape of the `_analyze` answer. */
export interface AnalyzedToken {
  readonly token: string
  readonly start_offset: number
  readonly end_offset: number
  readonly type: string
  readonly position: number
}

/** Positions between the values of an array, unless a mapping says otherwise. */
export const POSITION_INCREMENT_GAP = 100

/**
 * The tokens `_analyze` shows.
 * @param gap positions left free between texts.
 * @throws {EngineFailure} for an analyzer it does not have.
 */
export function analyzeText(
  name: string,
  text: string | readonly string[],
  gap: number = POSITION_INCREMENT_GAP,
): AnalyzedToken[] {
  const analyzer = getAnalyzer(name)
  if (!analyzer) throw failures.illegalArgument(`failed to find global analyzer [${name}]`)
  const tokens: AnalyzedToken[] = []
  let positionBase = 0
  let offsetBase = 0
  for (const value of typeof text === 'string' ? [text] : text) {
    const positions = analyzer.scan(value, (token, start, end, position) => {
      tokens.push({
        token,
        start_offset: offsetBase + start,
        end_offset: offsetBase + end,
        type: analyzer.typeOf(value.slice(start, end)),
        position: positionBase + position,
      })
    })
    positionBase += positions + gap
    offsetBase += value.length + 1
  }
  return tokens
}
