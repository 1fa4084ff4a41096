import { commandOf, runCommand } from '../stores/command-list.ts'
import { useApp } from '../stores/app.ts'
import { changeSettings, useSettings } from '../stores/settings.ts'
import { activeTab, useTabs } from '../stores/tabs.ts'
import { Icon } from '../ui/icon.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import styles from './icon-rail.module.css'

/** The views of the workbench, at the left edge. */
export function IconRail() {
  const hasWorkspace = useApp(({ state }) => state?.workspace !== undefined)
  const sideView = useSettings((settings) => (settings.isSideOpen ? settings.sideView : null))
  const isHome = useTabs((state) => activeTab(state)?.kind === 'home')
  const onKeyDown = useRovingFocus('button', 'vertical')
  const toggle = (view: 'explorer' | 'runs', command: string) =>
    sideView === view ? changeSettings({ isSideOpen: false }) : runCommand(command)
  const items = [
    {
      icon: 'home',
      label: 'Home',
      command: 'go.home',
      isOn: isHome,
      run: () => runCommand('go.home'),
    },
    ...(hasWorkspace
      ? [
          {
            icon: 'files',
            label: 'Explorer',
            command: 'view.explorer',
            isOn: sideView === 'explorer',
            run: () => toggle('explorer', 'view.explorer'),
          },
          {
            icon: 'run-all',
            label: 'Runs',
            command: 'view.runs',
            isOn: sideView === 'runs',
            run: () => toggle('runs', 'view.runs'),
          },
        ]
      : []),
  ]
  return (
    <nav className={styles.rail} aria-label="Views" data-region="rail" onKeyDown={onKeyDown}>
      {items.map(({ icon, label, command, isOn, run }, at) => (
        <Tooltip key={label} text={label} keys={commandOf(command).keys[0]} side="right">
          <button
            type="button"
            className={styles.item}
            aria-label={label}
            aria-pressed={isOn}
            tabIndex={at === 0 ? 0 : -1}
            onClick={run}
          >
            <Icon name={icon} />
          </button>
        </Tooltip>
      ))}
    </nav>
  )
}
