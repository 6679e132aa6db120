/** The one opening for a phone of a running Sello: off until a person opens it, and for ten minutes at most. */
import { createCtx } from '../../../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../../../context.ts'
import { validationFailed } from '../../../../domain/errors/app-error.ts'
import { mediaTypeOf } from '../../../../domain/media-types.ts'
import { recordAudit } from '../../../../platform/audit/index.ts'
import { emitEvent } from '../../../../platform/events/index.ts'
import { addDocument } from '../../index.ts'
import type { closePhoneContract, openPhoneContract, Phone, phoneContract, PhoneUpload } from '../contract.ts'
import { DOCUMENT_TYPES } from '../../../intake/document-types.ts'
import { fileNameOf } from '../../../intake/mail/file-name.ts'
import { ownAddresses } from './addresses.ts'
import type { OwnAddress } from './addresses.ts'
import { listenForPhone } from './listener.ts'
import type { PhoneListener, Received } from './listener.ts'

const OPEN_MS = 10 * 60_000
/** How often the clock and the window are looked at. */
const WATCH_MS = 1_000
/** A window that is loaded again is gone for a moment. */
const WITHOUT_WINDOW = 5

interface Opening {
  listener: PhoneListener
  address: string
  /** The book whose page opened it. */
  bookId: number
  expiresAt: number
  isConnected: boolean
  uploads: PhoneUpload[]
  watching: NodeJS.Timeout
}

/** Why the last opening ended, and the one there is, by the store of the program. */
interface State {
  opening: Opening | null
  closed: Phone['closed']
}
const states = new WeakMap<object, State>()

function stateOf({ store }: AppEnvironment): State {
  const known = states.get(store)
  if (known) return known
  const state: State = { opening: null, closed: null }
  states.set(store, state)
  return state
}

/** Names what the events of an opening are about: it has no row. */
const PHONE = 'phone'

function viewOf(ctx: Ctx, addresses: OwnAddress[] = ownAddresses()): Phone {
  const { opening, closed } = stateOf(ctx.env)
  const isOurs = opening !== null && opening.bookId === ctx.book.id
  return {
    addresses,
    open: isOurs
      ? {
          url: opening.listener.url,
          address: opening.address,
          expiresAt: new Date(opening.expiresAt).toISOString(),
          isConnected: opening.isConnected,
          uploads: [...opening.uploads],
        }
      : null,
    closed: isOurs ? null : closed,
  }
}

/** Ends the opening there is, for whatever reason. */
export function endPhone(env: AppEnvironment, why: NonNullable<Phone['closed']>): void {
  const state = stateOf(env)
  const { opening } = state
  if (!opening) return
  state.opening = null
  state.closed = why
  clearInterval(opening.watching)
  opening.listener.close()
}

/** Returns the addresses that may be chosen; in a sandbox also this computer's own. */
function addressesOf({ env }: Ctx): OwnAddress[] {
  return env.sandbox ? [...ownAddresses(), { address: '127.0.0.1', network: 'lo' }] : ownAddresses()
}

export const phone: UseCase<typeof phoneContract> = async (ctx) => viewOf(ctx, addressesOf(ctx))

export const openPhone: UseCase<typeof openPhoneContract> = async (ctx, { address, language }) => {
  const addresses = addressesOf(ctx)
  if (!addresses.some((each) => each.address === address))
    throw validationFailed([
      {
        code: 'phone_address',
        field: 'address',
        severity: 'error',
        message: 'This computer has no such address in a private network.',
        fix: 'Choose one of those that are listed.',
      },
    ])
  const { env } = ctx
  endPhone(env, 'person')
  const state = stateOf(env)
  const notify = (): void => void notifyPhone(ctx).catch((error: unknown) => env.report('phone', error))
  const end = (why: NonNullable<Phone['closed']>): void => {
    if (state.opening !== opening) return
    endPhone(env, why)
    notify()
  }
  const uploads: PhoneUpload[] = []
  const listener = await listenForPhone({
    address,
    language,
    onConnected() {
      opening.isConnected = true
      notify()
    },
    async receive(name, bytes) {
      const received = await receive(ctx, name, bytes)
      uploads.unshift(received)
      notify()
      return received.state
    },
    onFull: () => end('files'),
  })
  // Another one may have been opened while this one began to listen.
  endPhone(env, 'person')
  let withoutWindow = 0
  const opening: Opening = {
    listener,
    address,
    bookId: ctx.book.id,
    expiresAt: ctx.now().getTime() + OPEN_MS,
    isConnected: false,
    uploads,
    watching: setInterval(() => {
      withoutWindow = env.window.pages === 0 ? withoutWindow + 1 : 0
      if (env.now().getTime() >= opening.expiresAt) end('time')
      else if (withoutWindow >= WITHOUT_WINDOW) end('window')
    }, WATCH_MS),
  }
  opening.watching.unref()
  state.opening = opening
  try {
    await ctx.transaction((tx) => recordAudit(tx, { action: 'incoming.phone_opened' }))
  } catch (error) {
    end('person')
    throw error
  }
  return viewOf(ctx, addresses)
}

export const closePhone: UseCase<typeof closePhoneContract> = async (ctx) => {
  endPhone(ctx.env, 'person')
  return viewOf(ctx, addressesOf(ctx))
}

/** Takes in what the phone sent, as the person who opened. */
async function receive(
  { env, book, actor }: Ctx,
  given: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<PhoneUpload & { state: Received }> {
  const ctx = createCtx({ env, book, actor, channel: 'ui', requestId: env.newId('req') })
  const name = fileNameOf(given, 'foto.jpg')
  const mediaType = mediaTypeOf(bytes, name)
  if (mediaType === null || !DOCUMENT_TYPES.includes(mediaType))
    return { name, size: bytes.length, state: 'refused' }
  const { isNew } = await addDocument(ctx, { name, bytes, mediaType, source: 'phone' })
  return { name, size: bytes.length, state: isNew ? 'added' : 'known' }
}

/** Tells the window that something changed. */
async function notifyPhone({ env, book, actor }: Ctx): Promise<void> {
  const ctx = createCtx({ env, book, actor, channel: 'ui', requestId: env.newId('req') })
  await ctx.transaction(async (tx) => {
    await emitEvent(tx, 'incoming.source_changed', { sourceId: PHONE, state: 'phone' })
  })
}
