import { commandOf, runCommand } from '../stores/command-list.ts'
import { useApp } from '../stores/app.ts'
import { useSettings } from '../stores/settings.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { AppMenu } from './app-menu.tsx'
import { Logo } from './logo.tsx'
import styles from './title-bar.module.css'

/** Menus, the field that opens the palette, and switches for the panels. */
export function TitleBar() {
  const name = useApp(({ state }) => state?.workspace?.name)
  return (
    <header className={styles.bar} aria-label="Title bar">
      <span className={styles.brand}>
        <Logo size={18} />
        <h1 className="visually-hidden">Sluice</h1>
      </span>
      <AppMenu />
      <div className={styles.middle}>
        <button type="button" className={styles.search} onClick={() => runCommand('view.palette')}>
          <Icon name="search" />
          <span className={styles.searchText}>
            {name ? `Search ${name}: commands and files` : 'Search commands'}
          </span>
          <Kbd keys={keysOf('view.palette') ?? ''} />
        </button>
      </div>
      {name !== undefined && <PanelSwitches />}
    </header>
  )
}

function PanelSwitches() {
  const isSideOpen = useSettings((settings) => settings.isSideOpen)
  const isBottomOpen = useSettings((settings) => settings.isBottomOpen)
  return (
    <div className={styles.end}>
      <IconButton
        icon={isSideOpen ? 'layout-sidebar-left' : 'layout-sidebar-left-off'}
        label="Toggle sidebar"
        keys={keysOf('view.toggleSidebar')}
        aria-pressed={isSideOpen}
        onClick={() => runCommand('view.toggleSidebar')}
      />
      <IconButton
        icon={isBottomOpen ? 'layout-panel' : 'layout-panel-off'}
        label="Toggle bottom panel"
        keys={keysOf('view.toggleBottomPanel')}
        aria-pressed={isBottomOpen}
        onClick={() => runCommand('view.toggleBottomPanel')}
      />
    </div>
  )
}

const keysOf = (id: string) => commandOf(id).keys[0]
