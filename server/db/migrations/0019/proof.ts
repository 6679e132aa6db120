/** Returns that were filed before a business moved in: they belong to the move, and go with it. */
export const proof = `
drop trigger filings_kept;
create trigger filings_kept before delete on filings
  when not exists (select 1 from company_ends)
    and not exists (select 1 from moving_records where kind = 'filing' and record_id = old.id)
  begin select raise(abort, 'frozen: filings'); end;
`
