import type { ComponentProps } from 'react'
import buttonStyles from './button.module.css'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'disabled' | 'children' | 'title'> & {
  icon: string
  /** Name for assistive technology, and the tooltip. */
  label: string
  /** Shown behind the label in the tooltip, such as `Ctrl+B`. */
  keys?: string | undefined
  disabledReason?: string | undefined
}

/** A button that shows a glyph only; its name is in the tooltip. */
export const IconButton = ({
  icon,
  label,
  keys,
  disabledReason,
  className,
  onClick,
  ...rest
}: IconButtonProps) => (
  <Tooltip text={disabledReason ? `${label}: ${disabledReason}` : label} keys={keys}>
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-disabled={disabledReason !== undefined || undefined}
      className={classes(buttonStyles.button, buttonStyles.quiet, buttonStyles.icon, className)}
      onClick={disabledReason === undefined ? onClick : undefined}
    >
      <Icon name={icon} />
    </button>
  </Tooltip>
)
