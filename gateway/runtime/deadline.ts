/** What is to happen at a time unless it is cleared before. */
export interface Deadline {
  clear(): void
}

interface Queue {
  ms: number
  first: Entry | undefined
  last: Entry | undefined
  isArmed: boolean
}

/** What a timer can wait at most. */
const LONGEST_MS = 2 ** 31 - 1

const queues = new Map<number, Queue>()

/**
 * Calls back after `ms` milliseconds. Deadlines of the same length end in the order they were set, so
 * they share one timer: a run sets several and reaches hardly any.
 */
export function setDeadline(ms: number, onReached: () => void): Deadline {
  let queue = queues.get(ms)
  if (!queue) queues.set(ms, (queue = { ms, first: undefined, last: undefined, isArmed: false }))
  const entry = new Entry(queue, performance.now() + ms, onReached)
  if (queue.last) queue.last.next = entry
  else queue.first = entry
  queue.last = entry
  if (!queue.isArmed) arm(queue, ms)
  return entry
}

class Entry implements Deadline {
  readonly at: number
  readonly onReached: () => void
  next: Entry | undefined
  #previous: Entry | undefined
  #queue: Queue | undefined

  constructor(queue: Queue, at: number, onReached: () => void) {
    this.#queue = queue
    this.at = at
    this.onReached = onReached
    this.#previous = queue.last
  }

  clear() {
    const queue = this.#queue
    if (!queue) return
    if (this.#previous) this.#previous.next = this.next
    else queue.first = this.next
    if (this.next) this.next.#previous = this.#previous
    else queue.last = this.#previous
    // An entry that is gone holds on to nothing: a chain of such entries would outlive its runs.
    this.#queue = this.#previous = this.next = undefined
  }
}

function arm(queue: Queue, ms: number) {
  queue.isArmed = true
  setTimeout(work, Math.min(ms, LONGEST_MS), queue).unref()
}

/** Ends what is due, then waits for the next. */
function work(queue: Queue) {
  queue.isArmed = false
  for (let { first } = queue; first && first.at <= performance.now(); { first } = queue) {
    first.clear()
    first.onReached()
  }
  if (queue.first && !queue.isArmed)
    arm(queue, Math.max(1, Math.ceil(queue.first.at - performance.now())))
  else if (!queue.first) queues.delete(queue.ms)
}
