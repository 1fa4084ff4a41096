import {
  ModuleResolutionKind,
  ScriptTarget,
  javascriptDefaults,
} from 'monaco-editor/languages/features/typescript/register.js'
import type { Client } from '../client/client.ts'
import { followTheme } from '../stores/theme.ts'
import { createModels } from './models.ts'
import * as monaco from './monaco.ts'
import { registerPipelineLanguage } from './pipeline-language.ts'
import { registerQuickFixes } from './quick-fixes.ts'
import { registerRequestLanguage } from './request-language.ts'
import { registerSendLens } from './send-lens.ts'
import { applyEditorTheme } from './themes.ts'

/** Monaco set up for this workbench: languages, theme, models. Made once, with the first editor. */
export function createEditorKit(client: Client) {
  registerRequestLanguage(monaco)
  registerSendLens(monaco)
  registerPipelineLanguage(monaco, client)
  registerQuickFixes(monaco)
  javascriptDefaults.setCompilerOptions({
    target: ScriptTarget.ESNext,
    lib: ['esnext'],
    allowJs: true,
    // Unchecked files complete every word of theirs after a dot, as if it were a member.
    checkJs: true,
    allowNonTsExtensions: true,
    moduleResolution: ModuleResolutionKind.NodeJs,
  })
  // Scripts are no TypeScript: what their types might be is no problem of theirs.
  javascriptDefaults.setDiagnosticsOptions({
    noSemanticValidation: true,
    noSuggestionDiagnostics: true,
  })
  void addScriptTypes(client)
  // Mod+K begins chords in Monaco; here it is the palette, inside editors too.
  monaco.editor.addKeybindingRules([
    { keybinding: monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyK, command: null },
    { keybinding: monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, command: null },
    { keybinding: monaco.KeyCode.F1, command: null },
  ])
  followTheme((theme) => applyEditorTheme(monaco, theme))
  return { monaco, models: createModels(monaco) }
}

/** Scripts can be edited without them, so a gateway that does not answer costs the help only. */
async function addScriptTypes(client: Client) {
  const files = await client.call('GET /api/script-types').catch(() => [])
  for (const { path, text } of files) javascriptDefaults.addExtraLib(text, `file:///${path}`)
}

/** What `createEditorKit` returns. */
export type EditorKit = ReturnType<typeof createEditorKit>
