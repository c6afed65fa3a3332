-- Spaces belong to the installation and hold no text of a tenant.
create table loam.embedding_spaces (
  id integer primary key generated always as identity,
  provider text collate "C" not null,
  model text collate "C" not null,
  dimensions integer not null check (dimensions between 1 and 16000),
  unique (provider, model, dimensions),
  unique (id, dimensions)
);

create table loam.chunk_vectors (
  tenant_id uuid not null,
  chunk_id uuid not null,
  space_id integer not null,
  scope_id bigint not null,
  dimensions integer not null,
  -- A vector of zeros says that the chunk was embedded; it has no direction and is never found.
  is_zero boolean not null,
  embedding vector not null,
  primary key (tenant_id, chunk_id, space_id),
  foreign key (tenant_id, chunk_id) references loam.chunks (tenant_id, id) on delete cascade,
  foreign key (space_id, dimensions) references loam.embedding_spaces (id, dimensions),
  constraint chunk_vectors_dimensions check (vector_dims(embedding) = dimensions)
);
create index chunk_vectors_by_scope on loam.chunk_vectors (tenant_id, space_id, scope_id, chunk_id);
