/**
 * Delivers sealed files to a service: each once, in the order of the chain, whatever is lost on the way. Everything that a later turn
 * needs stands in the outbox before a message leaves, so that the program may end at any moment.
 */
import type { LroeFile } from '../lroe/message.ts'
import type { LroeFilter, QueriedRecord } from '../lroe/query.ts'
import { resolveByAnswer, resolveByQuery } from '../wire/held.ts'
import { sameKey } from '../wire/outcome.ts'
import type { NotTakenReason, RecordOutcome, ServiceCode } from '../wire/outcome.ts'
import type { TicketBaiClient } from './client.ts'

/** A file without an outcome. */
interface OpenFile {
  file: LroeFile
  /** A message with it was begun, and nothing proves that the service did not take it. */
  mayHaveArrived: boolean
}

export type Settlement =
  /** `recovered`: by a query or a later answer, because its own answer was lost; its receipt is lost too. */
  | {
      id: string
      kind: 'accepted'
      warnings: ServiceCode[]
      receipt: string | null
      receivedAt: string | null
      recovered: boolean
    }
  | { id: string; kind: 'rejected'; codes: ServiceCode[] }
  /** The service keeps other content under the same key. A person decides. */
  | { id: string; kind: 'conflict'; codes: ServiceCode[] }

/** Where files wait. Every promise is fulfilled when the change is durable. */
export interface Outbox {
  /** Returns the first files without an outcome, in the order of the chain. */
  open(most: number): Promise<OpenFile[]>
  /** Notes, before a message leaves, that its files may have arrived. */
  begin(ids: readonly string[]): Promise<void>
  /** Stores outcomes, and takes back the note of files that certainly did not arrive: all together. */
  settle(settlements: readonly Settlement[], notArrived: readonly string[]): Promise<void>
}

/** Why a turn ended before the outbox was empty. */
interface Pause {
  reason: NotTakenReason | 'unknown'
  code: string | null
  detail: string
  /** Seconds that the service asked for. */
  retryAfter: number | null
}

export interface TurnResult {
  settled: number
  /** Null if every file that was looked at has an outcome. */
  pause: Pause | null
}

/** From this many on, one query by days costs less than one for each key. */
const KEYS_BY_DAYS = 4

/**
 * Sends one message, or settles files of earlier ones. Returns how many files were settled; call it until that is 0 and there is no
 * pause. Rejects only when the outbox does.
 */
export async function deliverNext(client: TicketBaiClient, outbox: Outbox): Promise<TurnResult> {
  const open = await outbox.open(client.mostFiles)
  if (open.length === 0) return { settled: 0, pause: null }
  const batch = open.slice(0, client.fitting(open.map(({ file }) => file)))
  const settlements: Settlement[] = []
  let pause: Pause | null = null

  // Where the service can be asked, nothing is sent twice that is there already.
  let waiting = batch
  const uncertain = batch.filter(({ mayHaveArrived }) => mayHaveArrived)
  if (client.find && uncertain.length > 0) {
    const held = await heldOf(client.find, uncertain)
    if ('reason' in held) return { settled: 0, pause: held }
    waiting = batch.filter((each) => {
      if (!each.mayHaveArrived) return true
      const found = held.records.find(({ key }) => sameKey(key, each.file.key)) ?? null
      const settlement = settlementOf(each.file, found)
      if (settlement) settlements.push(settlement)
      return settlement === null
    })
    if (settlements.length > 0) {
      await outbox.settle(settlements, [])
      return { settled: settlements.length, pause: null }
    }
  }

  await outbox.begin(waiting.map(({ file }) => file.id))
  const outcomes = await client.send(waiting.map(({ file }) => file))
  const notArrived: string[] = []
  const inDoubt: OpenFile[] = []
  for (const [index, each] of waiting.entries()) {
    const outcome = outcomes[index]?.outcome ?? { kind: 'unknown' as const, detail: 'No outcome.' }
    const { id } = each.file
    switch (outcome.kind) {
      case 'accepted':
        settlements.push({ id, recovered: false, ...outcome })
        break
      case 'rejected':
        settlements.push({ id, ...outcome })
        break
      case 'held':
        if (client.find) inDoubt.push(each)
        else settlements.push(resolvedByAnswer(each, outcome))
        break
      case 'not_taken':
        // It proves nothing about an earlier message.
        if (!each.mayHaveArrived) notArrived.push(id)
        pause ??= pauseOf(outcome)
        break
      case 'unknown':
        pause ??= pauseOf(outcome)
    }
  }
  if (client.find && inDoubt.length > 0) {
    const held = await heldOf(client.find, inDoubt)
    for (const { file } of 'reason' in held ? [] : inDoubt) {
      const found = 'records' in held ? held.records.find(({ key }) => sameKey(key, file.key)) : undefined
      const settlement = settlementOf(file, found ?? null)
      if (settlement) settlements.push(settlement)
      else
        pause ??= {
          reason: 'unknown',
          code: null,
          detail: 'Held, and not found by a query.',
          retryAfter: null,
        }
    }
    if ('reason' in held) pause ??= held
  }
  await outbox.settle(settlements, notArrived)
  return { settled: settlements.length, pause }
}

function resolvedByAnswer(
  { file, mayHaveArrived }: OpenFile,
  { codes, heldIdentifier }: Extract<RecordOutcome, { kind: 'held' }>,
): Settlement {
  return resolveByAnswer(file, heldIdentifier, { mayHaveArrived }) === 'ours'
    ? recoveredOf(file.id, [])
    : { id: file.id, kind: 'conflict', codes }
}

const recoveredOf = (id: string, warnings: ServiceCode[]): Settlement => ({
  id,
  kind: 'accepted',
  warnings,
  receipt: null,
  receivedAt: null,
  recovered: true,
})

/** Returns what a query settles, or null when the file has to be sent (again). */
function settlementOf(file: LroeFile, held: QueriedRecord | null): Settlement | null {
  const verdict = resolveByQuery(file, held)
  if (verdict === 'absent') return null
  if (verdict === 'ours')
    return recoveredOf(file.id, held?.code == null ? [] : [{ code: held.code, text: '' }])
  return { id: file.id, kind: 'conflict', codes: [] }
}

function pauseOf(outcome: Extract<RecordOutcome, { kind: 'not_taken' | 'unknown' }>): Pause {
  return outcome.kind === 'unknown'
    ? { reason: 'unknown', code: null, detail: outcome.detail, retryAfter: null }
    : {
        reason: outcome.reason,
        code: outcome.code,
        detail: outcome.detail,
        retryAfter: outcome.retryAfter ?? null,
      }
}

const sortable = (day: string): string => day.split('-').reverse().join('-')

/** Queries files of one message, which are of one year. */
async function heldOf(
  find: NonNullable<TicketBaiClient['find']>,
  files: readonly OpenFile[],
): Promise<{ records: QueriedRecord[] } | Pause> {
  const days = files
    .map(({ file }) => file.key.issueDate)
    .toSorted((a, b) => (sortable(a) < sortable(b) ? -1 : 1))
  const filters: LroeFilter[] =
    files.length < KEYS_BY_DAYS
      ? files.map(({ file: { key } }) => ({ key }))
      : [{ from: days[0] ?? '', to: days.at(-1) ?? '' }]
  const records: QueriedRecord[] = []
  for (const filter of filters) {
    const found = await find(filter)
    if (found.kind === 'failed') return pauseOf(found.outcome)
    records.push(...found.records)
  }
  return { records }
}
