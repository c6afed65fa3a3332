/** Tells whoever fills in `IDENTITY.md` what its fields mean; it has no place in one that is filled in. */
export const identityHint =
  'Creature is what you are: an assistant, a robot, an owl, something of your own. Purpose is one sentence. Avatar is an address of a picture, or a path in the workspace.'

/** `IDENTITY.md`: what the agent is called and looks like. */
export const identityTemplate = `# Identity

- **Name:**
- **Creature:**
- **Purpose:**
- **Vibe:**
- **Emoji:**
- **Avatar:**

${identityHint}
`
