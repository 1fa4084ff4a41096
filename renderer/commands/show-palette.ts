import { openSurface } from '../stores/surface.ts'
import { defineCommand } from './define.ts'

/** Lists every command. */
export const showPalette = defineCommand({
  id: 'view.palette',
  title: 'Command Palette',
  keys: ['Mod+K', 'Mod+Shift+P', 'F1'],
  run: () => openSurface('palette'),
})
