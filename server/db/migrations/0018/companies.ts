/** Many companies: how each is recognized, which are archived, and the end of one after its legal periods. */

const NOT_ENDING = 'not exists (select 1 from company_ends)'

/** Rows that nothing may delete, but the end of their company. */
function frozen(name: string, table: string, message: string, when?: string): string {
  const condition = when === undefined ? NOT_ENDING : `(${when}) and ${NOT_ENDING}`
  return `drop trigger ${name};
create trigger ${name} before delete on ${table} when ${condition}
  begin select raise(abort, '${message}'); end;`
}

/** Triggers whose message names their table. */
const FROZEN: readonly (readonly [trigger: string, table: string, when?: string])[] = [
  ['actors_kept', 'actors'],
  ['audit_events_kept', 'audit_events'],
  ['document_signatures_kept', 'document_signatures'],
  ['documents_kept', 'documents'],
  ['filing_sendings_kept', 'filing_sendings'],
  ['filings_kept', 'filings'],
  ['invoice_amendments_kept', 'invoice_amendments'],
  ['invoice_lines_no_delete', 'invoice_lines', ofIssued('invoice_id')],
  ['invoice_references_no_delete', 'invoice_references', ofIssued('invoice_id')],
  ['invoice_replacements_kept', 'invoice_replacements'],
  ['invoice_taxes_no_delete', 'invoice_taxes', ofIssued('invoice_id')],
  ['invoices_kept', 'invoices', "old.state = 'issued'"],
  [
    'mail_attachments_kept',
    'mail_attachments',
    '(select emptied_at from mails where id = old.mail_id) is null',
  ],
  ['mails_kept', 'mails'],
  [
    'parties_kept',
    'parties',
    "exists (select 1 from invoices where state = 'issued' and (party_id = old.id or issuer_id = old.id))",
  ],
  ['received_kept', 'received_invoices'],
  ['registry_chains_kept', 'registry_chains'],
  ['registry_installations_kept', 'registry_installations'],
  ['registry_records_kept', 'registry_records'],
  ['series_kept', 'series', 'old.next_number > old.start_number'],
]

function ofIssued(column: string): string {
  return `(select state from invoices where id = old.${column}) = 'issued'`
}

export const companies = `
-- Place in the palette of the window; null: derived from the identifier.
alter table companies add column colour integer check (colour between 0 and 9);
-- One or two letters; null: the initials of the name.
alter table companies add column mark text check (length(mark) between 1 and 2);
-- Both books of a company are archived and taken back together. A request reads its book anyway.
alter table books add column archived_at integer;

-- A company while it is deleted: the row is there only within the transaction that deletes everything of the company,
-- and the rows that nothing may delete otherwise go with it.
create table company_ends (
  company_id integer primary key references companies,
  begun_at integer not null
) strict;

${FROZEN.map(([name, table, when]) => frozen(name, table, `frozen: ${table}`, when)).join('\n')}
${frozen('file_bytes_kept', 'file_bytes', 'frozen: files', 'exists (select 1 from file_links where file_id = old.file_id)')}
${frozen('journal_lines_kept', 'journal_lines', 'sealed: journal_lines', '(select open from journal_entries where id = old.entry_id) is null')}
drop trigger journal_entries_kept;
create trigger journal_entries_kept before delete on journal_entries when ${NOT_ENDING}
  begin
    select raise(abort, 'sealed: journal_entries') where old.open is null;
    select raise(abort, 'sealed: journal_lines') from journal_lines where entry_id = old.id;
    select raise(abort, 'period_locked') from period_locks where book_id = old.book_id and locked_until >= old.day;
  end;
`
