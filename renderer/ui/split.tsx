import { Fragment, type ReactNode } from 'react'
import { Group, Panel, Separator, type Layout } from 'react-resizable-panels'
import styles from './split.module.css'

/** One pane of a split. Sizes: numbers are pixels, text such as `30%` is a share. */
export interface Pane {
  paneId: string
  content: ReactNode
  defaultSize?: number | string
  minSize?: number | string
  maxSize?: number | string
  /** Keeps its pixels when the window is resized; sidebars do. */
  fixed?: boolean
}

/** Panes side by side (`horizontal`) or above each other, with separators the keyboard can move. */
export const Split = ({
  splitId,
  direction,
  panes,
  layout,
  onLayout,
}: {
  splitId: string
  direction: 'horizontal' | 'vertical'
  panes: readonly Pane[]
  /** Sizes in percent by pane id, as `onLayout` gave them. */
  layout?: Layout | undefined
  onLayout?: (layout: Layout) => void
}) => (
  <Group
    // A changed set of panes is a new group: the library measures its panes once.
    key={panes.map(({ paneId }) => paneId).join(' ')}
    id={splitId}
    orientation={direction}
    {...(layout && { defaultLayout: layout })}
    {...(onLayout && { onLayoutChanged: onLayout })}
    style={{ flex: 1, minWidth: 0, minHeight: 0 }}
  >
    {panes.map(({ paneId, content, fixed, ...sizes }, at) => (
      <Fragment key={paneId}>
        {at > 0 && <Separator className={styles.separator} aria-label={`Resize ${paneId}`} />}
        <Panel
          id={paneId}
          className={styles.panel}
          {...sizes}
          {...(fixed && { groupResizeBehavior: 'preserve-pixel-size' as const })}
        >
          {content}
        </Panel>
      </Fragment>
    ))}
  </Group>
)
