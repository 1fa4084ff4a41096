const { timeOrigin } = performance

/** Epoch milliseconds with fractions, from a clock that never goes back. */
export const now = () => timeOrigin + performance.now()
