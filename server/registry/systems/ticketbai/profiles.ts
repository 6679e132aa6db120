/**
 * What differs between the three treasuries of TicketBAI, as data: the policy of the signature, the addresses of the QR
 * code and of the services, the way of sending, and the software of their test environments. No code names a province;
 * a further difference is a further field.
 *
 * Sources: the joint specification of TicketBAI and its official samples (Gipuzkoa, 2024), the specification of Bizkaia's
 * policy 1.0, and public programs that send to the services. `sureness` says how far each value is known. Nothing here was
 * tried against a live service.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { SoftwareFacts } from './content.ts'

export type Province = 'araba' | 'bizkaia' | 'gipuzkoa'
export type TicketBaiEnvironment = 'production' | 'test'

/** Official text, schema or sample; seen in several independent programs; seen in one; concluded from the others. */
type Sureness = 'official' | 'several' | 'one' | 'inferred'

interface ProvincePolicy {
  address: string
  /** SHA-256 of the policy's document, in base 64. */
  sha256: string
  /** First day on which files are signed with it; null: since the beginning, or unknown. */
  from: BusinessDate | null
  /** Ours are signed with the newest `signing` policy; files that name a `reading` one are read as well. */
  use: 'signing' | 'reading'
  sureness: Sureness
}

interface Address {
  url: string
  sureness: Sureness
}

/** Addresses of a service that receives the signed files themselves, one for each kind of message. */
interface XmlWire {
  kind: 'xml'
  contentType: string
  issue: Address
  cancel: Address
  /** Corrections of an issued invoice, and of a cancellation. */
  amendIssue: Address
  amendCancel: Address
}

/** Addresses of a service that receives the files inside a book of operations. */
interface LroeWire {
  kind: 'lroe'
  contentType: string
  send: Address
  query: Address
}

type ProvinceWire = XmlWire | LroeWire

export interface ProvinceProfile {
  province: Province
  /** First two digits of the province's postal codes. */
  postcodePrefix: string
  /** Newest first. */
  policies: readonly ProvincePolicy[]
  /** Address of the page behind the QR code, up to the question mark. */
  qr: Readonly<Record<TicketBaiEnvironment, string>>
  wire: Readonly<Record<TicketBaiEnvironment, ProvinceWire>>
  /** Whether a file can be corrected by a message of its own (Zuzendu). */
  isAmendable: boolean
  /** Keys of the list that this treasury's test service has refused in reports. */
  doubtfulKeys: readonly string[]
  /** The software that signs in the test environment, with its licence. */
  testSoftware: SoftwareFacts & { sureness: Sureness | 'own' }
}

const XML_BODY = 'application/xml;charset=UTF-8'
const official = (url: string): Address => ({ url, sureness: 'official' })
const several = (url: string): Address => ({ url, sureness: 'several' })
const inferred = (url: string): Address => ({ url, sureness: 'inferred' })

const BIZKAIA_POLICIES = 'https://www.batuz.eus/fitxategiak/batuz/ticketbai/'
const BIZKAIA_POLICY = 'sinadura_elektronikoaren_zehaztapenak_especificaciones_de_la_firma_electronica'

const ARABA: ProvinceProfile = {
  province: 'araba',
  postcodePrefix: '01',
  policies: [
    {
      address: 'https://ticketbai.araba.eus/tbai/sinadura/',
      sha256: '4Vk3uExj7tGn9DyUCPDsV9HRmK6KZfYdRiW3StOjcQA=',
      from: null,
      use: 'signing',
      sureness: 'several',
    },
    {
      address: 'https://ticketbai.araba.eus/tbai/sinadura/',
      sha256: 'iOgvkX7/yHIDRRiPy/LYQ0UUn7QV8/11D1BFbs8yMuQ=',
      from: null,
      use: 'reading',
      sureness: 'one',
    },
  ],
  qr: {
    production: 'https://ticketbai.araba.eus/tbai/qrtbai/',
    test: 'https://pruebas-ticketbai.araba.eus/tbai/qrtbai/',
  },
  wire: {
    production: {
      kind: 'xml',
      contentType: XML_BODY,
      issue: several('https://ticketbai.araba.eus/TicketBAI/v1/facturas/'),
      cancel: several('https://ticketbai.araba.eus/TicketBAI/v1/anulaciones/'),
      amendIssue: several('https://ticketbai.araba.eus/TicketBAI/v1/facturas/subsanarmodificar'),
      amendCancel: several('https://ticketbai.araba.eus/TicketBAI/v1/anulaciones/baja'),
    },
    test: {
      kind: 'xml',
      contentType: XML_BODY,
      issue: several('https://pruebas-ticketbai.araba.eus/TicketBAI/v1/facturas/'),
      cancel: several('https://pruebas-ticketbai.araba.eus/TicketBAI/v1/anulaciones/'),
      amendIssue: inferred('https://pruebas-ticketbai.araba.eus/TicketBAI/v1/facturas/subsanarmodificar'),
      amendCancel: inferred('https://pruebas-ticketbai.araba.eus/TicketBAI/v1/anulaciones/baja'),
    },
  },
  isAmendable: true,
  doubtfulKeys: [],
  testSoftware: {
    // Araba gives its test licence with the registration; this one is ours, in the form of the other two, and only the
    // simulator takes it. The developer is that of Gipuzkoa's samples.
    licence: 'TBAIAR00000000PRUEBA',
    developer: { nif: 'P2000000F' },
    name: 'FAKTURABAI',
    version: '1.0',
    sureness: 'own',
  },
}

const LROE_BODY = 'application/octet-stream'

const BIZKAIA: ProvinceProfile = {
  province: 'bizkaia',
  postcodePrefix: '48',
  policies: [
    {
      address: `${BIZKAIA_POLICIES}${BIZKAIA_POLICY}_v1_0.pdf`,
      sha256: 'Quzn98x3PMbSHwbUzaj5f5KOpiH0u8bvmwbbbNkO9Es=',
      from: null,
      use: 'signing',
      sureness: 'official',
    },
    {
      // One program signs with it since May 2025; until the treasury's own text says so, ours does not.
      address: `${BIZKAIA_POLICIES}${BIZKAIA_POLICY}_v1_1.pdf`,
      sha256: 'K2baIY0fk8jbkPHkffk5F5C46O5VuzDwH21dAovjVRs=',
      from: null,
      use: 'reading',
      sureness: 'one',
    },
  ],
  // One page for both environments.
  qr: { production: 'https://batuz.eus/QRTBAI/', test: 'https://batuz.eus/QRTBAI/' },
  wire: {
    production: {
      kind: 'lroe',
      contentType: LROE_BODY,
      send: several('https://sarrerak.bizkaia.eus/N3B4000M/aurkezpena'),
      query: official('https://sarrerak.bizkaia.eus/N3B4001M/kontsulta'),
    },
    test: {
      kind: 'lroe',
      contentType: LROE_BODY,
      send: several('https://pruesarrerak.bizkaia.eus/N3B4000M/aurkezpena'),
      query: inferred('https://pruesarrerak.bizkaia.eus/N3B4001M/kontsulta'),
    },
  },
  isAmendable: false,
  doubtfulKeys: ['19', '51', '52', '53'],
  testSoftware: {
    licence: 'TBAIBI00000000PRUEBA',
    developer: { nif: 'A99800005' },
    name: 'SOFTWARE GARANTE TICKETBAI PRUEBA',
    version: '1.0',
    sureness: 'official',
  },
}

const GIPUZKOA: ProvinceProfile = {
  province: 'gipuzkoa',
  postcodePrefix: '20',
  policies: [
    {
      address: 'https://www.gipuzkoa.eus/ticketbai/sinadura',
      sha256: 'vSe1CH7eAFVkGN0X2Y7Nl9XGUoBnziDA5BGUSsyt8mg=',
      from: null,
      use: 'signing',
      sureness: 'official',
    },
    {
      address: 'https://www.gipuzkoa.eus/ticketbai/sinadura',
      sha256: '6NrKAm60o7u62FUQwzZew24ra2ve9PRQYwC21AM6In0=',
      from: null,
      use: 'reading',
      sureness: 'several',
    },
  ],
  qr: {
    production: 'https://tbai.egoitza.gipuzkoa.eus/qr/',
    test: 'https://tbai.prep.gipuzkoa.eus/qr/',
  },
  wire: {
    production: {
      kind: 'xml',
      contentType: XML_BODY,
      issue: several('https://tbai-z.egoitza.gipuzkoa.eus/sarrerak/alta'),
      cancel: several('https://tbai-z.egoitza.gipuzkoa.eus/sarrerak/baja'),
      amendIssue: several('https://tbai-z.egoitza.gipuzkoa.eus/sarrerak/zuzendu-alta'),
      amendCancel: several('https://tbai-z.egoitza.gipuzkoa.eus/sarrerak/zuzendu-baja'),
    },
    test: {
      kind: 'xml',
      contentType: XML_BODY,
      issue: several('https://tbai-z.prep.gipuzkoa.eus/sarrerak/alta'),
      cancel: several('https://tbai-z.prep.gipuzkoa.eus/sarrerak/baja'),
      amendIssue: inferred('https://tbai-z.prep.gipuzkoa.eus/sarrerak/zuzendu-alta'),
      amendCancel: inferred('https://tbai-z.prep.gipuzkoa.eus/sarrerak/zuzendu-baja'),
    },
  },
  isAmendable: true,
  doubtfulKeys: [],
  testSoftware: {
    licence: 'TBAIGIPRE00000000501',
    developer: { nif: 'P2000000F' },
    name: 'FAKTURABAI',
    version: '1.0',
    sureness: 'official',
  },
}

export const PROFILES: Readonly<Record<Province, ProvinceProfile>> = {
  araba: ARABA,
  bizkaia: BIZKAIA,
  gipuzkoa: GIPUZKOA,
}

/** Returns the policy that files of a day are signed with. */
export function signingPolicy({ policies, province }: ProvinceProfile, day: BusinessDate): ProvincePolicy {
  const policy = policies.find(({ use, from }) => use === 'signing' && (from === null || from <= day))
  if (!policy) throw new RangeError(`No policy of ${province} is in force on ${day}.`)
  return policy
}

/** Returns whether a file may name this policy: any of the three treasuries, current or earlier. */
export function isKnownPolicy(address: string, sha256: string): boolean {
  return Object.values(PROFILES).some(({ policies }) =>
    policies.some((policy) => policy.address === address && policy.sha256 === sha256),
  )
}
