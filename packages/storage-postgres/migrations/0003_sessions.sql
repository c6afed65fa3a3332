create table loam.sessions (
  tenant_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  key text collate "C" not null,
  kind text not null,
  channel text,
  timezone text,
  context_window integer,
  title text,
  metadata jsonb not null default '{}',
  last_sequence integer not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, agent_id, key),
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);
create index sessions_newest_of_user on loam.sessions (tenant_id, agent_id, user_id, created_at, id);
create index sessions_newest on loam.sessions (tenant_id, agent_id, created_at, id);

create table loam.messages (
  tenant_id uuid not null,
  session_id uuid not null,
  sequence integer not null,
  id text collate "C" not null,
  user_id text collate "C" not null default '',
  role text not null,
  content jsonb,
  name text,
  sender_id text,
  tool_calls jsonb,
  tool_call_id text,
  origin text not null,
  metadata jsonb,
  -- Tells a message that is sent again from another one with the same id.
  digest text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, session_id, sequence),
  unique (tenant_id, session_id, id),
  foreign key (tenant_id, session_id) references loam.sessions (tenant_id, id) on delete cascade
);

create table loam.runs (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  user_id text collate "C" not null default '',
  run_id text collate "C" not null,
  status text not null,
  compaction_summary text,
  usage jsonb,
  last_sequence integer not null,
  event_id uuid not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, session_id, run_id),
  foreign key (tenant_id, session_id) references loam.sessions (tenant_id, id) on delete cascade
);
create index runs_newest on loam.runs (tenant_id, session_id, created_at, id);

create table loam.episodes (
  tenant_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  session_id uuid not null,
  first_sequence integer not null,
  last_sequence integer not null,
  summary text not null,
  abstract text not null,
  topics text[] not null default '{}',
  method text not null,
  message_count integer not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, session_id, first_sequence),
  foreign key (tenant_id, session_id) references loam.sessions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);
create index episodes_covered on loam.episodes (tenant_id, session_id, last_sequence);
create index episodes_newest_of_session on loam.episodes (tenant_id, session_id, created_at, id);
create index episodes_newest_of_user on loam.episodes (tenant_id, agent_id, user_id, created_at, id);
create index episodes_newest on loam.episodes (tenant_id, agent_id, created_at, id);
create index episodes_expiring on loam.episodes (tenant_id, expires_at) where expires_at is not null;
