import { setTimeout as wait } from 'node:timers/promises'
import { GatewayError } from '../errors.ts'
import type { EntryRun } from './entry-run.ts'
import { scriptStore } from './script-store.ts'
import type { ScriptFetchRequest } from './sandbox.ts'

/** What a script asked for: a kind, JSON or plain text by kind, and a text that is no JSON. */
export interface HostCall {
  kind: string
  payload: string
  text: string
}

/** The answer; of a failure `json` is its code and `text` its message. */
interface HostReply {
  isOk: boolean
  json: string
  text: string
}

type Answer = (run: EntryRun, call: HostCall) => Promise<{ json: string; text: string }>

const answers: Record<string, Answer> = {
  async fetch(run, { payload, text }) {
    run.hasCalled = true
    // Safe: globals/fetch.ts checks every member before it sends them.
    const facts = JSON.parse(payload) as Omit<ScriptFetchRequest, 'body'>
    const { host, stages, signal } = run.entry
    const stageId = stages[run.stageIndex()]?.stageId ?? ''
    const { body, ...reply } = await host.fetch({ ...facts, body: text }, stageId, signal)
    return { json: JSON.stringify(reply), text: body }
  },

  /** The run may go on, and must not put this a second time. */
  async store(run, { payload, text }) {
    run.hasCalled = true
    scriptStore.put(payload, text)
    return { json: 'null', text: '' }
  },

  async timer(run, { payload }) {
    const timer = new AbortController()
    run.onEnd(() => timer.abort())
    await wait(Number(payload), undefined, { signal: timer.signal })
    return { json: 'null', text: '' }
  },
}

/** Does what a script asked of the host. Never rejects: the script gets the failure to catch. */
export async function makeHostCall(run: EntryRun, call: HostCall): Promise<HostReply> {
  try {
    const answer = answers[call.kind]
    if (!answer) throw new Error(`Nothing answers "${call.kind}"`)
    return { isOk: true, ...(await answer(run, call)) }
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause)
    return { isOk: false, json: cause instanceof GatewayError ? cause.code : 'CALL_FAILED', text }
  }
}
