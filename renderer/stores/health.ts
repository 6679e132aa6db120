/**
 * Health of Sello: whether its server answers, and whether the books are writable. Derived from the session, the
 * stream of events and every failed call; the content of the page stays, and is saved once possible.
 */
import { defineStore } from 'pinia'
import { computed, getCurrentScope, onScopeDispose, ref, watch } from 'vue'
import { call, onCallFailed, signInAgain, windowHeaders } from '../call.ts'
import { pollEventsNow, onCut, onEvent } from '../events.ts'
import type { OutputOf } from '../../server/api/contracts.ts'
import { useSessionStore } from './session.ts'

/** Shorter silences are a server that restarts or a computer that wakes up. */
const TIMEOUT_MS = 2_500
const PROBE_MS = 2_000

/** `replaced`: a new server that does not know this tab. `shut`: a new server that cannot open the books. */
type ServerState = 'here' | 'gone' | 'replaced' | 'shut'

type StoreState = OutputOf<'session.get'>['store']

const mended = new Set<() => void>()

/** Minimum interval between retries of what failed temporarily. */
const HEAL_EVERY_MS = 5_000

/** Calls `listener` when the server answers again or the books become writable again: what failed can be repeated now. */
export function onWriteRecovered(listener: () => void): () => void {
  mended.add(listener)
  const stop = () => void mended.delete(listener)
  if (getCurrentScope()) onScopeDispose(stop)
  return stop
}

export const useHealthStore = defineStore('health', () => {
  const session = useSessionStore()
  const server = ref<ServerState>('here')
  /** Why the books are not writable; null if they are. */
  const writeFault = ref<string | null>(session.session?.store.writeFault ?? null)
  /** Free space on the disk of the books; null if it is enough. */
  const lowDisk = ref(session.session?.store.lowDisk ?? null)
  /** Fault of the backups; null if there is none. */
  const backups = ref(session.session?.store.backups ?? null)
  const checking = ref(false)
  let probing = false

  /** True if the books are on read-only media and were opened for reading. */
  const isForReading = computed(() => writeFault.value === 'read_only_media')
  const fullDisk = computed(() => writeFault.value !== null && /FULL|NOSPC|SHMSIZE/.test(writeFault.value))

  function setWriteFault(reason: string | null): void {
    const wasFaulty = writeFault.value !== null
    writeFault.value = reason
    if (wasFaulty && reason === null) for (const listener of mended) listener()
  }

  /** Returns the current state of the server. */
  async function look(): Promise<ServerState> {
    try {
      const response = await fetch('/app/call/session.get', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...windowHeaders() },
        body: '{}',
      })
      if (response.status === 401) return (await signInAgain()) ? 'here' : 'replaced'
      const body = (await response.json()) as {
        data?: { store: Pick<StoreState, 'writeFault' | 'lowDisk' | 'backups'> }
        error?: { details?: { trouble?: string } }
      }
      if (body.error?.details?.trouble) return 'shut'
      if (body.data) {
        setWriteFault(body.data.store.writeFault)
        lowDisk.value = body.data.store.lowDisk
        backups.value = body.data.store.backups
      }
      return 'here'
    } catch {
      return 'gone'
    }
  }

  let healedAt = 0
  let healing: ReturnType<typeof setTimeout> | undefined
  /** Tells pages whose call failed that the server answers; a persistent failure is not retried in a loop. */
  function heal(): void {
    clearTimeout(healing)
    const wait = healedAt + HEAL_EVERY_MS - Date.now()
    if (wait > 0) {
      healing = setTimeout(heal, wait)
      return
    }
    healedAt = Date.now()
    for (const listener of mended) listener()
  }

  /** Polls until the server answers as before; reports the outage only after a moment. */
  async function probe(): Promise<void> {
    if (probing) return
    probing = true
    const since = Date.now()
    try {
      for (;;) {
        const found = await look()
        if (found !== 'gone' || Date.now() - since > TIMEOUT_MS) server.value = found
        if (found === 'here') {
          heal()
          break
        }
        await new Promise((resolve) => setTimeout(resolve, found === 'gone' ? PROBE_MS / 4 : PROBE_MS))
      }
    } finally {
      probing = false
    }
  }

  /** Asks the server to try writing; `writeFault` holds the result, and `lowDisk` the free space. */
  async function check(): Promise<void> {
    checking.value = true
    try {
      setWriteFault((await call('store.check', {})).reason)
      await look()
    } finally {
      checking.value = false
    }
  }

  watch(server, (now, before) => {
    if (now === 'here' && before !== 'here') pollEventsNow()
  })
  onEvent('store.state', ({ data }) => {
    setWriteFault((data.reason as string | null) ?? null)
    lowDisk.value = (data.lowDisk as StoreState['lowDisk'] | undefined) ?? null
  })
  for (const type of ['backup.failed', 'backup.recovered']) onEvent(type, () => void look())
  onCut(() => void probe())
  onCallFailed((error) => {
    if (error.code === 'offline' || error.details.trouble !== undefined) void probe()
    if (error.code === 'disk_low') void look()
    if (error.code === 'store_readonly' && typeof error.details.reason === 'string')
      setWriteFault(error.details.reason)
  })

  return { server, writeFault, isForReading, fullDisk, lowDisk, backups, checking, check, probe }
})
