/**
 * Signs and verifies SOAP 1.1 messages with an X.509 certificate (OASIS Web Services Security 1.0, X.509 token profile): the
 * certificate in the message, a time with its end, and a signature over both the body and that time. Exclusive canonical
 * XML and SHA-512. Equal input gives equal text with an RSA key; ECDSA is randomized.
 */
import { createHash, sign } from 'node:crypto'
import type { X509Certificate } from 'node:crypto'
import type { SigningKey, TreeElement } from '../../platform/signing/index.ts'
import {
  attributeOf,
  BrokenXmlSignature,
  certificateIn,
  DS,
  elementsOf,
  EXCLUSIVE,
  identifiersOf,
  onlyElement,
  readTree,
  textIn,
  UnreadableTree,
  verifyXmlSignature,
  WSU,
} from '../../platform/signing/index.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const MESSAGE_SECURITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0'
const X509_TOKEN = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3'
const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512'
const METHODS: Record<SigningKey['type'], string> = {
  rsa: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  ec: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512',
}
const DIGEST = 'sha512'

/** Between the 60 seconds and the hour that working programs use. */
const LIFE_SECONDS = 300

const instantText = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z')

function referenceTo(id: string, text: string): string {
  return (
    `<ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${EXCLUSIVE}"></ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${SHA512}"></ds:DigestMethod>` +
    `<ds:DigestValue>${createHash(DIGEST).update(text).digest('base64')}</ds:DigestValue></ds:Reference>`
  )
}

/**
 * Returns a signed message. `content` is the element of the body, which declares the namespaces that it uses itself and is
 * in canonical form. Each signed part declares its own namespaces, so that it is its exclusive canonical form.
 */
export function signSoap(
  content: string,
  key: SigningKey,
  { createdAt, lifeSeconds = LIFE_SECONDS }: { createdAt: Date; lifeSeconds?: number },
): string {
  const created = instantText(createdAt)
  const expires = instantText(new Date(createdAt.getTime() + lifeSeconds * 1000))
  const mark = createHash('sha256').update(`${created} ${content}`).digest('hex').slice(0, 24)
  const [bodyId, timeId, tokenId] = ['body', 'time', 'token'].map((name) => `${name}-${mark}`)
  const body = `<soapenv:Body xmlns:soapenv="${SOAP}" xmlns:wsu="${WSU}" wsu:Id="${bodyId}">${content}</soapenv:Body>`
  const time =
    `<wsu:Timestamp xmlns:wsu="${WSU}" wsu:Id="${timeId}"><wsu:Created>${created}</wsu:Created>` +
    `<wsu:Expires>${expires}</wsu:Expires></wsu:Timestamp>`
  const signedInfo =
    `<ds:SignedInfo xmlns:ds="${DS}"><ds:CanonicalizationMethod Algorithm="${EXCLUSIVE}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${METHODS[key.type]}"></ds:SignatureMethod>` +
    `${referenceTo(timeId!, time)}${referenceTo(bodyId!, body)}</ds:SignedInfo>`
  const value = sign(DIGEST, Buffer.from(signedInfo), { key: key.key, dsaEncoding: 'ieee-p1363' })
  const token =
    `<wsse:BinarySecurityToken xmlns:wsu="${WSU}" EncodingType="${MESSAGE_SECURITY}#Base64Binary" ` +
    `ValueType="${X509_TOKEN}" wsu:Id="${tokenId}">${key.certificate.der.toString('base64')}</wsse:BinarySecurityToken>`
  const signature =
    `<ds:Signature xmlns:ds="${DS}">${signedInfo}<ds:SignatureValue>${value.toString('base64')}</ds:SignatureValue>` +
    `<ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference URI="#${tokenId}" ValueType="${X509_TOKEN}"></wsse:Reference>` +
    '</wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>'
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="${SOAP}"><soapenv:Header>` +
    `<wsse:Security xmlns:wsse="${WSSE}" soapenv:mustUnderstand="1">${token}${time}${signature}</wsse:Security>` +
    `</soapenv:Header>${body}</soapenv:Envelope>`
  )
}

/** A message as it was read. */
export interface SoapMessage {
  envelope: TreeElement
  body: TreeElement
  /** The element of the body. */
  content: TreeElement
}

/** Reads a SOAP 1.1 message without trusting it. Throws `BrokenXmlSignature` (`unreadable`). */
export function readSoap(xml: string): SoapMessage {
  try {
    const envelope = readTree(xml)
    const body =
      envelope.local === 'Envelope' && envelope.uri === SOAP ? onlyElement(envelope, 'Body', SOAP) : null
    const [content, second] = body ? elementsOf(body) : []
    if (!body || !content || second) throw new UnreadableTree('It is no SOAP 1.1 message.')
    return { envelope, body, content }
  } catch (error) {
    if (error instanceof UnreadableTree) throw new BrokenXmlSignature('unreadable', error.message)
    throw error
  }
}

/** Returns the certificate that a signature names: by a reference to a token of the message, or written in itself. */
function signerOf(signature: TreeElement, envelope: TreeElement): X509Certificate {
  const keyInfo = onlyElement(signature, 'KeyInfo', DS)
  const reference = keyInfo && onlyElement(keyInfo, 'SecurityTokenReference', WSSE)
  const to = reference && onlyElement(reference, 'Reference', WSSE)
  const token = to && identifiersOf(envelope).get((attributeOf(to, 'URI') ?? '').replace(/^#/, ''))
  if (token) {
    if (token.local !== 'BinarySecurityToken' || token.uri !== WSSE)
      throw new BrokenXmlSignature('unreadable', 'The signature names no security token.')
    return certificateIn(token)
  }
  const data = (reference ?? keyInfo) && onlyElement((reference ?? keyInfo)!, 'X509Data', DS)
  return certificateIn(data && onlyElement(data, 'X509Certificate', DS))
}

/** Clocks may differ by this much. */
const CLOCKS_APART_MS = 5 * 60_000

function checkTime(time: TreeElement, now: Date): void {
  const at = (name: string): number => Date.parse(textIn(onlyElement(time, name, WSU)))
  const [created, expires] = [at('Created'), at('Expires')]
  const isLate = !Number.isNaN(expires) && now.getTime() > expires + CLOCKS_APART_MS
  const isEarly = Number.isNaN(created) || created > now.getTime() + CLOCKS_APART_MS
  if (isLate || isEarly) throw new BrokenXmlSignature('expired', 'The message is of another time.')
}

/**
 * Verifies that the certificate in a message signed its body, and its time where it has one, and returns both. With
 * `timeRequired` a message without a signed time is refused. Throws `BrokenXmlSignature`; `unsigned` for a message without
 * a signature.
 */
export function verifySoap(
  xml: string,
  { now, timeRequired = false }: { now: Date; timeRequired?: boolean },
): SoapMessage & { certificate: X509Certificate } {
  const message = readSoap(xml)
  const header = onlyElement(message.envelope, 'Header', SOAP)
  const security = header && onlyElement(header, 'Security', WSSE)
  const signature = security && onlyElement(security, 'Signature', DS)
  if (!security || !signature) throw new BrokenXmlSignature('unsigned', 'The message is not signed.')
  const certificate = signerOf(signature, message.envelope)
  const proven = new Set(
    verifyXmlSignature(signature, certificate, message.envelope).map(({ element }) => element),
  )
  const covers = (element: TreeElement): boolean => proven.has(element) || proven.has(message.envelope)
  if (!covers(message.body)) throw new BrokenXmlSignature('not_covered', 'The body is not signed.')
  const time = onlyElement(security, 'Timestamp', WSU)
  if (time ? !covers(time) : timeRequired)
    throw new BrokenXmlSignature('not_covered', 'The time of the message is not signed.')
  if (time) checkTime(time, now)
  if (now < certificate.validFromDate || now > certificate.validToDate)
    throw new BrokenXmlSignature('expired', 'The certificate of the message is of another time.')
  return { ...message, certificate }
}
