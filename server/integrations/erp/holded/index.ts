/** The Holded provider: its newer API first, the older one for keys that only open that. Reads, never writes. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Page, Provider, ProviderCtx, Quota, Resource, Step, Verified } from '../port.ts'
import { keyOf } from './client.ts'
import { REQUIRED_SCOPES, USEFUL_SCOPES } from './lists.ts'
import { memoryOf } from './notes.ts'
import type { Flavour } from './notes.ts'
import { verifyV1, pullV1 } from './v1.ts'
import { PAGE_SIZE, pullV2, quotaV2, verifyV2 } from './v2.ts'

/** Address of Holded, common to both API versions. */
const HOLDED_ADDRESS = 'https://api.holded.com'

/** Returns which API version a key opens, by its shape: each attempt at the wrong one costs a call of the month. */
function flavourOf(key: string): Flavour | 'unknown' {
  if (/^(pat_|sk_live_)/.test(key)) return 'v2'
  return /^[0-9a-f]{32}$/i.test(key) ? 'v1' : 'unknown'
}

/** Rejects a key with characters that a header cannot carry: no call is spent on it. */
function checkKey(ctx: ProviderCtx): string {
  const key = keyOf(ctx)
  if (!/^[\x21-\x7e]+$/.test(key)) throw new AppError('erp_key_rejected')
  return key
}

async function verify(ctx: ProviderCtx): Promise<Verified> {
  const flavour = flavourOf(checkKey(ctx))
  if (flavour === 'v1') return verifyV1(ctx)
  try {
    return await verifyV2(ctx)
  } catch (error) {
    const isRejected = error instanceof AppError && error.code === 'erp_key_rejected'
    if (flavour === 'v2' || !isRejected) throw error
    return verifyV1(ctx)
  }
}

/** Returns the API version noted when the key was verified; by the key's shape where the note is lost. */
function connectedFlavour(ctx: ProviderCtx): Flavour {
  const shape = flavourOf(checkKey(ctx))
  return memoryOf(ctx.notes).flavour ?? (shape === 'v1' ? 'v1' : 'v2')
}

/** Number of lists of each resource: each one costs at least one page. */
const LISTS: Readonly<Record<Resource, number>> = { contacts: 1, issued: 4, received: 2, catalogue: 2 }

export const holded: Provider = {
  fixedAddress: HOLDED_ADDRESS,
  describe: () => ({
    id: 'holded',
    kind: 'accounting',
    label: 'Holded',
    fields: [{ name: 'erpApiKey', secret: true, required: true }],
    capabilities: {
      // No list can be queried for changes: only reading its days again shows them.
      incremental: 'none',
      catalogue: true,
      creditNotes: true,
      receipts: true,
      quotaMeter: true,
      deletes: 'none',
    },
    requiredScopes: REQUIRED_SCOPES,
    usefulScopes: USEFUL_SCOPES,
    // The smallest plan with API access.
    smallestMonthlyQuota: 500,
  }),
  estimate: (resource, rows) => Math.ceil(rows / PAGE_SIZE) + LISTS[resource],
  verify,
  // Async, so that errors before the first call also reject the promise.
  pull: async (step: Step, ctx: ProviderCtx): Promise<Page> =>
    connectedFlavour(ctx) === 'v1' ? pullV1(step, ctx) : pullV2(step, ctx),
  quota: async (ctx: ProviderCtx): Promise<Quota | null> =>
    connectedFlavour(ctx) === 'v1' ? null : quotaV2(ctx),
}
