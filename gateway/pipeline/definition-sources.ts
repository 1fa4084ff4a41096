import type { SourceRange } from '../contract/diagnostic.ts'
import type { ScriptPlacing } from './place-script.ts'

/**
 * A script's text and where it begins. Lines and columns are 1-based; every further line begins at
 * the same column, as in an indented block of YAML, unless `places` tells of each piece.
 */
export interface ScriptText extends ScriptPlacing {
  file: string
  text: string
}

/** Where the parts of a definition stand in the author's files. */
export interface DefinitionSources {
  file: string
  /** The place of a value by its path in the definition, or of what is nearest to it. */
  locate: (path: readonly (string | number)[]) => SourceRange
  /** In the pipeline's order; `script` only where a stage has one. */
  stages: readonly { range: SourceRange; script?: ScriptText; inline: boolean }[]
}
