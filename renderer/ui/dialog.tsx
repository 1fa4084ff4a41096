import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import buttonStyles from './button.module.css'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'

/** A modal surface. Esc and a click beside it close it; the focus returns to where it was. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  hideHeader = false,
  children,
}: {
  title: string
  isOpen: boolean
  onClose: () => void
  /** The title is then read out only. */
  hideHeader?: boolean
  children: ReactNode
}) => (
  <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      <Base.Backdrop className={styles.backdrop} />
      <Base.Popup className={styles.popup}>
        {hideHeader ? (
          <Base.Title className="visually-hidden">{title}</Base.Title>
        ) : (
          <div className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close
              aria-label="Close"
              className={classes(buttonStyles.button, buttonStyles.quiet, buttonStyles.icon)}
            >
              <Icon name="close" />
            </Base.Close>
          </div>
        )}
        {hideHeader ? children : <div className={styles.body}>{children}</div>}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)
