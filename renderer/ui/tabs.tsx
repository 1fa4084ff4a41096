import type { ReactNode } from 'react'
import styles from './tabs.module.css'
import { useRovingFocus } from './use-roving-focus.ts'

/** One tab of a `Tabs` row. */
export interface TabItem<Id extends string> {
  tabId: Id
  title: string
  /** A count or a short mark behind the title. */
  badge?: string | number | undefined
}

/** A row of tabs with one tab stop; arrows move and choose. The panel is the caller's. */
export function Tabs<Id extends string>({
  label,
  items,
  value,
  onChange,
  panelId,
  end,
}: {
  label: string
  items: readonly TabItem<Id>[]
  value: Id
  onChange: (tabId: Id) => void
  /** `id` of the element with `role="tabpanel"`. */
  panelId?: string
  /** Controls at the right end of the row. */
  end?: ReactNode
}) {
  const onKeyDown = useRovingFocus('[role=tab]', 'horizontal')
  return (
    <div className={styles.list}>
      <div role="tablist" aria-label={label} style={{ display: 'flex' }} onKeyDown={onKeyDown}>
        {items.map(({ tabId, title, badge }) => (
          <button
            key={tabId}
            type="button"
            role="tab"
            data-focus="inset"
            data-tab={tabId}
            className={styles.tab}
            aria-selected={tabId === value}
            aria-controls={tabId === value ? panelId : undefined}
            tabIndex={tabId === value ? 0 : -1}
            onClick={() => onChange(tabId)}
            onFocus={() => onChange(tabId)}
          >
            {title}
            {badge !== undefined && <span className={styles.badge}>{badge}</span>}
          </button>
        ))}
      </div>
      {end && <div className={styles.end}>{end}</div>}
    </div>
  )
}
