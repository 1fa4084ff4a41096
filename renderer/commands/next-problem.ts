import { goToProblem, hasProblems } from '../stores/go-to-problem.ts'
import { defineCommand } from './define.ts'

/** Puts the cursor on the next problem, in this file or another one. */
export const nextProblem = defineCommand({
  id: 'go.nextProblem',
  title: 'Next Problem',
  keys: ['F8'],
  unavailable: () => (hasProblems() ? undefined : 'There are no problems'),
  run: ({ client }) => goToProblem(client, 1),
})
