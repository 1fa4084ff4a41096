import { cancel } from './cancel.ts'
import { closeTab } from './close-tab.ts'
import { connect } from './connect.ts'
import { copyAddress } from './copy-address.ts'
import type { Command } from './define.ts'
import { exportHar } from './export-har.ts'
import { format } from './format.ts'
import { goHome } from './go-home.ts'
import { goToFile } from './go-to-file.ts'
import { moveTab } from './move-tab.ts'
import { nextProblem } from './next-problem.ts'
import { nextTab } from './next-tab.ts'
import { openFolder } from './open-folder.ts'
import { openSample } from './open-sample.ts'
import { previousProblem } from './previous-problem.ts'
import { previousTab } from './previous-tab.ts'
import { saveAll } from './save-all.ts'
import { save } from './save.ts'
import { selectEnvironment } from './select-environment.ts'
import { send } from './send.ts'
import { showExplorer } from './show-explorer.ts'
import { showGuide } from './show-guide.ts'
import { showPalette } from './show-palette.ts'
import { showProblems } from './show-problems.ts'
import { showRuns } from './show-runs.ts'
import { showShortcuts } from './show-shortcuts.ts'
import { toggleBottomPanel } from './toggle-bottom-panel.ts'
import { toggleFocusMode } from './toggle-focus-mode.ts'
import { toggleSidebar } from './toggle-sidebar.ts'
import { toggleTheme } from './toggle-theme.ts'
import { useSystemTheme } from './use-system-theme.ts'

/** Every command, in the order the palette shows them. */
export const commands: readonly Command[] = [
  send,
  cancel,
  exportHar,
  selectEnvironment,
  copyAddress,
  goToFile,
  save,
  saveAll,
  format,
  closeTab,
  nextTab,
  previousTab,
  moveTab,
  nextProblem,
  previousProblem,
  openSample,
  openFolder,
  connect,
  goHome,
  showExplorer,
  showRuns,
  showProblems,
  showPalette,
  toggleSidebar,
  toggleBottomPanel,
  toggleFocusMode,
  toggleTheme,
  useSystemTheme,
  showShortcuts,
  showGuide,
]
