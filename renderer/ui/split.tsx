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
  /** Keeps its pixels when the window is resized, as sidebars do, and tells them. */
  onPixels?: (pixels: number) => void
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
    id={splitId}
    orientation={direction}
    {...(layout && { defaultLayout: layout })}
    {...(onLayout && { onLayoutChanged: onLayout })}
    style={{ flex: 1, minWidth: 0, minHeight: 0 }}
  >
    {panes.map(({ paneId, content, onPixels, ...sizes }, at) => (
      <Fragment key={paneId}>
        {at > 0 && (
          <Separator className={styles.separator} aria-label={`Resize ${panes[at - 1]?.paneId}`} />
        )}
        <Panel
          id={paneId}
          className={styles.panel}
          {...sizes}
          {...(onPixels && {
            groupResizeBehavior: 'preserve-pixel-size' as const,
            onResize: ({ inPixels }) => inPixels > 0 && onPixels(Math.round(inPixels)),
          })}
        >
          {content}
        </Panel>
      </Fragment>
    ))}
  </Group>
)
