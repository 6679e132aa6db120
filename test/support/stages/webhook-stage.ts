/** A world with a webhook to this computer, allowed by a person, and a sender controlled by the test. */
import { onTestFinished } from 'vitest'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import type { Mode } from '../../../server/context.ts'
import { emitEvent } from '../../../server/platform/events/index.ts'
import { createWebhookSender } from '../../../server/platform/webhooks/jobs.ts'
import type { WebhookJobOptions } from '../../../server/platform/webhooks/jobs.ts'
import { startReceiver } from '../receiver.ts'
import type { Behave, Receiver } from '../receiver.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'

interface Stage {
  world: World
  receiver: Receiver
  webhook: OutputOf<'webhooks.create'>
  /** Emits events of a type. */
  tell(count?: number, options?: { type?: 'invoice.issued' | 'contact.changed'; book?: Mode }): Promise<void>
  /** Runs the fan-out and deliveries until nothing is due. */
  pass(): Promise<void>
  /** Returns the current webhook. */
  now(): Promise<OutputOf<'webhooks.get'>>
  deliveries(state?: 'due' | 'done' | 'dead'): Promise<OutputOf<'webhooks.deliveries'>['items']>
  /** Moves the clock to the next attempt and sends, until nothing is due or `until` returns true. */
  passUntil(until: () => Promise<boolean>): Promise<void>
}

export async function openStage(
  options: {
    how?: Behave
    input?: Partial<InputOf<'webhooks.createByPerson'>>
    sender?: Partial<Omit<WebhookJobOptions, 'env' | 'log'>>
  } = {},
): Promise<Stage> {
  const world = await openWorld()
  const receiver = await startReceiver(options.how)
  const webhook = await world.run('webhooks.createByPerson', {
    url: receiver.url,
    events: ['*'],
    allowLocal: true,
    ...options.input,
  })
  const logged: string[] = []
  const sender = createWebhookSender({
    env: world.env,
    log: (line) => logged.push(line),
    random: () => 0.5,
    ...options.sender,
  })
  onTestFinished(async () => {
    await sender.stop()
    if (logged.length > 0) throw new Error(`The sender complained: ${logged.join('; ')}`)
  })
  const pass = async (): Promise<void> => {
    await sender.poll()
    await sender.quiet()
  }
  return {
    world,
    receiver,
    webhook,
    tell: (count = 1, { type = 'invoice.issued', book = 'test' } = {}) =>
      world.ctx({ book }).transaction(async (tx) => {
        for (let index = 0; index < count; index++)
          await emitEvent(
            tx,
            type,
            type === 'invoice.issued'
              ? { invoiceId: tx.newId('inv'), number: `T-F2026-${index}` }
              : { contactId: tx.newId('con') },
          )
      }),
    pass,
    now: () => world.run('webhooks.get', { id: webhook.id }),
    deliveries: async (state) =>
      (
        await world.run('webhooks.deliveries', {
          id: webhook.id,
          limit: 100,
          ...(state === undefined ? {} : { state }),
        })
      ).items,
    async passUntil(until) {
      await pass()
      while (!(await until())) {
        const waitMs = await sender.poll()
        if (waitMs === undefined) throw new Error('Nothing is due any more.')
        world.advance(waitMs)
        await pass()
      }
    },
  }
}
