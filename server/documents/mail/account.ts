/** Account that sends the company's mail: its SMTP server with a sealed password, or the mail program of the computer. */
import { recordAudit } from '../../platform/audit/index.ts'
import { findCompany } from '../../company/index.ts'
import type { CompanyRow } from '../../company/index.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { programLanguage } from '../../domain/languages.ts'
import { proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { canOpenSealed } from '../../db/seal.ts'
import type {
  MailAccount,
  mailAccountContract,
  saveMailAccountContract,
  testMailAccountContract,
} from './contract.ts'
import { messageBytes } from './message.ts'
import { findAccount, saveAccount, markTested } from './rows.ts'
import type { AccountRow } from './rows.ts'
import { deliverMessage } from './smtp.ts'
import type { SmtpLimits, SmtpServer } from './smtp.ts'
import { testMessage } from './default-templates.ts'

/** Returns the place that a sealed password is bound to: it cannot be opened anywhere else. */
export function passwordSealContext(companyId: number): string {
  return `mail_accounts|sealed_password|${companyId}`
}

function isLoopback(host: string): boolean {
  return host === '::1' || /^(?:.+\.)?localhost\.?$/i.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function accountView(ctx: Ctx, row: AccountRow | null): MailAccount {
  return {
    channel: row?.channel ?? 'program',
    host: row?.host ?? null,
    port: row?.port ?? null,
    security: row?.security ?? null,
    user: row?.user ?? null,
    hasPassword: row?.sealed_password != null,
    fromName: row?.from_name ?? null,
    fromAddress: row?.from_address ?? null,
    replyTo: row?.reply_to ?? null,
    copyToSelf: row?.copy_to_self === 1,
    testedAt: row?.tested_at == null ? null : new Date(row.tested_at).toISOString(),
    sandbox: ctx.env.sandbox,
    version: row?.version ?? 0,
  }
}

export const getMailAccount: UseCase<typeof mailAccountContract> = async (ctx) =>
  accountView(ctx, await findAccount(ctx))

type AccountInput = ContractInput<typeof saveMailAccountContract>

function faultsOf(ctx: Ctx, input: AccountInput): Fault[] {
  const faults: Fault[] = []
  const add = (code: string, field: string, message: string, fix?: string): void =>
    void faults.push({ code, field, severity: 'error', message, ...(fix ? { fix } : {}) })
  if (input.channel === 'program') return faults
  for (const field of ['host', 'port', 'security', 'fromAddress'] as const)
    if (input[field] == null) add('required', field, 'This field is required.')
  if (input.host != null && isLoopback(input.host) !== ctx.env.sandbox)
    add(
      ctx.env.sandbox ? 'mail_host_outside' : 'mail_host_here',
      'host',
      ctx.env.sandbox
        ? 'A sandbox calls only servers on this computer.'
        : 'That is this computer, not a mail server.',
      ctx.env.sandbox ? 'Use 127.0.0.1 or localhost.' : 'Use the server your mail provider names.',
    )
  if (input.security === 'plain' && !ctx.env.sandbox)
    add('mail_plain', 'security', 'The password would travel in the open.', 'Use tls or starttls.')
  return faults
}

/**
 * Returns true if a stored password may stay: it must never reach another server than the one that it was entered
 * for.
 */
function isSameLogin(before: AccountRow, input: AccountInput): boolean {
  return (
    before.host?.toLowerCase() === input.host?.toLowerCase() &&
    before.port === input.port &&
    before.security === input.security &&
    before.user === (input.user?.trim() ?? null)
  )
}

export const saveMailAccount: UseCase<typeof saveMailAccountContract> = async (ctx, input) => {
  const faults = faultsOf(ctx, input)
  if (faults.length > 0) throw validationFailed(faults)
  return ctx.transaction(async (tx) => {
    const before = await findAccount(tx)
    const version = before?.version ?? 0
    if (input.expectedVersion !== undefined && input.expectedVersion !== version)
      throw new AppError('version_conflict', {
        field: 'expectedVersion',
        details: { expectedVersion: input.expectedVersion, version },
      })
    const stays = before !== null && isSameLogin(before, input)
    const { companyId } = tx.book
    let sealed = stays ? before.sealed_password : null
    if (input.password !== undefined)
      sealed =
        input.password === null
          ? null
          : tx.env.store.sealer.seal(input.password, passwordSealContext(companyId))
    const smtp = input.channel === 'smtp'
    if (smtp && input.user != null && sealed === null)
      throw validationFailed([
        {
          code: 'required',
          field: 'password',
          severity: 'error',
          message: 'This field is required.',
          fix: 'Type the password of this server and user.',
        },
      ])
    await saveAccount(tx, {
      company_id: companyId,
      channel: input.channel,
      host: smtp ? (input.host ?? null) : null,
      port: smtp ? (input.port ?? null) : null,
      security: smtp ? (input.security ?? null) : null,
      user: smtp ? (input.user?.trim() ?? null) : null,
      sealed_password: smtp && input.user != null ? sealed : null,
      from_name: input.fromName?.trim() ?? null,
      from_address: input.fromAddress ?? null,
      reply_to: input.replyTo ?? null,
      copy_to_self: input.copyToSelf === true ? 1 : 0,
      tested_at:
        stays && input.password === undefined && before.from_address === (input.fromAddress ?? null)
          ? before.tested_at
          : null,
      version: version + 1,
      updated_at: tx.now().getTime(),
    })
    await recordAudit(tx, { action: 'mail.account_changed' })
    await emitEvent(tx, 'mail.changed', {})
    tx.wake('mail')
    return accountView(tx, await findAccount(tx))
  })
}

/** Returns the server with its password, opened for one mail. Throws `mail_not_configured`. */
export function serverOf(ctx: Ctx, row: AccountRow | null): SmtpServer {
  if (row?.channel !== 'smtp' || row.host === null || row.port === null || row.security === null)
    throw new AppError('mail_not_configured')
  if (row.user !== null && row.sealed_password === null) throw new AppError('mail_not_configured')
  const here = isLoopback(row.host)
  // The row was checked when it was saved, but the store may have become a sandbox since, so it is checked again.
  if (here !== ctx.env.sandbox || (row.security === 'plain' && !ctx.env.sandbox))
    throw new AppError('mail_not_configured')
  const password =
    row.sealed_password === null
      ? null
      : ctx.env.store.sealer.open(row.sealed_password, passwordSealContext(row.company_id)).toString('utf8')
  return {
    host: row.host,
    port: row.port,
    security: row.security,
    user: row.user,
    password,
    ...(ctx.env.mockEndpoint && here ? { caPem: ctx.env.mockEndpoint.caPem } : {}),
  }
}

/** Verifies that the sealed password of every company's server can be opened in its own row. */
export async function verifyMailPasswords({ store }: AppEnvironment): Promise<Proof> {
  const rows = await store.reader
    .selectFrom('mail_accounts')
    .select(['company_id', 'sealed_password'])
    .execute()
  return proveRows(rows, ({ company_id, sealed_password }) =>
    sealed_password === null || canOpenSealed(store.sealer, sealed_password, passwordSealContext(company_id))
      ? null
      : `The mail password of company ${company_id} does not open.`,
  )
}

/** Returns true if the company can send mail through its own server. */
export function canSend(row: AccountRow | null): boolean {
  return row?.channel === 'smtp' && (row.user === null || row.sealed_password !== null)
}

/** Returns the company's own addresses, as entered: the only recipients that a test book may use. */
export function ownAddresses(company: CompanyRow, account: AccountRow | null): string[] {
  const all = [company.email, account?.from_address, account?.reply_to].filter((one) => one != null)
  return all.filter(
    (one, index) => all.findIndex((other) => other.toLowerCase() === one.toLowerCase()) === index,
  )
}

/** Rejects recipients other than the company itself in a test book. Throws `mail_test_recipient`. */
export function assertRecipients(
  ctx: Ctx,
  company: CompanyRow,
  account: AccountRow | null,
  recipients: readonly string[],
): void {
  if (ctx.book.mode !== 'test') return
  const own = ownAddresses(company, account)
  const strangers = recipients.filter((one) => !own.some((each) => each.toLowerCase() === one.toLowerCase()))
  if (strangers.length > 0)
    throw new AppError('mail_test_recipient', { field: 'to', details: { own, strangers } })
}

/** Sends a test mail to the company's own address and waits for the outcome. */
async function testMailWithin(
  ctx: Ctx,
  limits?: SmtpLimits,
): Promise<ContractOutput<typeof testMailAccountContract>> {
  const account = await findAccount(ctx)
  const server = serverOf(ctx, account)
  const company = await findCompany(ctx)
  const address = account?.from_address
  if (!account || address == null) throw new AppError('mail_not_configured')
  const id = ctx.newId('mai')
  const { subject, body } = testMessage(company.legal_name, programLanguage(company.default_language))
  const message = await messageBytes(
    {
      id,
      messageId: messageIdOf(id, address),
      date: ctx.now(),
      from: { name: account.from_name ?? company.legal_name, address },
      replyTo: account.reply_to,
      to: [address],
      cc: [],
      bcc: null,
      subject,
      body,
      parts: [],
    },
    false,
  )
  const delivery = await deliverMessage(
    server,
    { from: address, to: [address] },
    message,
    limits ? { limits } : {},
  )
  if (delivery.outcome === 'sent')
    await ctx.transaction(async (tx) => {
      await markTested(tx, account.version)
      await recordAudit(tx, { action: 'mail.tested' })
    })
  return {
    outcome: delivery.outcome,
    to: address,
    reason: delivery.outcome === 'sent' ? null : delivery.reason,
    detail: delivery.detail || null,
  }
}

export const testMail: UseCase<typeof testMailAccountContract> = (ctx) => testMailWithin(ctx)

/** Returns a unique Message-ID, the same at every attempt: servers recognize a repeated mail by it. */
export function messageIdOf(id: string, address: string | null): string {
  return `<${id}@${address?.split('@').at(-1) ?? 'sello.invalid'}>`
}
