/** What a call of the platform came to, as a value: nothing was done, it is unknown, or an answer. */
import { NothingDone, OutcomeUnknown } from '../port.ts'
import type { Ctx } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { changeFlow, findFlow } from '../state/settings.ts'
import { pauseMs, waitAfter, CLOSED_MS } from './pace.ts'

export type Outcome<Answer> =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'nothing_done'; error: NothingDone }
  | { kind: 'unknown'; detail: string }

/** Calls the platform. An error that is not certain to have done nothing leaves the outcome unknown. */
export async function outcomeOf<Answer>(ctx: Ctx, call: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { kind: 'answered', answer: await call() }
  } catch (error) {
    if (error instanceof NothingDone) return { kind: 'nothing_done', error }
    if (!(error instanceof OutcomeUnknown)) ctx.env.report('exchange', error)
    return { kind: 'unknown', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Notes in the pace that a call failed; the next one waits longer, or as long as the platform asked for. */
export async function noteFailure(
  tx: Ctx,
  failed: Exclude<Outcome<unknown>, { kind: 'answered' }>,
): Promise<void> {
  const flow = await findFlow(tx)
  const failures = flow.failures + 1
  const code = failed.kind === 'nothing_done' ? failed.error.code : 'answer_lost'
  const detail = failed.kind === 'nothing_done' ? failed.error.message : failed.detail
  const isClosed = code === 'not_allowed' || code === 'not_configured'
  const asked = failed.kind === 'nothing_done' ? pauseMs(failed.error.retryAfter) : null
  const wait = asked ?? (isClosed ? CLOSED_MS : waitAfter(tx, failures))
  await changeFlow(tx, {
    failures,
    next_send_at: tx.now().getTime() + wait,
    fault_code: code,
    fault_detail: detail.slice(0, 500),
  })
  if (flow.fault_code !== code) await emitEvent(tx, 'exchange.changed', {})
}

/** Notes in the pace that a call was answered. */
export async function noteSuccess(tx: Ctx): Promise<void> {
  const flow = await findFlow(tx)
  if (flow.failures === 0 && flow.fault_code === null) return
  await changeFlow(tx, { failures: 0, next_send_at: 0, fault_code: null, fault_detail: null })
  await emitEvent(tx, 'exchange.changed', {})
}
