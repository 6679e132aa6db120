-- The roles of an office and its database, created once by the administrator (docs/office.md). The passwords are
-- files, which psql reads where it runs.
\set owner_password `cat /run/secrets/owner-password`
\set server_password `cat /run/secrets/server-password`
create role sello_owner login password :'owner_password';
create role sello_server login password :'server_password';
create database sello owner sello_owner encoding 'UTF8' locale 'C' template template0;
