/**
 * Rules that the simulated services hold a file against, as a table: the code of Araba and Gipuzkoa with its text, and the question.
 * What they do about a signature or a chain that is wrong is published (a remark, and the file is kept); which checks stand behind
 * "content" and "identifier" is not, so that those are Sello's own reading.
 */
import type { X509Certificate } from 'node:crypto'
import { isNif } from '../../../../domain/tax/nif.ts'
import { businessDateOf } from '../../../../domain/dates.ts'
import { holderNifs } from '../../../../platform/simulated-authority/start.ts'
import { sameKey } from '../wire/outcome.ts'
import { regimeKeysOf, totalsOf } from './documents.ts'
import type { ReceivedFile } from './documents.ts'
import type { ChainHead, HeldFile } from './state.ts'

/** What a verifier says about the signature of a file. */
interface SignatureVerdict {
  /** Null for a valid one that covers the whole file. */
  fault: string | null
  /** The signer's certificate; null if none could be read. */
  certificate: X509Certificate | null
}
export type VerifySignature = (xml: string) => SignatureVerdict | Promise<SignatureVerdict>

interface FileContext {
  now: Date
  /** Tax numbers of the holder of the sender's certificate. */
  callers: readonly string[]
  /** Who may act for an issuer, besides the issuer. */
  maySend: (callers: readonly string[], issuerNif: string) => boolean
  knows: (nif: string) => boolean
  /** Licences of the register; null accepts every one. */
  licences: readonly string[] | null
  verdict: SignatureVerdict | null
  held: HeldFile | null
  head: ChainHead | null
}

interface Rule {
  code: string
  text: string
  basque: string
  on: readonly ReceivedFile['kind'][]
  /** Returns true if the file breaks the rule. */
  broken: (file: ReceivedFile, context: FileContext) => boolean
}

const INVOICES = ['invoice', 'correction'] as const
const SIGNED = ['invoice', 'cancellation'] as const
const ALL = ['invoice', 'cancellation', 'correction', 'cancellation_correction'] as const
/** Amounts are rounded line by line: the total may depart from the breakdown by some hundredths. */
const TOTAL_TOLERANCE = 10
const GENERAL_REGIME = '01'

function dayOf(written: string): string | null {
  const [, day = '', month = '', year = ''] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(written) ?? []
  const text = `${year}-${month}-${day}`
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().slice(0, 10) === text ? text : null
}

/** A file that breaks one of these is not kept. The first one decides. */
export const REFUSALS: readonly Rule[] = [
  {
    code: '004',
    text: 'Datos del identificador TBAI incorrectos.',
    basque: 'TBAI identifikatzailearen datuak ez dira zuzenak.',
    on: ALL,
    broken: ({ key }, { now, knows }) => {
      const day = dayOf(key.issueDate)
      return day === null || day > businessDateOf(now) || !isNif(key.issuerNif) || !knows(key.issuerNif)
    },
  },
  {
    code: '003',
    text: 'La factura no tiene detalles.',
    basque: 'Fakturak ez du xehetasunik.',
    on: ['invoice'],
    broken: ({ root }) => {
      const details = root.children
        .find(({ name }) => name === 'Factura')
        ?.children.find(({ name }) => name === 'DatosFactura')
      return !details?.children.some(({ name }) => name === 'DetallesFactura')
    },
  },
  {
    code: '005',
    text: 'La factura ya está registrada.',
    basque: 'Faktura dagoeneko erregistratuta dago.',
    on: ['invoice'],
    broken: (_file, { held }) => held !== null,
  },
  {
    code: '018',
    text: 'La factura que se anula no está registrada.',
    basque: 'Baliogabetu nahi den faktura ez dago erregistratuta.',
    on: ['cancellation', 'cancellation_correction'],
    broken: (_file, { held }) => held === null,
  },
  {
    code: '019',
    text: 'La factura ya está anulada.',
    basque: 'Faktura dagoeneko baliogabetuta dago.',
    on: ['cancellation'],
    broken: (_file, { held }) => held?.status === 'cancelled',
  },
  {
    // Which code the services use for a correction of nothing is not known.
    code: '004',
    text: 'El fichero que se modifica no está registrado.',
    basque: 'Aldatu nahi den fitxategia ez dago erregistratuta.',
    on: ['correction'],
    broken: ({ action, signature }, { held }) =>
      action === 'MODIFICAR' && (held === null || held.signature !== signature),
  },
  {
    code: '005',
    text: 'La factura que se subsana ya está registrada.',
    basque: 'Zuzendu nahi den faktura dagoeneko erregistratuta dago.',
    on: ['correction'],
    broken: ({ action }, { held }) => action === 'SUBSANAR' && held !== null,
  },
]

/** A file that breaks these is kept, with a remark for each. */
export const REMARKS: readonly Rule[] = [
  {
    code: '007',
    text: 'El certificado del remitente no es válido para el emisor.',
    basque: 'Bidaltzailearen ziurtagiria ez da jaulkitzailearentzat baliozkoa.',
    on: ALL,
    broken: ({ key }, { callers, maySend }) => !maySend(callers, key.issuerNif),
  },
  {
    code: '008',
    text: 'La firma no es correcta.',
    basque: 'Sinadura ez da zuzena.',
    on: SIGNED,
    broken: (_file, { verdict }) => verdict?.fault != null,
  },
  {
    code: '009',
    text: 'El certificado del firmante no es correcto.',
    basque: 'Sinatzailearen ziurtagiria ez da zuzena.',
    on: SIGNED,
    broken: ({ key }, { verdict, now, maySend }) => {
      const certificate = verdict?.certificate
      if (!certificate) return true
      return (
        now < certificate.validFromDate ||
        now > certificate.validToDate ||
        !maySend(holderNifs(certificate), key.issuerNif)
      )
    },
  },
  {
    code: '010',
    text: 'El encadenamiento no es correcto.',
    basque: 'Kateatzea ez da zuzena.',
    on: ['invoice'],
    broken: ({ previous }, { head }) =>
      head === null
        ? previous !== null
        : previous === null || previous.signature !== head.signature || !sameKey(previous.key, head.key),
  },
  {
    code: '011',
    text: 'El importe total no es el del desglose.',
    basque: 'Guztizko zenbatekoa ez dator bat banakapenarekin.',
    on: INVOICES,
    broken: ({ root }) => {
      const { written, computed } = totalsOf(root)
      return (
        regimeKeysOf(root).every((key) => key === GENERAL_REGIME) &&
        Math.abs(written - computed) > TOTAL_TOLERANCE
      )
    },
  },
  {
    code: '012',
    text: 'La licencia no está en el registro.',
    basque: 'Lizentzia ez dago erregistroan.',
    on: ALL,
    broken: ({ licence }, { licences }) => licences !== null && !licences.includes(licence),
  },
]

/** Returns the rules that a file breaks. */
export function brokenRules(
  rules: readonly Rule[],
  file: ReceivedFile,
  context: FileContext,
): Pick<Rule, 'code' | 'text' | 'basque'>[] {
  return rules
    .filter(({ on, broken }) => on.includes(file.kind) && broken(file, context))
    .map(({ code, text, basque }) => ({ code, text, basque }))
}
