/**
 * Three prompts that describe the order in which to use the tools; each becomes a command in the assistant's own
 * window.
 */
import { textFault } from '../../domain/text.ts'
import { INVALID_PARAMS, ProtocolFailure } from './failures.ts'

interface PromptArgument {
  name: string
  description: string
  required: true
  /** Further restriction of the accepted text. */
  pattern?: RegExp
}

interface PromptSource {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  lines: (values: Record<string, string>) => string[]
}

const MAX_ARGUMENT = 300
const YEAR: PromptArgument = {
  name: 'year',
  description: 'Year, four digits.',
  required: true,
  pattern: /^20\d\d$/,
}

const SOURCES: readonly PromptSource[] = [
  {
    name: 'svc_new_invoice',
    title: 'New invoice',
    description: 'Draft an invoice, check it and issue it after approval.',
    arguments: [
      { name: 'client', description: "Customer's name, with the NIF if known.", required: true },
      { name: 'concept', description: 'What is invoiced.', required: true },
      {
        name: 'amount',
        description: 'Amount in euros before tax.',
        required: true,
        pattern: /^\d{1,9}([.,]\d{1,2})?$/,
      },
    ],
    lines: ({ client, concept, amount }) => [
      `Make an invoice for ${client}: ${concept}, ${amount} euros before tax.`,
      "1. svc_get_company_context: check that the book can issue, and today's date.",
      "2. svc_list_invoices with the customer's name as text: take the NIF and the usual terms from earlier invoices; ask me if there is none.",
      '3. svc_create_invoice_draft. Tell me what it assumed.',
      '4. svc_validate_registry_invoice. Show me summaryForUser as it is, and every warning.',
      '5. Only after I say yes: svc_issue_registry_invoice with the token. If it waits for approval in the app, tell me so and repeat the call afterwards.',
    ],
  },
  {
    name: 'svc_quarter_review',
    title: 'Review a quarter',
    description: 'Figures, obligations and loose ends of a quarter.',
    arguments: [YEAR, { name: 'quarter', description: '1 to 4.', required: true, pattern: /^[1-4]$/ }],
    lines: ({ year, quarter }) => [
      `Review quarter ${quarter} of ${year}.`,
      `1. svc_get_fiscal_summary with year ${year} and quarter ${quarter}.`,
      '2. svc_get_registry_status: anything rejected, pending or asking for attention.',
      '3. svc_list_invoices with state draft: what was left unissued.',
      '4. Tell me the VAT by rate, the obligations with their dates, and what is missing; say that it is an estimate.',
      '5. For what needs a decision use svc_propose_action, one for each, and do nothing else.',
    ],
  },
  {
    name: 'svc_month_close',
    title: 'Close a month',
    description: 'Find what is open before a month is closed.',
    arguments: [
      YEAR,
      { name: 'month', description: '1 to 12.', required: true, pattern: /^(0?[1-9]|1[0-2])$/ },
    ],
    lines: ({ year, month }) => [
      `Close month ${month} of ${year}.`,
      `1. svc_get_fiscal_summary with year ${year} and month ${Number(month)}.`,
      '2. svc_list_invoices from the first to the last day of the month: drafts, rejected registrations, unpaid invoices.',
      '3. svc_get_registry_status: is the queue empty and the chain in order.',
      '4. List what is open, the most urgent first, and suggest the next step for each; propose with svc_propose_action what I agree to.',
    ],
  },
]

export const PROMPTS = SOURCES.map(({ name, title, description, arguments: args }) => ({
  name,
  title,
  description,
  arguments: args.map(({ pattern: _, ...argument }) => argument),
}))

export type PromptResult = {
  description: string
  messages: { role: 'user'; content: { type: 'text'; text: string } }[]
}

/** Fills in a prompt. Throws `ProtocolFailure` for an unknown prompt and for missing or invalid arguments. */
export function fillPrompt(name: string, given: Record<string, string> | undefined): PromptResult {
  const source = SOURCES.find((one) => one.name === name)
  if (!source)
    throw new ProtocolFailure(INVALID_PARAMS, 'There is no such prompt.', {
      prompts: PROMPTS.map((one) => one.name),
    })
  const values: Record<string, string> = {}
  for (const { name: argument, pattern, description } of source.arguments) {
    const value = given?.[argument]?.trim() ?? ''
    const isFit =
      value !== '' && value.length <= MAX_ARGUMENT && !textFault(value) && (!pattern || pattern.test(value))
    if (!isFit)
      throw new ProtocolFailure(
        INVALID_PARAMS,
        `The argument ${argument} is missing or not as described: ${description}`,
        { argument },
      )
    values[argument] = value
  }
  return {
    description: source.description,
    messages: [{ role: 'user', content: { type: 'text', text: source.lines(values).join('\n') } }],
  }
}
