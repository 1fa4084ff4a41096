import { errors } from '../../errors.ts'
import type { IdentifiedQuery } from '../request.ts'

/** The error for one property of one query; `problem` goes on from `property "x": `. */
export const invalidQuery = (query: IdentifiedQuery, property: string, problem: string) =>
  errors.declarativeInvalid(`Query "${query.id}", property "${property}": ${problem}`)
