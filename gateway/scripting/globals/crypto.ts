import type { ScriptGlobal } from './define.ts'

/** Random values from the host as in browsers; everything of crypto-js where a script uses it. */
export const cryptoGlobal: ScriptGlobal = {
  name: 'crypto',
  library: { name: 'crypto-js', unless: ['getRandomValues', 'randomUUID'] },
  realm: {
    shared: ({ randomBytes, libraries, entropy }) => {
      function getRandomValues<T extends ArrayBufferView>(array: T): T {
        if (!ArrayBuffer.isView(array) || array instanceof DataView)
          throw new TypeError('crypto.getRandomValues: the argument must be an integer array')
        if (array.byteLength > 65_536)
          throw new RangeError('crypto.getRandomValues: at most 65,536 bytes at a time')
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
        const random = randomBytes(bytes.length)
        for (let i = 0; i < bytes.length; i++) bytes[i] = random.charCodeAt(i)
        return array
      }
      function randomUUID(): string {
        const random = randomBytes(16)
        let hex = ''
        for (let i = 0; i < 16; i++) {
          const byte = random.charCodeAt(i)
          const fixed = i === 6 ? (byte & 15) | 64 : i === 8 ? (byte & 63) | 128 : byte
          hex += fixed.toString(16).padStart(2, '0')
        }
        return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
      }
      entropy.fill = getRandomValues
      return { ...libraries['crypto-js'], getRandomValues, randomUUID }
    },
  },
  types: `/** crypto-js 4 (hashes, HMAC, AES, encoders), with random values as in browsers. */
declare const crypto: typeof CryptoJS & {
  /** Fills an integer array of at most 65,536 bytes with random values and returns it. */
  getRandomValues<T extends ArrayBufferView>(array: T): T
  /** A random UUID, version 4. */
  randomUUID(): string
}`,
}

/** crypto-js under its own name. */
export const cryptoJsGlobal: ScriptGlobal = {
  name: 'CryptoJS',
  library: { name: 'crypto-js' },
  realm: {
    perStage:
      ({ libraries }) =>
      () =>
        libraries['crypto-js'],
  },
  types: `/** crypto-js 4: hashes, HMAC, AES and other ciphers, PBKDF2, encoders. */
declare namespace CryptoJS {}`,
}
