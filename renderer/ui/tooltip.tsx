import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Kbd } from './kbd.tsx'
import styles from './tooltip.module.css'

/** Shows `text` when `children` (one focusable element) is hovered or focused. */
export const Tooltip = ({
  text,
  keys,
  side = 'bottom',
  children,
}: {
  text: string
  keys?: string | undefined
  side?: 'top' | 'bottom' | 'left' | 'right'
  children: ReactElement
}) => (
  <Base.Root>
    <Base.Trigger render={children} delay={500} />
    <Base.Portal>
      <Base.Positioner side={side} sideOffset={6} className={styles.positioner}>
        <Base.Popup className={styles.popup}>
          {text}
          {keys && <Kbd keys={keys} />}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
