/** Mistakes of assistants and of the people who instruct them, and the answers to them. */
import { check, draft, issue, makes } from '../trace.ts'
import type { Conversation } from '../trace.ts'

const invalid = (name: string, code: string) =>
  ({
    tool: 'svc_validate_registry_invoice',
    args: { id: `$${name}.id` },
    as: 'check',
    gets: { valid: false },
    without: ['svct_'],
    issues: code,
  }) as const

export const MISTAKES: readonly Conversation[] = [
  {
    name: 'two customers of nearly one name',
    wish: 'Invoice García.',
    steps: [
      { person: 'invoices.create', input: draft('García Pérez, Ana', { clientNif: '12345678Z' }) },
      { person: 'invoices.create', input: draft('García Prieto, Ana', { clientNif: '50123456Q' }) },
      { tool: 'svc_list_invoices', args: { text: 'garcia p' }, as: 'found', gets: { totals: { count: 2 } } },
      // Both are listed with their differences, and the assistant has to ask.
      {
        tool: 'svc_list_invoices',
        args: { text: 'García Prieto' },
        gets: { items: [{ clientNif: '50123456Q' }] },
      },
    ],
    changes: {},
  },
  {
    name: 'a number that two series have',
    wish: 'Open invoice 77.',
    steps: [
      { person: 'series.create', input: { code: 'OBRA', kind: 'ordinary', startNumber: 77 }, as: 'works' },
      { person: 'series.create', input: { code: 'TIENDA', kind: 'ordinary', startNumber: 77 }, as: 'shop' },
      makes(draft('Serie Obra', { series: '$works.code' }), 'first'),
      check('first', 'checkOfFirst'),
      issue('first', 'checkOfFirst', 'ofWorks'),
      makes(draft('Serie Tienda', { series: '$shop.code' }), 'second'),
      check('second', 'checkOfSecond'),
      issue('second', 'checkOfSecond', 'ofShop'),
      { tool: 'svc_get_invoice', args: { id: '0077' }, refused: 'invoice_number_ambiguous' },
      { tool: 'svc_list_invoices', args: { text: 'Serie' }, gets: { totals: { count: 2 } } },
      { tool: 'svc_get_invoice', args: { id: '$ofShop.number' }, gets: { id: '$second.id' } },
    ],
    changes: { drafts: 2, issued: 2 },
  },
  {
    name: 'a NIF with the wrong letter',
    wish: 'His NIF is 12345678A.',
    steps: [makes(draft('NIF Malo', { clientNif: '12345678A' })), invalid('draft', 'nif_invalid')],
    changes: { drafts: 1 },
  },
  {
    name: 'no NIF at all',
    wish: 'I do not have the NIF.',
    steps: [
      makes({ ...draft('Sin NIF'), clientNif: undefined }),
      invalid('draft', 'client_nif_missing'),
      { tool: 'svc_issue_registry_invoice', args: { id: '$draft.id' }, refused: 'confirmation_required' },
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'a rate that was never one',
    wish: 'Charge 17 % VAT.',
    steps: [
      makes(draft('Tipo Raro', { lines: [{ description: 'x', quantity: 1, unitPrice: 1, vatRate: 17 }] })),
      invalid('draft', 'vat_rate_unknown'),
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'a rate that is over',
    wish: 'Oil is at 5 %, is it not?',
    steps: [
      makes(
        draft('Tipo Pasado', { lines: [{ description: 'Aceite', quantity: 1, unitPrice: 9, vatRate: 5 }] }),
      ),
      invalid('draft', 'vat_rate_unknown'),
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'an invoice of tomorrow',
    wish: 'Date it in December.',
    steps: [makes(draft('Futuro', { issueDate: '2026-12-24' })), invalid('draft', 'issue_date_future')],
    changes: { drafts: 1 },
  },
  {
    name: 'an invoice to oneself',
    wish: 'Invoice my own company.',
    steps: [
      makes(draft('Talleres Ejemplo', { clientNif: 'B12345674' })),
      // The law allows self-supply: it is reported and may be issued.
      { ...check(), issues: 'client_is_issuer' },
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'a simplified invoice that is too large',
    wish: 'A ticket over five thousand euros.',
    steps: [
      makes({
        clientName: 'Mostrador Grande',
        kind: 'F2',
        lines: [{ description: 'Venta', quantity: 1, unitPrice: 5000 }],
      }),
      invalid('draft', 'simplified_too_large'),
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'the person edits in between',
    wish: 'Issue it (while I still type).',
    steps: [
      makes(draft('Edita Otro')),
      check(),
      { person: 'invoices.update', input: { id: '$draft.id', notes: 'Otra cosa' } },
      { ...issue(), gets: undefined, refused: 'confirmation_stale' },
      {
        tool: 'svc_validate_registry_invoice',
        args: { id: '$draft.id', expectedVersion: 1 },
        refused: 'version_conflict',
      },
      check('draft', 'anew'),
      issue('draft', 'anew'),
    ],
    changes: { drafts: 1, issued: 1 },
  },
  {
    name: 'dates the wrong way round',
    wish: 'From August to July.',
    steps: [
      {
        tool: 'svc_get_fiscal_summary',
        args: { from: '2026-08-01', to: '2026-07-01' },
        refused: 'validation_failed',
      },
      { tool: 'svc_get_fiscal_summary', args: { year: 2026, quarter: 5 }, refused: 'validation_failed' },
      { tool: 'svc_list_invoices', args: { from: '1 July' }, refused: 'validation_failed' },
    ],
    changes: {},
  },
  {
    name: 'a proposal that cannot be',
    wish: 'Just edit the invoice I issued.',
    steps: [
      makes(draft('Ya Emitida')),
      check(),
      issue(),
      {
        tool: 'svc_propose_action',
        args: { action: 'issue_invoice', targetId: '$issued.id', reason: 'Otra vez' },
        gets: { status: 'not_applicable', alternatives: [{ action: 'correct_invoice' }] },
      },
      { tool: 'svc_validate_registry_invoice', args: { id: '$issued.id' }, refused: 'invoice_not_draft' },
    ],
    changes: { drafts: 1, issued: 1, proposals: 1 },
  },
]
