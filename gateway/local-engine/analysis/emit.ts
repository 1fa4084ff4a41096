/** Receives one token: its text, its place in the value (UTF-16 units) and its position. */
export type Emit = (text: string, start: number, end: number, position: number) => void

/** Calls `emit` for each token and returns how many positions the text takes, removed words included. */
export type Scan = (text: string, emit: Emit) => number

/** Longer tokens are cut here; what is left over is scanned on. UTF-16 units. */
export const MAX_TOKEN_LENGTH = 255
