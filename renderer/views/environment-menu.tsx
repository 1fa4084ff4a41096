import type { Client } from '../client/client.ts'
import type { Workspace } from '../../gateway/contract/workspace.ts'
import { notify } from '../stores/surface.ts'
import { selectEnvironment } from '../stores/workspace.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import styles from './status-bar.module.css'

/** Names the selected environment and lets another one be chosen. */
export function EnvironmentMenu({
  client,
  workspace: { environment, environments },
}: {
  client: Client
  workspace: Workspace
}) {
  if (environments.length === 0) return null
  const choose = (name: string | null) => () => {
    selectEnvironment(client, name).catch((error: unknown) =>
      notify('The environment could not be changed', String(error), 'error'),
    )
  }
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className={styles.item} data-focus="inset" title="Select environment">
          <Icon name="symbol-variable" />
          env: {environment ?? 'none'}
        </button>
      }
      entries={[
        ...environments.map((name) => ({
          entryId: name,
          title: name,
          isChecked: name === environment,
          run: choose(name),
        })),
        'separator',
        {
          entryId: '',
          title: 'No environment',
          isChecked: environment === undefined,
          run: choose(null),
        },
      ]}
    />
  )
}
