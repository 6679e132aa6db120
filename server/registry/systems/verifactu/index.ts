/** VERI*FACTU (RD 1007/2023, Orden HAC/1177/2024): the registry of the tax agency, with a hash as its seal. */
import type { ReadRecord, RegistrySystem } from '../../system.ts'
import { createAeatAuthority } from './authority/index.ts'
import { verifyLink } from './record/chain.ts'
import { checkCancellationRecord, checkRegistration } from './record/check.ts'
import type { SystemInfo } from './record/fields.ts'
import type { SealedRecord } from './record/hashed.ts'
import { qrUrl } from './record/qr.ts'
import { checkSystem } from './record/rules/index.ts'
import { readSealedRecord } from './record/sealed.ts'
import { standingFrom } from './record/standing.ts'
import { buildCancellation, buildRegistration } from './record/xml.ts'
import type { BuiltRecord } from './record/xml.ts'
import { meaningOf } from './wire/codes.ts'
import { exportedMessage } from './wire/exported.ts'
import { verifactuWire } from './wire/port.ts'
import type { Software } from '../../facts.ts'

/** The program works as VERI*FACTU only, for several companies. */
function systemInfo(software: Software): SystemInfo {
  return { ...software, onlyVerifactu: true, multiIssuer: true }
}

export const verifactu: RegistrySystem<BuiltRecord, SealedRecord & ReadRecord, string> = {
  name: 'verifactu',
  needsKeyAtIssue: false,
  needsDetail: false,
  dictionary: 1,
  recordsPerExport: verifactuWire.maxRecords,

  programOf: ({ isTest, producer, version }) => ({
    // Only test books and sandboxes carry the producer of the authority's examples.
    producer: isTest
      ? { name: 'PRODUCTOR DE PRUEBA', nif: '89890001K' }
      : { name: producer.name, nif: producer.nif },
    name: 'Sello',
    id: isTest ? 'S1' : producer.systemId,
    version,
  }),
  registrationFaults: (invoice, { today }) => checkRegistration(invoice, today),
  cancellationFaults: (cancellation, { today }) => checkCancellationRecord(cancellation, today),
  softwareFaults: (software) =>
    checkSystem(systemInfo(software)).filter(({ severity }) => severity === 'error'),
  entryWarnings: (today) => {
    const year = today.slice(0, 4)
    return [
      {
        code: 'scheme_commitment',
        field: '',
        severity: 'warning',
        message: `With the first invoice the issuer enters the scheme and stays in it at least until 31 December ${year}.`,
        fix: 'Try everything in the test book first.',
        params: { year },
      },
    ]
  },

  // The seal is a hash inside the text, which its builder computes.
  build: (facts, { previous, software, generatedAt }) =>
    facts.kind === 'registration'
      ? buildRegistration(facts.invoice, previous, systemInfo(software), generatedAt)
      : buildCancellation(facts.cancellation, previous, systemInfo(software), generatedAt),
  seal: ({ xml, hash }) => ({ text: xml, hash, isLink: true, link: null }),
  read: (text) => {
    const record = readSealedRecord(text)
    return {
      ...record,
      isLink: true,
      named: record.link.hash,
      generatedAt: record.text.generatedAt,
      sealed: { ...record.text },
      amounts:
        record.kind === 'registration' ? { taxTotal: record.text.taxTotal, total: record.text.total } : null,
    }
  },
  proveLink: verifyLink,
  marks: ({ environment, ...invoice }) => ({
    identifier: null,
    qr: qrUrl(environment, invoice),
    lines: ['VERI*FACTU'],
  }),
  standing: standingFrom,
  meaningOf,
  exported: exportedMessage,

  wire: verifactuWire,
  connect: createAeatAuthority,
  simulator: async (ctx) => (await import('./simulator/stored.ts')).simulatedAuthority(ctx),
  serve: async (command, io) => (await import('./simulator/command.ts')).runAuthority(command, io),
}
