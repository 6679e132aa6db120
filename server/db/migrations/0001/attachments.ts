/** First schema: files kept as they came, once for each content, and what they belong to. */

export const attachmentsTables = `
create table files (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  sha256 blob not null check (length(sha256) = 32),
  size integer not null check (size between 1 and 20971520),
  media_type text not null,
  name text not null,
  created_at integer not null,
  unique (book_id, sha256)
) strict;
-- Apart from what is said of them, so that lists never touch the bytes.
create table file_bytes (
  file_id integer primary key references files on delete cascade,
  bytes blob not null
) strict;
create trigger files_frozen before update on files begin select raise(abort, 'frozen: files'); end;
create trigger file_bytes_frozen before update on file_bytes begin select raise(abort, 'frozen: files'); end;

create table file_links (
  file_id integer not null references files,
  target_type text not null,
  target_id integer not null,
  linked_at integer not null,
  primary key (target_type, target_id, file_id)
) strict, without rowid;
create index file_links_by_file on file_links (file_id);
create trigger file_links_frozen before update on file_links begin select raise(abort, 'frozen: files'); end;
create trigger file_bytes_kept before delete on file_bytes
  when exists (select 1 from file_links where file_id = old.file_id)
  begin select raise(abort, 'frozen: files'); end;
`
