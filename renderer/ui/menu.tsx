import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'

/** One entry of a menu, or a line between groups. */
export type MenuEntry =
  | 'separator'
  | {
      entryId: string
      title: string
      /** Shown at the right, such as `Ctrl+S`. */
      keys?: string | undefined
      isChecked?: boolean | undefined
      /** Asked whenever the menu opens. */
      isDisabled?: () => boolean
      run: () => void
    }

/** A menu under `trigger`, which must be one button element. Inside a `Menubar` they belong together. */
export const Menu = ({
  trigger,
  entries,
  align = 'start',
  side = 'bottom',
}: {
  trigger: ReactElement
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  side?: 'bottom' | 'top'
}) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner
        className={styles.positioner}
        align={align}
        side={side}
        sideOffset={4}
        collisionPadding={8}
      >
        <Base.Popup className={styles.popup}>
          {entries.map((entry, at) =>
            entry === 'separator' ? (
              // oxlint-disable-next-line react/no-array-index-key -- lines have no name of their own
              <Base.Separator key={at} className={styles.separator} />
            ) : (
              <Base.Item
                key={entry.entryId}
                className={styles.item}
                disabled={entry.isDisabled?.() ?? false}
                onClick={entry.run}
              >
                <span className={styles.mark}>{entry.isChecked && <Icon name="check" />}</span>
                <span className={styles.label}>{entry.title}</span>
                {entry.keys && <span className={styles.keys}>{entry.keys}</span>}
              </Base.Item>
            ),
          )}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
