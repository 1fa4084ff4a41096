import { Menu } from 'electron'

/**
 * The page draws its own menus. macOS shows a menu bar all the same, and needs the edit roles in it
 * for its copy and paste keys; elsewhere there is none.
 */
export function setMenu() {
  if (process.platform !== 'darwin') return Menu.setApplicationMenu(null)
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]),
  )
}
