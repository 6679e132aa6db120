/** Templates: named contents from which drafts are made. */
import type { Selectable } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { softDelete } from '../../platform/trash/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import { normalizeText } from '../../domain/text.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { createDraft } from '../invoices/index.ts'
import type { TemplatesTable } from '../../db/schema.ts'
import { chosenContent, withoutDefaultSeries, validateContent, withoutDeletedItems } from './content.ts'
import type {
  createTemplateContract,
  deleteTemplateContract,
  getTemplateContract,
  listTemplatesContract,
  Template,
  TemplateContent,
  updateTemplateContract,
  useTemplateContract,
} from './contract.ts'

type TemplateRow = Selectable<TemplatesTable>

/** Placeholder for the missing customer of a template while it is checked. */
const NOBODY = '—'

async function templateRow(ctx: Ctx, publicId: string): Promise<TemplateRow> {
  return orNotFound(
    await ctx.db
      .selectFrom('templates')
      .selectAll()
      .where('book_id', '=', ctx.book.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst(),
  )
}

/** Returns the stored content without deleted contacts and items. */
async function contentOfRow(ctx: Ctx, row: TemplateRow): Promise<TemplateContent> {
  const content = JSON.parse(row.content) as TemplateContent
  const lines = await withoutDeletedItems(ctx, content.lines)
  if (!content.clientId) return { ...content, lines }
  const contact = await ctx.db
    .selectFrom('contacts')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('public_id', '=', content.clientId)
    .executeTakeFirst()
  return contact ? { ...content, lines } : { ...content, lines, clientId: null }
}

async function templateView(ctx: Ctx, row: TemplateRow): Promise<Template> {
  const invoice = await contentOfRow(ctx, row)
  let total = 0
  try {
    total = eurosFromCents(
      (await validateContent(ctx, { clientName: NOBODY, ...invoice }, ctx.today(), { isTemplate: true }))
        .totalCents,
    )
  } catch (error) {
    // A template that no longer composes can still be opened and corrected.
    if (!(error instanceof AppError)) throw error
  }
  return {
    id: row.public_id,
    name: row.name,
    invoice,
    total,
    usedAt: row.used_at === null ? null : new Date(row.used_at).toISOString(),
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

async function recordTemplateChange(tx: Ctx, action: string, publicId: string, name: string): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'template', id: publicId, label: name } })
  await emitEvent(tx, 'recurrence.changed', { templateId: publicId })
}

/** Checks that no other template has the name, ignoring case. */
async function freeName(tx: Ctx, text: string, ownId?: number): Promise<string> {
  const name = normalizeText(text)
  const rows = await tx.db
    .selectFrom('templates')
    .select(['id', 'name'])
    .where('book_id', '=', tx.book.id)
    .execute()
  if (rows.some((row) => row.id !== ownId && row.name.toLowerCase() === name.toLowerCase()))
    throw validationFailed([
      {
        code: 'name_taken',
        field: 'name',
        severity: 'error',
        message: 'Another template has that name.',
        fix: 'Choose another name.',
      },
    ])
  return name
}

function withoutClient(content: TemplateContent): TemplateContent {
  const { clientName: _name, clientNif: _nif, clientId: _id, client: _client, ...rest } = content
  return rest
}

/** Returns the templates of the book, the one used last first. */
export const listTemplates: UseCase<typeof listTemplatesContract> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('templates')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .orderBy((eb) => eb.fn.coalesce('used_at', 'created_at'), 'desc')
    .orderBy('id')
    .execute()
  const items = []
  for (const row of rows) items.push(await templateView(ctx, row))
  return { items, nextCursor: null }
}

export const getTemplate: UseCase<typeof getTemplateContract> = async (ctx, { id }) =>
  templateView(ctx, await templateRow(ctx, id))

/** Stores a content under a name; it must compose to a draft. */
export const createTemplate: UseCase<typeof createTemplateContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const name = await freeName(tx, input.name)
    const chosen: TemplateContent = withoutDefaultSeries(
      await chosenContent(tx, input.invoice, input.fromInvoice),
    )
    const content =
      input.fromInvoice !== undefined && input.withClient !== true ? withoutClient(chosen) : chosen
    await validateContent(tx, { clientName: NOBODY, ...content }, tx.today(), { isTemplate: true })
    const now = tx.now().getTime()
    const publicId = tx.newId('tpl')
    await tx.db
      .insertInto('templates')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        name,
        content: JSON.stringify(content),
        created_at: now,
        updated_at: now,
      })
      .execute()
    await recordTemplateChange(tx, 'template.created', publicId, name)
    return templateView(tx, await templateRow(tx, publicId))
  })

/** Renames a template or replaces its content. */
export const updateTemplate: UseCase<typeof updateTemplateContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await templateRow(tx, input.id)
    if (input.expectedVersion !== undefined && input.expectedVersion !== row.version)
      throw new AppError('version_conflict', { field: 'expectedVersion', details: { version: row.version } })
    const name = input.name === undefined ? row.name : await freeName(tx, input.name, row.id)
    if (input.invoice)
      await validateContent(tx, { clientName: NOBODY, ...input.invoice }, tx.today(), { isTemplate: true })
    await tx.db
      .updateTable('templates')
      .set({
        name,
        ...(input.invoice ? { content: JSON.stringify(withoutDefaultSeries(input.invoice)) } : {}),
        version: row.version + 1,
        updated_at: tx.now().getTime(),
      })
      .where('id', '=', row.id)
      .execute()
    await recordTemplateChange(tx, 'template.updated', row.public_id, name)
    return templateView(tx, await templateRow(tx, row.public_id))
  })

export const deleteTemplate: UseCase<typeof deleteTemplateContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = await templateRow(tx, id)
    assertVersion(expectedVersion, row.version)
    await softDelete(tx, {
      rows: [{ table: 'templates', id: row.id }],
      action: 'template.restored',
      target: { type: 'template', id: row.public_id, label: row.name },
      event: { type: 'recurrence.changed', data: { templateId: row.public_id } },
    })
    await recordTemplateChange(tx, 'template.deleted', row.public_id, row.name)
    return { deleted: true }
  })

/** Makes a new draft from a template; a given customer replaces the template's whole. */
export const useTemplate: UseCase<typeof useTemplateContract> = (ctx, { id, ...given }) =>
  ctx.transaction(async (tx) => {
    const row = await templateRow(tx, id)
    const content = await contentOfRow(tx, row)
    const isNamed = given.clientName !== undefined
    const { clientName, ...rest } = isNamed
      ? { ...withoutClient(content), ...given }
      : { ...content, ...given }
    if (clientName === undefined)
      throw validationFailed([
        {
          code: 'required',
          field: 'clientName',
          severity: 'error',
          message: 'The template has no customer.',
          fix: 'Name the customer of this invoice.',
        },
      ])
    await tx.db
      .updateTable('templates')
      .set({ used_at: tx.now().getTime() })
      .where('id', '=', row.id)
      .execute()
    return createDraft(tx, { ...rest, clientName })
  })
