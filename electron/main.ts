import { app, dialog } from 'electron'
import { writeFile } from 'fs'
import { basename } from 'path'
import { promisify } from 'util'
import { superviseGateway } from './gateway-process.ts'
import { serveIpc } from './ipc/serve.ts'
import { setMenu } from './menu.ts'
import { nodeBinary, programDir } from './places.ts'
import { lockDown, openOutside, openWindow } from './window.ts'

// Another place for what belongs to this user, so that tests and second profiles stay apart.
const profile = process.env.SLUICE_PROFILE
if (profile) app.setPath('userData', profile)

type Window = ReturnType<typeof openWindow>
let shown: Window | undefined
let gateway: ReturnType<typeof superviseGateway> | undefined
let quitting = false

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => {
    if (shown?.window.isMinimized()) shown.window.restore()
    shown?.window.focus()
  })
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', stopGatewayFirst)
  void app.whenReady().then(start)
} else app.quit()

function start() {
  setMenu()
  lockDown((url) => shown?.isOwn(url) ?? false)
  const opened = openWindow()
  shown = opened
  serveQuestions(opened)
  gateway = superviseGateway({
    node: nodeBinary(),
    programDir: programDir(),
    flags: gatewayFlags(),
    onReady: ({ control, token }) => opened.show(control, token),
    onGone: (reason, willRestart) => {
      if (!willRestart) opened.showError('The gateway cannot start', reason)
    },
  })
}

/** Flags after `--gateway` are its own; without a workspace, data lies in this app's folder. */
function gatewayFlags() {
  const marker = process.argv.indexOf('--gateway')
  const own = marker < 0 ? [] : process.argv.slice(marker + 1)
  const isPlaced = own.some((flag) => /^--(data|workspace)(=|$)/.test(flag))
  return isPlaced ? own : ['--data', `${app.getPath('userData')}/data`, ...own]
}

function serveQuestions({ window, isOwn }: Window) {
  serveIpc(
    {
      'folder.pick': async () => {
        const picked = await dialog.showOpenDialog(window, {
          title: 'Open workspace',
          properties: ['openDirectory', 'createDirectory'],
        })
        return picked.canceled ? null : (picked.filePaths[0] ?? null)
      },
      'link.open': openOutside,
      'file.save': async (name, text) => {
        const { canceled, filePath } = await dialog.showSaveDialog(window, {
          defaultPath: basename(name),
        })
        if (!canceled && filePath) await promisify(writeFile)(filePath, text)
      },
    },
    isOwn,
  )
}

/** The gateway makes everything durable before the shell goes. */
function stopGatewayFirst(event: { preventDefault(): void }) {
  if (quitting || !gateway) return
  event.preventDefault()
  quitting = true
  void gateway.stop().then(() => setTimeout(() => app.quit(), 0))
}
