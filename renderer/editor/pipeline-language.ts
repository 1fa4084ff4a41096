import type * as Monaco from './monaco.ts'
import type { Client } from '../client/client.ts'
import { documentsStore } from '../stores/documents.ts'
import { pipelineHover, pipelineSuggestions, type PipelineKnowledge } from './pipeline-help.ts'
import { pathOf } from './models.ts'
import { toSchema } from './schema-at.ts'

/** Completion and hovers for pipeline files, from the gateway's schema and its list of stages. */
export function registerPipelineLanguage(monaco: typeof Monaco, client: Client) {
  let knowledge: Promise<PipelineKnowledge> | undefined
  const know = () => {
    knowledge ??= fetchKnowledge(client)
    // A gateway that was away is asked again next time.
    knowledge.catch(() => (knowledge = undefined))
    return knowledge
  }
  const kinds = {
    key: monaco.languages.CompletionItemKind.Property,
    value: monaco.languages.CompletionItemKind.Value,
    stage: monaco.languages.CompletionItemKind.Function,
    reference: monaco.languages.CompletionItemKind.Reference,
  }

  indentListEntries(monaco)

  monaco.languages.registerCompletionItemProvider('yaml', {
    triggerCharacters: [' ', ':', '-'],
    async provideCompletionItems(model, position) {
      if (!isPipeline(model)) return { suggestions: [] }
      const { startColumn } = model.getWordUntilPosition(position)
      const { endColumn } = model.getWordAtPosition(position) ?? { endColumn: position.column }
      const range = new monaco.Range(
        position.lineNumber,
        startColumn,
        position.lineNumber,
        Math.max(endColumn, position.column),
      )
      const found = pipelineSuggestions(
        model.getValue(monaco.editor.EndOfLinePreference.LF),
        position.lineNumber,
        position.column,
        await know(),
      )
      return {
        suggestions: found.map((one, index) => ({
          label: one.label,
          kind: kinds[one.kind],
          insertText: one.insertText,
          insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet,
          sortText: String(index).padStart(4, '0'),
          range,
          ...(one.detail && { detail: one.detail }),
          ...(one.documentation && { documentation: { value: one.documentation } }),
          ...(one.goesOn && { command: { id: 'editor.action.triggerSuggest', title: 'Suggest' } }),
        })),
      }
    },
  })

  monaco.languages.registerHoverProvider('yaml', {
    async provideHover(model, position) {
      if (!isPipeline(model)) return null
      const value = pipelineHover(
        model.getValue(monaco.editor.EndOfLinePreference.LF),
        position.lineNumber,
        position.column,
        await know(),
      )
      return value === undefined ? null : { contents: [{ value }] }
    },
  })
}

/** Enter below the first key of a list entry goes to where its other keys stand. */
function indentListEntries(monaco: typeof Monaco) {
  const action = { indentAction: monaco.languages.IndentAction.Indent }
  const rules = [
    { beforeText: /^\s*-\s+[\w$]+\s*:/, action },
    { beforeText: /:\s*$/, action },
  ]
  const creation = monaco.editor.onDidCreateModel((model) => {
    if (model.getLanguageId() !== 'yaml') return
    creation.dispose()
    // Monaco's own rules arrive with its YAML grammar, later than this; the last ones count.
    const arrival = model.onDidChangeLanguageConfiguration(() => {
      arrival.dispose()
      monaco.languages.setLanguageConfiguration('yaml', { onEnterRules: rules })
    })
  })
}

const isPipeline = (model: Monaco.editor.ITextModel) =>
  documentsStore.getState().documents[pathOf(model)]?.kind === 'pipeline'

async function fetchKnowledge(client: Client): Promise<PipelineKnowledge> {
  const [schema, stages] = await Promise.all([
    client.call('GET /api/schema/pipeline'),
    client.call('GET /api/stages'),
  ])
  return { schema: toSchema(schema), stages }
}
