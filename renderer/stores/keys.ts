/**
 * API keys of the active book and their clients: the list, a new key (its secret passes through and is not stored),
 * and revoking.
 */
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { asCallError, call } from '../call.ts'
import type { CallError } from '../call.ts'
import { may } from './person.ts'
import type { InputOf, OutputOf } from '../../server/api/contracts.ts'

type KeyClient = OutputOf<'assistants.clients'>['items'][number]
export type ApiKey = OutputOf<'keys.list'>['items'][number]

export const useKeysStore = defineStore('keys', () => {
  const keys = shallowRef<readonly ApiKey[] | null>(null)
  /** Assistants by the identifier of their key. */
  const clients = shallowRef<ReadonlyMap<string, KeyClient>>(new Map())
  const error = shallowRef<CallError | null>(null)

  /** Loads the list; `error` holds a failure. */
  async function load(): Promise<void> {
    try {
      const [listed, known] = await Promise.all([
        call('keys.list', {}),
        may('connections.read') ? call('assistants.clients', {}) : { items: [] },
      ])
      keys.value = listed.items
      clients.value = new Map(known.items.map((client) => [client.keyId, client]))
      error.value = null
    } catch (thrown) {
      error.value = asCallError(thrown)
    }
  }

  /** Creates a key and returns its secret, which cannot be retrieved later. */
  async function create(input: InputOf<'keys.createByPerson'>): Promise<{ id: string; secret: string }> {
    const { key: secret, ...record } = await call('keys.createByPerson', input)
    keys.value = [record, ...(keys.value ?? [])]
    return { id: record.id, secret }
  }

  /** Revokes a key; returns the identifiers of those revoked with it. */
  async function revoke(id: string): Promise<string[]> {
    const { alsoRevoked } = await call('keys.revoke', { id })
    const gone = new Set([id, ...alsoRevoked])
    keys.value = (keys.value ?? []).filter((key) => !gone.has(key.id))
    return alsoRevoked
  }

  /** Clears the state: another book has other keys. */
  function forget(): void {
    keys.value = null
    clients.value = new Map()
    error.value = null
  }

  return { keys, clients, error, load, create, revoke, forget }
})
