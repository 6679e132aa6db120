/** Notes and tasks that people write on the records of a book. */

export const tasks = `
create table notes (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  target_type text not null check (target_type in ('invoice', 'quote', 'received', 'contact', 'return', 'transaction')),
  -- Public identifier; of a return its model and period.
  target_id text not null,
  -- As the record was called when the note was written.
  target_label text not null,
  -- Empty once the note is removed.
  text text not null check (length(text) <= 4000),
  author_id text not null,
  author_name text not null,
  created_at integer not null,
  edited_at integer,
  deleted_at integer,
  version integer not null default 1,
  check (deleted_at is null or text = '')
) strict;
create index notes_of_target on notes (book_id, target_type, target_id, id);

-- Colleagues whom a note names.
create table note_mentions (
  note_id integer not null references notes on delete cascade,
  person_id text not null,
  name text not null,
  primary key (note_id, person_id)
) strict, without rowid;
create index note_mentions_of_person on note_mentions (person_id, note_id);

create table tasks (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  -- The record that the task is about; null for a task of its own.
  target_type text check (target_type in ('invoice', 'quote', 'received', 'contact', 'return', 'transaction')),
  target_id text,
  target_label text,
  title text not null check (length(title) between 1 and 200),
  due_on text,
  -- Null: whoever has the time.
  assignee_id text,
  assignee_name text,
  created_by text not null,
  created_by_name text not null,
  created_at integer not null,
  done_at integer,
  done_by text,
  done_by_name text,
  version integer not null default 1,
  check ((target_type is null) = (target_id is null) and (target_type is null) = (target_label is null)),
  check ((assignee_id is null) = (assignee_name is null)),
  check ((done_at is null) = (done_by is null) and (done_at is null) = (done_by_name is null))
) strict;
create index tasks_of_target on tasks (book_id, target_type, target_id, id) where target_id is not null;
create index tasks_open on tasks (book_id, assignee_id, due_on, id) where done_at is null;
`
