/** Who signs the company's documents: its certificate, when there is one that is valid now. */
import { credentialOf } from '../../company/certificates/index.ts'
import type { Credential } from '../../company/certificates/index.ts'
import type { Ctx } from '../../context.ts'

export type Signer =
  | { credential: Credential; why: null }
  /** Documents go out unsigned, and say so: a signature of an ended certificate would be taken for a false one. */
  | { credential: null; why: 'certificate_missing' | 'certificate_expired' }

export async function signerOf(ctx: Ctx): Promise<Signer> {
  const credential = await credentialOf(ctx)
  if (credential === null) return { credential, why: 'certificate_missing' }
  const now = ctx.now().getTime()
  if (now < credential.validFrom || now > credential.validTo)
    return { credential: null, why: 'certificate_expired' }
  return { credential, why: null }
}
