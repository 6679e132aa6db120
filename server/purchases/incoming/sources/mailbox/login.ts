/** Opens the mailbox of a source: its settings, its secret, and with OAuth 2 a fresh access token. */
import { createSystemCtx } from '../../../../context.ts'
import type { Ctx } from '../../../../context.ts'
import { isHostHere } from '../manage.ts'
import { mailboxOf, sourceByRow, writeSource } from '../rows.ts'
import type { SourceRow } from '../rows.ts'
import { sealSecret, secretOf } from '../sealed.ts'
import { MailboxFault, openMailbox } from './connect.ts'
import type { MailServer, MailboxLimits, OpenMailbox } from './connect.ts'
import { refreshTokens } from './tokens.ts'

interface LoginOptions {
  signal?: AbortSignal
  limits?: MailboxLimits
}

/** Connects to the mailbox of a source. Throws a `MailboxFault`, or the reason of the signal. */
export async function openMailboxOf(
  ctx: Ctx,
  row: SourceRow,
  options: LoginOptions = {},
): Promise<OpenMailbox & { server: MailServer }> {
  const server = await serverOf(ctx, row, options)
  return { ...(await openMailbox(server, mailboxOf(row).mailbox, options)), server }
}

async function serverOf(ctx: Ctx, row: SourceRow, { signal }: LoginOptions): Promise<MailServer> {
  const { host, port, user, signIn, oauth } = mailboxOf(row)
  const isHere = isHostHere(host)
  // Checked when it was saved, but the store may have become a sandbox since, or been restored elsewhere.
  if (isHere !== ctx.env.sandbox) throw new MailboxFault('unreachable')
  const { mockEndpoint } = ctx.env
  const place = { host, port, user, ...(mockEndpoint && isHere ? { caPem: mockEndpoint.caPem } : {}) }
  const secret = secretOf(ctx, row)
  if (signIn === 'password') {
    if (secret.password === undefined) throw new MailboxFault('sign_in_needed')
    return { ...place, login: { password: secret.password } }
  }
  const { refreshToken, clientSecret } = secret
  if (oauth === null || refreshToken === undefined) throw new MailboxFault('sign_in_needed')
  const tokens = await refreshTokens(ctx.env, { oauth, clientSecret }, refreshToken, signal)
  if (tokens.refreshToken !== null && tokens.refreshToken !== refreshToken)
    await keepToken(ctx, row, tokens.refreshToken)
  return { ...place, login: { accessToken: tokens.accessToken } }
}

/** Stores the refresh token that replaces the one that was used, unless a person changed the source meanwhile. */
async function keepToken(ctx: Ctx, row: SourceRow, refreshToken: string): Promise<void> {
  await createSystemCtx(ctx.env, ctx.book).transaction(async (tx) => {
    const now = await sourceByRow(tx, row.id)
    if (now?.version !== row.version) return
    const secret = { ...secretOf(tx, now), refreshToken }
    await writeSource(tx, row.id, { sealed_secret: sealSecret(tx, row.public_id, secret) })
  })
}
