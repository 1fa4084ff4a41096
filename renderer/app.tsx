import type { Client } from './client/client.ts'
import { TabDocument } from './documents/tab-document.tsx'
import type { Host } from './host/host.ts'
import { Announcer } from './views/announcer.tsx'
import { Dialogs } from './views/dialogs.tsx'
import { Palette } from './views/palette.tsx'
import { Workbench } from './views/workbench.tsx'

/** The whole workbench. */
export const App = ({ client, host }: { client: Client; host: Host }) => (
  <>
    <Workbench
      client={client}
      renderTab={(tab) => <TabDocument client={client} host={host} tab={tab} />}
    />
    <Palette client={client} />
    <Dialogs client={client} />
    <Announcer />
  </>
)
