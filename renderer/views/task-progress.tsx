import type { Task } from '../../gateway/contract/workspace.ts'
import { classes } from '../ui/classes.ts'
import styles from './status-bar.module.css'

/** Background work with its progress, or why it failed. */
export function TaskProgress({ task: { title, done, total, state, message } }: { task: Task }) {
  const percent = total > 0 ? Math.round((100 * done) / total) : 0
  if (state === 'failed')
    return (
      <span className={classes(styles.item, styles['error'])} title={message}>
        {title} failed{message ? `: ${message}` : ''}
      </span>
    )
  return (
    <span className={styles.item} data-testid="task">
      {title}
      <span
        className={styles.progress}
        role="progressbar"
        aria-label={title}
        aria-valuenow={percent}
        aria-valuetext={`${done} of ${total}`}
      >
        <span className={styles.progressFill} style={{ display: 'block', width: `${percent}%` }} />
      </span>
      <span className="tabular">
        {done.toLocaleString('en')} / {total.toLocaleString('en')}
      </span>
    </span>
  )
}
