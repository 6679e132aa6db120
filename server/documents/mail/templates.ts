/** The company's own templates for its mails, and the built-in ones where it has none. */
import { recordAudit } from '../../platform/audit/index.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { DOCUMENT_LANGUAGES, programLanguage } from '../../domain/languages.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import { normalizeText } from '../../domain/text.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type {
  listMailTemplatesContract,
  MailTemplate,
  saveMailTemplateContract,
  TemplateKind,
} from './contract.ts'
import { placeholdersOf, TEMPLATE_KINDS, unknownPlaceholders, defaultTemplates } from './default-templates.ts'

function ownTemplate(ctx: Ctx, kind: TemplateKind, language: DocumentLanguage) {
  return ctx.db
    .selectFrom('mail_templates')
    .select(['subject', 'body'])
    .where('company_id', '=', ctx.book.companyId)
    .where('kind', '=', kind)
    .where('language', '=', language)
    .executeTakeFirst()
}

/**
 * Returns the language that a kind of mail is written in when another one is requested: only the company's own
 * templates exist in all languages.
 */
export async function templatesIn(
  ctx: Ctx,
  kind: TemplateKind,
  language: DocumentLanguage,
): Promise<DocumentLanguage> {
  return (await ownTemplate(ctx, kind, language)) ? language : programLanguage(language)
}

/** Returns the template of a kind of mail in a language. */
export async function templateOf(
  ctx: Ctx,
  kind: TemplateKind,
  language: DocumentLanguage,
): Promise<MailTemplate> {
  const own = await ownTemplate(ctx, kind, language)
  return {
    kind,
    language,
    ...(own ?? defaultTemplates(kind, language)),
    isOwn: own !== undefined,
    placeholders: placeholdersOf(kind, language),
  }
}

export const listMailTemplates: UseCase<typeof listMailTemplatesContract> = async (ctx) => {
  const items: MailTemplate[] = []
  for (const kind of TEMPLATE_KINDS)
    for (const language of DOCUMENT_LANGUAGES) items.push(await templateOf(ctx, kind, language))
  return { items }
}

export const saveMailTemplate: UseCase<typeof saveMailTemplateContract> = async (
  ctx,
  { kind, language, words },
) => {
  const faults = words
    ? (['subject', 'body'] as const).flatMap((field) =>
        unknownPlaceholders(kind, words[field]).map((name) => ({
          code: 'mail_placeholder_unknown',
          field: `words.${field}`,
          severity: 'error' as const,
          message: `Nothing is known by the name {${name}} in this mail.`,
          fix: `Use one of: ${placeholdersOf(kind, language).join(', ')}.`,
          params: { name },
        })),
      )
    : []
  if (faults.length > 0) throw validationFailed(faults)
  return ctx.transaction(async (tx) => {
    const key = { company_id: tx.book.companyId, kind, language }
    if (words) {
      const values = { subject: normalizeText(words.subject), body: normalizeText(words.body) }
      const row = { ...values, updated_at: tx.now().getTime() }
      await tx.db
        .insertInto('mail_templates')
        .values({ ...key, ...row })
        .onConflict((conflict) => conflict.columns(['company_id', 'kind', 'language']).doUpdateSet(row))
        .execute()
    } else
      await tx.db
        .deleteFrom('mail_templates')
        .where('company_id', '=', key.company_id)
        .where('kind', '=', kind)
        .where('language', '=', language)
        .execute()
    await recordAudit(tx, { action: 'mail.template_changed' })
    await emitEvent(tx, 'mail.changed', {})
    return templateOf(tx, kind, language)
  })
}
