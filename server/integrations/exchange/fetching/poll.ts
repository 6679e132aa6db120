/** Asks the platform what the other side did, and writes it together with the position: each event counts once. */
import { failpoint } from '../../../db/failpoints.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx } from '../../../context.ts'
import type { ExchangeEvent, ExchangePort } from '../port.ts'
import { outcomeOf } from '../sending/outcome.ts'
import { pauseMs, waitAfter, POLL_MS } from '../sending/pace.ts'
import { changeFlow, findFlow } from '../state/settings.ts'
import { noteArrived, noteStatus, noteWithdrawn } from './note.ts'

/** Pages of events that one turn reads. */
const MOST_PAGES = 20

/** Reads the events after the last position, and writes what they say. A failure is tried again later, longer each time. */
export async function pollPlatform(ctx: Ctx, port: ExchangePort): Promise<void> {
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { position } = await findFlow(ctx)
    const outcome = await outcomeOf(ctx, () => port.events(position))
    failpoint('exchange.events_read')
    if (outcome.kind !== 'answered') {
      const asked = outcome.kind === 'nothing_done' ? pauseMs(outcome.error.retryAfter) : null
      await ctx.transaction(async (tx) => {
        const failures = (await findFlow(tx)).poll_failures + 1
        await changeFlow(tx, {
          poll_failures: failures,
          next_poll_at: tx.now().getTime() + (asked ?? waitAfter(tx, failures)),
        })
      })
      return
    }
    const { events, next } = outcome.answer
    const isDone = await ctx.transaction(async (tx) => {
      // Another server read the same page.
      if ((await findFlow(tx)).position !== position) return false
      for (const event of events) await noteEvent(tx, event)
      const now = tx.now().getTime()
      await changeFlow(tx, { position: next, poll_failures: 0, polled_at: now, next_poll_at: now + POLL_MS })
      if (events.length > 0) await emitEvent(tx, 'exchange.changed', {})
      return events.length === 0 || next === position
    })
    failpoint('exchange.events_written')
    if (isDone) return
  }
}

async function noteEvent(tx: Ctx, event: ExchangeEvent): Promise<void> {
  switch (event.kind) {
    case 'arrived':
      return noteArrived(tx, event.found)
    case 'status': {
      const isKnown = await noteStatus(tx, event.invoice, event.status)
      if (!isKnown)
        await recordAudit(tx, {
          action: 'exchange.status_unknown',
          target: { type: 'exchange', id: event.invoice.number, label: event.invoice.number },
          outcome: 'failed',
        })
      return
    }
    case 'withdrawn':
      return noteWithdrawn(tx, event.invoice)
  }
}
