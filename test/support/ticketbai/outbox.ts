/** An outbox in memory that may lose its process at any step, and a program that starts again over it. */
import { deliverNext } from '../../../server/registry/systems/ticketbai/client/deliver.ts'
import type {
  Outbox,
  Settlement,
  TurnResult,
} from '../../../server/registry/systems/ticketbai/client/deliver.ts'
import type { TicketBaiClient } from '../../../server/registry/systems/ticketbai/client/client.ts'
import type { LroeFile } from '../../../server/registry/systems/ticketbai/lroe/message.ts'

export class Killed extends Error {}

interface Row {
  file: LroeFile
  mayHaveArrived: boolean
  settlement: Settlement | null
}

/** The durable part is `rows`; `killAt` ends the program at one of its next steps. */
export class TestOutbox implements Outbox {
  readonly rows: Row[] = []
  private steps = 0
  private killedAt = 0

  add(file: LroeFile): void {
    this.rows.push({ file, mayHaveArrived: false, settlement: null })
  }

  killAt(step: number): void {
    this.steps = 0
    this.killedAt = step
  }

  /** Counts a step; a kill comes before or after the change, never between. */
  step(): void {
    this.steps += 1
    if (this.killedAt > 0 && this.steps === this.killedAt) {
      this.killedAt = 0
      throw new Killed()
    }
  }

  open = async (most: number) => {
    this.step()
    return this.rows
      .filter(({ settlement }) => settlement === null)
      .slice(0, most)
      .map(({ file, mayHaveArrived }) => ({ file, mayHaveArrived }))
  }

  begin = async (ids: readonly string[]) => {
    this.step()
    for (const row of this.rows) if (ids.includes(row.file.id)) row.mayHaveArrived = true
    this.step()
  }

  settle = async (settlements: readonly Settlement[], notArrived: readonly string[]) => {
    this.step()
    for (const settlement of settlements) {
      const row = this.rows.find(({ file }) => file.id === settlement.id)
      if (!row || row.settlement) throw new Error(`${settlement.id} is settled twice.`)
      row.settlement = settlement
    }
    for (const row of this.rows) if (notArrived.includes(row.file.id)) row.mayHaveArrived = false
    this.step()
  }

  settlementOf(id: string): Settlement | null {
    return this.rows.find(({ file }) => file.id === id)?.settlement ?? null
  }
}

/** Delivers until nothing is open, or the service makes it pause. */
export async function deliverAll(client: TicketBaiClient, outbox: Outbox): Promise<TurnResult> {
  let settled = 0
  for (;;) {
    const turn = await deliverNext(client, outbox)
    settled += turn.settled
    if (turn.pause || turn.settled === 0) return { settled, pause: turn.pause }
  }
}
