const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+)/gy

/**
 * Lays JSON text out with two blanks a level. Numbers and strings keep every character, so digits
 * beyond 2^53 survive. Undefined when the text is no single JSON value.
 */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const tokens = [...text.matchAll(TOKEN)].map((match) => match[1] ?? '')
  let depth = 0
  let result = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    if (token === '{' || token === '[') {
      depth++
      const isEmpty = next === '}' || next === ']'
      result += isEmpty ? token : token + newLine()
    } else if (token === '}' || token === ']') {
      depth--
      const wasOpened = tokens[index - 1] === '{' || tokens[index - 1] === '['
      result += wasOpened ? token : newLine() + token
    } else if (token === ',') result += token + newLine()
    else result += token === ':' ? ': ' : token
  }
  return result
}
