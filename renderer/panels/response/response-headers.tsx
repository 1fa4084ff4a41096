import type { SendResponse } from '../../../gateway/contract/exchange.ts'
import { CopyButton } from '../../ui/json-view/copy-button.tsx'
import styles from './response.module.css'

/** Every header in the order in which it came, repeated ones included. */
export const ResponseHeaders = ({ headers }: Pick<SendResponse, 'headers'>) => (
  <div
    className={styles.headersFrame}
    tabIndex={0}
    role="group"
    aria-label="Headers"
    data-focus="inset"
  >
    <table className={styles.headers}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          <th scope="col" className={styles.copyAll}>
            <CopyButton
              label="Copy all headers"
              getText={() => headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            />
          </th>
        </tr>
      </thead>
      <tbody>
        {headers.map(([name, value], at) => (
          // oxlint-disable-next-line react/no-array-index-key -- headers may repeat; their place names them
          <tr key={at}>
            <th scope="row">{name}</th>
            <td>{value}</td>
            <td className={styles.copyAll}>
              <CopyButton label={`Copy ${name}`} getText={() => value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
