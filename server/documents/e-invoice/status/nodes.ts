/** Parts that status messages and answers have in common: the reference to an invoice, and the party by its number. */
import { textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import { child } from '../../../domain/formats/xml-reader.ts'
import { LOCAL_NUMBER, LOCAL_SCHEME } from '../exchange/codes.ts'
import type { InvoiceCode } from '../exchange/invoice-code.ts'
import { partyNumber } from '../exchange/rules/parties.ts'

export const opt = (name: string, text: string | null | undefined): XmlNode | undefined =>
  text === null || text === undefined || text === '' ? undefined : [name, text]

export function partyNode(name: string, taxId: string | null, fullName?: string): XmlNode {
  return [
    name,
    [
      taxId === null
        ? undefined
        : [
            'cac:PartyTaxScheme',
            [
              ['cbc:CompanyID', taxId, `schemeID="${LOCAL_NUMBER}"`],
              ['cac:TaxScheme', [['cbc:ID', LOCAL_SCHEME]]],
            ],
          ],
      fullName === undefined ? undefined : ['cac:PartyLegalEntity', [['cbc:RegistrationName', fullName]]],
    ],
  ]
}

/** Returns the invoice that a reference names, or null. */
export function invoiceOfReference(reference: XmlElement | null): InvoiceCode | null {
  const issuerTaxId = partyNumber(child(reference, 'IssuerParty'))
  const number = textAt(reference, 'ID')
  const issueDate = textAt(reference, 'IssueDate')
  if (issuerTaxId === null || number === null || issueDate === null) return null
  return { issuerTaxId, number, issueDate }
}
