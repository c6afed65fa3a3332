-- One small number for each (tenant, agent, user), used in the keys of postings, with the counts that BM25 needs.
create table loam.scopes (
  tenant_id uuid not null,
  scope_id bigint not null generated always as identity,
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  chunk_count integer not null default 0,
  term_count bigint not null default 0,
  session_count integer not null default 0,
  session_term_count bigint not null default 0,
  primary key (tenant_id, scope_id),
  unique (tenant_id, agent_id, user_id),
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);
create index scopes_by_user on loam.scopes (tenant_id, user_id) include (scope_id);

create table loam.chunks (
  tenant_id uuid not null,
  id uuid not null,
  scope_id bigint not null,
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  -- The owner: exactly one of a document, a message (session and sequence) and an episode.
  document_id uuid,
  session_id uuid,
  sequence integer,
  episode_id uuid,
  source text not null generated always as (
    case when document_id is not null then 'documents' when session_id is not null then 'messages' else 'episodes' end
  ) stored,
  group_id uuid not null generated always as (coalesce(document_id, session_id, episode_id)) stored,
  position integer not null,
  part integer not null,
  text text not null,
  path text collate "C",
  start_line integer,
  end_line integer,
  speaker text,
  occurred_at timestamptz(3) not null,
  expires_at timestamptz(3),
  -- The postings of a chunk are found again by its terms when it is deleted.
  terms text[] not null,
  frequencies integer[] not null,
  length integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, scope_id) references loam.scopes (tenant_id, scope_id) on delete cascade,
  foreign key (tenant_id, document_id) references loam.documents (tenant_id, id) on delete cascade,
  foreign key (tenant_id, session_id, sequence) references loam.messages (tenant_id, session_id, sequence) on delete cascade,
  foreign key (tenant_id, episode_id) references loam.episodes (tenant_id, id) on delete cascade,
  constraint chunks_one_owner check (num_nonnulls(document_id, session_id, episode_id) = 1),
  constraint chunks_message check ((session_id is null) = (sequence is null)),
  constraint chunks_terms check (cardinality(terms) = cardinality(frequencies))
);
create index chunks_by_scope on loam.chunks (tenant_id, scope_id);
create index chunks_by_group on loam.chunks (tenant_id, group_id, position, part);
create index chunks_by_document on loam.chunks (tenant_id, document_id) where document_id is not null;
create index chunks_by_message on loam.chunks (tenant_id, session_id, sequence) where session_id is not null;
create index chunks_by_episode on loam.chunks (tenant_id, episode_id) where episode_id is not null;

-- In which chunks a term stands. Looked up by equality alone, which is leakproof and so uses the index under row-level security.
create table loam.postings (
  tenant_id uuid not null,
  chunk_id uuid not null,
  scope_id bigint not null,
  frequency integer not null,
  length integer not null,
  term text collate "C" not null,
  primary key (tenant_id, scope_id, term, chunk_id) include (frequency, length)
);

-- Lengths of documents, sessions and episodes as wholes.
create table loam.chunk_groups (
  tenant_id uuid not null,
  scope_id bigint not null,
  group_id uuid not null,
  source text not null,
  chunk_count integer not null,
  term_count bigint not null,
  primary key (tenant_id, scope_id, group_id)
);
