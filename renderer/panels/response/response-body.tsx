import type { SendResponse } from '../../../gateway/contract/exchange.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { JsonView } from '../../ui/json-view/json-view.tsx'
import { formatBytes } from '../../ui/quantity/format-bytes.ts'
import { bodyKind, fileNameOf, mediaTypeOf } from './body-kind.ts'
import styles from './response.module.css'

/** The body as what it is: a tree, a text, or, for what is neither, its size and a way to keep it. */
export function ResponseBody({
  path,
  response,
  onSave,
}: {
  path: string
  response: SendResponse
  onSave: (name: string, response: SendResponse) => void
}) {
  const kind = bodyKind(response)
  const save = () => onSave(fileNameOf(path, response), response)
  if (kind === 'empty')
    return <EmptyState icon="dash" text={`${response.status} came without a body.`} />
  if (kind === 'image' || kind === 'binary')
    return (
      <EmptyState
        icon={kind === 'image' ? 'file-media' : 'file-binary'}
        text={`${kind === 'image' ? 'An image' : 'Binary data'}, ${mediaTypeOf(response) || 'of unknown type'}, ${formatBytes(response.bodyBytes)}.`}
        action={
          <Button icon="save" onClick={save}>
            Save body
          </Button>
        }
      />
    )
  return (
    <>
      {response.bodyCut && (
        <p className={styles.cut} role="note">
          <Icon name="warning" />
          {`The answer has ${formatBytes(response.bodyBytes)}; only its first 16 MB are kept, shown, copied and saved.`}
        </p>
      )}
      <JsonView
        key={`${response.runId} ${response.startTime}`}
        text={response.body}
        format={kind === 'json' && !response.bodyCut ? 'json' : 'text'}
        label="Response body"
        actions={<IconButton icon="save" label="Save body" onClick={save} />}
      />
    </>
  )
}
