import { Toast } from '@base-ui/react/toast'
import buttonStyles from './button.module.css'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'

const manager = Toast.createToastManager()

/** Shows a message for eight seconds; hovering holds it. Errors are read out at once. */
export const showToast = (title: string, description = '', kind: 'info' | 'error' = 'info') =>
  void manager.add({
    title,
    description,
    type: kind,
    timeout: 8000,
    priority: kind === 'error' ? 'high' : 'low',
  })

/** The place where toasts appear; stands once in the app. */
export const Toaster = () => (
  <Toast.Provider toastManager={manager} limit={4}>
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport}>
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} data-type={toast.type}>
      <Icon
        name={toast.type === 'error' ? 'error' : 'info'}
        {...(styles['mark'] && { className: styles['mark'] })}
      />
      <Toast.Content className={styles.content}>
        <Toast.Title className={styles.title} />
        <Toast.Description className={styles.description} />
      </Toast.Content>
      <Toast.Close
        aria-label="Dismiss"
        className={classes(buttonStyles.button, buttonStyles.quiet, buttonStyles.icon)}
      >
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ))
}
