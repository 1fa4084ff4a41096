import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './error-boundary.module.css'
import { Icon } from './icon.tsx'

interface Props {
  /** What the message calls the part that failed, such as `requests/search.http`. */
  name: string
  children: ReactNode
}

/**
 * Keeps an error while drawing one part from taking the page down: says what failed and offers to
 * draw it again. React knows no other form for this than a class.
 */
export class ErrorBoundary extends Component<Props, { error: Error | undefined; stack: string }> {
  override state = { error: undefined, stack: '' }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    this.setState({ stack: `${error.stack ?? error.message}\n${componentStack ?? ''}` })
  }

  override render() {
    const { error, stack } = this.state
    if (!error) return this.props.children
    return (
      <FailedView
        name={this.props.name}
        error={error}
        stack={stack}
        onReload={() => this.setState({ error: undefined, stack: '' })}
      />
    )
  }
}

const FailedView = ({
  name,
  error,
  stack,
  onReload,
}: {
  name: string
  error: Error
  stack: string
  onReload: () => void
}) => (
  <div className={styles.failed} role="alert" data-testid="view-failed">
    <p className={styles.title}>
      <Icon name="error" /> {name} cannot be shown
    </p>
    <p>This is a fault of the workbench. Your text is kept, and the other views go on.</p>
    <Button onClick={onReload}>Reload this view</Button>
    <details className={styles.details}>
      <summary>Details: {error.message}</summary>
      <pre>{stack}</pre>
    </details>
  </div>
)
