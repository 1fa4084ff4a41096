import { useState, type FormEvent } from 'react'
import { openSurface } from '../stores/surface.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './dialogs.module.css'

/** Asks for one line of text and acts on it; a failure is shown beside the field. */
export function AskDialog({
  title,
  label,
  hint,
  placeholder,
  confirm,
  isOpen,
  onConfirm,
}: {
  title: string
  label: string
  hint: string
  placeholder: string
  /** Text of the button: a verb. */
  confirm: string
  isOpen: boolean
  /** Resolves with undefined when it worked, else with the reason. */
  onConfirm: (text: string) => Promise<string | undefined>
}) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={() => openSurface(null)}>
      <AskForm {...{ label, hint, placeholder, confirm, onConfirm }} />
    </Dialog>
  )
}

function AskForm({
  label,
  hint,
  placeholder,
  confirm,
  onConfirm,
}: {
  label: string
  hint: string
  placeholder: string
  confirm: string
  onConfirm: (text: string) => Promise<string | undefined>
}) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setIsBusy(true)
    const reason = await onConfirm(text.trim()).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    )
    setIsBusy(false)
    setProblem(reason)
    if (reason === undefined) openSurface(null)
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <label className={styles.label}>
        {label}
        <input
          className={styles.input}
          value={text}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          autoFocus
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <p className={styles.hint}>{hint}</p>
      {problem !== undefined && (
        <p className={styles.error} role="alert">
          <Icon name="error" />
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button onClick={() => openSurface(null)}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          disabledReason={
            text.trim() === '' ? `${label} is empty` : isBusy ? 'Working on it' : undefined
          }
        >
          {isBusy ? 'Please wait' : confirm}
        </Button>
      </div>
    </form>
  )
}
