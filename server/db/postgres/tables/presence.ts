/**
 * Who has a record open for editing. It is worth nothing after a crash, so that the table is not logged. Times are
 * milliseconds since 1970 by the database's clock.
 */
import type { Nullable } from '../../schema/columns.ts'

export const EDITING = `
create unlogged table presence (
  company_id bigint not null references companies on delete cascade,
  book_id bigint not null,
  -- Type and public identifier of the record.
  record text not null,
  session_id text not null,
  person_id text not null,
  person_name text not null,
  since bigint not null,
  seen_at bigint not null,
  -- Who has asked to take the record over, and when.
  asked_by text,
  asked_by_name text,
  asked_at bigint,
  primary key (company_id, book_id, record, session_id)
);
create index presence_by_time on presence (seen_at);
alter table presence enable row level security, force row level security;
create policy of_company on presence using (company_id = (select own_company()) or (select is_for_installation()));
`

/** The table, which a desk does not have. */
export type PresenceTables = {
  presence: {
    company_id: number
    book_id: number
    record: string
    session_id: string
    person_id: string
    person_name: string
    since: number
    seen_at: number
    asked_by: Nullable<string>
    asked_by_name: Nullable<string>
    asked_at: Nullable<number>
  }
}
