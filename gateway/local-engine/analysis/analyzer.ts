/** One token: its text, where it stood in the value (UTF-16 units), and its position. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly position: number
  readonly type: string
}

/** Takes a value apart. Positions start at 0 and leave gaps for removed words. */
export interface Analyzer {
  readonly name: string
  readonly tokens: (text: string) => Token[]
}

/** The analyzer of that name, or undefined. */
export function getAnalyzer(name: string): Analyzer | undefined {
  throw new Error(`in work: ${name}`)
}
