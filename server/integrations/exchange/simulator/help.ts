/** The help of `sello platform`: enough to write a client without anything else. Names and codes come from the code itself. */
import {
  OPERATIONS,
  PAGE,
  PART,
  PLATFORM_NAME,
  PLATFORM_NIF,
  QUERY,
  ROLE_VALUES,
  writeEnvelope,
} from '../wire/envelope.ts'
import type { OperationName } from '../wire/envelope.ts'
import { MESSAGE_BYTES, PLATFORM_LIMITS } from '../wire/limits.ts'
import { REFUSALS } from './codes.ts'

const SELLER = 'B12345674'
const BUYER = 'A58818501'

/** What each address takes and answers. */
const MESSAGES: Record<OperationName, readonly [takes: string, answers: string]> = {
  send: [`1-${PLATFORM_LIMITS.invoicesOfBatch} invoices or copies (UBL Invoice)`, 'DocumentStatus'],
  withdraw: ['1 ApplicationResponse with CANCELINVOICE', 'DocumentStatus'],
  query_codes: [
    `1 ApplicationResponse with up to ${PLATFORM_LIMITS.codesOfQuery} codes; property ${QUERY.role}`,
    'DocumentStatus',
  ],
  query_period: [
    `no part; properties ${QUERY.role}, ${QUERY.company}, ${QUERY.from}, ${QUERY.to}`,
    'DocumentStatus',
  ],
  download_codes: [
    `1 ApplicationResponse with up to ${PLATFORM_LIMITS.locatorsOfDownload} codes`,
    'a part for each invoice',
  ],
  download: [
    `1 ApplicationResponse with up to ${PLATFORM_LIMITS.locatorsOfDownload} locators`,
    'a part for each invoice',
  ],
  statuses_recipient: [
    `1 ApplicationResponse with up to ${PLATFORM_LIMITS.statusesOfMessage} statuses of the customer`,
    'DocumentStatus',
  ],
  statuses_issuer: [
    `1 ApplicationResponse with up to ${PLATFORM_LIMITS.statusesOfMessage} statuses of the issuer`,
    'DocumentStatus',
  ],
}

function addresses(): string {
  return (Object.keys(OPERATIONS) as OperationName[])
    .map((name) => {
      const { path, service, action } = OPERATIONS[name]
      const [takes, answers] = MESSAGES[name]
      return `  ${path}\n      eb:Service ${service}, eb:Action ${action}\n      takes ${takes}; answers ${answers}`
    })
    .join('\n')
}

const ENVELOPE = writeEnvelope({
  version: '1.2',
  timestamp: '2027-10-15T09:00:00.000Z',
  messageId: 'message-1',
  refToMessageId: null,
  from: SELLER,
  to: PLATFORM_NIF,
  service: OPERATIONS.send.service,
  action: OPERATIONS.send.action,
  conversationId: 'message-1',
  properties: {},
  parts: [{ id: 'invoice-1', properties: {} }],
}).split('\n')[1]

const UBL_NS = 'urn:oasis:names:specification:ubl:schema:xsd:'
const CAC = `xmlns:cac="${UBL_NS}CommonAggregateComponents-2" xmlns:cbc="${UBL_NS}CommonBasicComponents-2"`

const party = (nif: string, name: string, street: string): string =>
  `<cac:Party><cac:PostalAddress><cbc:StreetName>${street}</cbc:StreetName><cbc:CityName>Madrid</cbc:CityName><cbc:PostalZone>28001</cbc:PostalZone><cbc:CountrySubentity>Madrid</cbc:CountrySubentity><cac:Country><cbc:IdentificationCode>ES</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>ES${nif}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyTaxScheme><cbc:CompanyID schemeID="FC">${nif}</cbc:CompanyID><cac:TaxScheme><cbc:ID>LOC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName><cbc:CompanyID>${nif}</cbc:CompanyID></cac:PartyLegalEntity></cac:Party>`

const CATEGORY =
  '<cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>'

const INVOICE = `<Invoice xmlns="${UBL_NS}Invoice-2" ${CAC}>
<cbc:CustomizationID>urn:cen.eu:en16931:2026#conformant#urn:aeat.es:spfe:1.0.0:extended</cbc:CustomizationID>
<cbc:ProfileID>urn:aeat:names:specification:ubl:schema:profile:B2B</cbc:ProfileID>
<cbc:ID>A-1</cbc:ID><cbc:CopyIndicator>false</cbc:CopyIndicator><cbc:IssueDate>2026-10-15</cbc:IssueDate><cbc:DueDate>2026-11-30</cbc:DueDate>
<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID><cbc:UUID>https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=${SELLER}&amp;numserie=A-1&amp;fecha=15-10-2026&amp;importe=121.00</cbc:UUID><cbc:DocumentDescription>VERIFACTU</cbc:DocumentDescription></cac:AdditionalDocumentReference>
<cac:AccountingSupplierParty>${party(SELLER, 'TALLERES NORTE SL', 'Calle Mayor 1')}</cac:AccountingSupplierParty>
<cac:AccountingCustomerParty>${party(BUYER, 'COMPRAS SUR SA', 'Calle Menor 2')}</cac:AccountingCustomerParty>
<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentID>A-1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>ES9121000418450200051332</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">21.00</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">100.00</cbc:TaxableAmount><cbc:TaxAmount currencyID="EUR">21.00</cbc:TaxAmount><cac:TaxCategory>${CATEGORY}</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount currencyID="EUR">100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="EUR">121.00</cbc:TaxInclusiveAmount><cbc:PayableAmount currencyID="EUR">121.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Mano de obra</cbc:Name><cac:ClassifiedTaxCategory>${CATEGORY}</cac:ClassifiedTaxCategory><cac:AdditionalItemProperty><cbc:Name>REGI</cbc:Name><cbc:Value>01</cbc:Value><cbc:ValueQualifier>IVA</cbc:ValueQualifier></cac:AdditionalItemProperty></cac:Item><cac:Price><cbc:PriceAmount currencyID="EUR">100.00</cbc:PriceAmount></cac:Price></cac:InvoiceLine>
</Invoice>`

const FC = (nif: string): string =>
  `<cac:PartyTaxScheme><cbc:CompanyID schemeID="FC">${nif}</cbc:CompanyID><cac:TaxScheme><cbc:ID>LOC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`

const STATUS = `<ApplicationResponse xmlns="${UBL_NS}ApplicationResponse-2" ${CAC}>
<cbc:ID>m-1</cbc:ID><cbc:IssueDate>2026-10-20</cbc:IssueDate>
<cac:SenderParty>${FC(BUYER)}</cac:SenderParty>
<cac:ReceiverParty><cac:PartyLegalEntity><cbc:RegistrationName>${PLATFORM_NAME}</cbc:RegistrationName></cac:PartyLegalEntity></cac:ReceiverParty>
<cac:DocumentResponse>
<cac:Response><cbc:ResponseCode>REJECTION</cbc:ResponseCode><cbc:EffectiveDate>2026-10-19</cbc:EffectiveDate><cac:Status><cbc:StatusReasonCode>01</cbc:StatusReasonCode></cac:Status></cac:Response>
<cac:DocumentReference><cbc:ID>A-1</cbc:ID><cbc:IssueDate>2026-10-15</cbc:IssueDate><cac:IssuerParty>${FC(SELLER)}</cac:IssuerParty></cac:DocumentReference>
</cac:DocumentResponse>
</ApplicationResponse>`

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')

/** Returns the text, in plain lines. */
export function helpText(): string {
  return `It is a simulation of the tax agency's public e-invoice platform, for tests: nothing that is sent to it reaches anybody, and
it listens on 127.0.0.1 only. What the agency has not published is assumed; the page lists every assumption.

STARTING
  sello platform --port 8470 --control-port 8471 --dir ./platform --clients ${SELLER},${BUYER}
The last line of the output is one JSON object; it runs until Ctrl+C or SIGTERM:
  url          address of the service (https, with a slash at its end)
  pageUrl      page for the browser: invoices with their statuses, the latest messages, the assumptions
  controlUrl   faults and lists, plain HTTP
  ca           certificate (PEM) that a client must trust
  certificates for each --clients number: the files of its certificate and key (PEM)
  pid          the process
Options:
  --port, --control-port  ports; any free ones by default
  --dir DIR       keeps invoices, root and certificates for the next start; by default all ends with the program
  --clients N,…   makes a certificate for each tax number
  --powers H:C,…  H may act for C as attorney; H:C:collaborator as social collaborator: sends and reports, reads only what it sent
  --unknown N,…   tax numbers that it does not know, besides 99999999R
  --per-minute N  messages of one certificate in a minute; more are answered 429 with Retry-After
  --client-ca F   accepts only certificates that were issued under one of this PEM file; by default any

CERTIFICATES
Every request shows a client certificate (TLS 1.2 or newer). Its holder is the VATES- number in organizationIdentifier, else the
IDCES- number in serialNumber. With openssl instead of --clients:
  openssl req -x509 -newkey rsa:2048 -nodes -days 365 -keyout seller-key.pem -out seller.pem \\
    -subj "/C=ES/O=TALLERES NORTE SL/organizationIdentifier=VATES-${SELLER}/CN=TALLERES NORTE SL"

ADDRESSES (POST, below url)
${addresses()}
A message has at most ${MESSAGE_BYTES >> 20} MB, an invoice at most ${PLATFORM_LIMITS.invoiceBytes / 1024} kB.

A MESSAGE
SOAP 1.2 or 1.1 with an ebMS 3.0 header and an empty body; documents are parts of multipart/related, named by cid. Save this as
message.txt (line ends LF or CRLF; the part's document may begin with an XML declaration):

${indented(`--b1
Content-Type: application/soap+xml; charset=UTF-8
Content-ID: <envelope>

${ENVELOPE}
--b1
Content-Type: application/xml
Content-ID: <invoice-1>

${INVOICE}
--b1--`)}

without the two blanks at the beginning of each line, and send it:
  curl --cacert ca.pem --cert seller.pem --key seller-key.pem --data-binary @message.txt \\
    -H 'Content-Type: multipart/related; boundary="b1"; type="application/soap+xml"; start="<envelope>"' \\
    https://127.0.0.1:8470/${OPERATIONS.send.path}
eb:From is the holder of the certificate, eb:To ${PLATFORM_NIF}. Each eb:PartInfo names a part, and each part is named. A message without
parts is the envelope alone, with Content-Type application/soap+xml (or text/xml for SOAP 1.1).

THE ANSWER
The same form; eb:RefToMessageId is your message. Its part "status" is a UBL DocumentStatus: cbc:ID is the code of the receipt (CSV),
cac:Response/cbc:ResponseCode 200 (all taken), 206 (some) or 400 (none), and each cac:DocumentReference says for one invoice
cbc:DocumentStatusCode 200 or a code below with cbc:DocumentDescription, and for an invoice that was taken its locator in
cbc:ReferencedDocumentInternalAddress. A message that is wrong as a whole is answered with a SOAP fault (HTTP 400 or 500) that has one of
the codes; nothing of it was taken.

CORRECTED INVOICE
cbc:InvoiceTypeCode 384; after cbc:DocumentCurrencyCode the invoice that it corrects:
  <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>A-1</cbc:ID><cbc:IssueDate>2026-10-15</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>
and after the reference QR its kind (R1 to R4) and way (I by differences, S by substitution):
  <cac:AdditionalDocumentReference><cbc:ID>RECT:TIPO</cbc:ID><cbc:DocumentTypeCode>R1</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>
  <cac:AdditionalDocumentReference><cbc:ID>RECT:MODALIDAD</cbc:ID><cbc:DocumentTypeCode>S</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>
A faithful copy has cbc:CopyIndicator true. Where the original is held no copy is taken, and where a copy is held it must be withdrawn first.

STATUSES AND WITHDRAWAL
This part (cid:request) rejects the invoice above, sent with the certificate of ${BUYER} to ${OPERATIONS.statuses_recipient.path}:

${indented(STATUS)}

Customer: REJECTION (reason 01 commercial, 02 private), PAYMENT, CANCELREJECTION, CANCELPAYMENT. Issuer: SETTLEMENT, DEFAULT,
CANCELSETTLEMENT, CANCELDEFAULT; CANCELINVOICE alone, at ${OPERATIONS.withdraw.path}. Every report but the CANCEL… ones needs
cbc:EffectiveDate, not in the future. PAYMENT also needs the end of the payment term, instead of the reason:
  <cac:Status><cbc:ReferenceDate>2026-11-30</cbc:ReferenceDate><cac:Condition><cbc:AttributeID>DueDate</cbc:AttributeID></cac:Condition></cac:Status>
A report must be cancelled before another one of the same side; after a payment there is no rejection and no withdrawal. A withdrawn
invoice is in no query, and its number may be sent again.

QUERIES AND DOWNLOADS
Queries have message properties, after eb:CollaborationInfo:
  <eb:MessageProperties><eb:Property name="${QUERY.role}">${ROLE_VALUES.recipient}</eb:Property><eb:Property name="${QUERY.company}">${BUYER}</eb:Property><eb:Property name="${QUERY.from}">2026-10-01</eb:Property><eb:Property name="${QUERY.to}">2026-10-31</eb:Property></eb:MessageProperties>
${QUERY.role} is ${ROLE_VALUES.issuer} or ${ROLE_VALUES.recipient}. The days are those of presentation (not of issue), in one month, in Spain. A page
ends with cbc:StatusReasonCode ${PAGE.more} if another one follows: repeat the query with the property ${QUERY.after} set to its cbc:SequenceID; ${PAGE.last} is the last.
Each invoice is a cac:DocumentReference of cac:DocumentResponse; each status of it a cac:AdditionalDocumentResponse.
A query by codes and a download have an ApplicationResponse with one cac:DocumentResponse for each invoice: an empty cac:Response and a
cac:DocumentReference, by locator with cbc:ID and cbc:ReferencedDocumentInternalAddress both the locator. The header of the answer to a
download names for each part the properties ${PART.id}, ${PART.statusCode} and ${PART.statusDescription}.

CODES (the simulator's own; the real catalogue is unpublished)
${Object.entries(REFUSALS)
  .map(([code, text]) => `  ${code}  ${text}`)
  .join('\n')}

FAULTS (controlUrl, by default for the next message that changes something; "on": "read" or "any" for others)
  curl -H 'Content-Type: application/json' -d '{"fault": "drop_reply"}' http://127.0.0.1:8471/control
  curl -H 'Content-Type: application/json' -d '{"fault": {"kind": "slow", "ms": 5000}, "times": 3}' http://127.0.0.1:8471/control
  curl -H 'Content-Type: application/json' -d '{"set": "down"}' http://127.0.0.1:8471/control      (until {"set": null} or {"clear": true})
  down            connections are closed before anything is sent
  drop_request    the connection is cut before the message is taken
  drop_reply      the message is taken, then the connection is cut
  slow            the right answer, late: ms
  half_answer     the message is taken, half of the answer comes
  error_500, html_200, fault_receiver   a useless answer; "processed": true takes the message first
  throttled       429 with Retry-After: seconds
  refuse          every invoice or status of the message is refused
GET controlUrl/invoices, /messages, /powers list what it holds; {"powers": [{"nif": H, "for": C, "as": "attorney"}]} replaces the powers.`
}
