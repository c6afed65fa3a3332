-- Texts that stand in keys are compared by bytes, so that order does not depend on the machine's locale.
create table loam.tenants (
  id uuid primary key,
  slug text collate "C" not null unique,
  name text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);

create table loam.api_keys (
  tenant_id uuid not null references loam.tenants on delete cascade,
  id uuid not null,
  name text collate "C" not null,
  hash text collate "C" not null unique,
  bound_user_id text collate "C",
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, name)
);

create table loam.agents (
  tenant_id uuid not null references loam.tenants on delete cascade,
  id uuid not null,
  key text collate "C" not null,
  type text not null,
  display_name text,
  description text,
  settings jsonb not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
