import { commandOf, runCommand } from '../stores/command-list.ts'
import { changeSettings, useSettings } from '../stores/settings.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import styles from './home-view.module.css'

const STEPS = [
  { step: 'sample', title: 'Open the sample workspace', command: 'file.openSample' },
  { step: 'send', title: 'Send a request', command: 'run.send' },
  { step: 'stage', title: 'Look into a stage of its trace', command: 'view.runs' },
  { step: 'edit', title: 'Change a pipeline and save it', command: 'go.file' },
  { step: 'har', title: 'Export a run as HAR', command: 'run.exportHar' },
]

/** The getting-started list; each line ticks itself off when it was done. */
export function FirstSteps() {
  const done = useSettings((settings) => settings.done)
  const isHidden = useSettings((settings) => settings.isGuideHidden)
  if (isHidden)
    return (
      <section aria-label="Getting started">
        <h2 className={styles.heading}>Getting started</h2>
        <Button variant="quiet" onClick={() => changeSettings({ isGuideHidden: false })}>
          Show the first steps
        </Button>
      </section>
    )
  return (
    <section aria-label="Getting started" data-testid="first-steps">
      <h2 className={styles.heading}>
        Getting started
        <Button variant="quiet" onClick={() => changeSettings({ isGuideHidden: true })}>
          Hide
        </Button>
      </h2>
      <ul>
        {STEPS.map(({ step, title, command }) => {
          const isDone = done.includes(step)
          const keys = commandOf(command).keys[0]
          return (
            <li key={step}>
              <button
                type="button"
                className={classes(styles.line, isDone && styles['done'])}
                onClick={() => runCommand(command)}
              >
                <span className={isDone ? styles.tick : styles.open}>
                  <Icon name={isDone ? 'pass-filled' : 'circle-large'} />
                </span>
                <span className={styles.lineText}>
                  {title}
                  {isDone && <span className="visually-hidden">, done</span>}
                </span>
                {keys && <Kbd keys={keys} />}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
