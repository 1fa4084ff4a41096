import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '../errors.ts'
import type { StateStore } from '../state/state-store.ts'

/** Values that may not be read from disk by others: passwords, secret environment values. */
export interface SecretStore {
  get(name: string): string | undefined
  put(name: string, value: string): void
  remove(name: string): void
  /** Encrypts a value that is kept elsewhere; it opens under the same name only. */
  seal(name: string, value: string): string
  /** @throws {GatewayError} REQUEST_INVALID when it was sealed with another key or name. */
  unseal(name: string, sealed: string): string
  /** Every value it has handed out or taken, former ones included: what `mask` looks for. */
  known(): Iterable<string>
}

const ALGORITHM = 'aes-256-gcm'
const KIND = 'secret'

/**
 * Encrypts each value with AES-256-GCM before it goes to the state store. The key is
 * SLUICE_SECRET_KEY (any text) or `secret.key` in the data folder, made with mode 0600.
 * @throws {GatewayError} REQUEST_INVALID when a stored value does not open with this key.
 */
export function openSecretStore(state: StateStore, dataDir: string): SecretStore {
  const key = readKey(dataDir)
  const seen = new Map<string, string>()
  /** No longer in use, but traces of this process may still hold them. */
  const former = new Set<string>()

  const get = (name: string) => {
    const cached = seen.get(name)
    if (cached !== undefined) return cached
    const sealed = state.get(KIND, name)
    if (typeof sealed !== 'string') return undefined
    const value = open(key, name, Buffer.from(sealed, 'base64'))
    seen.set(name, value)
    return value
  }
  const retire = (name: string) => {
    const value = get(name)
    if (value !== undefined) former.add(value)
    seen.delete(name)
  }
  return {
    get,
    put(name, value) {
      retire(name)
      state.put(KIND, name, seal(key, name, value).toString('base64'))
      seen.set(name, value)
    },
    remove(name) {
      retire(name)
      state.remove(KIND, name)
    },
    seal: (name, value) => seal(key, name, value).toString('base64'),
    unseal: (name, sealed) => open(key, name, Buffer.from(sealed, 'base64')),
    known: () => [...seen.values(), ...former],
  }
}

function readKey(dataDir: string) {
  const fromEnvironment = process.env.SLUICE_SECRET_KEY
  if (fromEnvironment) return createHash('sha256').update(fromEnvironment).digest()
  const file = join(dataDir, 'secret.key')
  try {
    return readFileSync(file)
  } catch {
    const key = randomBytes(32)
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' })
    return key
  }
}

/** The name is authenticated, too: a sealed value moved to another name does not open. */
function seal(key: Buffer, name: string, value: string) {
  const iv = randomBytes(12)
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(name))
  const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

function open(key: Buffer, name: string, sealed: Buffer) {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, 12))
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(12, 28))
    return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw errors.requestInvalid(
      `The stored secret "${name}" was sealed with another key; start with the SLUICE_SECRET_KEY ` +
        'or secret.key it was written with',
      { cause },
    )
  }
}
