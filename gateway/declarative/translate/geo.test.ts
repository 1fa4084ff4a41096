import { expect, test } from 'vitest'
import { clauseFor } from '../../../test/support/translate.ts'

test('distances keep their decimals', () => {
  const value = { distance: 0.5, unit: 'km', location: '52.4, 4.9' }
  expect(clauseFor({ type: 'geo', dataField: 'place', value })).toEqual({
    geo_distance: { distance: '0.5km', place: '52.4, 4.9' },
  })
})

test('a box with one corner is refused', () => {
  const value = { geoBoundingBox: { topLeft: '57, -3' } }
  expect(() => clauseFor({ type: 'geo', dataField: 'place', value })).toThrow(
    'property "value.geoBoundingBox.bottomRight"',
  )
})
