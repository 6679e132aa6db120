/**
 * VIES, the European Commission's check of VAT numbers, through its REST API. Source:
 * https://ec.europa.eu/taxation_customs/vies/#/technical-information (`POST /check-vat-number`).
 */
import { z } from 'zod'
import { callService, refused, unavailable } from './outgoing.ts'
import type { ServiceAddress } from './outgoing.ts'
import type { VatNumberService } from './ports.ts'

export const VIES_ADDRESS: ServiceAddress = { host: 'ec.europa.eu', port: 443 }
const PATH = '/taxation_customs/vies/rest-api/check-vat-number'
const SERVICE = 'VIES'

/** Temporary faults: of the service, of a member state behind it, and of too many requests. */
const PASSING = new Set([
  'SERVICE_UNAVAILABLE',
  'MS_UNAVAILABLE',
  'TIMEOUT',
  'GLOBAL_MAX_CONCURRENT_REQ',
  'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  'MS_MAX_CONCURRENT_REQ',
  'MS_MAX_CONCURRENT_REQ_TIME',
  'SERVER_BUSY',
])

const Answer = z.object({
  valid: z.boolean().optional(),
  name: z.string().nullish(),
  address: z.string().nullish(),
  requestIdentifier: z.string().nullish(),
  actionSucceed: z.boolean().optional(),
  errorWrappers: z.array(z.object({ error: z.string() })).optional(),
})

/** Returns a text, or null: `---` means that the state does not disclose it. */
function reported(text: string | null | undefined): string | null {
  const bare = (text ?? '').trim()
  return bare === '' || /^-+$/.test(bare) ? null : bare.slice(0, 300)
}

function parse(body: string): z.infer<typeof Answer> {
  try {
    return Answer.parse(JSON.parse(body))
  } catch {
    throw refused(SERVICE, 'unreadable')
  }
}

/** Creates the real service; only tests pass another `address`. */
export function createVies(address: ServiceAddress = VIES_ADDRESS): VatNumberService {
  return {
    async check({ prefix, number }, requester) {
      const reply = await callService({
        service: SERVICE,
        address,
        method: 'POST',
        path: PATH,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({
          countryCode: prefix,
          vatNumber: number,
          ...(requester === null
            ? {}
            : { requesterMemberStateCode: requester.slice(0, 2), requesterNumber: requester.slice(2) }),
        }),
      })
      const answer = parse(reply.body)
      const fault = answer.errorWrappers?.[0]?.error
      if (fault !== undefined) {
        // The requester is unknown to VIES, which says nothing about the number: the caller may retry without it.
        throw PASSING.has(fault)
          ? unavailable(SERVICE, fault.toLowerCase())
          : refused(SERVICE, fault.toLowerCase())
      }
      if (reply.status !== 200 || answer.valid === undefined)
        throw reply.status >= 500
          ? unavailable(SERVICE, `status_${reply.status}`)
          : refused(SERVICE, `status_${reply.status}`)
      return {
        valid: answer.valid,
        name: reported(answer.name),
        address: reported(answer.address),
        consultationNumber: reported(answer.requestIdentifier),
      }
    },
  }
}
