import type { ReactNode } from 'react'
import type { Client } from '../client/client.ts'
import type { EngineState } from '../../gateway/contract/workspace.ts'
import { commandOf, runCommand } from '../stores/command-list.ts'
import { useApp } from '../stores/app.ts'
import { activePath, useTabs } from '../stores/tabs.ts'
import { useDocuments } from '../stores/documents.ts'
import { changeSettings, useSettings } from '../stores/settings.ts'
import { useSurface } from '../stores/surface.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { EnvironmentMenu } from './environment-menu.tsx'
import { ProblemCounts } from './problem-counts.tsx'
import styles from './status-bar.module.css'
import { TaskProgress } from './task-progress.tsx'

const ENGINE_WORDS = { up: 'up', starting: 'starting', down: 'down' }
const ENGINE_TONES = { up: styles['ok'], starting: styles['warn'], down: styles['error'] }

/** Workspace, engine, environment and gateway at the left; cursor, problems and theme at the right. */
export function StatusBar({ client }: { client: Client }) {
  const state = useApp((app) => app.state)
  const connection = useApp((app) => app.connection)
  const isGatewayUp = connection === 'open'
  return (
    <footer className={styles.bar} aria-label="Status bar" data-region="status">
      {state?.workspace && (
        <StatusItem
          command="go.file"
          tooltip={`Workspace ${state.workspace.dir}\nGo to file`}
          icon="folder-opened"
        >
          {state.workspace.name}
        </StatusItem>
      )}
      <StatusItem
        command="run.copyAddress"
        tooltip={`Gateway ${state?.gatewayUrl ?? ''} is ${isGatewayUp ? 'up' : 'not answering'}\nCopy its address`}
        icon={isGatewayUp ? 'radio-tower' : 'debug-disconnect'}
        tone={isGatewayUp ? styles['ok'] : styles['error']}
      >
        <span data-testid="gateway-status">
          gateway {portOf(state?.gatewayUrl)} {isGatewayUp ? 'up' : 'down'}
        </span>
      </StatusItem>
      {state && (
        <StatusItem
          command="file.connect"
          tooltip={
            isGatewayUp
              ? engineTooltip(state.engine)
              : 'Only the gateway knows the state of the engine, and it does not answer'
          }
          icon="server"
          tone={isGatewayUp ? ENGINE_TONES[state.engine.status] : styles['muted']}
        >
          <span data-testid="engine-status">
            {state.engine.kind === 'local' ? 'local engine' : hostOf(state.engine.url)}{' '}
            {isGatewayUp ? ENGINE_WORDS[state.engine.status] : 'unknown'}
          </span>
        </StatusItem>
      )}
      {state?.workspace && <EnvironmentMenu client={client} workspace={state.workspace} />}
      {state?.tasks.map((task) => (
        <TaskProgress key={task.taskId} task={task} />
      ))}
      <span className={styles.spacer} />
      <CursorPlace />
      {state?.workspace && <ProblemCounts />}
      <ThemeItem />
    </footer>
  )
}

/** One item of the bar: a button that runs a command. */
function StatusItem({
  command,
  tooltip,
  icon,
  tone,
  children,
}: {
  command: string
  tooltip: string
  icon: string
  tone?: string | undefined
  children: ReactNode
}) {
  return (
    <Tooltip text={tooltip} keys={commandOf(command).keys[0]} side="top">
      <button
        type="button"
        className={styles.item}
        data-focus="inset"
        onClick={() => runCommand(command)}
      >
        <span className={classes(tone)}>
          <Icon name={icon} />
        </span>
        {children}
      </button>
    </Tooltip>
  )
}

function CursorPlace() {
  const focused = useSurface((surface) => surface.focusedEditor)
  const path = useTabs((state) => activePath(state))
  const view = useDocuments(({ views }) => (path === undefined ? undefined : views[path]))
  return (
    <>
      {focused !== null && (
        <span className={styles.item} data-testid="leave-hint">
          Ctrl+M: Tab leaves the editor
        </span>
      )}
      {view && (
        <span className={classes(styles.item, 'tabular')}>
          Ln {view.line}, Col {view.column}
        </span>
      )}
    </>
  )
}

function ThemeItem() {
  const theme = useSettings((settings) => settings.theme)
  const next = { system: 'dark', dark: 'light', light: 'system' } as const
  return (
    <Tooltip text={`Theme: ${theme}\nChange to ${next[theme]}`} side="top">
      <button
        type="button"
        className={styles.item}
        data-focus="inset"
        aria-label={`Theme ${theme}, change to ${next[theme]}`}
        onClick={() => changeSettings({ theme: next[theme] })}
      >
        <Icon name="color-mode" />
      </button>
    </Tooltip>
  )
}

const portOf = (url = '') => /:\d+/.exec(url.replace(/^\w+:/, ''))?.[0] ?? ''
const hostOf = (url: string) => url.replace(/^\w+:\/\//, '').replace(/\/$/, '')

const engineTooltip = ({ url, version, message, status }: EngineState) =>
  [`Engine ${url} is ${status}`, version, message, 'Connect to a cluster']
    .filter(Boolean)
    .join('\n')
