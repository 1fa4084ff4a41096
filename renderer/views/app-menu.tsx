import { Menubar } from '@base-ui/react/menubar'
import { useCommands } from '../stores/command-list.ts'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import styles from './title-bar.module.css'

/** Entries by menu; a bar stands between groups. Every one is a command. */
export const MENUS: Readonly<Record<string, readonly string[]>> = {
  File: [
    'file.openSample',
    'file.openFolder',
    'file.connect',
    '|',
    'file.save',
    'file.saveAll',
    'edit.format',
    '|',
    'run.exportHar',
    '|',
    'file.closeTab',
  ],
  View: [
    'view.palette',
    '|',
    'view.explorer',
    'view.runs',
    'view.problems',
    '|',
    'view.toggleSidebar',
    'view.toggleBottomPanel',
    'view.focusMode',
    'view.moveTab',
    '|',
    'view.toggleTheme',
    'view.systemTheme',
  ],
  Run: ['run.send', 'run.cancel', '|', 'run.environment', 'run.copyAddress', '|', 'run.exportHar'],
  Go: [
    'go.home',
    'go.file',
    '|',
    'go.nextTab',
    'go.previousTab',
    '|',
    'go.nextProblem',
    'go.previousProblem',
  ],
  Help: ['help.guide', 'help.shortcuts', 'file.openSample'],
}

/** The menus in the window. */
export function AppMenu() {
  const commands = useCommands()
  const toEntry = (id: string): MenuEntry => {
    const command = commands.find((one) => one.id === id)
    if (!command) return 'separator'
    return {
      entryId: id,
      title: command.title,
      keys: command.keys[0],
      isDisabled: () => command.unavailable() !== undefined,
      run: command.run,
    }
  }
  return (
    <Menubar className={styles.menubar} aria-label="Menu">
      {Object.entries(MENUS).map(([title, ids]) => (
        <Menu
          key={title}
          trigger={
            <button type="button" className={styles.menuButton}>
              {title}
            </button>
          }
          entries={ids.map(toEntry)}
        />
      ))}
    </Menubar>
  )
}
