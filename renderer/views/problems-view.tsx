import { useMemo } from 'react'
import type { Client } from '../client/client.ts'
import type { Diagnostic } from '../../gateway/contract/diagnostic.ts'
import { goToSource } from '../stores/go-to-problem.ts'
import { allProblems, usePipelines } from '../stores/pipelines.ts'
import { classes } from '../ui/classes.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import styles from './problems-view.module.css'

const ICONS = { error: 'error', warning: 'warning', information: 'info' }

/** Problems of all files; Enter puts the cursor on one. */
export function ProblemsView({ client }: { client: Client }) {
  const diagnostics = usePipelines((state) => state.diagnostics)
  const problems = useMemo(() => allProblems({ diagnostics, models: {} }), [diagnostics])
  const onKeyDown = useRovingFocus('button', 'vertical')
  if (problems.length === 0)
    return <EmptyState icon="pass" text="No problems: every pipeline and request can be read." />
  return (
    <ul className={styles.list} aria-label="Problems" onKeyDown={onKeyDown}>
      {problems.map((problem, at) => (
        <li key={keyOf(problem)}>
          <button
            type="button"
            className={styles.row}
            data-focus="inset"
            data-testid="problem"
            tabIndex={at === 0 ? 0 : -1}
            onClick={() => void goToSource(client, problem.source)}
          >
            <span className={styles[problem.severity]}>
              <Icon name={ICONS[problem.severity]} />
              <span className="visually-hidden">{problem.severity}</span>
            </span>
            <span className={styles.message} title={problem.message}>
              {problem.message}
            </span>
            <span className={classes(styles.place)}>
              {problem.source.file}:{problem.source.line}:{problem.source.column}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const keyOf = ({ code, message, source }: Diagnostic) =>
  `${source.file}:${source.line}:${source.column}:${code}:${message}`
