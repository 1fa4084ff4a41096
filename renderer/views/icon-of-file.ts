import type { FileKind } from '../../gateway/contract/workspace.ts'

const ICONS: Record<FileKind, string> = {
  manifest: 'settings-gear',
  pipeline: 'type-hierarchy-sub',
  script: 'symbol-method',
  request: 'send',
  env: 'symbol-variable',
  data: 'database',
  other: 'file',
}

/** Glyph of a file's kind. */
export const iconOfFile = (kind: FileKind | undefined) => ICONS[kind ?? 'other']
