/** The messages of the simulated portal: written apart from those of the client, so that a mistake shows on one side. */
import { xmlText } from '../../../domain/formats/xml-writer.ts'

export const NAMESPACE = 'https://webservice.face.gob.es'

type Part = readonly [name: string, content: string | readonly Part[]]

function partXml([name, content]: Part): string {
  return `<${name}>${typeof content === 'string' ? xmlText(content) : content.map(partXml).join('')}</${name}>`
}

/** Returns the element of the body of an answer. */
export function responseXml(
  operation: string,
  result: { code: string; text: string; trackingCode: string },
  parts: readonly Part[] = [],
): string {
  const written: Part[] = [
    [
      'resultado',
      [
        ['codigo', result.code],
        ['descripcion', result.text],
        ['codigoSeguimiento', result.trackingCode],
      ],
    ],
    ...parts,
  ]
  return `<ns1:${operation}Response xmlns:ns1="${NAMESPACE}"><return>${written.map(partXml).join('')}</return></ns1:${operation}Response>`
}

/** Returns a SOAP fault, which is not signed: it can come from before the signer. */
export function faultXml(code: string, text: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body><SOAP-ENV:Fault>' +
    `<faultcode>${xmlText(code)}</faultcode><faultstring>${xmlText(text)}</faultstring>` +
    '</SOAP-ENV:Fault></SOAP-ENV:Body></SOAP-ENV:Envelope>'
  )
}
