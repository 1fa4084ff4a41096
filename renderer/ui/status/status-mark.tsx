import { classes } from '../classes.ts'
import { STATUS_LOOKS, type StageStatusName } from './stage-status.ts'
import styles from './status.module.css'

/** The glyph of a state in its colour, with or without its word. */
export function StatusMark({
  status,
  withWord = false,
}: {
  status: StageStatusName
  withWord?: boolean
}) {
  const { word, tone, stroke, fill } = STATUS_LOOKS[status]
  return (
    <span
      className={classes(styles.mark, styles[tone])}
      data-status={status}
      title={withWord ? undefined : word}
    >
      <svg
        viewBox="0 0 16 16"
        className={styles.glyph}
        data-turning={status === 'running' || undefined}
        {...(withWord ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
      >
        {stroke && <path d={stroke} className={styles.stroke} />}
        {fill && <path d={fill} fill="currentColor" />}
      </svg>
      {withWord && <span className={styles.word}>{word}</span>}
    </span>
  )
}
