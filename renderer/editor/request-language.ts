import type * as Monaco from './monaco.ts'
import { parseRequestDocument } from '../stores/request-document.ts'
import { formatJson } from './format-json.ts'

/** Language id of request documents. */
export const REQUEST_LANGUAGE = 'sluice-request'

/** Teaches Monaco request documents: colours, folding by request, formatting of JSON bodies. */
export function registerRequestLanguage(monaco: typeof Monaco) {
  monaco.languages.register({ id: REQUEST_LANGUAGE, extensions: ['.http'] })
  monaco.languages.setLanguageConfiguration(REQUEST_LANGUAGE, {
    comments: { lineComment: '//' },
    brackets: [
      ['{', '}'],
      ['[', ']'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}' },
      { open: '[', close: ']' },
      { open: '"', close: '"', notIn: ['string'] },
    ],
    indentationRules: { increaseIndentPattern: /[[{]\s*$/, decreaseIndentPattern: /^\s*[\]}]/ },
  })
  monaco.languages.setMonarchTokensProvider(REQUEST_LANGUAGE, {
    tokenizer: {
      root: [
        [/^###.*$/, 'separator'],
        [/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(\s+)(\S+)/, ['method', '', 'identifier']],
        [/^\s*(\/\/|#).*$/, 'comment'],
        [/^([\w!#$%&'*+.^`|~-]+)(:)(\s*[^{[]*)$/, ['header', 'delimiter', 'string']],
        [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'key'],
        [/"(?:[^"\\]|\\.)*"/, 'string'],
        [/"(?:[^"\\]|\\.)*$/, 'string'],
        [/-?\d+(\.\d+)?([eE][+-]?\d+)?/, 'number'],
        [/\b(true|false|null)\b/, 'constant'],
        [/[{}[\],:]/, 'delimiter'],
      ],
    },
  })
  monaco.languages.registerFoldingRangeProvider(REQUEST_LANGUAGE, {
    provideFoldingRanges: (model) =>
      parseRequestDocument(model.getValue()).blocks.map(({ startLine, endLine }) => ({
        start: startLine,
        end: endLine,
      })),
  })
  monaco.languages.registerDocumentFormattingEditProvider(REQUEST_LANGUAGE, {
    provideDocumentFormattingEdits: (model) => {
      const { blocks } = parseRequestDocument(model.getValue())
      return blocks.flatMap(({ bodyLine, body }) => {
        const lines = body.split('\n')
        const range = new monaco.Range(
          bodyLine,
          1,
          bodyLine + lines.length - 1,
          (lines[lines.length - 1]?.length ?? 0) + 1,
        )
        // A body with comments differs from its lines in the document and is left alone.
        const isWhole =
          body !== '' && model.getValueInRange(range, monaco.editor.EndOfLinePreference.LF) === body
        const text = isWhole ? formatJson(body) : undefined
        return text === undefined || text === body ? [] : [{ range, text }]
      })
    },
  })
}
