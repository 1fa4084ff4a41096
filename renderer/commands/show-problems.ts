import { changeSettings } from '../stores/settings.ts'
import { defineCommand } from './define.ts'

/** Shows the problems of the workspace's files. */
export const showProblems = defineCommand({
  id: 'view.problems',
  title: 'Show Problems',
  keys: ['Mod+Shift+M'],
  run: () => changeSettings({ isBottomOpen: true, bottomView: 'problems' }),
})
