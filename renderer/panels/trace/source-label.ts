import type { ErrorSource } from '../../../gateway/contract/error-body.ts'

/** `rank.js:14:22`: the file's own name, for its folder is in the tooltip and in the editor. */
export const sourceLabel = ({ file, line, column }: ErrorSource) =>
  `${file.slice(file.lastIndexOf('/') + 1)}:${line}:${column}`
