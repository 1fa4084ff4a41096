/* oxlint-disable import/no-unassigned-import, import/default -- Monaco's features and Vite's workers are imports of that kind */
import 'monaco-editor/features/bracketMatching/register.js'
import 'monaco-editor/features/caretOperations/register.js'
import 'monaco-editor/features/clipboard/register.js'
import 'monaco-editor/features/codeAction/register.js'
import 'monaco-editor/features/codeEditor/register.js'
import 'monaco-editor/features/codelens/register.js'
import 'monaco-editor/features/codicon/register.js'
import 'monaco-editor/features/comment/register.js'
import 'monaco-editor/features/contextmenu/register.js'
import 'monaco-editor/features/cursorUndo/register.js'
import 'monaco-editor/features/find/register.js'
import 'monaco-editor/features/folding/register.js'
import 'monaco-editor/features/format/register.js'
import 'monaco-editor/features/gotoLine/register.js'
import 'monaco-editor/features/hover/register.js'
import 'monaco-editor/features/indentation/register.js'
import 'monaco-editor/features/lineSelection/register.js'
import 'monaco-editor/features/linesOperations/register.js'
import 'monaco-editor/features/longLinesHelper/register.js'
import 'monaco-editor/features/multicursor/register.js'
import 'monaco-editor/features/parameterHints/register.js'
import 'monaco-editor/features/readOnlyMessage/register.js'
import 'monaco-editor/features/smartSelect/register.js'
import 'monaco-editor/features/snippet/register.js'
// The feature of that name registers only a part of the completion list.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js'
import 'monaco-editor/features/toggleTabFocusMode/register.js'
import 'monaco-editor/features/tokenization/register.js'
import 'monaco-editor/features/wordHighlighter/register.js'
import 'monaco-editor/features/wordOperations/register.js'
import 'monaco-editor/features/wordPartOperations/register.js'
import 'monaco-editor/languages/definitions/javascript/register.js'
import 'monaco-editor/languages/features/json/register.js'
// The modes of JSON and scripts load this later, when editors could not take its parts in any more.
import 'monaco-editor/internal/common/workers.js'
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker'
import JsonWorker from 'monaco-editor/languages/features/json/json.worker.js?worker'
import ScriptWorker from 'monaco-editor/languages/features/typescript/ts.worker.js?worker'

const workers: Record<string, new () => Worker> = { json: JsonWorker, javascript: ScriptWorker }

// Monaco looks for its workers here; they are files of our own origin.
Object.assign(self, {
  MonacoEnvironment: {
    getWorker: (_moduleId: string, label: string) => new (workers[label] ?? EditorWorker)(),
  },
})

export * from 'monaco-editor/editor.js'
