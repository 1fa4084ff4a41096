import { openSurface } from '../stores/surface.ts'
import { defineCommand } from './define.ts'

/** Lists every key. */
export const showShortcuts = defineCommand({
  id: 'help.shortcuts',
  title: 'Keyboard Shortcuts',
  keys: ['?'],
  run: () => openSurface('shortcuts'),
})
