import type { GatewayEvent } from '../contract/events.ts'
import type { Task } from '../contract/workspace.ts'
import type { EngineConnection } from '../engine/client.ts'
import { type DataSource, loadData } from './load-data.ts'

/** Loads a workspace's sample data in the background and tells how far it is. */
export function createDataLoader(emit: (event: GatewayEvent) => void) {
  const tasks = new Map<string, Task>()
  let running: Promise<void> = Promise.resolve()
  let pending = 0

  const report = (task: Task) => {
    tasks.set(task.taskId, task)
    emit({ type: 'task', task })
  }

  async function loadOne(engine: EngineConnection, root: string, source: DataSource) {
    const base = {
      taskId: `load-${source.index}`,
      title: `Loading sample data into ${source.index}`,
    }
    let seen = { done: 0, total: 1 }
    try {
      await loadData(engine, root, source, (done, total) => {
        seen = { done, total }
        report({ ...base, ...seen, state: 'running' })
      })
      if (tasks.has(base.taskId)) report({ ...base, ...seen, done: seen.total, state: 'finished' })
    } catch (problem) {
      const message = problem instanceof Error ? problem.message : String(problem)
      report({ ...base, ...seen, state: 'failed', message })
    }
  }

  return {
    tasks: () => [...tasks.values()],
    load(engine: EngineConnection, root: string, sources: readonly DataSource[]) {
      const former = running
      pending++
      running = (async () => {
        await former
        for (const source of sources) await loadOne(engine, root, source)
        pending--
      })()
    },
    /** Undefined when there is nothing to wait for, so that requests need not hop. */
    ready: () => (pending > 0 ? running : undefined),
  }
}
