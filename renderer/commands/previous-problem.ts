import { goToProblem, hasProblems } from '../stores/go-to-problem.ts'
import { defineCommand } from './define.ts'

/** Puts the cursor on the previous problem, in this file or another one. */
export const previousProblem = defineCommand({
  id: 'go.previousProblem',
  title: 'Previous Problem',
  keys: ['Shift+F8'],
  unavailable: () => (hasProblems() ? undefined : 'There are no problems'),
  run: ({ client }) => goToProblem(client, -1),
})
