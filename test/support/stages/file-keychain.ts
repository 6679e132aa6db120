/** A keychain in a JSON file, which outlives its process. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Keychain } from '../../../server/db/embedded/keys/keyring.ts'

/** Returns its items by account. */
export function itemsOf(file: string): Record<string, string> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}

export function fileKeychain(file: string): Keychain {
  const write = (items: Record<string, string>): void => {
    writeFileSync(`${file}.new`, JSON.stringify(items))
    renameSync(`${file}.new`, file)
  }
  return {
    getPassword: async (_service, account) => itemsOf(file)[account] ?? null,
    setPassword: async (_service, account, password) => write({ ...itemsOf(file), [account]: password }),
    deletePassword: async (_service, account) => {
      const { [account]: gone, ...rest } = itemsOf(file)
      if (gone !== undefined) write(rest)
      return gone !== undefined
    },
    findCredentials: async () =>
      Object.entries(itemsOf(file)).map(([account, password]) => ({ account, password })),
  }
}
