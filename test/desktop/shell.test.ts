import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestShell } from './compat/build-test-shell.ts'
import {
  gatewayOf,
  isAlive,
  launchApp,
  type Launched,
  startDisplay,
  TEST_APP,
  until,
} from './support/launch.ts'
import { setUpElectron } from './support/set-up-electron.ts'

const setUp = setUpElectron()
const missing = 'missing' in setUp ? setUp.missing : undefined
const executable = 'executable' in setUp ? setUp.executable : ''
if (missing) console.log(`skipped: desktop shell: ${missing}`)

describe.skipIf(missing)('the shell on a real Electron', () => {
  let display: Awaited<ReturnType<typeof startDisplay>>
  let shell: Launched
  const start = (more: { profile?: string; gatewayFlags?: string[] } = {}) =>
    launchApp({ executable, display: display.display, appDir: TEST_APP, ...more })

  beforeAll(async () => {
    await buildTestShell()
    display = await startDisplay()
    shell = await start()
    await shell.page.getByTestId('home-open-sample').waitFor()
  }, 240_000)
  afterAll(async () => {
    await shell?.app.close().catch(() => undefined)
    display?.stop()
  })

  test('the page has no Node in it, and a bridge of three questions', async () => {
    const found = await shell.page.evaluate(() => [
      typeof (globalThis as { require?: unknown }).require,
      typeof (globalThis as { process?: unknown }).process,
      Object.keys((globalThis as unknown as { sluice: object }).sluice)
        .toSorted()
        .join(' '),
    ])
    expect(found).toEqual(['undefined', 'undefined', 'file.save folder.pick link.open'])
  })

  test('the token is out of the address', () => {
    expect(shell.page.url()).not.toContain('token')
  })

  test('inline scripts and foreign hosts are refused', async () => {
    const found = await shell.page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'globalThis.intruder = 1'
      document.body.append(script)
      const foreign = await fetch('https://example.invalid/').then(
        () => 'answered',
        (problem: Error) => problem.name,
      )
      return [(globalThis as { intruder?: number }).intruder ?? 'stopped', foreign]
    })
    expect(found).toEqual(['stopped', 'TypeError'])
  })

  test('new windows and ways out are refused; only web addresses go to the system', async () => {
    await shell.app.evaluate(({ shell: system }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      system.openExternal = (url: string) => {
        opened.push(url)
        return Promise.resolve()
      }
    })
    const before = shell.page.url()
    await shell.page.evaluate(() => {
      // Without an opener: a refused pop-up of one process would keep this old page waiting.
      window.open('https://example.invalid/a', '_blank', 'noopener')
      window.open('file:///etc/passwd', '_blank', 'noopener')
      setTimeout(() => (location.href = 'https://example.invalid/b'), 0)
    })
    const opened = () =>
      shell.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
    await until(async () => (await opened()).length > 0, 'the address reaches the system')
    expect(await opened()).toEqual(['https://example.invalid/a'])
    expect(shell.page.url()).toBe(before)
    const windows = ({ BrowserWindow }: typeof import('electron')) =>
      BrowserWindow.getAllWindows().length
    expect(await shell.app.evaluate(windows)).toBe(1)
  })

  test('devices and notifications are refused', async () => {
    expect(await shell.page.evaluate(() => Notification.requestPermission())).toBe('denied')
  })

  test('wrong arguments do not reach a handler', async () => {
    const outcome = await shell.page.evaluate(() =>
      (
        globalThis as unknown as { sluice: Record<string, (value: unknown) => Promise<unknown>> }
      ).sluice['link.open']?.(7).then(
        () => 'answered',
        () => 'refused',
      ),
    )
    expect(outcome).toBe('refused')
  })

  test('the main job: open the sample, send, look at the trace', async () => {
    await shell.page.getByTestId('home-open-sample').click()
    await shell.page.locator('.monaco-editor').first().waitFor()
    await shell.page.keyboard.press('Control+Enter')
    await until(
      async () => (await shell.page.getByTestId('run-status').first().innerText()).includes('ok'),
      'the run ends well',
    )
    expect(await shell.page.getByTestId('trace-row').count()).toBe(7)
  })

  test('a gateway that is killed comes back, and the page with it', async () => {
    const first = await until(() => gatewayOf(shell.page), 'the gateway answers')
    process.kill(first.pid, 'SIGKILL')
    const second = await until(async () => {
      const now = await gatewayOf(shell.page)
      return now && now.pid !== first.pid ? now : undefined
    }, 'another gateway answers')
    expect(second.token).not.toBe(first.token)
    await shell.page.locator('.monaco-editor').first().waitFor()
  })

  test('a page whose process dies is loaded again', async () => {
    const state = () =>
      shell.app.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        return {
          pid: contents?.getOSProcessId() ?? 0,
          ready: contents !== undefined && !contents.isCrashed() && !contents.isLoading(),
        }
      })
    const { pid } = await state()
    await shell.app.evaluate((_electron, target) => void process.kill(target, 'SIGKILL'), pid)
    await until(async () => {
      const now = await state()
      return now.ready && now.pid !== pid
    }, 'the page is back')
    expect((await state()).pid).not.toBe(pid)
  })

  test('a second start shows the first window and ends', async () => {
    const second = spawn(executable, shell.args, { env: shell.env, stdio: 'ignore' })
    expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0)
  })

  test('quitting ends the gateway; size and place come back', async () => {
    const one = await start()
    const { pid } = await until(() => gatewayOf(one.page), 'the gateway answers')
    const wanted = { x: 41, y: 37, width: 1012, height: 634 }
    await one.app.evaluate(
      ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
      wanted,
    )
    await until(
      async () =>
        (
          await one.app.evaluate(({ BrowserWindow }) =>
            BrowserWindow.getAllWindows()[0]?.getBounds(),
          )
        )?.width === wanted.width,
      'the window has its new size',
    )
    await one.app.evaluate(({ app }) => void setTimeout(() => app.quit(), 0))
    await until(() => !isAlive(one.pid) && !isAlive(pid), 'shell and gateway have ended')
    const saved = JSON.parse(readFileSync(join(one.userData, 'window.json'), 'utf8')) as object
    expect(saved).toMatchObject({ bounds: { width: wanted.width, height: wanted.height } })
    const two = await start({ profile: one.userData })
    const bounds = await two.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getBounds(),
    )
    expect(bounds).toMatchObject({ width: wanted.width, height: wanted.height })
    await two.app.close()
  })

  test('told to stop, as by Ctrl+C at its starter, it ends the gateway first', async () => {
    const one = await start()
    const { pid } = await until(() => gatewayOf(one.page), 'the gateway answers')
    process.kill(one.pid, 'SIGTERM')
    await until(() => !isAlive(one.pid) && !isAlive(pid), 'shell and gateway have ended')
    expect([isAlive(one.pid), isAlive(pid)]).toEqual([false, false])
  })

  test('when the shell is killed the gateway ends by itself', async () => {
    const one = await start()
    const { pid } = await until(() => gatewayOf(one.page), 'the gateway answers')
    process.kill(one.pid, 'SIGKILL')
    await until(() => !isAlive(pid), 'the gateway has ended')
    expect(isAlive(pid)).toBe(false)
  })

  test('a gateway that cannot start shows why', async () => {
    const one = await start({ gatewayFlags: ['--port', 'none'] })
    const text = () => one.page.locator('body').innerText()
    await until(async () => (await text()).includes('cannot start'), 'the error page')
    expect(await text()).toContain('--port takes a number from 0 to 65535, not "none"')
    await one.app.close()
  })
})
