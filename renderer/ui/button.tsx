import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  variant?: 'secondary' | 'primary' | 'danger' | 'quiet'
  icon?: string
  /** Why it cannot be used now; the button stays focusable and says so. */
  disabledReason?: string | undefined
}

/** A button with text. One `primary` a surface. */
export const Button = ({
  variant = 'secondary',
  icon,
  disabledReason,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={classes(styles.button, variant !== 'secondary' && styles[variant], className)}
    aria-disabled={disabledReason !== undefined || undefined}
    title={disabledReason ?? rest.title}
    onClick={disabledReason === undefined ? onClick : undefined}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
)
