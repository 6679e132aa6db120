/** The wire of Araba and Gipuzkoa behind the port: one file in a message, and nothing can be asked. */
import type { Reading, RegistryWire, SentRecord } from '../../../system.ts'
import { sealedFileOf } from '../client/sealed-file.ts'
import type { Province } from '../profiles.ts'
import { SERVICES } from '../wire/services.ts'
import type { WireRequest } from '../wire/outcome.ts'
import { restoreAnswer, storeAnswer } from '../wire/stored-answer.ts'
import { FILES_PER_MESSAGE, readXmlExchange, xmlRequest } from '../wire/xml.ts'
import { readingOf } from './readings.ts'

const UTF8 = new TextEncoder()

/** Returns the bytes of a stored answer. */
export const bytesOf = (kept: string | Uint8Array): Uint8Array =>
  typeof kept === 'string' ? UTF8.encode(kept) : kept

/** An answer that is none of those that were stored. */
export const NOT_STORED: Reading = { kind: 'unknown', outcome: 'unreadable', detail: 'No stored answer.' }

/** Creates the wire of a province. Addresses are those of production: the connection moves them. */
export function filesWire(province: Province): RegistryWire<WireRequest> {
  const service = SERVICES[province].production
  const nothing = (): never => {
    throw new Error('The service answers no questions.')
  }
  return {
    maxRecords: FILES_PER_MESSAGE,
    canAsk: false,
    readsSent: true,
    takenCode: '005',
    fitting: (records) => Math.min(records.length, FILES_PER_MESSAGE),
    submission: (_issuer, [text = '', ...others]) => {
      if (others.length > 0) throw new RangeError('A message takes one file.')
      return xmlRequest(service, sealedFileOf('', text))
    },
    kept: ({ status, body, headers = {} }) => storeAnswer({ kind: 'answered', status, body, headers }),
    read: (kept, { records }) => read(bytesOf(kept), records),
    questions: () => [],
    clockQuestion: () => null,
    periods: () => [],
    page: nothing,
    heldIn: () => null,
  }
}

function read(kept: Uint8Array, [record, ...others]: readonly SentRecord[]): Reading {
  const answered = restoreAnswer(kept)
  if (!answered || !record || others.length > 0) return NOT_STORED
  const file = sealedFileOf(record.recordId, record.text)
  return readingOf([{ record, file, outcome: readXmlExchange(file, answered) }], false)
}
