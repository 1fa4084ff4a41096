const encode4 = (value: number) => {
  if (value < 8) return value
  const shift = 28 - Math.clz32(value)
  return ((value >>> shift) & 7) | ((shift + 1) << 3)
}
const decode4 = (code: number) => (code < 8 ? code : ((code & 7) | 8) * 2 ** ((code >>> 3) - 1))
const EXACT = 255 - encode4(0x7fffffff)

/** Length of a field in one byte: exact to 40, then with four significant bits. */
export const lengthToByte = (length: number): number =>
  length < EXACT ? length : EXACT + encode4(length - EXACT)

/** The length a byte stands for. */
export const byteToLength = (byte: number): number =>
  byte < EXACT ? byte : EXACT + decode4(byte - EXACT)

/** The byte of a document without the field. */
export const NORM_ABSENT = 0

/** The byte of a field whose values gave no token: it exists, and no term of it can match. */
export const NORM_NO_TOKENS = 255
