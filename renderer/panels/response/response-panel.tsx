import { type ReactNode, useId, useState } from 'react'
import type { SendRequest, SendResponse } from '../../../gateway/contract/exchange.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { NoAnswer } from './no-answer.tsx'
import { ResponseBody } from './response-body.tsx'
import { ResponseFacts } from './response-facts.tsx'
import { ResponseHeaders } from './response-headers.tsx'
import styles from './response.module.css'
import { SendingBar } from './sending-bar.tsx'

/** A request that was sent and what came of it. */
export interface ResponseExchange {
  request: Pick<SendRequest, 'runId' | 'method' | 'path'>
  state: 'running' | 'answered' | 'cancelled' | 'failed'
  /** Epoch milliseconds. */
  startTime: number
  response?: SendResponse | undefined
  /** Why no answer came. */
  message?: string | undefined
  /** Status that the request document asks for. */
  expectStatus?: number | undefined
}

type ResponseTab = 'body' | 'headers' | 'trace'

/** The answer of a request: status, times and sizes, then body, headers and the trace of its run. */
export function ResponsePanel({
  exchange,
  trace,
  autoOpenTrace,
  sendKeys,
  sendAction,
  onCancel,
  onSave,
}: {
  exchange?: ResponseExchange | undefined
  /** The trace of the run, live while it goes on; null when no pipeline took the request. */
  trace?: ReactNode
  /** Opens the trace, where there is one, each time a request is sent. */
  autoOpenTrace: boolean
  /** The chord that sends, such as `Ctrl+Enter`. */
  sendKeys: string
  /** A button for the empty state. */
  sendAction?: ReactNode
  onCancel: () => void
  onSave: (name: string, response: SendResponse) => void
}) {
  const panelId = useId()
  const [choice, setChoice] = useState<{ runId: string; tab: ResponseTab }>({
    runId: '',
    tab: 'body',
  })
  if (!exchange)
    return (
      <EmptyState
        icon="send"
        text="The answer and the trace of its pipeline run appear here."
        keys={sendKeys}
        action={sendAction}
      />
    )

  const { request, response, state } = exchange
  const isNew = choice.runId !== request.runId
  const wanted = isNew && autoOpenTrace && trace ? 'trace' : choice.tab
  const tabs = tabsOf(response, Boolean(trace))
  const tab = tabs.some(({ tabId }) => tabId === wanted) ? wanted : (tabs[0]?.tabId ?? 'body')

  return (
    <section
      className={styles.panel}
      aria-label="Response"
      data-testid="response"
      data-state={state}
    >
      {state === 'running' && <SendingBar exchange={exchange} onCancel={onCancel} />}
      {(state === 'cancelled' || state === 'failed') && (
        <NoAnswer exchange={exchange} sendKeys={sendKeys} isAlone={!trace} />
      )}
      {tabs.length > 1 && state !== 'running' && (
        <Tabs
          label="Response"
          items={tabs}
          value={tab}
          onChange={(next) => setChoice({ runId: request.runId, tab: next })}
          panelId={panelId}
          end={
            response && <ResponseFacts response={response} expectStatus={exchange.expectStatus} />
          }
        />
      )}
      {(tabs.length > 0 || trace) && (
        <div id={panelId} role="tabpanel" aria-label={tab} className={styles.content}>
          {tab === 'trace' || !response ? (
            trace
          ) : tab === 'headers' ? (
            <ResponseHeaders headers={response.headers} />
          ) : (
            <ResponseBody path={request.path} response={response} onSave={onSave} />
          )}
        </div>
      )}
    </section>
  )
}

function tabsOf(response: SendResponse | undefined, hasTrace: boolean) {
  const tabs: { tabId: ResponseTab; title: string; badge?: number }[] = []
  if (response) {
    tabs.push({ tabId: 'body', title: 'Body' })
    tabs.push({ tabId: 'headers', title: 'Headers', badge: response.headers.length })
  }
  if (hasTrace) tabs.push({ tabId: 'trace', title: 'Trace' })
  return tabs
}
