import { classes } from './classes.ts'

/** A glyph of the codicon font, hidden from assistive technology: what it means stands beside it. */
export const Icon = ({ name, className }: { name: string; className?: string }) => (
  <span className={classes('codicon', `codicon-${name}`, className)} aria-hidden="true" />
)
