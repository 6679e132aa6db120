/**
 * Actions of another program over REST: it names each of its requests, and repeats one under the same name with or
 * without an answer. The same name has one effect and one answer, as long as replies are stored.
 */
import { AppError } from '../../../server/domain/errors/app-error.ts'
import type { ErrorCode } from '../../../server/domain/errors/catalog.ts'
import { RETENTION_MS } from '../../../server/platform/idempotency/index.ts'
import { personalNif } from '../nif.ts'
import { PORT } from '../world.ts'
import { forget, NothingToDo } from './person.ts'
import type { Deed } from './person.ts'
import type { Company } from './furnish.ts'
import { HOUR } from './surroundings.ts'
import type { DeterministicWorld } from './world.ts'

/** A request that was sent under a name. */
export interface Named {
  name: string
  path: string
  body: Record<string, unknown>
  /** Time of the first attempt, by the real clock. */
  at: number
  /** Its result; null without an answer. */
  answer: string | null
  /** Number of attempts. */
  tries: number
}

/** The clock of this computer may have been a day off when a reply was stored, and when it is looked up. */
const SURELY_KEPT_MS = RETENTION_MS - 64 * HOUR
/** Number of sent requests that a program may repeat. */
const REMEMBERED = 12

interface Reply {
  status: number
  replayed: boolean
  data: any
  text: string
}

/** Sends a request. Throws its error. */
async function post(
  world: DeterministicWorld,
  company: Company,
  path: string,
  body: Record<string, unknown>,
  name?: string,
): Promise<Reply> {
  const raw = await world.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: {
      host: `127.0.0.1:${PORT}`,
      authorization: `Bearer ${company.programKey}`,
      ...(name === undefined ? {} : { 'idempotency-key': name }),
    },
    payload: body,
  })
  const answer = raw.json()
  if (!answer.ok) {
    const { code, message, details } = answer.error as { code: ErrorCode; message: string; details?: object }
    if (typeof code !== 'string') throw new Error(`The door answered ${raw.statusCode}: ${raw.body}`)
    throw new AppError(code, { details: { message, ...details } })
  }
  return {
    status: raw.statusCode,
    replayed: raw.headers['idempotency-replayed'] === 'true',
    data: answer.data,
    text: `${raw.statusCode} ${JSON.stringify(answer.data)}`,
  }
}

/** Sends it under its name and remembers it, whether an answer arrives or not. */
async function postNamed(
  world: DeterministicWorld,
  company: Company,
  path: string,
  body: Record<string, unknown>,
): Promise<Reply> {
  const { sent } = world.known(company)
  const name = `${company.book.mode}-${world.steps}-${world.around.dice.below(1_000_000)}`
  const named: Named = { name, path, body, at: world.around.time, answer: null, tries: 1 }
  sent.push(named)
  if (sent.length > REMEMBERED) sent.shift()
  const reply = await post(world, company, path, body, name)
  named.answer = reply.text
  if (reply.replayed && named.tries === 1)
    throw new Error(`Broken: ${name} was never sent before, and is answered as a repetition.`)
  return reply
}

const issuedBy = (path: string): boolean => path.endsWith('/issue')

const sell: Deed = async (world, company) => {
  const { dice } = world.around
  const made = await postNamed(world, company, '/invoices', {
    clientName: `Pedido ${dice.below(500)}`,
    clientNif: personalNif(1 + dice.below(50)),
    lines: [
      { description: 'Artículo', quantity: 1 + dice.below(5), unitPrice: (1 + dice.below(9_000)) / 100 },
    ],
  })
  const { id } = made.data
  const { data } = await post(world, company, `/invoices/${id}/validate`, {})
  if (!data.confirmation) throw new AppError('invoice_invalid', { details: { faults: data.issues } })
  const { confirmationToken } = data.confirmation
  const issued = await postNamed(world, company, `/invoices/${id}/issue`, { confirmationToken })
  world.acknowledge(company, issued.data)
  return issued.data.number
}

/** Repeats a request unchanged: its answer was lost, or the program is cautious. */
const repeat: Deed = async (world, company) => {
  const { sent } = world.known(company)
  // One without an answer comes first, as in real programs.
  const named =
    sent.find(({ answer }) => answer === null) ?? (sent.length > 0 ? world.around.dice.pick(sent) : null)
  if (!named) throw new NothingToDo()
  if (world.around.time - named.at > SURELY_KEPT_MS) {
    forget(sent, named)
    throw new NothingToDo()
  }
  const { answer } = named
  named.tries += 1
  const reply = await post(world, company, named.path, named.body, named.name)
  if (answer !== null && !reply.replayed)
    throw new Error(`Broken: ${named.name} was answered, and is taken for new.`)
  // Another caller who sent it in the meantime may have got the answer.
  if (named.answer !== null && reply.text !== named.answer)
    throw new Error(`Broken: ${named.name} was answered ${named.answer} and now ${reply.text}.`)
  named.answer = reply.text
  if (issuedBy(named.path)) world.acknowledge(company, reply.data)
  return `${named.name} ${reply.replayed ? 'again' : 'at last'}`
}

/** Sends another request under a used name. */
const mixUp: Deed = async (world, company) => {
  const answered = world
    .known(company)
    .sent.filter(({ answer, at }) => answer !== null && world.around.time - at <= SURELY_KEPT_MS)
  if (answered.length === 0) throw new NothingToDo()
  const { name } = world.around.dice.pick(answered)
  return world.mustRefuse('idempotency_mismatch', () =>
    post(world, company, '/contacts', { name: 'Otra cosa' }, name),
  )
}

/** Actions with their frequencies. */
export const PROGRAM: readonly [weight: number, name: string, deed: Deed][] = [
  [5, 'program sells', sell],
  [4, 'program repeats', repeat],
  [1, 'program mixes up', mixUp],
]
