/** Random actions of the person in the window, each through its operation, including rejections. */
import { AppError } from '../../../server/domain/errors/app-error.ts'
import type { ConfirmedAction } from '../../../server/sales/invoices/issue/confirmations.ts'
import { personalNif } from '../nif.ts'
import type { Company } from './furnish.ts'
import type { DeterministicWorld } from './world.ts'

/** The only NIF unknown to the simulated census. */
const UNKNOWN_NIF = '99999999R'
const CAUSES = ['returned_goods', 'discount', 'other'] as const

/** An action of an actor; returns its result for the trace. */
export type Deed = (world: DeterministicWorld, company: Company) => Promise<string>

function draftInput({ around: { dice } }: DeterministicWorld) {
  return {
    clientName: `Cliente ${dice.below(50)}`,
    clientNif: dice.below(10) === 0 ? UNKNOWN_NIF : personalNif(1 + dice.below(50)),
    lines: Array.from({ length: 1 + dice.below(3) }, (_, at) => ({
      description: `Servicio ${at}`,
      quantity: (1 + dice.below(900)) / 100,
      unitPrice: (1 + dice.below(90_000)) / 100,
      vatRate: dice.pick([21, 10, 4]),
    })),
  }
}

const draft: Deed = async (world, company) => {
  const { id } = await world.run(company, 'invoices.create', draftInput(world))
  world.known(company).drafts.push(id)
  return id
}

/** Returns a random known one, or throws if there is none. */
function one(world: DeterministicWorld, of: readonly string[]): string {
  if (of.length === 0) throw new NothingToDo()
  return world.around.dice.pick(of)
}

/** Removes `one`, unless it was removed already. */
export function forget<T>(of: T[], one: T): void {
  if (of.includes(one)) of.splice(of.indexOf(one), 1)
}

/** Thrown if there is no object for the action yet. */
export class NothingToDo extends Error {}

const edit: Deed = async (world, company) => {
  const id = one(world, world.known(company).drafts)
  const { version } = await world.run(company, 'invoices.update', { id, lines: draftInput(world).lines })
  return `${id} v${version}`
}

const discard: Deed = async (world, company) => {
  const id = one(world, world.known(company).drafts)
  await world.run(company, 'invoices.delete', { id })
  forget(world.known(company).drafts, id)
  return id
}

async function token(
  world: DeterministicWorld,
  company: Company,
  id: string,
  action: ConfirmedAction = 'issue',
  changes?: object,
) {
  const { confirmation, issues } = await world.run(company, 'invoices.validate', {
    id,
    action,
    ...(changes ? { changes } : {}),
  })
  if (!confirmation) throw new AppError('invoice_invalid', { details: { faults: issues } })
  return confirmation.confirmationToken
}

async function issueWith(world: DeterministicWorld, company: Company, id: string, confirmationToken: string) {
  const issued = await world.run(company, 'invoices.issue', { id, confirmationToken })
  world.acknowledge(company, issued)
  return issued
}

export const issue: Deed = async (world, company) => {
  // Drafts come first, as most other actions need them.
  if (world.known(company).drafts.length === 0) await draft(world, company)
  const id = one(world, world.known(company).drafts)
  const confirmationToken = await token(world, company, id)
  const { number } = await issueWith(world, company, id, confirmationToken)
  world.known(company).spent.push({ id, confirmationToken })
  return number ?? ''
}

/** A double click: one of the two issues, and the other gets the same invoice. */
const issueTwice: Deed = async (world, company) => {
  const id = await draft(world, company)
  const confirmationToken = await token(world, company, id)
  const both = await Promise.allSettled([
    issueWith(world, company, id, confirmationToken),
    issueWith(world, company, id, confirmationToken),
  ])
  const heard = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value.number] : []))
  for (const each of both)
    if (each.status === 'rejected' && !(each.reason instanceof AppError)) throw each.reason
  if (new Set(heard).size > 1) throw new Error(`One token issued ${heard.join(' and ')}.`)
  if (heard.length === 0) throw (both[0] as PromiseRejectedResult).reason
  return heard.join(' ')
}

/** The confirmed content has changed since. */
const issueStale: Deed = async (world, company) => {
  const id = await draft(world, company)
  const confirmationToken = await token(world, company, id)
  await world.run(company, 'invoices.update', {
    id,
    lines: [{ description: 'Otro', quantity: 1, unitPrice: 1 }],
  })
  return world.mustRefuse('confirmation_stale', () =>
    world.run(company, 'invoices.issue', { id, confirmationToken }),
  )
}

/** A used token: returns the same invoice, and does nothing else. */
const reuse: Deed = async (world, company) => {
  const { spent } = world.known(company)
  if (spent.length === 0) throw new NothingToDo()
  const { id, confirmationToken } = world.around.dice.pick(spent)
  const other = world.known(company).drafts.find((draftId) => draftId !== id)
  if (other !== undefined && world.around.dice.chance(0.5))
    return world.mustRefuse(null, () =>
      world.run(company, 'invoices.issue', { id: other, confirmationToken }),
    )
  const { number } = await issueWith(world, company, id, confirmationToken)
  return `again ${number}`
}

const rectify: Deed = async (world, company) => {
  const id = one(world, world.known(company).issued)
  const made = await world.run(company, 'invoices.rectify', { id, cause: world.around.dice.pick(CAUSES) })
  world.known(company).drafts.push(made.id)
  return made.id
}

const follow =
  (action: 'cancel' | 'amend'): Deed =>
  async (world, company) => {
    const { dice } = world.around
    const id = one(world, world.known(company).issued)
    const changes = {
      clientNif: dice.below(6) === 0 ? UNKNOWN_NIF : personalNif(1 + dice.below(50)),
      description: `Corregido ${dice.below(1000)}`,
    }
    const confirmationToken = await token(
      world,
      company,
      id,
      action,
      action === 'amend' ? changes : undefined,
    )
    const name = action === 'cancel' ? 'invoices.cancel' : 'invoices.amend'
    const { number } = await world.run(company, name, { id, confirmationToken })
    return `${action} ${number}`
  }

const pay: Deed = async (world, company) => {
  const id = one(world, world.known(company).issued)
  const { id: paymentId } = await world.run(company, 'payments.payInvoice', {
    id,
    date: world.today(),
    method: 'transfer',
    amount: 1 + world.around.dice.below(50),
  })
  world.known(company).payments.push(paymentId)
  return paymentId
}

const unpay: Deed = async (world, company) => {
  const id = one(world, world.known(company).payments)
  await world.run(company, 'payments.delete', { id })
  return id
}

const quote: Deed = async (world, company) => {
  const { id } = await world.run(company, 'quotes.create', draftInput(world))
  if (world.around.dice.chance(0.5)) await world.run(company, 'quotes.setState', { id, state: 'sent' })
  world.known(company).quotes.push(id)
  return id
}

const convert: Deed = async (world, company) => {
  const id = one(world, world.known(company).quotes)
  const { invoice } = await world.run(company, 'quotes.convert', { id, kind: 'F1' })
  world.known(company).drafts.push(invoice.id)
  return invoice.id
}

const recur: Deed = async (world, company) => {
  const { recurrences } = world.known(company)
  if (recurrences.length > 2)
    return (await world.run(company, 'recurring.run', { id: one(world, recurrences) })).invoice.id
  const { id } = await world.run(company, 'recurring.create', {
    name: `Cuota ${recurrences.length}`,
    rule: { freq: 'weekly', start: world.today() },
    invoice: draftInput(world),
  })
  recurrences.push(id)
  return id
}

const contact: Deed = async (world, company) => {
  const made = await world.run(company, 'contacts.create', {
    name: `Contacto ${world.around.dice.below(500)}`,
  })
  return made.id
}

const receive: Deed = async (world, company) => {
  const { dice } = world.around
  const { id } = await world.run(company, 'received.create', {
    supplierName: 'Suministros Norte, S.L.',
    supplierNif: personalNif(1 + dice.below(50)),
    supplierNumber: `A-${dice.below(1_000_000)}`,
    issueDate: world.today(),
    receptionDate: world.today(),
    taxLines: [{ base: (1 + dice.below(100_000)) / 100, vatRate: 21 }],
  })
  if (dice.chance(0.5))
    await world.run(company, 'payments.payReceived', {
      id,
      date: world.today(),
      method: 'transfer',
      amount: 1,
    })
  return id
}

const bringIn: Deed = async (world, company) => {
  const { dice } = world.around
  const lines = Array.from(
    { length: 1 + dice.below(4) },
    () => `Importado ${dice.below(1000)};uno@ejemplo.es`,
  )
  const content = Buffer.from(`Nombre;Correo\n${lines.join('\n')}\n`).toString('base64')
  const { run } = await world.run(company, 'imports.upload', {
    kind: 'contacts',
    fileName: 'contactos.csv',
    content,
  })
  const { id } = run
  await world.run(company, 'imports.check', { id })
  await world.run(company, 'imports.apply', { id })
  if (dice.chance(0.4)) await world.run(company, 'imports.undo', { id })
  return id
}

const takeOut: Deed = async (world, company) => {
  const what = world.around.dice.pick(['contacts.export', 'invoices.export', 'received.export'] as const)
  await world.run(company, what, {})
  return what
}

/** Decides the requests of assistants. */
const decide: Deed = async (world, company) => {
  const { waiting } = await world.run(company, 'approvals.list', {})
  const asked = waiting.find(({ status }) => status === 'pending')
  if (!asked) return decideProposal(world, company)
  const decision = world.around.dice.chance(0.75) ? 'approve' : 'deny'
  const { approvalId: id, contentHash } = asked
  // Recorded before the answer: a power failure after the commit leaves an approval without an answer.
  if (decision === 'approve') world.approved.add(asked.invoice.id)
  const decided = await world.run(company, 'approvals.decide', { id, decision, contentHash })
  return `${decided.status} ${id}`
}

const decideProposal: Deed = async (world, company) => {
  const [first] = (await world.run(company, 'inbox.list', {})).waiting
  if (!first) throw new NothingToDo()
  const { proposalId: id } = first
  const { seen } = await world.run(company, 'inbox.open', { id })
  const decision = world.around.dice.chance(0.5) ? 'accept' : 'reject'
  const { status } = await world.run(company, 'inbox.decide', { id, decision, seen })
  return `${status} ${id}`
}

const redeliver: Deed = async (world, company) => {
  const { items } = await world.run(company, 'webhooks.deliveries', {
    id: company.webhookId,
    state: 'dead',
    limit: 5,
  })
  const [first] = items
  if (!first) throw new NothingToDo()
  await world.run(company, 'webhooks.redeliver', { id: first.id })
  return first.id
}

/** Actions with their frequencies. */
export const PERSON: readonly [weight: number, name: string, deed: Deed][] = [
  [10, 'draft', draft],
  [5, 'edit', edit],
  [2, 'discard', discard],
  [16, 'issue', issue],
  [2, 'issue twice', issueTwice],
  [2, 'issue stale', issueStale],
  [2, 'reuse a token', reuse],
  [3, 'rectify', rectify],
  [3, 'cancel', follow('cancel')],
  [3, 'amend', follow('amend')],
  [4, 'pay', pay],
  [1, 'unpay', unpay],
  [2, 'quote', quote],
  [1, 'convert', convert],
  [2, 'recur', recur],
  [1, 'contact', contact],
  [2, 'receive', receive],
  [1, 'import', bringIn],
  [1, 'export', takeOut],
  [8, 'decide', decide],
  [1, 'redeliver', redeliver],
]
