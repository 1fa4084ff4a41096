import type { ScriptGlobal } from './define.ts'

/** Text of code points up to 255 → base64, as in browsers. */
export const btoaGlobal: ScriptGlobal = {
  name: 'btoa',
  types: `/** Text of characters up to U+00FF → base64. */
declare function btoa(data: string): string`,
  realm: {
    shared: () => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
      return function btoa(data: unknown): string {
        const text = String(data)
        let result = ''
        for (let i = 0; i < text.length; i += 3) {
          const codes = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)]
          if (codes.some((code) => code > 255))
            throw new RangeError('btoa: only characters up to U+00FF can be encoded')
          const [a = 0, b = 0, c = 0] = codes
          const bits = (a << 16) | ((b || 0) << 8) | (c || 0)
          result += letters.charAt(bits >> 18) + letters.charAt((bits >> 12) & 63)
          result += i + 1 < text.length ? letters.charAt((bits >> 6) & 63) : '='
          result += i + 2 < text.length ? letters.charAt(bits & 63) : '='
        }
        return result
      }
    },
  },
}

/** Base64 → text of code points up to 255; white space is ignored, as in browsers. */
export const atobGlobal: ScriptGlobal = {
  name: 'atob',
  types: `/** Base64 → text of characters up to U+00FF; white space is ignored. */
declare function atob(data: string): string`,
  realm: {
    shared: () => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
      return function atob(data: unknown): string {
        let text = String(data).replace(/[\t\n\f\r ]/g, '')
        if (text.length % 4 === 0) text = text.replace(/={1,2}$/, '')
        if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text))
          throw new RangeError('atob: the text is not base64')
        let result = ''
        let bits = 0
        for (let i = 0; i < text.length; i++) {
          bits = ((bits << 6) | letters.indexOf(text.charAt(i))) & 0xffffff
          const kept = ((i + 1) * 6) % 8
          if (kept < 6) result += String.fromCharCode((bits >> kept) & 255)
        }
        return result
      }
    },
  },
}
