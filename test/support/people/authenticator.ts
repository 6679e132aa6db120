/** A passkey in software: an authenticator with a platform key (ES256), as a browser would answer for it. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

/** User present, user verified. */
const FLAGS = 0x05
/** Attested data follow. */
const ATTESTED = 0x40

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

const cborBytes = (data: Uint8Array): Buffer => Buffer.concat([head(2, data.length), data])
const cborText = (text: string): Buffer =>
  Buffer.concat([head(3, Buffer.byteLength(text)), Buffer.from(text)])

export class Authenticator {
  readonly id: string
  private readonly credentialId = randomBytes(32)
  private readonly privateKey: KeyObject
  private readonly coordinates: { x: Buffer; y: Buffer }
  private counter = 0

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.privateKey = privateKey
    this.coordinates = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
    this.id = base64url(this.credentialId)
  }

  private data(site: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.counter)
    return Buffer.concat([sha256(site), Buffer.from([flags]), counter])
  }

  private client(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  /** The passkey of a person at a site, for an authenticator of Chromium. */
  exported(rpId: string, personId: string) {
    return {
      credentialId: this.credentialId.toString('base64'),
      isResidentCredential: true,
      rpId,
      userHandle: Buffer.from(personId).toString('base64'),
      privateKey: this.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      signCount: this.counter,
    }
  }

  /** Answers `navigator.credentials.create`. */
  create(options: { challenge: string; rp: { id?: string } }, origin: string): Record<string, unknown> {
    const client = this.client('webauthn.create', options.challenge, origin)
    const { x, y } = this.coordinates
    const key = Buffer.concat([
      head(5, 5),
      Buffer.from([0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(x),
      Buffer.from([0x22]),
      cborBytes(y),
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const data = Buffer.concat([
      this.data(options.rp.id ?? '', FLAGS | ATTESTED),
      Buffer.alloc(16),
      length,
      this.credentialId,
      key,
    ])
    const attestation = Buffer.concat([
      head(5, 3),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      head(5, 0),
      cborText('authData'),
      cborBytes(data),
    ])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    }
  }

  /** Answers `navigator.credentials.get`; `verified` is false for a device that did not check who is there. */
  get(
    options: { challenge: string; rpId?: string },
    origin: string,
    { verified = true }: { verified?: boolean } = {},
  ): Record<string, unknown> {
    const client = this.client('webauthn.get', options.challenge, origin)
    const data = this.data(options.rpId ?? '', verified ? FLAGS : 0x01)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.privateKey)
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      },
    }
  }
}
