/** The number of an installation is unique in its book: the books of a client come with their own. */
export const installationNumbers = `
create table registry_installations_next (
  installation text not null,
  book_id integer not null references books,
  first_sequence integer not null check (first_sequence >= 1),
  reason text not null check (reason in ('set_up', 'restored_copy', 'moved', 'clock')),
  started_at integer not null,
  primary key (book_id, installation)
) strict, without rowid;
insert into registry_installations_next (installation, book_id, first_sequence, reason, started_at)
  select installation, book_id, first_sequence, reason, started_at from registry_installations;
drop table registry_installations;
alter table registry_installations_next rename to registry_installations;
create index registry_installations_by_book on registry_installations (book_id, first_sequence);
create trigger registry_installations_kept before delete on registry_installations
  begin select raise(abort, 'frozen: registry_installations'); end;
create trigger registry_installations_frozen before update on registry_installations
  begin select raise(abort, 'frozen: registry_installations'); end;
`
