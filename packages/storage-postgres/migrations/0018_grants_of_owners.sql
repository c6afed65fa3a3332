-- Whoever owns a skill sees to whom it was granted, and takes all of that back when the skill becomes private.
-- To give a grant stays the business of whoever runs the tenant.
create policy seen_by_owner on loam.skill_user_grants for select using (
  tenant_id = (select loam.tenant_of_work())
  and exists (
    select from loam.skills s
    where s.tenant_id = skill_user_grants.tenant_id and s.id = skill_user_grants.skill_id
      and s.owner_user_id <> '' and s.owner_user_id = (select loam.user_of_work())
  )
);
create policy revoked_by_owner on loam.skill_user_grants for delete using (
  tenant_id = (select loam.tenant_of_work())
  and exists (
    select from loam.skills s
    where s.tenant_id = skill_user_grants.tenant_id and s.id = skill_user_grants.skill_id
      and s.owner_user_id <> '' and s.owner_user_id = (select loam.user_of_work())
  )
);
