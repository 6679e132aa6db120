/** What the metrics read from the process, the database and its standby servers each time they are asked for. */
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Pool } from 'pg'
import type { Log } from '../../../platform/log.ts'
import type { ConnectedOffice } from '../connect.ts'
import type { OfficeWatch } from '../watch.ts'
import { readFigures } from './queues.ts'
import type { OfficeFigures } from './queues.ts'

/** Figures about all companies are read at most this often. */
const FIGURES_MS = 15_000

interface Replica {
  name: string | null
  sync: string | null
  lag: number | null
  bytes: number | null
}

/** Reads the standby servers and whether a commit waits for one. Roles without `pg_monitor` see only that they exist. */
async function readReplicas(pool: Pool): Promise<{ replicas: Replica[]; isSynchronous: boolean }> {
  const { rows: replicas } = await pool.query<Replica>(
    `select application_name as name, sync_state as sync,
      (extract(epoch from replay_lag) * 1000)::bigint as lag,
      pg_wal_lsn_diff(case when pg_is_in_recovery() then null else pg_current_wal_lsn() end, replay_lsn)::bigint as bytes
    from pg_stat_replication order by application_name`,
  )
  const { rows } = await pool.query<{ names: string; level: string }>(
    `select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as level`,
  )
  const [setting] = rows
  return {
    replicas,
    isSynchronous:
      setting !== undefined && setting.names !== '' && ['on', 'remote_apply'].includes(setting.level),
  }
}

/** Adds the gauges that are read when the metrics are asked for. Returns what reads them; it throws nothing. */
export function addReadings(
  registry: Registry,
  { sello, pools }: Pick<ConnectedOffice, 'sello' | 'pools'>,
  watch: OfficeWatch,
  log: Log,
): () => Promise<void> {
  const registers = [registry]
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers })

  const connections = gauge('sello_pool_connections', 'Connections to the database.', ['pool', 'state'])
  const waiting = gauge('sello_pool_waiting', 'Requests that wait for a connection.', ['pool'])
  const lag = gauge('sello_event_loop_lag_seconds', 'Greatest delay of the event loop in the last seconds.')
  const ready = gauge('sello_ready', '1 if this server takes requests.')
  const ages = gauge('sello_queue_oldest_seconds', 'Age of the oldest thing that waits in a queue.', [
    'queue',
  ])
  const unsent = gauge('sello_records_unsent', 'Live records that have waited for over an hour.')
  const unproved = gauge('sello_chains_unproved', 'Record chains without a proof for over a day.')
  const stopped = gauge('sello_chains_stopped', 'Record chains that are broken or held.')
  const replicaLag = gauge('sello_replica_lag_seconds', 'Time that a standby is behind.', ['replica'])
  const replicaBytes = gauge('sello_replica_lag_bytes', 'Log that a standby has not replayed.', ['replica'])
  const replicas = gauge('sello_replicas', 'Standby servers that are connected, by kind.', ['sync'])
  const synchronous = gauge('sello_commit_synchronous', '1 if a commit waits for a standby.')
  const failed = gauge('sello_readings_failed', '1 for figures that could not be read.', ['figures'])

  let known: { at: number; figures: Promise<OfficeFigures> } | null = null
  const figures = (): Promise<OfficeFigures> => {
    const now = performance.now()
    if (!known || now - known.at > FIGURES_MS)
      known = { at: now, figures: readFigures(sello.dueWork, sello.env.now()) }
    return known.figures
  }
  const fromCompanies = async (): Promise<void> => {
    for (const each of [ages, unsent, unproved, stopped]) each.reset()
    const read = await figures()
    for (const [queue, seconds] of Object.entries(read.ages)) ages.set({ queue }, seconds)
    unsent.set(read.recordsUnsent)
    unproved.set(read.chainsUnproved)
    stopped.set(read.chainsStopped)
  }
  const fromReplicas = async (): Promise<void> => {
    for (const each of [replicaLag, replicaBytes, replicas, synchronous]) each.reset()
    const read = await readReplicas(watch.pool)
    synchronous.set(read.isSynchronous ? 1 : 0)
    for (const { name, sync, lag: behind, bytes } of read.replicas) {
      const replica = name ?? 'unknown'
      replicas.inc({ sync: sync ?? 'unknown' })
      if (behind !== null) replicaLag.set({ replica }, behind / 1000)
      if (bytes !== null) replicaBytes.set({ replica }, bytes)
    }
  }
  /** One reading that fails hides no other figure. */
  const reading = async (name: string, read: () => Promise<void>): Promise<void> => {
    try {
      await read()
      failed.set({ figures: name }, 0)
    } catch (error) {
      known = null
      failed.set({ figures: name }, 1)
      log({ event: 'metrics', error })
    }
  }
  return async () => {
    for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries({
      write: pools.writers,
      read: pools.readers,
    })) {
      connections.set({ pool, state: 'idle' }, idleCount)
      connections.set({ pool, state: 'busy' }, totalCount - idleCount)
      waiting.set({ pool }, waitingCount)
    }
    lag.set(watch.health().lagMs / 1000)
    await Promise.all([
      reading('readiness', async () => ready.set((await watch.readiness()) === null ? 1 : 0)),
      reading('companies', fromCompanies),
      reading('replicas', fromReplicas),
    ])
  }
}
