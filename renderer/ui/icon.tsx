import { classes } from './classes.ts'
import styles from './icon.module.css'

/** A glyph of the codicon font, hidden from assistive technology: what it means stands beside it. */
export const Icon = ({ name, className }: { name: string; className?: string }) => (
  <span
    className={classes(styles.icon, 'codicon', `codicon-${name}`, className)}
    aria-hidden="true"
  />
)
