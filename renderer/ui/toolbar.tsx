import type { ReactNode } from 'react'
import styles from './toolbar.module.css'

/** A row of controls above a surface. */
export const Toolbar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="toolbar" aria-label={label} className={styles.toolbar}>
    {children}
  </div>
)
