import { app, screen, type BrowserWindow, type Rectangle } from 'electron'
import { readFileSync, writeFileSync } from 'fs'
import { join } from 'path'

interface WindowState {
  bounds: Rectangle
  maximized: boolean
}

const FIRST: WindowState = { bounds: { x: 60, y: 60, width: 1440, height: 900 }, maximized: false }
const file = () => join(app.getPath('userData'), 'window.json')

/** Size and place of the last time, unless no screen shows that place any more. */
export function loadWindowState(): WindowState {
  try {
    const state = JSON.parse(readFileSync(file(), 'utf8')) as WindowState
    const { x, y, width, height } = state.bounds
    const isSeen = screen.getAllDisplays().some(({ workArea: area }) => {
      const overlapsX = x < area.x + area.width && x + width > area.x
      return overlapsX && y >= area.y && y < area.y + area.height && height > 0
    })
    return isSeen ? state : { ...FIRST, maximized: state.maximized }
  } catch {
    // No file yet, or one that is no longer understood.
    return FIRST
  }
}

/** Remembers size and place when the window closes. */
export function keepWindowState(window: BrowserWindow) {
  window.on('close', () => {
    const state: WindowState = {
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
    }
    writeFileSync(file(), JSON.stringify(state))
  })
}
