import type { Client } from '../client/client.ts'
import { receiveEngine } from '../stores/app.ts'
import { discardTab } from '../stores/close-tab.ts'
import { useCommands } from '../stores/command-list.ts'
import { saveDocument } from '../stores/save-document.ts'
import { askToClose, notify, openSurface, useSurface } from '../stores/surface.ts'
import { useTabs } from '../stores/tabs.ts'
import { openWorkspace } from '../stores/workspace.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { AskDialog } from './ask-dialog.tsx'
import styles from './dialogs.module.css'

/** Everything that asks in the middle of the window. */
export function Dialogs({ client }: { client: Client }) {
  const open = useSurface((surface) => surface.open)
  return (
    <>
      <AskDialog
        title="Connect to a cluster"
        label="Address"
        hint="The gateway sends to this address from now on. A user and a password in it are kept in the secret store and never shown."
        placeholder="https://user:password@search.example.com:9200"
        confirm="Connect"
        isOpen={open === 'connect'}
        onConfirm={async (url) => {
          const engine = await client.call('POST /api/engine', { body: { url } })
          receiveEngine(engine)
          if (engine.status === 'down') return engine.message ?? 'The engine does not answer'
          notify('Connected', engine.version ?? engine.url)
          return undefined
        }}
      />
      <AskDialog
        title="Open a folder"
        label="Path"
        hint="Absolute path of a folder on the machine the gateway runs on."
        placeholder="/home/me/search-workspace"
        confirm="Open"
        isOpen={open === 'openFolder'}
        onConfirm={async (dir) => {
          await openWorkspace(client, dir)
          return undefined
        }}
      />
      <Shortcuts isOpen={open === 'shortcuts'} />
      <CloseQuestion client={client} />
    </>
  )
}

function Shortcuts({ isOpen }: { isOpen: boolean }) {
  const commands = useCommands()
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => openSurface(null)}>
      <ul className={styles.keys}>
        {commands
          .filter(({ keys }) => keys.length > 0)
          .map(({ id, title, keys }) => (
            <li key={id} className={styles.key}>
              {title}
              <span className={styles.chords}>
                {keys.slice(0, 2).map((one) => (
                  <Kbd key={one} keys={one} />
                ))}
              </span>
            </li>
          ))}
        <li className={styles.key}>
          Next region
          <Kbd keys="F6" />
        </li>
        <li className={styles.key}>
          Tab leaves the editor
          <Kbd keys="Ctrl+M" />
        </li>
      </ul>
    </Dialog>
  )
}

function CloseQuestion({ client }: { client: Client }) {
  const tabId = useSurface((surface) => surface.closingTabId)
  const tab = useTabs(({ groups }) =>
    groups.flatMap(({ tabs }) => tabs).find((one) => one.tabId === tabId),
  )
  const path = tab?.target ?? ''
  async function saveAndClose() {
    try {
      await saveDocument(client, path)
      if (tab) discardTab(tab)
    } catch (error) {
      notify(`${path} was not saved`, String(error), 'error')
    }
    close()
  }
  return (
    <Dialog title={`Save the changes to ${path}?`} isOpen={tab !== undefined} onClose={close}>
      <div className={styles.form}>
        <p className={styles.hint}>Closing without saving throws the changes away.</p>
        <div className={styles.buttons}>
          <Button
            variant="danger"
            onClick={() => {
              if (tab) discardTab(tab)
              close()
            }}
          >
            Discard changes
          </Button>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" onClick={() => void saveAndClose()}>
            Save and close
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const close = () => askToClose(null)
