/** Sends the webhooks of a company: a slow endpoint keeps neither the others nor new messages waiting. */
import { setTimeout as pause } from 'node:timers/promises'
import { createWorker } from '../../../platform/jobs/index.ts'
import type { DueTime } from '../../../platform/jobs/index.ts'
import { WEBHOOK_LIMITS, webhookWork } from '../../../platform/webhooks/index.ts'
import type { WorkOrder } from './handlers.ts'

/** How often new messages are looked for while some are under way. */
const LOOK_MS = 500

/** Hands out and sends until nothing is under way. Returns when more is due. */
export async function webhookPass({ env, company, isLeftBehind, signal, log }: WorkOrder): Promise<DueTime> {
  const { reclaim, work } = webhookWork({ env, log })
  if (isLeftBehind) await reclaim?.(company, true)
  const worker = createWorker({
    name: 'webhooks',
    log,
    now: env.now,
    limits: WEBHOOK_LIMITS,
    // What another server holds has expired, or is given back above.
    reclaim: async () => reclaim?.(company, false),
    work: (pass) => work(company, pass),
  })
  const stop = (): void => void worker.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const inMs = await worker.poll()
      if (signal.aborted) return env.now().getTime()
      // Nothing was started, and nothing is under way.
      if (await Promise.race([worker.quiet().then(() => true), pause(0, false)]))
        return inMs === undefined ? null : env.now().getTime() + inMs
      await Promise.race([worker.quiet(), pause(LOOK_MS)])
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.quiet()
  }
}
