import { app, BrowserWindow, session, shell } from 'electron'
import { join } from 'path'
import { errorPage } from './error-page.ts'
import { keepWindowState, loadWindowState } from './settings.ts'

/** A page that crashes again and again is not reloaded for ever. */
const MAX_CRASHES = 3
const CRASH_SPAN_MS = 60_000

/** Makes the one window, closed to everything but the page of the gateway it is shown. */
export function openWindow() {
  const state = loadWindowState()
  let address = ''
  let crashes: number[] = []
  const window = new BrowserWindow({
    ...state.bounds,
    minWidth: 800,
    minHeight: 560,
    show: false,
    title: 'Sluice',
    backgroundColor: '#0E1116',
    webPreferences: {
      preload: join(__dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  if (state.maximized) window.maximize()
  keepWindowState(window)
  window.once('ready-to-show', () => window.show())

  const load = (url: string) => {
    // A load that a newer one replaces is rejected; the newer one counts.
    window.loadURL(url).catch(() => undefined)
  }
  const showError = (title: string, details: string) => load(errorPage(title, details))

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const now = Date.now()
    crashes = [...crashes.filter((at) => now - at < CRASH_SPAN_MS), now]
    // One task later: reloading inside this event brings old versions down.
    setTimeout(() => {
      if (window.isDestroyed()) return
      if (crashes.length > MAX_CRASHES)
        showError('The workbench crashed several times', `The page's process ended: ${reason}`)
      else load(address)
    }, 0)
  })
  return {
    window,
    showError,
    /** Shows the page of a gateway; the token travels in the fragment, which no server sees. */
    show(control: string, token: string) {
      // Another query each time: an address that differs in its fragment only is not loaded anew.
      address = `${control}/?start=${Date.now()}#token=${token}`
      load(address)
    },
    isOwn: (url: string) => address !== '' && new URL(url).origin === new URL(address).origin,
  }
}

/** Keeps every page, whatever it loads, from leaving, opening windows or asking for devices. */
export function lockDown(isOwn: (url: string) => boolean) {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, grant) =>
    grant(permission === 'clipboard-sanitized-write'),
  )
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  )
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      void openOutside(url)
      return { action: 'deny' }
    })
    contents.on('will-navigate', (event, url) => {
      if (!isOwn(url)) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}

/** Hands an address to the user's own program; only kinds that cannot run anything here. */
export async function openOutside(text: string) {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return
  }
  if (['https:', 'http:', 'mailto:'].includes(url.protocol)) await shell.openExternal(url.href)
}
