import { CallError, type Client } from '../client/client.ts'
import { listenToEvents } from '../client/events.ts'
import { setConnection } from './app.ts'
import { applyEvent } from './apply-event.ts'
import { notify } from './surface.ts'
import { refresh } from './workspace.ts'

/** Keeps the stores in step with the gateway until `signal` fires: the state first, then events. */
export function connectStores(client: Client, signal: AbortSignal) {
  return listenToEvents(
    client,
    {
      onOpen: () => {
        setConnection('open')
        refresh(client).catch(failed)
      },
      onLost: (status) => setConnection(status === 401 ? 'refused' : 'lost'),
      onMessage: (json) => void applyEvent(json, client).catch(failed),
    },
    signal,
  )
}

function failed(error: unknown) {
  if (error instanceof CallError && error.status === 401) setConnection('refused')
  else if (!(error instanceof CallError) || error.status !== 0)
    notify('Something from the gateway could not be read', String(error), 'error')
}
