import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon } from './icon.tsx'
import { Kbd } from './kbd.tsx'

/** What a surface shows while it has nothing: what will appear here, one action, the key to press. */
export const EmptyState = ({
  icon,
  text,
  keys,
  action,
}: {
  icon?: string
  text: string
  keys?: string | undefined
  action?: ReactNode
}) => (
  <div className={styles.empty}>
    {icon && <Icon name={icon} {...(styles['icon'] && { className: styles['icon'] })} />}
    <p className={styles.text}>{text}</p>
    {action}
    {keys && <Kbd keys={keys} />}
  </div>
)
