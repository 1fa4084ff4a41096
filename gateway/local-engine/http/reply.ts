/** What a handler answers. */
export interface Reply {
  readonly status: number
  /** Written as JSON; left out with `text`. */
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer in JSON. */
export const json = (body: unknown, status = 200): Reply => ({ status, body })

/** An answer in plain text, as `_cat` gives it. */
export const plainText = (text: string): Reply => ({ status: 200, text })

/** What every change of indices answers. */
export const ACKNOWLEDGED: Reply = json({ acknowledged: true })
