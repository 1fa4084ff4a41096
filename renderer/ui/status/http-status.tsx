import { classes } from '../classes.ts'
import type { Tone } from './stage-status.ts'
import styles from './status.module.css'

const CLASSES: Record<number, { tone: Tone; meaning: string }> = {
  1: { tone: 'skipped', meaning: 'informational' },
  2: { tone: 'ok', meaning: 'success' },
  3: { tone: 'accent', meaning: 'redirection or not modified' },
  4: { tone: 'warn', meaning: 'refused: the request is at fault' },
  5: { tone: 'error', meaning: 'failed: the server is at fault' },
}

/** An HTTP status in the colour of its class; the meaning of the class is its tooltip. */
export function HttpStatus({ code, text = '' }: { code: number; text?: string }) {
  const { tone, meaning } = CLASSES[Math.floor(code / 100)] ?? { tone: 'error', meaning: 'unknown' }
  return (
    <span className={classes(styles.http, styles[tone])} title={meaning}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.word}>{`${code} ${text}`.trim()}</span>
    </span>
  )
}
