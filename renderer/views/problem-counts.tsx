import { useEffect, useMemo } from 'react'
import { runCommand } from '../stores/command-list.ts'
import { allProblems, usePipelines } from '../stores/pipelines.ts'
import { settingsStore } from '../stores/settings.ts'
import { announce } from '../stores/surface.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import styles from './status-bar.module.css'

const ANNOUNCE_AFTER_MS = 800

/** Number of errors and warnings; opens the list of them. */
export function ProblemCounts() {
  const diagnostics = usePipelines((state) => state.diagnostics)
  const { errors, warnings } = useMemo(() => {
    const problems = allProblems({ diagnostics, models: {} })
    const count = (severity: string) => problems.filter((one) => one.severity === severity).length
    return { errors: count('error'), warnings: count('warning') }
  }, [diagnostics])
  const words = `${errors} errors, ${warnings} warnings`
  useEffect(() => {
    const timer = setTimeout(() => announce(words), ANNOUNCE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [words])
  return (
    <Tooltip text={words} side="top">
      <button
        type="button"
        className={classes(styles.item, 'tabular')}
        data-focus="inset"
        data-testid="problem-counts"
        onClick={toggle}
      >
        <span className={classes(errors > 0 && styles['error'])}>
          <Icon name="error" />
        </span>
        {errors}
        <span className="visually-hidden">errors,</span>
        <span className={classes(warnings > 0 && styles['warn'])}>
          <Icon name="warning" />
        </span>
        {warnings}
        <span className="visually-hidden">warnings</span>
      </button>
    </Tooltip>
  )
}

function toggle() {
  const { isBottomOpen, bottomView } = settingsStore.getState()
  runCommand(isBottomOpen && bottomView === 'problems' ? 'view.toggleBottomPanel' : 'view.problems')
}
