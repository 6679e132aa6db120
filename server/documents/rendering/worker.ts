/** The worker thread that draws and signs: 500 lines take longer than the main thread may be blocked. */
import { createHash } from 'node:crypto'
import { onThreadMessage, ownThread } from '../../platform/processes/threads.ts'
import { drawInvoice } from '../pdf/index.ts'
import type { InvoicePaper, PaperArea } from '../pdf/index.ts'
import { openSigningKey, signPdf } from '../signing/index.ts'

/** Signer of a job: the company's key with its certificates. The thread keeps nothing of it after the job. */
export interface SigningJob {
  keyPem: string
  chainPem: string
  /** Instant, ISO 8601. */
  signedAt: string
  /** Holder of the certificate. */
  name: string
  /** Name of the field, in the document's language. */
  fieldLabel: string
}

export type DocumentJob =
  /** `xml` is embedded as the invoice's structured form. */
  | { kind: 'draw'; paper: InvoicePaper; xml: string | null; signing: SigningJob | null }
  /** A document drawn earlier. */
  | { kind: 'sign'; unsigned: Uint8Array; signing: SigningJob }

export interface MadeDocument {
  /** The document without its signature. */
  bytes: Uint8Array<ArrayBuffer>
  /** Hash of the bytes, lower-case hex. */
  sha256: string
  /** Bytes that a signature appends, and the hash of the whole file; null when nobody signed. */
  signature: { appended: Uint8Array<ArrayBuffer>; sha256: string } | null
  pages: number
  /** Positions of the editor's fields on the pages. */
  areas: PaperArea[]
}

export interface WorkerJob {
  id: number
  job: DocumentJob
}
export type WorkerReply = { id: number; made: MadeDocument } | { id: number; failure: string }

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function signed(unsigned: Uint8Array, job: SigningJob): MadeDocument['signature'] {
  const { keyPem, chainPem, name, fieldLabel } = job
  const key = openSigningKey({ keyPem, chainPem })
  const { bytes } = signPdf(unsigned, key, { signedAt: new Date(job.signedAt), name, fieldLabel })
  return { appended: new Uint8Array(bytes.subarray(unsigned.byteLength)), sha256: sha256(bytes) }
}

/** Makes one document. Throws when the input cannot be drawn or signed. */
export default async function makeDocument(job: DocumentJob): Promise<MadeDocument> {
  if (job.kind === 'sign') {
    const bytes = new Uint8Array(job.unsigned)
    return { bytes, sha256: sha256(bytes), signature: signed(bytes, job.signing), pages: 0, areas: [] }
  }
  const { bytes, pages, areas } = await drawInvoice(job.paper, job.xml)
  return {
    bytes: new Uint8Array(bytes),
    sha256: sha256(bytes),
    signature: job.signing && signed(bytes, job.signing),
    pages,
    areas,
  }
}

const own = ownThread('document')
if (own) {
  const { port } = own
  const answer = (reply: WorkerReply): void => {
    const given = 'made' in reply ? [reply.made.bytes.buffer, reply.made.signature?.appended.buffer] : []
    port.postMessage(
      reply,
      given.filter((buffer) => buffer !== undefined),
    )
  }
  onThreadMessage(port, ({ id, job }: WorkerJob) => {
    makeDocument(job).then(
      (made) => answer({ id, made }),
      (error: unknown) => answer({ id, failure: error instanceof Error ? error.message : String(error) }),
    )
  })
}
