import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** A password as it is kept: parameters, salt and key, so that costs can be raised later. */
export interface PasswordHash {
  cost: number
  salt: string
  key: string
}

const COST = 2 ** 15
const KEY_BYTES = 32

const derive = (password: string, salt: Buffer, cost: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const options = { cost, maxmem: 256 * cost * 8 }
    scrypt(password, salt, KEY_BYTES, options, (problem, key) =>
      problem ? reject(problem) : resolve(key),
    )
  })

/** Takes about 60 ms on the thread pool, on purpose. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return { cost: COST, salt: salt.toString('base64'), key: key.toString('base64') }
}

/** Compares in constant time. */
export async function verifyPassword(password: string, hash: PasswordHash) {
  const key = await derive(password, Buffer.from(hash.salt, 'base64'), hash.cost)
  return timingSafeEqual(key, Buffer.from(hash.key, 'base64'))
}
