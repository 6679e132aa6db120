/** TicketBAI as registries of the port: one for each treasury, of one implementation that its profile parameterises. */
import type { RegistrySystem } from '../../../system.ts'
import { isForeign, splitNumber } from '../content.ts'
import { ticketBaiMarks } from '../identifier.ts'
import { PROFILES } from '../profiles.ts'
import type { ProvinceProfile } from '../profiles.ts'
import { softwareOf } from '../software.ts'
import type { WireRequest } from '../wire/outcome.ts'
import { connectTo, simulatedService } from './authority.ts'
import { cancellationFaults, registrationFaults } from './checks.ts'
import { meaningOf, standingFrom } from './meanings.ts'
import { buildRecord, proveRecord, readRecord, sealRecord } from './records.ts'
import type { ReadTicketBai, TicketBaiDraft } from './records.ts'
import { bookWire } from './wire-book.ts'
import { filesWire } from './wire-files.ts'

type TicketBai = RegistrySystem<TicketBaiDraft, ReadTicketBai, WireRequest>

function systemOfProvince(profile: ProvinceProfile): TicketBai {
  const { province, postcodePrefix, qr } = profile
  const keepsBook = profile.wire.production.kind === 'lroe'
  return {
    name: `signed-${postcodePrefix}`,
    needsKeyAtIssue: true,
    needsDetail: true,
    dictionary: 2,
    // One file is what a receiver of them takes, whatever fits a message.
    recordsPerExport: 1,

    programOf: ({ isTest, environment, producer, version }) => {
      const isTried = isTest || environment === 'preproduction'
      const { licence, developer, name, ...own } = softwareOf(profile, isTried ? 'test' : 'production', {
        producer,
        version,
      })
      return {
        producer: {
          name: isTried ? name : producer.name,
          nif: isForeign(developer) ? developer.id : developer.nif,
        },
        name,
        id: licence,
        version: own.version,
      }
    },
    registrationFaults: (invoice, context) => registrationFaults(profile, keepsBook, invoice, context),
    cancellationFaults: (cancellation, context) => cancellationFaults(profile, cancellation, context),
    // The rules report a program without a licence before each record.
    softwareFaults: () => [],
    entryWarnings: () => [],

    build: buildRecord,
    seal: (draft, key) => sealRecord(profile, draft, key),
    read: readRecord,
    proveLink: proveRecord,
    marks: ({ environment, issuerNif, number, issueDate, totalCents, link }) => {
      const key = { ...splitNumber(number), issueDate }
      const issuer = { nif: issuerNif, name: '' }
      return { ...ticketBaiMarks(qr[environment], { issuer, key, totalCents }, link), lines: [] }
    },
    standing: standingFrom,
    meaningOf,
    exported: (_issuer, records) => records.map((text) => `${text}\n`).join(''),

    wire: keepsBook ? bookWire() : filesWire(province),
    connect: (connection) => connectTo(province, connection),
    simulator: (ctx) => simulatedService(province, ctx),
    serve: async ({ waitSeconds: _none, ...command }, io) => {
      const [{ runService }, { fileIdentifier, verifyFile }] = await Promise.all([
        import('../simulator/command.ts'),
        import('../simulator/verifier.ts'),
      ])
      await runService({ province, ...command }, { verify: verifyFile, identifierOf: fileIdentifier }, io)
    },
  }
}

/** The three registries. */
export const ticketBaiSystems: readonly TicketBai[] = Object.values(PROFILES).map(systemOfProvince)
