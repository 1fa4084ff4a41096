/** Where the lines of a text begin once long ones are folded at a number of columns. */
export interface TextLines {
  readonly count: number
  /** Offset of each line's first character. */
  readonly start: Uint32Array
  /** Number of the line in the text, from 1; 0 for the folded rest of a line. */
  readonly number: Uint32Array
}

/** Folds a text into lines of at most `columns` characters. */
export function foldLines(text: string, columns: number): TextLines {
  const room = Math.max(1, columns)
  let start = new Uint32Array(1024)
  let number = new Uint32Array(1024)
  let count = 0
  const push = (at: number, line: number) => {
    if (count === start.length) {
      start = widened(start)
      number = widened(number)
    }
    start[count] = at
    number[count++] = line
  }
  let line = 1
  for (let at = 0; at <= text.length; line++) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    push(at, line)
    for (let rest = at + room; rest < end; rest += room) push(rest, 0)
    if (newline < 0) break
    at = newline + 1
  }
  return { count, start: start.subarray(0, count), number: number.subarray(0, count) }
}

/** What a line shows, without its line break. */
export function lineText(text: string, lines: TextLines, line: number) {
  const end = lines.start[line + 1] ?? text.length
  return text.slice(lines.start[line], end).replace(/\r?\n$/, '')
}

/** The line that holds an offset. */
export function lineAt(lines: TextLines, offset: number) {
  let low = 0
  let high = lines.count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lines.start[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function widened(from: Uint32Array<ArrayBuffer>) {
  const wider = new Uint32Array(from.length * 2)
  wider.set(from)
  return wider
}
