import { conf, language } from 'monaco-editor/languages/definitions/yaml/yaml.js'
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

  registerYaml(monaco)

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

/** Monaco's YAML, except that Enter below the first key of a list entry goes under that key. */
function registerYaml(monaco: typeof Monaco) {
  const action = { indentAction: monaco.languages.IndentAction.Indent }
  monaco.languages.register({ id: 'yaml', extensions: ['.yaml', '.yml'] })
  monaco.languages.setMonarchTokensProvider('yaml', language)
  monaco.languages.setLanguageConfiguration('yaml', {
    ...conf,
    onEnterRules: [
      { beforeText: /^\s*-\s+[\w$]+\s*:/, action },
      { beforeText: /:\s*$/, action },
    ],
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
