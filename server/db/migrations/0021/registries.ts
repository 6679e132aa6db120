/** Several registries: which one a book is under, and what a record names of the one before it. */
export const registries = `
-- Name of the registry that its records belong to; all books before this version are under the first one.
alter table books add column registry_system text not null default 'verifactu';
-- Fixed by the first record, like the environment.
create trigger books_registry_fixed before update of registry_system on books
  when old.registry_system <> new.registry_system and exists (select 1 from registry_records where book_id = old.id)
  begin select raise(abort, 'frozen: books'); end;

-- What the next record names of this one, where that is not its hash (such as a part of its signature).
alter table registry_records add column link text;
-- That of the last record of the installation.
alter table registry_chains add column head_link text;
`
