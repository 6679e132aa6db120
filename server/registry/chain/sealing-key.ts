/** The key that records are sealed with, where a registry wants a signature: the company's, or one made for a test book. */
import { credentialOf } from '../../company/certificates/index.ts'
import type { Credential } from '../../company/certificates/index.ts'
import type { Ctx } from '../../context.ts'
import type { Store } from '../../db/store.ts'
import { systemOf } from '../systems/index.ts'

/** Keys of test books, which are worth nothing: a signature of theirs proves only that the program signed. */
const testKeys = new WeakMap<Store, Map<string, Promise<Credential>>>()

const YEAR_MS = 366 * 86_400_000

/** Returns the key, or null where the registry wants none or a live book has no certificate. */
export function sealingKeyOf(ctx: Ctx, issuer: { nif: string; name: string }): Promise<Credential | null> {
  if (!systemOf(ctx.book).needsKeyAtIssue) return Promise.resolve(null)
  // A real signature below a test invoice would be one that the company has to answer for.
  return ctx.book.mode === 'test' ? testKeyOf(ctx, issuer) : credentialOf(ctx)
}

function testKeyOf(ctx: Ctx, { nif, name }: { nif: string; name: string }): Promise<Credential> {
  const known = testKeys.get(ctx.env.store) ?? new Map<string, Promise<Credential>>()
  testKeys.set(ctx.env.store, known)
  const now = ctx.now().getTime()
  const found = known.get(nif)
  if (found) return found.then((key) => (now <= key.validTo && now >= key.validFrom ? key : make()))
  return make()

  function make(): Promise<Credential> {
    const made = newTestKey(nif, name, now)
    known.set(nif, made)
    return made
  }
}

async function newTestKey(nif: string, name: string, now: number): Promise<Credential> {
  const { issueClientCertificate, makeAuthorityCa } =
    await import('../../platform/simulated-authority/index.ts')
  const validFrom = Math.floor((now - YEAR_MS) / 1000) * 1000
  const validTo = validFrom + 3 * YEAR_MS
  const validity = { from: new Date(validFrom), to: new Date(validTo) }
  const ca = await makeAuthorityCa({ ...validity, name: 'AC DE PRUEBAS DE SELLO' })
  const kind = /^[A-HJNP-SUVW]/.test(nif) ? 'seal' : 'person'
  const { certPem, keyPem } = await issueClientCertificate({
    ca,
    ...validity,
    kind,
    nif,
    name,
    keyType: 'rsa',
  })
  return {
    certificateId: '',
    kind,
    keyPem,
    chainPem: certPem,
    fingerprint: '',
    validFrom,
    validTo,
    holderName: name,
    holderNif: kind === 'person' ? nif : null,
    organizationNif: kind === 'seal' ? nif : null,
  }
}
