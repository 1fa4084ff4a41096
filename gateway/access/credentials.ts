import { randomBytes, randomUUID } from 'node:crypto'
import type { StateStore } from '../state/state-store.ts'
import { hashPassword, type PasswordHash, verifyPassword } from './passwords.ts'

interface StoredCredential {
  username: string
  hash: PasswordHash
  admin: boolean
}

/** Who a request comes from. */
export interface Principal {
  username: string
  admin: boolean
}

/** What the secret store is asked for; the access folder does not know it. */
export interface AdminSecrets {
  get(name: string): string | undefined
  put(name: string, value: string): void
}

export type Credentials = Awaited<ReturnType<typeof openCredentials>>

const KIND = 'credential'
const ADMIN_PASSWORD = 'admin-password'
/** Begins the name of the administrator that was made by a first start. */
const MADE = 'sluice-'
/** Verified header texts kept; each entry stands for one scrypt that need not be paid again. */
const CACHE_LIMIT = 10_000
/** scrypt runs allowed at once: the thread pool has other work, and wrong guesses are free to send. */
const MAX_VERIFYING = 8

/**
 * Opens the gateway's credentials. The first start makes one administrator with a random password,
 * which is kept encrypted and checked against its hash only (decisions.md 24).
 */
export async function openCredentials(state: StateStore, secrets: AdminSecrets) {
  const byName = new Map<string, StoredCredential>()
  for (const { value } of state.list(KIND)) {
    // Only this file writes the kind; a schema library would cost the start a third of its time.
    const credential = value as StoredCredential
    byName.set(credential.username, credential)
  }
  /** Header text → principal, or null for one that was refused. */
  const verified = new Map<string, Principal | null>()
  if (byName.size === 0) {
    const { username, hash } = await makeAdmin(state, secrets)
    byName.set(username, { username, hash, admin: true })
  }
  const admin = () => [...byName.values()].find((one) => one.admin)

  let verifying = 0
  const waiting: (() => void)[] = []
  async function verifySlowly(header: string): Promise<Principal | null> {
    if (verifying >= MAX_VERIFYING) await new Promise<void>((go) => waiting.push(go))
    verifying++
    try {
      const known = verified.get(header)
      if (known !== undefined) return known
      const pair = readBasic(header)
      const credential = pair && byName.get(pair.username)
      // An unknown name costs the same time as a wrong password, so that names cannot be guessed.
      const hash = credential?.hash ?? admin()?.hash
      const matches = hash && pair ? await verifyPassword(pair.password, hash) : false
      const principal =
        credential && matches ? { username: credential.username, admin: credential.admin } : null
      if (verified.size >= CACHE_LIMIT) verified.delete(verified.keys().next().value ?? '')
      verified.set(header, principal)
      return principal
    } finally {
      verifying--
      waiting.shift()?.()
    }
  }

  return {
    /**
     * The principal behind an `authorization` header; null when it is missing or wrong. Known
     * headers are answered at once, others through scrypt.
     */
    verify(header: string | undefined): Principal | null | Promise<Principal | null> {
      if (header === undefined) return null
      const known = verified.get(header)
      return known !== undefined ? known : verifySlowly(header)
    },
    /** The administrator's pair, for the workbench and `--print-credentials`. */
    adminPair() {
      const username = admin()?.username ?? ''
      return { username, password: secrets.get(ADMIN_PASSWORD) ?? '' }
    },
  }
}

/** An administrator with the password that only the secret store knows. */
interface Admin {
  username: string
  hash: PasswordHash
  password: string
}

/** Makes an administrator with a random password. */
export async function makeAdmin(state: StateStore, secrets: AdminSecrets): Promise<Admin> {
  const username = MADE + randomUUID().slice(0, 8)
  const password = randomBytes(24).toString('base64url')
  const admin = { username, hash: await hashPassword(password), password }
  replaceAdmin(state, secrets, admin)
  return admin
}

/** The administrator a first start made, when there is one. */
export function readAdmin(state: StateStore, secrets: AdminSecrets): Admin | undefined {
  const [found] = madeAdmins(state)
  const password = secrets.get(ADMIN_PASSWORD)
  return found && password !== undefined ? { ...found, password } : undefined
}

/** Puts an administrator in the place of the one a first start made. */
export function replaceAdmin(
  state: StateStore,
  secrets: AdminSecrets,
  { username, hash, password }: Admin,
) {
  const former = madeAdmins(state)
  secrets.put(ADMIN_PASSWORD, password)
  state.put(KIND, username, { username, hash, admin: true } satisfies StoredCredential)
  for (const one of former) if (one.username !== username) state.remove(KIND, one.username)
}

const madeAdmins = (state: StateStore) =>
  state
    .list(KIND)
    // Safe: only this file writes the kind.
    .map(({ value }) => value as StoredCredential)
    .filter(({ username, admin }) => admin && username.startsWith(MADE))

/** Reads `Basic` credentials; RFC 7617. The name ends at the first colon. */
function readBasic(header: string) {
  const [scheme = '', encoded = ''] = header.split(' ')
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
