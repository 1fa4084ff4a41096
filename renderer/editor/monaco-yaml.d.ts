/** Monaco ships this file without types. */
declare module 'monaco-editor/languages/definitions/yaml/yaml.js' {
  import type { languages } from 'monaco-editor/editor.js'
  export const conf: languages.LanguageConfiguration
  export const language: languages.IMonarchLanguage
}

/** Nor this one; it is imported for what it registers. */
declare module 'monaco-editor/internal/common/workers.js' {}
