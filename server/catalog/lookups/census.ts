/**
 * Census check of the Spanish tax agency (service VNifV2): whether a NIF and a name belong together. It uses SOAP and
 * requires the caller's certificate. Source: AEAT, "Calidad de datos identificativos", WSDL VNifV2 (up to 10,000
 * pairs per request; here one).
 */
import { SaxesParser } from 'saxes'
import { AppError } from '../../domain/errors/app-error.ts'
import type { CensusResult } from './contract.ts'
import { callService, refused, unavailable } from './outgoing.ts'
import type { ServiceAddress } from './outgoing.ts'
import type { CensusService } from './ports.ts'

const SERVICE = 'AEAT VNifV2'
const PATH = '/wlpl/BURT-JDIT/ws/VNifV2SOAP'
const NS =
  'http://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/burt/jdit/ws/'

interface CensusCredential {
  kind: 'person' | 'representative' | 'seal'
  keyPem: string
  chainPem: string
}

/** Returns the agency's host for a kind of certificate. */
export function censusAddress(kind: CensusCredential['kind']): ServiceAddress {
  return {
    host: kind === 'seal' ? 'www10.agenciatributaria.gob.es' : 'www1.agenciatributaria.gob.es',
    port: 443,
  }
}

/** The service's results as ours. It distinguishes natural persons by name, so a near match is `similar`. */
const RESULTS: Readonly<Record<string, CensusResult>> = {
  IDENTIFICADO: 'identified',
  'IDENTIFICADO-BAJA': 'inactive',
  'IDENTIFICADO-REVOCADO': 'revoked',
  'NO IDENTIFICADO': 'not_identified',
  'NO IDENTIFICADO-SIMILAR': 'similar',
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function envelope(nif: string, name: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" ' +
    `xmlns:vnif="${NS}VNifV2Ent.xsd"><soapenv:Header/><soapenv:Body><vnif:VNifV2Ent><vnif:Contribuyente>` +
    `<vnif:Nif>${escaped(nif)}</vnif:Nif><vnif:Nombre>${escaped(name)}</vnif:Nombre>` +
    '</vnif:Contribuyente></vnif:VNifV2Ent></soapenv:Body></soapenv:Envelope>'
  )
}

/** Returns the texts of the elements without children, by their local name; throws for a document type or broken XML. */
function stringsOf(xml: string): Map<string, string> {
  const texts = new Map<string, string>()
  const parser = new SaxesParser({ xmlns: true })
  let text = ''
  parser.on('doctype', () => {
    throw new Error('A document type.')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', () => (text = ''))
  parser.on('text', (part) => (text += part))
  parser.on('closetag', (tag) => {
    if (!texts.has(tag.local)) texts.set(tag.local, text.trim())
    text = ''
  })
  parser.write(xml).close()
  return texts
}

/** Creates the real service with a company's certificate; only tests pass another `address`. */
export function createCensus(
  credential: CensusCredential,
  address: ServiceAddress = censusAddress(credential.kind),
): CensusService {
  return {
    async check(nif, name) {
      const { body, status } = await callService({
        service: SERVICE,
        address,
        method: 'POST',
        path: PATH,
        headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '""' },
        body: envelope(nif, name),
        credential,
      })
      let texts: Map<string, string>
      try {
        texts = stringsOf(body)
      } catch {
        throw refused(SERVICE, 'unreadable')
      }
      const fault = texts.get('faultstring')
      if (fault !== undefined || status !== 200) {
        if (status === 401 || status === 403) throw refused(SERVICE, 'certificate')
        throw status >= 500 && fault === undefined
          ? unavailable(SERVICE, `status_${status}`)
          : refused(SERVICE, (fault ?? `status_${status}`).slice(0, 200))
      }
      const said = (texts.get('Resultado') ?? '').toUpperCase()
      const result = RESULTS[said]
      if (said === 'NO PROCESADO') throw unavailable(SERVICE, 'not_processed')
      if (!result) throw refused(SERVICE, 'unknown_result')
      const censusName = texts.get('Nombre') ?? ''
      return { result, name: censusName === '' ? null : censusName.slice(0, 200) }
    },
  }
}

/** Returns the error for a missing certificate, which the census requires. */
export function certificateMissing(): AppError {
  return new AppError('certificate_missing')
}
