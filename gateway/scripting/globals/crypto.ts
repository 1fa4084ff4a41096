import type { ScriptGlobal } from './define.ts'

/** Random values from the host: `getRandomValues` and `randomUUID` as in browsers. */
export const cryptoGlobal: ScriptGlobal = {
  name: 'crypto',
  realm: {
    shared: ({ randomBytes }) => ({
      getRandomValues(array: ArrayBufferView): ArrayBufferView {
        if (!ArrayBuffer.isView(array) || array instanceof DataView)
          throw new TypeError('crypto.getRandomValues: the argument must be an integer array')
        if (array.byteLength > 65_536)
          throw new RangeError('crypto.getRandomValues: at most 65,536 bytes at a time')
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
        const random = randomBytes(bytes.length)
        for (let i = 0; i < bytes.length; i++) bytes[i] = random.charCodeAt(i)
        return array
      },
      randomUUID(): string {
        const random = randomBytes(16)
        let hex = ''
        for (let i = 0; i < 16; i++) {
          const byte = random.charCodeAt(i)
          const fixed = i === 6 ? (byte & 15) | 64 : i === 8 ? (byte & 63) | 128 : byte
          hex += fixed.toString(16).padStart(2, '0')
        }
        return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
      },
    }),
  },
}
