/** Pairs a company with its adviser: invitation, answer, comparison of the fingerprint, and the end. */
import { createHash } from 'node:crypto'
import { recordAudit } from '../../../platform/audit/index.ts'
import { findCompany } from '../../../company/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type {
  acceptAdviserContract,
  bundlesStateContract,
  confirmPairingContract,
  endPairingContract,
  inviteAdviserContract,
  joinClientContract,
} from '../contract.ts'
import { findCopy, findPairing, insertPairing, pairingsOf, updatePairing } from '../rows.ts'
import type { PairingRow } from '../rows.ts'
import { pairingFingerprint, stateOf } from '../view.ts'
import { createKeys, secretKeys } from './keys.ts'
import type { SecretKeys } from './keys.ts'
import { isAnswerTo, readAnswer, readInvitation, writeAnswer, writeInvitation } from './papers.ts'
import { pairingPlace } from './sealed.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Returns a file as an answer. */
export function fileAnswer(
  bytes: Bytes,
  fileName: string,
): { bytes: Bytes; sha256: string; fileName: string } {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), fileName }
}

/** Returns the private keys of a pairing. */
export function keysOf(ctx: Ctx, row: PairingRow): SecretKeys {
  const plain = ctx.env.store.sealer.open(row.secret_keys, pairingPlace(row.public_id))
  try {
    return secretKeys(plain.toString('utf8'))
  } finally {
    plain.fill(0)
  }
}

/** Returns a text as a part of a file name. */
export function plainName(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[^\w -]/g, '')
    .trim()
    .replace(/\s+/g, '-')
  return plain.slice(0, 40) || 'sello'
}

/** Returns the pairing of the company, or of the copy, that `ctx` works in. Throws `not_found`. */
export async function ownPairing(ctx: Ctx, publicId: string): Promise<PairingRow> {
  return orNotFound((await pairingsOf(ctx)).find(({ public_id: id }) => id === publicId))
}

export const bundlesState: UseCase<typeof bundlesStateContract> = (ctx) => stateOf(ctx)

/** Returns the invitation of a pairing that waits for its answer. */
export async function invitationOf(ctx: Ctx, row: PairingRow) {
  const bytes = writeInvitation(
    {
      pairing: row.public_id,
      company: row.client_company,
      name: row.client_name,
      nif: row.client_nif,
      keys: row.own_keys,
    },
    keysOf(ctx, row),
  )
  return fileAnswer(bytes, `${plainName(row.client_name)}-invitacion.sello-gestoria`)
}

/** Returns the answer that belongs to the pairing of an adviser. */
export function answerOf(ctx: Ctx, row: PairingRow) {
  const bytes = writeAnswer(
    {
      pairing: row.public_id,
      name: row.adviser_name ?? '',
      person: row.adviser_person ?? '',
      keys: row.own_keys,
      invitedKeys: row.peer_keys ?? '',
    },
    keysOf(ctx, row),
  )
  return fileAnswer(bytes, `${plainName(row.client_name)}-respuesta.sello-gestoria`)
}

/** Invites an adviser. Throws `pairing_exists` while another one has access. */
export const inviteAdviser: UseCase<typeof inviteAdviserContract> = (ctx) =>
  ctx.transaction(async (tx) => {
    if (await findCopy(tx.db, { companyId: tx.book.companyId })) throw new AppError('company_advised')
    const at = tx.now().getTime()
    for (const row of await pairingsOf(tx)) {
      if (row.side !== 'client' || row.state === 'ended') continue
      if (row.state !== 'invited') throw new AppError('pairing_exists')
      await updatePairing(tx.db, row.id, { state: 'ended', ended_at: at })
    }
    const company = await findCompany(tx)
    const publicId = tx.newId('par')
    const keys = createKeys()
    await insertPairing(tx.db, {
      company_id: tx.book.companyId,
      public_id: publicId,
      side: 'client',
      secret_keys: tx.env.store.sealer.seal(keys.secret, pairingPlace(publicId)),
      own_keys: keys.open,
      client_name: company.legal_name,
      client_nif: company.nif,
      client_company: company.public_id,
      created_at: at,
    })
    await recordAudit(tx, { action: 'bundles.invited', target: { type: 'pairing', id: publicId } })
    return invitationOf(tx, orNotFound(await findPairing(tx.db, publicId)))
  })

/** Accepts the invitation of a client. */
export const joinClient: UseCase<typeof joinClientContract> = (ctx, { content, adviserName, person }) =>
  ctx.transaction(async (tx) => {
    const invitation = readInvitation(Buffer.from(content, 'base64'))
    const known = await findPairing(tx.db, invitation.pairing)
    if (known?.side === 'client')
      throw new AppError('company_here', { details: { company: invitation.company } })
    if (known) throw new AppError('pairing_exists')
    const copy = await tx.db
      .selectFrom('companies')
      .leftJoin('advised_companies', 'advised_companies.company_id', 'companies.id')
      .select('advised_companies.pairing')
      .where('companies.public_id', '=', invitation.company)
      .executeTakeFirst()
    // A company of this installation cannot be advised from here.
    if (copy && copy.pairing === null)
      throw new AppError('company_here', { details: { company: invitation.company } })
    const keys = createKeys()
    await insertPairing(tx.db, {
      company_id: tx.book.companyId,
      public_id: invitation.pairing,
      side: 'adviser',
      state: 'active',
      secret_keys: tx.env.store.sealer.seal(keys.secret, pairingPlace(invitation.pairing)),
      own_keys: keys.open,
      peer_keys: invitation.keys,
      client_name: invitation.name,
      client_nif: invitation.nif,
      client_company: invitation.company,
      adviser_name: adviserName.trim(),
      adviser_person: person.trim(),
      created_at: tx.now().getTime(),
    })
    await recordAudit(tx, {
      action: 'bundles.joined',
      target: { type: 'pairing', id: invitation.pairing, label: invitation.name },
    })
    return answerOf(tx, orNotFound(await findPairing(tx.db, invitation.pairing)))
  })

/** Reads the answer of an adviser; nothing is sent before the fingerprints are compared. */
export const acceptAdviser: UseCase<typeof acceptAdviserContract> = (ctx, { content }) =>
  ctx.transaction(async (tx) => {
    const answer = readAnswer(Buffer.from(content, 'base64'))
    const row = (await pairingsOf(tx)).find(
      ({ public_id: id, side }) => id === answer.pairing && side === 'client',
    )
    if (!row) throw new AppError('bundle_foreign', { details: { reason: 'pairing' } })
    if (row.state === 'ended') throw new AppError('pairing_ended')
    if (row.state === 'active') throw new AppError('pairing_exists')
    if (!isAnswerTo(answer, row.own_keys))
      throw new AppError('bundle_foreign', { details: { reason: 'invitation' } })
    await updatePairing(tx.db, row.id, {
      state: 'joined',
      peer_keys: answer.keys,
      adviser_name: answer.name,
      adviser_person: answer.person,
    })
    return stateOf(tx)
  })

/** Begins to work with an adviser whose fingerprint is the one shown here. */
export const confirmPairing: UseCase<typeof confirmPairingContract> = (ctx, { id, fingerprint }) =>
  ctx.transaction(async (tx) => {
    const row = await ownPairing(tx, id)
    if (row.state === 'ended') throw new AppError('pairing_ended')
    const digits = (text: string | null): string => (text ?? '').replace(/\D/g, '')
    if (row.peer_keys === null || digits(fingerprint) !== digits(pairingFingerprint(row)))
      throw new AppError('fingerprint_differs')
    await updatePairing(tx.db, row.id, { state: 'active' })
    await recordAudit(tx, {
      action: 'bundles.confirmed',
      target: { type: 'pairing', id, label: row.adviser_name ?? '' },
    })
    return stateOf(tx)
  })

/** Ends a pairing. A copy of a client's books stays readable. */
export const endPairing: UseCase<typeof endPairingContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await ownPairing(tx, id)
    if (row.state !== 'ended')
      await updatePairing(tx.db, row.id, { state: 'ended', ended_at: tx.now().getTime() })
    if (row.company_id === tx.book.companyId)
      await recordAudit(tx, {
        action: 'bundles.ended',
        target: { type: 'pairing', id, label: row.adviser_name ?? row.client_name },
      })
    return stateOf(tx)
  })
