import type { Client } from '../client/client.ts'
import { commandOf, runCommand } from '../stores/command-list.ts'
import { useApp } from '../stores/app.ts'
import { notify } from '../stores/surface.ts'
import { openWorkspace } from '../stores/workspace.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { FirstSteps } from './first-steps.tsx'
import styles from './home-view.module.css'
import { Logo } from './logo.tsx'

const DOORS = [
  {
    command: 'file.openSample',
    testId: 'home-open-sample',
    icon: 'beaker',
    title: 'Open the sample workspace',
    text: 'Five pipelines over 3,201 movies on the local engine. Works offline.',
  },
  {
    command: 'file.connect',
    testId: 'home-connect',
    icon: 'server-environment',
    title: 'Connect to a cluster',
    text: 'Put the gateway in front of your Elasticsearch or OpenSearch.',
  },
  {
    command: 'file.openFolder',
    testId: 'home-open-folder',
    icon: 'folder-opened',
    title: 'Open a folder',
    text: 'A folder with pipelines, requests and environments becomes the workspace.',
  },
]

/** The three doors, recent workspaces and the first steps. */
export function HomeView({ client }: { client: Client }) {
  const version = useApp(({ state }) => state?.version)
  return (
    <div className={styles.scroll}>
      <div className={styles.page} data-testid="home">
        <header className={styles.brand}>
          <Logo size={36} />
          <div>
            <p className={styles.name}>Sluice</p>
            <p className={styles.claim}>
              Build, trace and debug search pipelines{version && ` · ${version}`}
            </p>
          </div>
        </header>
        <div className={styles.doors}>
          {DOORS.map(({ command, testId, icon, title, text }, at) => (
            <button
              key={command}
              type="button"
              className={classes(styles.door, at === 0 && styles['main'])}
              data-testid={testId}
              onClick={() => runCommand(command)}
            >
              <Icon name={icon} />
              <span className={styles.doorTitle}>{title}</span>
              <span className={styles.doorText}>{text}</span>
            </button>
          ))}
        </div>
        <div className={styles.columns}>
          <FirstSteps />
          <Recent client={client} />
        </div>
      </div>
    </div>
  )
}

function Recent({ client }: { client: Client }) {
  const recent = useApp(({ state }) => state?.recentWorkspaces)
  const open = (dir: string) => () => {
    openWorkspace(client, dir).catch((error: unknown) =>
      notify(
        'The workspace cannot be opened',
        error instanceof Error ? error.message : String(error),
        'error',
      ),
    )
  }
  return (
    <section aria-label="Recent workspaces">
      <h2 className={styles.heading}>Recent workspaces</h2>
      {recent === undefined || recent.length === 0 ? (
        <p className={styles.note}>
          Workspaces you open are listed here. Press{' '}
          <Kbd keys={commandOf('file.openFolder').keys[0] ?? ''} /> to open one.
        </p>
      ) : (
        <ul>
          {recent.map(({ name, dir }) => (
            <li key={dir}>
              <button type="button" className={styles.line} title={dir} onClick={open(dir)}>
                <Icon name="folder" />
                <span>{name}</span>
                <span className={classes(styles.lineText, styles['muted'])}>
                  <bdi>{dir}</bdi>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
