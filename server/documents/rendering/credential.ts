/** Returns the certificate that signs the company's documents, when there is a valid one. */
import { credentialOf } from '../../company/certificates/index.ts'
import type { Credential } from '../../company/certificates/index.ts'
import type { Ctx } from '../../context.ts'

type Signer =
  | { credential: Credential; why: null }
  /** Documents are sent unsigned and state that: a signature with an expired certificate would be seen as forged. */
  | { credential: null; why: 'certificate_missing' | 'certificate_expired' }

export async function signerOf(ctx: Ctx): Promise<Signer> {
  const credential = await credentialOf(ctx)
  if (credential === null) return { credential, why: 'certificate_missing' }
  const now = ctx.now().getTime()
  if (now < credential.validFrom || now > credential.validTo)
    return { credential: null, why: 'certificate_expired' }
  return { credential, why: null }
}
