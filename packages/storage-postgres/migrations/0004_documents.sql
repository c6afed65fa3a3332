create table loam.documents (
  tenant_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  path text collate "C" not null,
  content text not null,
  -- In UTF-16 code units, as clients count, so that a list need not read the texts.
  content_length integer not null
    generated always as (length(regexp_replace(content, '[\U00010000-\U0010FFFF]', '..', 'g'))) stored,
  hash text collate "C" not null,
  metadata jsonb not null default '{}',
  index_state text not null,
  indexed_hash text,
  index_settings text,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, agent_id, user_id, path),
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);
create index documents_by_path on loam.documents (tenant_id, agent_id, path, user_id);
