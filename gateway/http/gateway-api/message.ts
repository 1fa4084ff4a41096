import { STATUS_CODES } from 'node:http'
import type { MessageBody } from '../../contract/gateway-api/messages.ts'

/** The answer of a write that went well. */
export const toMessage = (message: string, code = 200): MessageBody => ({
  code,
  status: STATUS_CODES[code] ?? '',
  message,
})
