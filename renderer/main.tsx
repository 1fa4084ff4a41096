/* oxlint-disable import/no-unassigned-import -- style sheets and fonts are imports of that kind */
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import '@vscode/codicons/dist/codicon.css'
import './styles/tokens.css'
import './styles/base.css'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import type { Ipc } from '../electron/ipc/contract.ts'
import { App } from './app.tsx'
import { createClient } from './client/client.ts'
import { takeToken } from './client/token.ts'
import { listCommands } from './commands/list-commands.ts'
import { listenToKeys } from './commands/listen-to-keys.ts'
import { preloadEditor } from './documents/tab-document.tsx'
import { createBrowserHost } from './host/browser-host.ts'
import { createElectronHost } from './host/electron-host.ts'
import { checkDocuments } from './stores/check-documents.ts'
import { commandList } from './stores/command-list.ts'
import { connectStores } from './stores/connect.ts'
import { keepSession } from './stores/session.ts'
import { notify } from './stores/surface.ts'
import { followTheme } from './stores/theme.ts'
import { followTitle } from './stores/title.ts'
import { cycleRegions } from './views/cycle-regions.ts'

// The page's Content-Security-Policy forbids compiling code, which zod would try otherwise.
z.config({ jitless: true })

// Safe: only our preload script defines it, with the functions of the IPC contract.
const bridge = (window as { sluice?: Ipc }).sluice
const host = bridge ? createElectronHost(bridge) : createBrowserHost()
const client = createClient(takeToken())
const services = { client, host }

followTheme()
followTitle()
commandList.setState(listCommands(services), true)
listenToKeys(services)
cycleRegions()
checkDocuments(client)
keepSession(() =>
  notify('Drafts are not kept', 'The browser gives no more room; save your files.', 'error'),
)
void connectStores(client, new AbortController().signal)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element "root"')
createRoot(root).render(<App client={client} host={host} />)
preloadEditor()
